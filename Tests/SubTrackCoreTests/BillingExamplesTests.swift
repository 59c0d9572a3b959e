import SubTrackAPI
import SubTrackCore
import Testing

/// The examples that the design names.
@Suite struct BillingExamples {
    @Test func monthEndsDoNotDrift() throws {
        #expect(
            try ends(from: "2027-01-31", duration: PlanDuration(value: 1, unit: .month), count: 4)
                == ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"])
        #expect(
            try ends(from: "2028-01-31", duration: PlanDuration(value: 1, unit: .month), count: 2)
                == ["2028-02-29", "2028-03-31"])
    }

    @Test func theLeapDayComesBack() throws {
        #expect(
            try ends(from: "2024-02-29", duration: PlanDuration(value: 1, unit: .year), count: 5)
                == ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"])
        // 2100 is no leap year.
        #expect(
            try ends(from: "2096-02-29", duration: PlanDuration(value: 4, unit: .year), count: 2)
                == ["2100-02-28", "2104-02-29"])
    }

    @Test func daysAndWeeksAreCounted() throws {
        #expect(
            try ends(from: "2027-01-24", duration: PlanDuration(value: 2, unit: .week), count: 3)
                == ["2027-02-07", "2027-02-21", "2027-03-07"])
        #expect(
            try ends(from: "2028-02-20", duration: PlanDuration(value: 10, unit: .day), count: 2)
                == ["2028-03-01", "2028-03-11"])
    }

    private func ends(from start: String, duration: PlanDuration, count: Int) throws -> [String] {
        let terms = try BillingTerms(duration: duration)
        var state = try BillingState.begin(on: try #require(CalendarDate(start)), terms: terms)
        var ends = [state.end.description]
        while ends.count < count {
            let next = try state.renewed(terms)
            #expect(next.start == state.end)
            #expect(next.number == state.number + 1)
            state = next
            ends.append(state.end.description)
        }
        return ends
    }
}
