import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

/// The rules of the billing calendar by examples that a person can check with a calendar on the wall.
@Suite(.ownTime) struct BillingExamples {
    @Test func monthEndsDoNotDrift() throws {
        #expect(
            try ends(from: "2027-01-31", terms(1, .month), count: 4)
                == ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"])
        #expect(try ends(from: "2028-01-31", terms(1, .month), count: 2) == ["2028-02-29", "2028-03-31"])
    }

    @Test func theLeapDayComesBack() throws {
        #expect(
            try ends(from: "2024-02-29", terms(1, .year), count: 5)
                == ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"])
        // 2100 is no leap year.
        #expect(try ends(from: "2096-02-29", terms(4, .year), count: 2) == ["2100-02-28", "2104-02-29"])
    }

    @Test func daysAndWeeksAreCounted() throws {
        #expect(
            try ends(from: "2027-01-24", terms(2, .week), count: 3) == ["2027-02-07", "2027-02-21", "2027-03-07"])
        #expect(try ends(from: "2028-02-20", terms(10, .day), count: 2) == ["2028-03-01", "2028-03-11"])
    }

    /// A life in the order in which it happens: trial, paid, another plan, corrections, a lapse.
    @Test func aLife() throws {
        let monthly = try terms(1, .month, trialDays: 7)
        let yearly = try terms(1, .year)
        let trial = try BillingState.begin(on: day("2027-01-24"), terms: monthly, freeTrial: true)
        #expect(try trial == state("2027-01-24", "2027-01-31", anchor: "2027-01-24", 0, number: 0, freeTrial: true))
        let paid = try trial.renewed(monthly)
        #expect(try paid == state("2027-01-31", "2027-02-28", anchor: "2027-01-31", 1, number: 1))
        let second = try paid.renewed(monthly)
        #expect(try second == state("2027-02-28", "2027-03-31", anchor: "2027-01-31", 2, number: 2))
        #expect(try second.changedPlan(to: terms(1, .month)) == second, "the same duration moves nothing")
        let year = try second.changedPlan(to: yearly)
        #expect(try year == state("2027-02-28", "2028-02-28", anchor: "2027-02-28", 1, number: 2))
        let corrected = try year.corrected(start: day("2027-09-01"), terms: monthly, lastEnd: day("2027-02-28"))
        #expect(try corrected == state("2027-09-01", "2027-10-01", anchor: "2027-09-01", 1, number: 2))
        let lapsed = try corrected.corrected(start: day("2028-03-15"), terms: monthly, lastEnd: day("2027-02-28"))
        #expect(try lapsed == state("2028-03-15", "2028-04-15", anchor: "2028-03-15", 1, number: 3))
    }

    @Test func aTrialWithoutDaysOfItsOwnLastsAWholePeriod() throws {
        let trial = try BillingState.begin(on: day("2027-01-31"), terms: terms(1, .month), freeTrial: true)
        #expect(try trial == state("2027-01-31", "2027-02-28", anchor: "2027-01-31", 1, number: 0, freeTrial: true))
        let paid = try trial.renewed(terms(1, .month))
        #expect(try paid == state("2027-02-28", "2027-03-31", anchor: "2027-01-31", 2, number: 1))
    }

    @Test func aChangedDurationCountsFromTheNextPeriod() throws {
        let monthly = try BillingState.begin(on: day("2027-01-31"), terms: terms(1, .month))
        let quarter = try monthly.renewed(terms(3, .month))
        #expect(try quarter == state("2027-02-28", "2027-05-28", anchor: "2027-02-28", 1, number: 1))
    }

    @Test func twelveMonthsAreAYear() throws {
        let months = try BillingState.begin(on: day("2024-02-29"), terms: terms(12, .month)).renewed(terms(1, .year))
        #expect(try months == state("2025-02-28", "2026-02-28", anchor: "2024-02-29", 2, number: 1))
    }

    @Test func theTrialFlag() throws {
        let plan = try terms(1, .month, trialDays: 7)
        let paid = try BillingState.begin(on: day("2027-01-31"), terms: plan)
        let trial = try paid.changedTrial(to: true, terms: plan)
        #expect(try trial == state("2027-01-31", "2027-02-07", anchor: "2027-01-31", 0, number: 0, freeTrial: true))
        #expect(try trial.changedTrial(to: false, terms: plan) == paid)
        #expect(try trial.changedTrial(to: true, terms: plan) == trial)
        // Later than in the first period the flag alone moves no end.
        let second = try paid.renewed(plan)
        let flagged = try second.changedTrial(to: true, terms: plan)
        #expect(try flagged == state("2027-02-28", "2027-03-31", anchor: "2027-01-31", 2, number: 1, freeTrial: true))
    }

    /// A correction may fall on the end date; that is no renewal.
    @Test func aCorrectionToTheEndDate() throws {
        let plan = try terms(1, .month)
        let first = try BillingState.begin(on: day("2027-01-31"), terms: plan)
        let moved = try first.corrected(start: day("2027-02-28"), terms: plan, lastEnd: nil)
        #expect(try moved == state("2027-02-28", "2027-03-28", anchor: "2027-02-28", 1, number: 0))
        let updated = try first.updated(
            start: day("2027-02-28"), terms: plan, planChanged: false, freeTrial: false, lastEnd: nil)
        #expect(try updated == state("2027-02-28", "2027-03-31", anchor: "2027-01-31", 2, number: 1))
    }

    @Test func whatCannotBe() throws {
        let plan = try terms(1, .month)
        let first = try BillingState.begin(on: day("2027-01-31"), terms: plan)
        for text in ["1970-01-01", "3000-01-01", "9999-12-31", "0001-01-01"] {
            let wrong = try day(text)
            #expect(throws: BillingError.startOutOfRange(wrong)) { try BillingState.begin(on: wrong, terms: plan) }
            #expect(throws: BillingError.startOutOfRange(wrong)) {
                try first.corrected(start: wrong, terms: plan, lastEnd: nil)
            }
        }
        #expect(try BillingState.begin(on: day("1970-01-02"), terms: plan).end == day("1970-02-02"))
        #expect(try BillingState.begin(on: day("2999-12-31"), terms: terms(1200, .year)).end == day("4199-12-31"))
        let last = try BillingState.begin(on: day("2999-12-31"), terms: plan)
        #expect(throws: BillingError.startOutOfRange(last.end)) { try last.renewed(plan) }

        let second = try first.renewed(plan)
        let early = BillingError.startInEndedPeriod(try day("2027-02-27"), earliest: first.end)
        #expect(throws: early) { try second.corrected(start: day("2027-02-27"), terms: plan, lastEnd: first.end) }
        #expect(early.description == "2027-02-27 lies in a period that has ended; the earliest start is 2027-02-28")
        #expect(try second.corrected(start: first.end, terms: plan, lastEnd: first.end).start == first.end)
    }

    @Test(arguments: [0, -1, 1201, 1_000_000_000, .max, .min])
    func durationsThatNoPlanHas(value: Int) {
        for unit in PlanDuration.Unit.allCases {
            let duration = PlanDuration(value: value, unit: unit)
            #expect(throws: BillingError.durationOutOfRange(value)) { try BillingTerms(duration: duration) }
            _ = BillingCalendar.date(anchor: CalendarDate.range.upperBound, count: .max, duration: duration)
            _ = BillingCalendar.date(anchor: CalendarDate.range.lowerBound, count: .min, duration: duration)
            _ = BillingCalendar.countOfFirst(
                after: CalendarDate.range.upperBound, anchor: CalendarDate.range.lowerBound, duration: duration)
            _ = try? BillingCalendar.start(forNextRenewal: CalendarDate.range.upperBound, duration: duration)
        }
        let month = PlanDuration(value: 1, unit: .month)
        #expect(throws: BillingError.self) { try BillingTerms(duration: month, trialDays: value == 0 ? -1 : value) }
    }

    private func ends(from start: String, _ terms: BillingTerms, count: Int) throws -> [String] {
        var state = try BillingState.begin(on: day(start), terms: terms)
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

    private func state(
        _ start: String, _ end: String, anchor: String, _ count: Int, number: Int, freeTrial: Bool = false
    ) throws -> BillingState {
        BillingState(
            start: try day(start), end: try day(end), anchor: try day(anchor), anchorCount: count, number: number,
            freeTrial: freeTrial)
    }
}
