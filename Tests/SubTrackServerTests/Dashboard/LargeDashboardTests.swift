import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Large dashboards", .ownTime)
struct LargeDashboardTests {
    /// How many subscriptions a dashboard reads.
    private func count(
        _ user: UUID, _ tenant: Tenant, _ turns: RequestTurns<Int>
    ) async throws -> Int {
        try await DashboardRows(tenant: tenant, user: UserID(uuid: user), today: day("2026-03-01"), turns: turns)
            .read(limit: 10_000, isShown: { _ in false }, make: { rows, _ in rows.count })
    }

    @Test("Two are made at a time: a third waits, and is told when to try again; a small one does not wait")
    func twoAtATime() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            let many = DashboardRows.page + 1
            try await service.fill(
                ada.user.id, StoredAmount(subscriptions: many, periods: 0, plans: 0, deleted: 0, answers: 0),
                plan: plan)
            try await bob.call(CreateSubscription(planId: plan))
            try await service.withTenant { tenant in
                let turns = DashboardRows.turnsOfLarge(longestWait: .milliseconds(50))
                let (held, release) = AsyncStream.makeStream(of: Void.self)
                let made = (0..<2).map { _ in Task { try await turns.run(0) { for await _ in held {} } } }
                try await eventually("two are made") { turns.count(of: 0).running == 2 }
                let problem = await #expect(throws: Problem.self) { try await count(ada.user.id, tenant, turns) }
                #expect(problem?.code == .unavailable && problem?.retryAfter == 5)
                #expect(try await count(bob.user.id, tenant, turns) == 1)
                release.finish()
                for one in made { try await one.value }
                #expect(try await count(ada.user.id, tenant, turns) == many)
            }
        }
    }

    @Test("A third waits until one of two has ended")
    func waits() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let many = DashboardRows.page + 1
            try await service.fill(
                ada.user.id, StoredAmount(subscriptions: many, periods: 0, plans: 0, deleted: 0, answers: 0),
                plan: plan)
            try await service.withTenant { tenant in
                let turns = DashboardRows.turnsOfLarge(longestWait: .seconds(60))
                let (held, release) = AsyncStream.makeStream(of: Void.self)
                let made = (0..<2).map { _ in Task { try await turns.run(0) { for await _ in held {} } } }
                try await eventually("two are made") { turns.count(of: 0).running == 2 }
                async let third = count(ada.user.id, tenant, turns)
                try await eventually("the third waits") { turns.count(of: 0).waiting == 1 }
                release.finish()
                #expect(try await third == many)
                for one in made { try await one.value }
            }
        }
    }

    @Test("Prices of more plans than are read at once are complete, and in the order of their days")
    func pricesInPages() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let many = 2 * CatalogueQueries.pricedAtOnce + 1
            try await service.fill(
                ada.user.id, StoredAmount(subscriptions: 0, periods: 0, plans: many, deleted: 0, answers: 0), plan: plan
            )
            try await service.withAdmin { connection in
                let owner = UserID(uuid: ada.user.id)
                let rows = try await connection.query("SELECT Plan_ID FROM Plan WHERE Owner_ID = \(owner.uuid)")
                let plans = try rows.decode(Int64.self)
                let lines = try await CatalogueQueries.prices(of: plans, on: connection)
                #expect(plans.count == many && lines.count == many)
                for line in lines.values {
                    #expect(line.count == 3 && line.map(\.effectiveOn) == line.map(\.effectiveOn).sorted())
                }
            }
        }
    }
}
