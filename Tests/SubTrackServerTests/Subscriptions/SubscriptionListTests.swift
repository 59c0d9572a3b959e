import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Lists of subscriptions and periods", .tags(.everyDay), .ownTime)
struct SubscriptionListTests {
    /// Pages through the whole list.
    private func all(
        of user: TestUser, limit: Int, dueWithin: Int? = nil, status: Subscription.Status? = nil
    ) async throws -> [UUID] {
        var ids: [UUID] = []
        try await forEachPage { cursor in
            let page = try await user.call(
                ListSubscriptions(dueWithin: dueWithin, status: status, limit: limit, cursor: cursor))
            #expect(page.subscriptions.count <= limit)
            #expect(page.nextCursor == nil || page.subscriptions.count == limit)
            ids += page.subscriptions.map(\.id)
            return page.nextCursor
        }
        return ids
    }

    @Test("By days remaining, those of one day by id, in pages of any size")
    func order() async throws {
        try await TestService.run(at: "2026-03-01") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: "10 day")
            for start in [
                "2026-03-05", "2026-02-20", "2026-03-01", "2026-02-20", "2026-01-01", "2026-02-20", "2026-03-01",
            ] {
                try await ada.call(CreateSubscription(planId: plan, startDate: day(start)))
            }
            let list = try await ada.call(ListSubscriptions())
            #expect(list.nextCursor == nil)
            #expect(list.subscriptions.map(\.remaining) == [-49, 1, 1, 1, 10, 10, 14])
            let keys = list.subscriptions.map { "\($0.endDate) \($0.id.uuidString)" }
            #expect(keys == keys.sorted())
            for limit in 1...8 { #expect(try await all(of: ada, limit: limit) == list.subscriptions.map(\.id)) }
        }
    }

    @Test("Due within so many days, and by status")
    func filters() async throws {
        try await TestService.run(at: "2026-03-01") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: "10 day")
            func add(_ start: String, cancelled: Bool = false) async throws -> UUID {
                let id = try await ada.call(CreateSubscription(planId: plan, startDate: day(start))).id
                if cancelled { try await ada.call(CancelSubscription(id: id)) }
                return id
            }
            let overdue = try await add("2026-01-01")
            let ended = try await add("2026-01-05", cancelled: true)
            let today = try await add("2026-02-19")
            let runsOut = try await add("2026-02-20", cancelled: true)
            let week = try await add("2026-02-26")
            let later = try await add("2026-02-27")
            #expect(try await all(of: ada, limit: 2) == [overdue, ended, today, runsOut, week, later])
            #expect(try await all(of: ada, limit: 2, status: .active) == [overdue, today, week, later])
            #expect(try await all(of: ada, limit: 2, status: .cancelled) == [runsOut])
            #expect(try await all(of: ada, limit: 2, status: .ended) == [ended])
            #expect(try await all(of: ada, limit: 2, dueWithin: 7) == [overdue, today, week])
            #expect(try await all(of: ada, limit: 2, dueWithin: 0) == [overdue, today])
            #expect(try await all(of: ada, limit: 2, dueWithin: 8, status: .active) == [overdue, today, week, later])
            expectRefused(
                try await ada.refusal(of: ListSubscriptions(dueWithin: 7, status: .ended)), "dueWithin", .conflict)
            expectRefused(try await ada.refusal(of: ListSubscriptions(dueWithin: -1)), "dueWithin", .range)
            expectRefused(try await ada.refusal(of: ListSubscriptions(dueWithin: 3661)), "dueWithin", .range)
            let answer = try await ada.client.send("GET", "/v1/subscriptions?status=paused")
            expectRefused(try answer.problem(), "status", .malformed)
            #expect(try answer.problem().detail.contains("active, cancelled, ended"))
        }
    }

    @Test("Fifty unless asked, two hundred at the most")
    func limits() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let hex = ada.user.id.uuidString.replacing("-", with: "")
            try await service.database.run(
                """
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
                SELECT UNHEX('\(hex)'), \(plan), '2026-01-31' FROM seq_1_to_205
                """)
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 50)
            for limit in [200, 201, 100_000] {
                let page = try await ada.call(ListSubscriptions(limit: limit))
                #expect(page.subscriptions.count == 200 && page.nextCursor != nil)
            }
            #expect(Set(try await all(of: ada, limit: 7)).count == 205)
            for limit in [0, -1] {
                expectRefused(try await ada.refusal(of: ListSubscriptions(limit: limit)), "limit", .range)
            }
            #expect(try await ada.call(GetDashboard(within: 60)).upcoming.count == 205)
        }
    }

    @Test("What is added or goes between two pages neither doubles nor hides the others")
    func stablePages() async throws {
        try await TestService.run(at: "2026-01-01") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: "30 day")
            var made: [UUID] = []
            for number in 10..<16 {
                made.append(
                    try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-\(number)"))).id)
            }
            let first = try await ada.call(ListSubscriptions(limit: 3))
            try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-01")))
            try await ada.call(DeleteSubscription(id: made[2]))
            try await ada.call(DeleteSubscription(id: made[4]))
            let second = try await ada.call(ListSubscriptions(limit: 3, cursor: first.nextCursor))
            #expect(first.subscriptions.map(\.id) == Array(made[0...2]))
            #expect(second.subscriptions.map(\.id) == [made[3], made[5]])
        }
    }

    @Test("Periods by number, the current one last, in pages of any size")
    func periods() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            for _ in 0..<5 { try await ada.call(RenewSubscription(id: made.id)) }
            for limit in 1...7 {
                var periods: [Period] = []
                try await forEachPage { cursor in
                    let page = try await ada.call(ListPeriods(id: made.id, limit: limit, cursor: cursor))
                    #expect(page.periods.count <= limit)
                    periods += page.periods
                    return page.nextCursor
                }
                #expect(periods.map(\.number) == Array(0...5))
                for (period, following) in zip(periods, periods.dropFirst()) {
                    #expect(period.endDate == following.startDate)
                }
            }
        }
    }
}
