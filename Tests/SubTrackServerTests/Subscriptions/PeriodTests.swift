import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// The billing calendar as clients see it: over HTTP, through the service and the database's triggers.
@Suite("Periods", .tags(.everyDay), .ownTime)
struct PeriodTests {
    /// Makes a subscription and renews it some times.
    /// - Returns: the end dates, the first one included.
    private func ends(
        startingOn start: String, _ duration: String, renewals: Int, at time: String = "2026-01-31"
    ) async throws -> [String] {
        try await TestService.run(at: time) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: duration)
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: day(start)))
            var ends = [made.endDate.description]
            for number in 1...renewals {
                let renewed = try await ada.call(RenewSubscription(id: made.id))
                #expect(renewed.startDate.description == ends.last)
                #expect(renewed.period == number)
                ends.append(renewed.endDate.description)
            }
            return ends
        }
    }

    @Test("31 January monthly ends on the last of February, then on 31 March, 30 April, 31 May")
    func monthEnds() async throws {
        #expect(
            try await ends(startingOn: "2026-01-31", "1 month", renewals: 3)
                == ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"])
        #expect(
            try await ends(startingOn: "2028-01-31", "1 month", renewals: 1, at: "2028-01-31")
                == ["2028-02-29", "2028-03-31"])
    }

    @Test("29 February yearly ends on 28 February and comes back in the leap year")
    func leapDays() async throws {
        #expect(
            try await ends(startingOn: "2024-02-29", "1 year", renewals: 4)
                == ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"])
    }

    @Test("Days, weeks and quarters")
    func otherDurations() async throws {
        #expect(try await ends(startingOn: "2026-02-20", "30 day", renewals: 1) == ["2026-03-22", "2026-04-21"])
        #expect(try await ends(startingOn: "2026-12-28", "2 week", renewals: 1) == ["2027-01-11", "2027-01-25"])
        #expect(
            try await ends(startingOn: "2025-11-30", "3 month", renewals: 2) == [
                "2026-02-28", "2026-05-30", "2026-08-30",
            ])
    }

    @Test("Without a start date it begins on the user's today, and its fields say so")
    func today() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "17.99", noticeDays: 3)
            let made = try await ada.call(CreateSubscription(planId: plan))
            #expect(made.startDate == day("2026-01-31") && made.endDate == day("2026-02-28"))
            #expect(made.remaining == 28 && made.period == 0 && made.status == .active)
            #expect(made.fee.description == "17.99" && made.currency == "USD")
            #expect(made.next == .init(fee: amount("17.99"), currency: "USD", on: day("2026-02-28")))
            #expect(made.cancelBy == day("2026-02-25"))
            #expect(!made.freeTrial && !made.autoRenew && made.label == nil && made.note == nil)
            #expect(made.plan.id == plan && made.plan.noticeDays == 3 && !made.plan.private && !made.plan.withdrawn)
            #expect(try await ada.call(GetSubscription(id: made.id)) == made)
        }
    }

    @Test("A trial lasts the plan's trial days, costs nothing, and its renewal begins a paid calendar where it ended")
    func trial() async throws {
        try await TestService.run(at: "2026-01-20") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "9.99", trialDays: 11)
            let trial = try await ada.call(CreateSubscription(planId: plan, freeTrial: true))
            #expect(trial.endDate == day("2026-01-31") && trial.freeTrial)
            #expect(trial.fee.description == "0.00")
            #expect(trial.next == .init(fee: amount("9.99"), currency: "USD", on: day("2026-01-31")))
            let paid = try await ada.call(RenewSubscription(id: trial.id))
            #expect(paid.startDate == day("2026-01-31") && paid.endDate == day("2026-02-28") && !paid.freeTrial)
            #expect(paid.fee.description == "9.99")
            #expect(try await ada.call(RenewSubscription(id: trial.id)).endDate == day("2026-03-31"))
            let periods = try await ada.call(ListPeriods(id: trial.id)).periods
            #expect(periods.map(\.number) == [0, 1, 2])
            #expect(periods.map(\.freeTrial) == [true, false, false])
            #expect(periods.map(\.fee.description) == ["0.00", "9.99", "9.99"])
        }
    }

    @Test("A trial of a plan without trial days lasts as long as a paid period")
    func trialWithoutLength() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let trial = try await ada.call(CreateSubscription(planId: plan, freeTrial: true))
            #expect(trial.endDate == day("2026-02-28") && trial.freeTrial)
            #expect(try await ada.call(RenewSubscription(id: trial.id)).endDate == day("2026-03-31"))
        }
    }

    @Test("A start that is given as the next renewal leads to that very day and keeps its calendar")
    func nextRenewal() async throws {
        try await TestService.run(at: "2026-03-10") { service in
            let ada = try await service.newUser()
            let monthly = try await service.addPlan(duration: "1 month")
            let made = try await ada.call(CreateSubscription(planId: monthly, nextRenewal: day("2026-03-31")))
            #expect(made.startDate == day("2026-02-28") && made.endDate == day("2026-03-31") && made.period == 0)
            #expect(try await ada.call(RenewSubscription(id: made.id)).endDate == day("2026-04-30"))
            #expect(try await ada.call(RenewSubscription(id: made.id)).endDate == day("2026-05-31"))

            let yearly = try await service.addPlan(duration: "1 year")
            let leap = try await ada.call(CreateSubscription(planId: yearly, nextRenewal: day("2028-02-29")))
            #expect(leap.startDate == day("2027-02-28") && leap.endDate == day("2028-02-29"))
            #expect(try await ada.call(RenewSubscription(id: leap.id)).endDate == day("2029-02-28"))

            let trial = try await service.addPlan(trialDays: 14)
            let free = try await ada.call(
                CreateSubscription(planId: trial, nextRenewal: day("2026-03-20"), freeTrial: true))
            #expect(free.startDate == day("2026-03-06") && free.endDate == day("2026-03-20"))
        }
    }

    @Test("Past and future starts are taken; one in the past is overdue and not in the dashboard's upcoming")
    func pastAndFuture() async throws {
        try await TestService.run(at: "2026-06-15") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let past = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-31")))
            #expect(past.endDate == day("2026-02-28") && past.remaining == -107 && past.status == .active)
            let future = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-12-31")))
            #expect(future.endDate == day("2027-01-31") && future.remaining == 230)
            let dashboard = try await ada.call(GetDashboard())
            #expect(dashboard.overdue.map(\.id) == [past.id] && dashboard.upcoming.isEmpty)
        }
    }

    @Test("The first and the last day that a period may begin on, and none beyond")
    func limits() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: "1200 year", since: "1970-01-02")
            for text in ["1970-01-02", "2999-12-31"] {
                let made = try await ada.call(CreateSubscription(planId: plan, startDate: day(text)))
                #expect(made.startDate == day(text))
            }
            for text in ["1970-01-01", "0001-01-01", "3000-01-01", "9999-12-31"] {
                expectRefused(
                    try await ada.refusal(of: CreateSubscription(planId: plan, startDate: day(text))), "startDate",
                    .range)
            }
        }
    }
}
