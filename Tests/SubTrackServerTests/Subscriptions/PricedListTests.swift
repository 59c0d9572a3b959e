import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Lists of plans that have many prices", .ownTime)
struct PricedListTests {
    /// Prices of a plan at random days around today, the first of them the plan's own.
    private func line(_ numbers: inout SeededGenerator, count: Int, around today: CalendarDate)
        -> [PriceLine.Entry]
    {
        var days = Set<CalendarDate>()
        while days.count < count { days.insert(today.adding(days: .random(in: -400...400, using: &numbers))) }
        return days.sorted().shuffled(using: &numbers).map { day in
            let fee = Amount(units: .random(in: 1...99_999, using: &numbers), digits: 2)
            return PriceLine.Entry(effectiveOn: day, price: Price(fee: fee, currency: "USD"))
        }
    }

    @Test("Each shows today's price and the next period's, in pages of any size, however many prices there are")
    func prices() async throws {
        let today = day("2026-03-01")
        try await TestService.runAlone(at: "2026-03-01") { service in
            let ada = try await service.newUser()
            let seed = TestSeed.first(of: "prices of plans")
            var numbers = SeededGenerator(seed: seed)
            var lines: [Int64: PriceLine] = [:]
            // A page of one reads 53 rows at first: some plans have more prices than that.
            for count in [1, 200, 2, 60, 1, 3, 120, 1] {
                let entries = line(&numbers, count: count, around: today)
                let plan = try await service.addPlan(
                    fee: entries[0].price.fee.description, since: entries[0].effectiveOn.description)
                if count > 1 {
                    let rows = entries.dropFirst().map { "(\(plan), '\($0.effectiveOn)', \($0.price.fee))" }
                    _ = try await service.database.run(
                        "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES \(rows.joined(separator: ", "))")
                }
                lines[plan] = PriceLine(entries)
                let start = today.adding(days: -Int.random(in: 0...20, using: &numbers))
                try await ada.call(CreateSubscription(planId: plan, startDate: start))
            }
            for limit in [1, 2, 3, 50] {
                var seen: [UUID] = []
                try await forEachPage { cursor in
                    let page = try await ada.call(ListSubscriptions(limit: limit, cursor: cursor))
                    #expect(page.subscriptions.count <= limit)
                    for one in page.subscriptions {
                        seen.append(one.id)
                        let line = try #require(lines[one.plan.id])
                        #expect(one.plan.fee == line.price(on: today).fee, "seed \(seed)")
                        #expect(one.next?.fee == line.price(on: one.endDate).fee, "seed \(seed)")
                    }
                    return page.nextCursor
                }
                #expect(seen.count == lines.count && Set(seen).count == lines.count)
                var plans = 0
                try await forEachPage { cursor in
                    let page = try await ada.call(ListPlans(provider: "Testflix", limit: limit, cursor: cursor))
                    for plan in page.plans {
                        plans += 1
                        #expect(plan.fee == lines[plan.id]?.price(on: today).fee, "seed \(seed)")
                    }
                    return page.nextCursor
                }
                #expect(plans == lines.count)
            }
        }
    }

    @Test("A list takes as many statements, however many prices the plans have")
    func statements() async throws {
        let today = day("2026-03-01")
        let recorder = StatementRecorder()
        try await TestService.runAlone(
            at: "2026-03-01", configure: { $0.onStatement = { sql, _ in recorder.note(sql) } }
        ) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "9.00", since: "2026-02-28")
            _ = try await service.database.run(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
                SELECT \(plan), '2010-01-01' + INTERVAL seq DAY, seq FROM seq_1_to_4000
                """)
            for number in 0..<3 {
                try await ada.call(CreateSubscription(planId: plan, startDate: today.adding(days: -number)))
            }
            let before = recorder.count(of: "SELECT STRAIGHT_JOIN s.Subscription_ID")
            let page = try await ada.call(ListSubscriptions(limit: 2))
            #expect(page.subscriptions.count == 2 && page.nextCursor != nil)
            #expect(page.subscriptions.allSatisfy { $0.plan.fee == amount("9.00") && $0.next?.fee == amount("9.00") })
            #expect(recorder.count(of: "SELECT STRAIGHT_JOIN s.Subscription_ID") - before == 2)
        }
    }
}
