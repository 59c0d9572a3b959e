import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Automatic renewal", .tags(.everyDay), .ownTime)
struct AutoRenewalTests {
    @Test("Looked at months later, it is in its right period, and the passed ones carry the prices of their days")
    func catchesUp() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10.00")
            let made = try await ada.call(CreateSubscription(planId: plan, autoRenew: true))
            try await service.database.run(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES
                    (\(plan), '2026-03-01', 12, 'USD'), (\(plan), '2026-04-30', 11.50, 'EUR'),
                    (\(plan), '2026-07-01', 20, 'USD')
                """)
            service.clock.set("2026-06-15")
            let now = try await ada.call(GetSubscription(id: made.id))
            #expect(now.startDate == day("2026-05-31") && now.endDate == day("2026-06-30") && now.period == 4)
            #expect(now.fee.description == "11.50" && now.currency == "EUR")
            #expect(now.next == .init(fee: amount("11.50"), currency: "EUR", on: day("2026-06-30")))
            let periods = try await ada.call(ListPeriods(id: made.id)).periods
            #expect(
                periods.map { "\($0.number) \($0.startDate) \($0.endDate) \($0.fee) \($0.currency)" } == [
                    "0 2026-01-31 2026-02-28 10.00 USD", "1 2026-02-28 2026-03-31 10.00 USD",
                    "2 2026-03-31 2026-04-30 12.00 USD", "3 2026-04-30 2026-05-31 11.50 EUR",
                    "4 2026-05-31 2026-06-30 11.50 EUR",
                ])
            service.clock.set("2026-06-30")
            #expect(try await ada.call(GetSubscription(id: made.id)).next?.fee.description == "20.00")
        }
    }

    @Test("Whichever way one looks first: list, dashboard, periods, a change, a renewal")
    func everyLook() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let plan = try await service.addPlan()
            let looks: [(TestUser, UUID) async throws -> Void] = [
                { user, _ in
                    let list = try await user.call(ListSubscriptions(dueWithin: 3)).subscriptions
                    #expect(list.map(\.endDate) == [day("2026-03-31")])
                },
                { user, _ in
                    let dashboard = try await user.call(GetDashboard())
                    #expect(dashboard.overdue.isEmpty && dashboard.upcoming.map(\.remaining) == [2])
                },
                { user, id in
                    let periods = try await user.call(ListPeriods(id: id)).periods
                    #expect(periods.map(\.number) == [0, 1])
                },
                { user, id in
                    let changed = try await user.call(UpdateSubscription(id: id, label: .set("x")))
                    #expect(changed.period == 1)
                },
                { user, id in
                    // The person ends period 0, which has ended by itself: one renewal, not two.
                    let renewed = try await user.call(RenewSubscription(id: id, period: 0))
                    #expect(renewed.period == 1)
                },
                { user, id in
                    let cancelled = try await user.call(CancelSubscription(id: id))
                    #expect(cancelled.period == 1 && cancelled.endDate == day("2026-03-31"))
                },
            ]
            for look in looks {
                service.clock.set("2026-01-31")
                let user = try await service.newUser()
                let made = try await user.call(CreateSubscription(planId: plan, autoRenew: true))
                service.clock.set("2026-03-29")
                try await look(user, made.id)
                #expect(try await user.call(GetSubscription(id: made.id)).startDate == day("2026-02-28"))
            }
        }
    }

    @Test("It renews on the day of the renewal, in the user's own time zone")
    func onTheDay() async throws {
        try await TestService.run(at: "2026-01-01") { service in
            let plan = try await service.addPlan()
            var users: [(TestUser, UUID)] = []
            for zone in ["Pacific/Kiritimati", "UTC", "America/Los_Angeles"] {
                let user = try await service.newUser(timeZone: zone)
                let made = try await user.call(
                    CreateSubscription(planId: plan, startDate: day("2026-01-01"), autoRenew: true))
                users.append((user, made.id))
            }
            // The renewal is due on 1 February: that day begins at 10:00, 24:00 and 32:00 of 31 January in UTC.
            for (time, expected) in [
                ("2026-01-31T09:59:59Z", [0, 0, 0]), ("2026-01-31T10:00:00Z", [1, 0, 0]),
                ("2026-01-31T23:59:59Z", [1, 0, 0]), ("2026-02-01T00:00:00Z", [1, 1, 0]),
                ("2026-02-01T07:59:59Z", [1, 1, 0]), ("2026-02-01T08:00:00Z", [1, 1, 1]),
            ] {
                service.clock.set(time)
                var periods: [Int] = []
                for (user, id) in users { periods.append(try await user.call(GetSubscription(id: id)).period) }
                #expect(periods == expected, "\(time)")
            }
        }
    }

    @Test("One that was cancelled, and one that does not renew by itself, stay where they are")
    func staysPut() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let byHand = try await ada.call(CreateSubscription(planId: plan))
            let cancelled = try await ada.call(CreateSubscription(planId: plan, autoRenew: true))
            try await ada.call(CancelSubscription(id: cancelled.id))
            service.clock.set("2026-06-01")
            for made in [byHand, cancelled] {
                let now = try await ada.call(GetSubscription(id: made.id))
                #expect(now.period == 0 && now.endDate == day("2026-02-28"))
            }
        }
    }

    @Test("Switched on for one that is overdue, it renews from then on: nobody paid for the months between")
    func switchedOn() async throws {
        try await TestService.run(at: "2026-06-15") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            func overdue() async throws -> UUID {
                try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-31"))).id
            }
            let byHand = try await overdue()
            let on = try await ada.call(UpdateSubscription(id: byHand, autoRenew: .set(true)))
            #expect(on.period == 1 && on.startDate == day("2026-06-15") && on.endDate == day("2026-07-15"))
            let same = try await ada.call(UpdateSubscription(id: byHand, autoRenew: .set(true)))
            #expect(same == on, "on already: nothing changes")
            let starts = try await ada.call(ListPeriods(id: byHand)).periods.map { "\($0.startDate) \($0.endDate)" }
            #expect(starts == ["2026-01-31 2026-02-28", "2026-06-15 2026-07-15"])
            // Who knows in which period it is says so.
            let known = try await ada.call(
                UpdateSubscription(id: try await overdue(), nextRenewal: .set(day("2026-06-30")), autoRenew: .set(true))
            )
            #expect(known.period == 1 && known.startDate == day("2026-05-30"))
            // What a client sends back as it read it corrects nothing.
            let read = try await ada.call(
                UpdateSubscription(
                    id: try await overdue(), startDate: .set(day("2026-01-31")), freeTrial: .set(false),
                    autoRenew: .set(true)))
            #expect(read.startDate == day("2026-06-15"))
            // On the day of its renewal, and before, there is no gap.
            let due = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-05-15")))
            let renewed = try await ada.call(UpdateSubscription(id: due.id, autoRenew: .set(true)))
            #expect(
                renewed.period == 1 && renewed.startDate == day("2026-06-15") && renewed.endDate == day("2026-07-15"))
            let early = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-05-16")))
            #expect(try await ada.call(UpdateSubscription(id: early.id, autoRenew: .set(true))).period == 0)
        }
    }

    @Test("A new one with an old start has renewed since: that is what its user says")
    func oldStart() async throws {
        try await TestService.run(at: "2026-06-15") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let new = try await ada.call(
                CreateSubscription(planId: plan, startDate: day("2026-01-31"), autoRenew: true))
            #expect(new.period == 4 && new.endDate == day("2026-06-30"))
            #expect(try await ada.call(ListPeriods(id: new.id)).periods.count == 5)
        }
    }

    @Test("Given by its last renewal it catches up from there, in the calendar of that day")
    func fromNextRenewal() async throws {
        try await TestService.run(at: "2026-06-15") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(
                CreateSubscription(planId: plan, nextRenewal: day("2026-03-31"), autoRenew: true))
            #expect(made.startDate == day("2026-05-31") && made.endDate == day("2026-06-30"))
            let starts = try await ada.call(ListPeriods(id: made.id)).periods.map(\.startDate.description)
            #expect(starts == ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"])
        }
    }

    @Test("A clock that is set back takes nothing back")
    func clockSetBack() async throws {
        try await TestService.run(at: "2026-02-28T00:30:00Z") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(
                CreateSubscription(planId: plan, startDate: day("2026-01-31"), autoRenew: true))
            #expect(made.period == 1)
            service.clock.set("2026-02-27T23:30:00Z")
            let back = try await ada.call(GetSubscription(id: made.id))
            #expect(back.period == 1 && back.remaining == 32 && back.version == made.version)
            service.clock.set("2026-02-28T00:30:00Z")
            #expect(try await ada.call(ListPeriods(id: made.id)).periods.map(\.number) == [0, 1])
        }
    }

    @Test("A trial that renews by itself becomes a paid subscription")
    func trial() async throws {
        try await TestService.run(at: "2026-01-17") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "5.00", trialDays: 14)
            let made = try await ada.call(CreateSubscription(planId: plan, freeTrial: true, autoRenew: true))
            service.clock.set("2026-03-30")
            let now = try await ada.call(GetSubscription(id: made.id))
            #expect(now.startDate == day("2026-02-28") && now.endDate == day("2026-03-31") && !now.freeTrial)
            let fees = try await ada.call(ListPeriods(id: made.id)).periods.map(\.fee.description)
            #expect(fees == ["0.00", "5.00", "5.00"])
        }
    }

    @Test("Years of a daily one are caught up with, and paged through; what is too far behind is refused with words")
    func daily() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "1.00", duration: "1 day")
            let made = try await ada.call(
                CreateSubscription(planId: plan, startDate: day("2024-01-31"), autoRenew: true))
            #expect(made.period == 731 && made.startDate == day("2026-01-31") && made.remaining == 1)
            var numbers: [Int] = []
            try await forEachPage { cursor in
                let page = try await ada.call(ListPeriods(id: made.id, limit: 200, cursor: cursor))
                #expect(page.periods.count <= 200)
                numbers += page.periods.map(\.number)
                return page.nextCursor
            }
            #expect(numbers == Array(0...731))
            expectRefused(
                try await ada.refusal(
                    of: CreateSubscription(planId: plan, startDate: day("1990-01-01"), autoRenew: true)), "startDate",
                .range)
        }
    }

    @Test("Left alone for twelve years it comes back at the first look, with the price of each of four thousand days")
    func longAway() async throws {
        try await TestService.run(at: "2014-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "1.00", duration: "1 day", since: "2013-01-01")
            let made = try await ada.call(CreateSubscription(planId: plan, autoRenew: true))
            // Another that is behind, in the same statements.
            let monthly = try await service.addPlan(fee: "3.00", since: "2013-01-01")
            let other = try await ada.call(CreateSubscription(planId: monthly, autoRenew: true))
            try await service.database.run(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code)
                VALUES (\(plan), '2016-02-29', 2, 'USD'), (\(plan), '2020-01-01', 3, 'EUR');
                """)
            service.clock.set("2026-01-31")
            let now = try await ada.call(GetSubscription(id: made.id))
            #expect(now.startDate == day("2026-01-31") && now.period == 4383 && now.currency == "EUR")
            let month = try await ada.call(GetSubscription(id: other.id))
            #expect(month.startDate == day("2026-01-31") && month.period == 144)
            let history = try await service.database.run(
                """
                SELECT Fee + 0, Currency_code, COUNT(*), MIN(Period), MIN(Start_date), MAX(End_date),
                    SUM(DATEDIFF(End_date, Start_date) <> 1)
                FROM Subscription_period WHERE Plan_ID = \(plan) GROUP BY Fee, Currency_code ORDER BY 1
                """)
            #expect(
                history.split(separator: "\n").map { $0.replacing("\t", with: " ") } == [
                    "1.000000 USD 759 0 2014-01-31 2016-02-29 0", "2.000000 USD 1402 759 2016-02-29 2020-01-01 0",
                    "3.000000 EUR 2222 2161 2020-01-01 2026-01-31 0",
                ])
        }
    }

    @Test("Looked at by ten at once, each period is recorded once")
    func atOnce() async throws {
        try await TestService.run(at: "2025-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan, autoRenew: true))
            service.clock.set("2026-01-31")
            let seen = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<5 {
                    group.addTask { try await ada.call(GetSubscription(id: made.id)).period }
                    group.addTask { try await ada.call(ListSubscriptions()).subscriptions.first?.period }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(seen == [Int?](repeating: 12, count: 10))
            #expect(try await ada.call(ListPeriods(id: made.id)).periods.map(\.number) == Array(0...12))
        }
    }
}
