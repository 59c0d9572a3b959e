import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What changes for subscribers, told before they pay it.
@Suite("Notices", .tags(.otherServers, .everyDay), .ownTime)
struct NoticeTests {
    /// Lets triggers take a day for today, in the statements after it.
    private static func today(_ day: String) -> String { "SET timestamp = UNIX_TIMESTAMP('\(day) 12:00:00'); " }

    @Test("An announced price is told to all who pay it, with the renewal and the last day to cancel")
    func announcedPrice() async throws {
        try await TestService.runAlone(at: "2026-02-10") { service in
            let (ada, bob, eve) = (
                try await service.newUser(), try await service.newUser(), try await service.newUser()
            )
            let plan = try await service.addPlan(fee: "15.49", noticeDays: 2)
            let other = try await service.addPlan(fee: "5")
            let mine = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-03")))
            try await ada.call(CreateSubscription(planId: other))
            // One who pays a price of their own, and one who has cancelled, are not concerned.
            try await bob.call(CreateSubscription(planId: plan, startDate: day("2026-02-03"), fee: amount("3")))
            let ended = try await eve.call(CreateSubscription(planId: plan, startDate: day("2026-02-03")))
            try await eve.call(CancelSubscription(id: ended.id))
            #expect(try await ada.call(GetDashboard()).notices == [])
            try await service.database.run(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2026-03-01', 17.99)")
            let notices = try await ada.call(GetDashboard()).notices
            #expect(
                notices == [
                    Notice(
                        subscriptionId: mine.id, kind: .price, on: day("2026-03-03"), cancelBy: day("2026-03-01"),
                        from: .init(fee: amount("15.49"), currency: "USD"),
                        to: .init(fee: amount("17.99"), currency: "USD"),
                        message:
                            "goes from 15.49 to 17.99 USD with your renewal on 2026-03-03, cancel by 2026-03-01")
                ])
            #expect(try await bob.call(GetDashboard()).notices == [])
            #expect(try await eve.call(GetDashboard()).notices == [])

            // What clients pull has the same price line.
            let changes = try await ada.call(PullChanges(limit: 1000)).changes
            let pulled = changes.contains { $0.id == "\(plan) 2026-03-01" && $0.entity == .price && $0.data != nil }
            #expect(pulled)

            // Renewed, it costs what was told, and nothing is told any more.
            service.clock.set("2026-03-03")
            let renewed = try await ada.call(RenewSubscription(id: mine.id))
            #expect(renewed.fee == amount("17.99"))
            #expect(try await ada.call(GetDashboard()).notices == [])
        }
    }

