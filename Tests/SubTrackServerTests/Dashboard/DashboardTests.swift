import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Dashboard", .tags(.otherServers, .everyDay), .ownTime)
struct DashboardTests {
    @Test("Upcoming within seven days unless asked otherwise, today's included; overdue the longest first")
    func due() async throws {
        try await TestService.run(at: "2026-03-01") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: "10 day")
            var byRemaining: [Int: UUID] = [:]
            for remaining in [-30, -1, 0, 1, 7, 8, 365] {
                let start = day("2026-03-01").adding(days: remaining - 10)
                byRemaining[remaining] = try await ada.call(CreateSubscription(planId: plan, startDate: start)).id
            }
            let cancelled = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-20")))
            try await ada.call(CancelSubscription(id: cancelled.id))
            func dashboard(_ within: Int?) async throws -> GetDashboard.Output {
                try await ada.call(GetDashboard(within: within))
            }
            let seven = try await dashboard(nil)
            #expect(seven.today == day("2026-03-01"))
            #expect(seven.overdue.map(\.id) == [-30, -1].map { byRemaining[$0] })
            #expect(seven.upcoming.map(\.id) == [0, 1, 7].map { byRemaining[$0] })
            #expect(try await dashboard(0).upcoming.map(\.remaining) == [0])
            #expect(try await dashboard(8).upcoming.map(\.remaining) == [0, 1, 7, 8])
            #expect(try await dashboard(3660).upcoming.count == 5)
            for within in [-1, 3661] {
                expectRefused(try await ada.refusal(of: GetDashboard(within: within)), "within", .range)
            }
        }
    }

    @Test("Without days that are asked for, each subscription is upcoming by its own reminder days, or seven")
    func reminderDays() async throws {
        try await TestService.run(at: "2026-03-01") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: "100 day")
            var ids: [String: UUID] = [:]
            for (name, remaining, reminder) in [
                ("early", 30, 30), ("not yet", 31, 30), ("late", 2, 1), ("on the day", 0, 0), ("usual", 7, nil),
            ] as [(String, Int, Int?)] {
                let start = day("2026-03-01").adding(days: remaining - 100)
                ids[name] = try await ada.call(
                    CreateSubscription(planId: plan, startDate: start, reminderDays: reminder)
                ).id
            }
            let upcoming = try await ada.call(GetDashboard()).upcoming.map(\.id)
            #expect(upcoming == ["on the day", "usual", "early"].map { ids[$0] })
            let within = try await ada.call(GetDashboard(within: 2)).upcoming.map(\.id)
            #expect(within == ["on the day", "late"].map { ids[$0] })
        }
    }

    @Test(
        "Spending by currency: a year is fee × 365, 52, 12 or 1 ÷ duration, a month a twelfth, rounded once, half even")
    func spend() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            for (fee, duration, currency) in [
                ("17.99", "1 month", "USD"),  // 215.88 a year
                ("100.00", "1 year", "USD"),  // 100.00
                ("3.33", "1 week", "USD"),  // 173.16
                ("5.55", "2 week", "USD"),  // 144.30
                ("1.00", "30 day", "USD"),  // 12.1666…
                ("1000", "3 month", "JPY"),  // 4000
                ("0.18", "1 year", "EUR"),  // a month is 0.015
                ("0.06", "1 year", "GBP"),  // a month is 0.005
                ("1.234", "1 month", "KWD"),
            ] {
                let plan = try await service.addPlan(fee: fee, duration: duration, currency: currency)
                try await ada.call(CreateSubscription(planId: plan))
            }
            let other = try await service.addPlan(fee: "1000.00")
            let cancelled = try await ada.call(CreateSubscription(planId: other))
            try await ada.call(CancelSubscription(id: cancelled.id))
            let deleted = try await ada.call(CreateSubscription(planId: other))
            try await ada.call(DeleteSubscription(id: deleted.id))
            let spend = try await ada.call(GetDashboard()).spend
            #expect(
                spend.map { "\($0.currency) \($0.month) \($0.year)" } == [
                    "EUR 0.02 0.18", "GBP 0.00 0.06", "JPY 333 4000", "KWD 1.234 14.808", "USD 53.79 645.51",
                ])
        }
    }

    @Test("A trial counts with what it will cost, a fee of one's own in place of the plan's")
    func spendOfTrials() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10.00", trialDays: 7)
            try await ada.call(CreateSubscription(planId: plan, freeTrial: true))
            try await ada.call(CreateSubscription(planId: plan, fee: amount("4")))
            try await ada.call(CreateSubscription(planId: plan, freeTrial: true, fee: amount("1")))
            let spend = try await ada.call(GetDashboard()).spend
            #expect(spend.map { "\($0.currency) \($0.month) \($0.year)" } == ["USD 15.00 180.00"])
        }
    }

    @Test("Saved: each period that would have begun since, at the price of its first day")
    func saved() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10.00")
            try await service.database.run(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2026-04-01', 12)")
            let made = try await ada.call(CreateSubscription(planId: plan))
            let own = try await ada.call(CreateSubscription(planId: plan, fee: amount("3")))
            try await ada.call(CancelSubscription(id: made.id))
            try await ada.call(CancelSubscription(id: own.id))
            func saved() async throws -> [String] {
                try await ada.call(GetDashboard()).saved.map { "\($0.currency) \($0.amount)" }
            }
            service.clock.set("2026-02-27")
            #expect(try await saved() == [], "it has not ended yet")
            service.clock.set("2026-02-28")
            #expect(try await saved() == ["USD 13.00"])
            service.clock.set("2026-06-15")
            // 28 February and 31 March at 10.00; 30 April and 31 May at 12.00; and four times 3.00.
            #expect(try await saved() == ["USD 56.00"])
            try await ada.call(ResumeSubscription(id: own.id))
            #expect(try await saved() == ["USD 44.00"])
        }
    }

    @Test("An empty one is empty, and the day is the user's")
    func empty() async throws {
        try await TestService.run(at: "2026-01-31T10:00:00Z") { service in
            for (zone, today) in [
                ("Pacific/Kiritimati", "2026-02-01"), ("UTC", "2026-01-31"), ("Pacific/Midway", "2026-01-30"),
            ] {
                let user = try await service.newUser(timeZone: zone)
                let dashboard = try await user.call(GetDashboard())
                #expect(
                    dashboard == .init(today: day(today), upcoming: [], overdue: [], spend: [], saved: []), "\(zone)")
            }
        }
    }

    @Test("A total that is too large to be written is refused in words, and is no fault of the service")
    func tooLarge() async throws {
        try await TestService.run(at: "2026-11-23") { service in
            let ada = try await service.newUser()
            let plan = PrivatePlan(
                provider: "Gym", name: "Gold", fee: amount("99999999999"), currency: "CLF",
                duration: .init(value: 1, unit: .day))
            let made = try await ada.call(CreateSubscription(plan: plan, startDate: day("1970-01-02")))
            try await ada.call(CancelSubscription(id: made.id))
            let problem = try await ada.refusal(of: GetDashboard())
            #expect(problem.code == .tooMany && problem.detail.contains("CLF"), "\(problem)")
        }
    }
}