    @Test("A price that begins later than the next renewal is told with the first renewal that costs it, on its day")
    func laterPrice() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10")
            try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-31")))
            try await service.database.run(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code)
                VALUES (\(plan), '2026-04-01', 10, 'EUR'), (\(plan), '2026-03-01', 10, 'USD');
                """)
            let notices = try await ada.call(GetDashboard()).notices
            // 28 February, 31 March, 30 April: the month's last day, not drifting.
            #expect(notices.map(\.on) == [day("2026-04-30")])
            #expect(
                notices.map(\.message) == [
                    "goes from 10.00 USD to 10.00 EUR with your renewal on 2026-04-30, cancel by 2026-04-30"
                ])
        }
    }

    @Test("A subscription and its notice name the same last day to cancel: by the terms with which the period began")
    func changedNotice() async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10", noticeDays: 3)
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-05")))
            // The day of a change is the database's; it is after all days of this test.
            try await service.database.run(
                Self.today("2026-06-15") + "UPDATE Plan SET Notice_days = 14 WHERE Plan_ID = \(plan)")
            let notice = try #require(try await ada.call(GetDashboard()).notices.first)
            #expect(notice.kind == .terms && notice.cancelBy == day("2026-02-02"))
            #expect(try await ada.call(GetSubscription(id: made.id)).cancelBy == day("2026-02-02"))
            #expect(try await ada.call(ListSubscriptions()).subscriptions.map(\.cancelBy) == [day("2026-02-02")])
            // A period that begins on the day of the change or later has the new terms.
            try await service.database.run(
                """
                UPDATE Subscription SET Start_date = '2026-06-15', Anchor_date = '2026-06-15'
                WHERE Subscription_ID = UNHEX(REPLACE('\(made.id)', '-', ''))
                """)
            let renewed = try await ada.call(GetSubscription(id: made.id))
            #expect(renewed.cancelBy == renewed.endDate.adding(days: -14))
            #expect(try await ada.call(GetDashboard()).notices == [])
        }
    }

    @Test("A trial is told of what changes for the price after it, not of its own end")
    func trial() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10", trialDays: 7)
            try await ada.call(CreateSubscription(planId: plan, freeTrial: true))
            #expect(try await ada.call(GetDashboard()).notices == [])
            try await service.database.run(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2026-02-05', 12)")
            #expect(try await ada.call(GetDashboard()).notices.map(\.on) == [day("2026-02-07")])
        }
    }

    @Test("Changed terms are told until the period ends that had the former ones; a withdrawn plan says so and is kept")
    func terms() async throws {
        let today = day("2026-06-15")
        let start = today.adding(days: -5)
        try await TestService.runAlone(at: today.description) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10", duration: "10 day", noticeDays: 1)
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: start))
            try await service.database.run(
                """
                \(Self.today(today.description))
                UPDATE Plan SET Notice_days = 3, Duration_value = 2, Duration_unit = 'week' WHERE Plan_ID = \(plan)
                """)
            let notice = try #require(try await ada.call(GetDashboard()).notices.first)
            #expect(notice.kind == .terms && notice.subscriptionId == made.id)
            // The period that runs is ended by the terms with which it began.
            #expect(notice.on == made.endDate && notice.cancelBy == made.endDate.adding(days: -1))
            #expect(notice.fromTerms == .init(duration: .init(value: 10, unit: .day), noticeDays: 1))
            #expect(notice.toTerms == .init(duration: .init(value: 2, unit: .week), noticeDays: 3))
            #expect(
                notice.message
                    == "from your renewal on \(made.endDate) a period lasts 2 weeks in place of 10 days, and it must be "
                    + "cancelled 3 days ahead in place of 1; cancel by \(made.endDate.adding(days: -1))")
            // Clients that keep a copy get what they need to say the same.
            let pulled = try await ada.call(PullChanges(limit: 1000)).changes.compactMap { change -> StoredTerms? in
                if change.id == "\(plan)", case .plan(let row)? = change.data { row.formerTerms } else { nil }
            }
            #expect(pulled == [.init(until: today, duration: .init(value: 10, unit: .day), noticeDays: 1)])
            // Who begins now has the new terms.
            let bob = try await service.newUser()
            try await bob.call(CreateSubscription(planId: plan, startDate: today))
            #expect(try await bob.call(GetDashboard()).notices == [])

            try await service.database.run(
                Self.today(today.description)
                    + "UPDATE Plan SET Withdrawn_on = '\(today)' WHERE Plan_ID = \(plan)")
            let kinds = try await ada.call(GetDashboard()).notices.map(\.kind)
            #expect(Set(kinds) == [.terms, .withdrawn])
            #expect(try await ada.call(GetSubscription(id: made.id)).plan.withdrawn)
            service.clock.set(made.endDate.description)
            let renewed = try await ada.call(RenewSubscription(id: made.id))
            #expect(renewed.endDate == made.endDate.adding(days: 14))
            #expect(try await ada.call(GetDashboard()).notices.map(\.kind) == [.withdrawn])
        }
    }

    @Test(
        "A price and the terms change: until the former period ends one cancels by the former notice, later by the new one"
    )
    func termsAndPrice() async throws {
        let today = day("2026-06-15")
        try await TestService.run(at: today.description) { service in
            let ada = try await service.newUser()
            let (soon, later) = (
                try await service.addPlan("Soon", fee: "10", duration: "10 day", noticeDays: 1),
                try await service.addPlan("Later", fee: "10", duration: "10 day", noticeDays: 1)
            )
            let start = today.adding(days: -5)
            try await ada.call(CreateSubscription(planId: soon, startDate: start))
            try await ada.call(CreateSubscription(planId: later, startDate: start))
            try await service.database.run(
                """
                \(Self.today(today.description))
                UPDATE Plan SET Notice_days = 3 WHERE Plan_ID IN (\(soon), \(later));
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES
                    (\(soon), '\(today.adding(days: 1))', 12), (\(later), '\(today.adding(days: 7))', 12);
                """)
            let prices = try await ada.call(GetDashboard()).notices.filter { $0.kind == .price }
            #expect(prices.map(\.on) == [today.adding(days: 5), today.adding(days: 15)])
            #expect(prices.map(\.cancelBy) == [today.adding(days: 4), today.adding(days: 12)])
        }
    }

    @Test("Who pays a price of their own is told when the plan changes its currency, for the number stays")
    func ownFeeInAnotherCurrency() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10")
            try await ada.call(CreateSubscription(planId: plan, fee: amount("3")))
            try await service.database.run(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2026-02-01', 12)")
            #expect(try await ada.call(GetDashboard()).notices == [])
            try await service.database.run(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES (\(plan), '2026-03-01', 9, 'EUR')
                """)
            let notices = try await ada.call(GetDashboard()).notices
            #expect(notices.map(\.kind) == [.price])
            #expect(
                notices.map(\.message) == [
                    "goes from 3.00 USD to 3.00 EUR with your renewal on 2026-03-31, cancel by 2026-03-31"
                ])
        }
    }

    @Test(
        "Who moves keeps a plan that is not sold in the new country, with its prices, and sees the new country's plans")
    func moved() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            let ada = try await service.newUser(country: "US")
            let plan = try await service.addPlan(fee: "10")
            try await service.addPlan("Abo", fee: "9", country: "DE")
            let made = try await ada.call(CreateSubscription(planId: plan))
            try await ada.call(UpdateMe(country: .set("DE")))
            #expect(try await ada.call(ListPlans()).plans.map(\.name) == ["Abo"])
            #expect(try await ada.call(ListSubscriptions()).subscriptions.map(\.plan.id) == [plan])
            try await service.database.run(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2026-02-01', 12)")
            #expect(try await ada.call(GetDashboard()).notices.map(\.to?.fee) == [amount("12")])
            let scopes = Set(try await ada.call(PullChanges(limit: 1000)).changes.map(\.scope))
            #expect(scopes.isSuperset(of: ["catalogue/US", "catalogue/DE"]))
            let renewed = try await ada.call(RenewSubscription(id: made.id))
            #expect(renewed.fee == amount("12") && renewed.plan.id == plan)
        }
    }

    @Test("Totals in one currency by the newest rates not after today; a missing rate is missing, not one")
    func total() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            let ada = try await service.newUser(country: "DE")
            #expect(try await ada.call(GetDashboard()).total == nil)
            let empty = try await ada.call(GetDashboard(currency: "EUR")).total
            #expect(
                empty == .init(currency: "EUR", month: amount("0.00"), year: amount("0.00"), rates: [], missing: []))
            for (fee, currency) in [("10.00", "USD"), ("1000", "JPY"), ("5.00", "EUR")] {
                let plan = try await service.addPlan(fee: fee, currency: currency)
                try await ada.call(CreateSubscription(planId: plan))
            }
            try await service.database.run(
                """
                INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES
                    ('USD', '2026-01-29', 1.5), ('USD', '2026-01-30', 1.25), ('USD', '2026-02-01', 9);
                """)
            let partial = try #require(try await ada.call(GetDashboard(currency: "EUR")).total)
            #expect(partial.month == nil && partial.year == nil && partial.missing == ["JPY"])
            try await service.database.run(
                "INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('JPY', '2026-01-28', 160)")
            let total = try #require(try await ada.call(GetDashboard(currency: "EUR")).total)
            // 10 USD are 8 euros, 1,000 yen 6.25.
            #expect(total.month == amount("19.25") && total.year == amount("231.00"))
            #expect(
                total.rates.map { "\($0.currency) \($0.perEuro) \($0.on)" } == [
                    "JPY 160.000000 2026-01-28", "USD 1.250000 2026-01-30",
                ])
            let yen = try #require(try await ada.call(GetDashboard(currency: "JPY")).total)
            #expect(yen.month == amount("3080"))
            expectRefused(try await ada.refusal(of: GetDashboard(currency: "XXY")), "currency", .missing)
        }
    }
}
