import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

/// As many tenants as a small operator has, over as few connections as a shared server grants.
@Suite("Many tenants")
struct ManyTenantsTests {
    private static let count = 100
    private static let connections = 8
    private static let statements = 400

    @Test("A hundred tenants share eight connections and their statements; each has its own data, and all are answered")
    func hundred() async throws {
        let slugs = (1...Self.count).map { "many\($0)" }
        try await TestService.runAlone(configure: {
            $0.databaseConnections = Self.connections
            $0.databaseStatements = Self.statements
        }) { service in
            try await service.withTenants { tenants in
                for slug in slugs { try await tenants.create(slug) }
                #expect(try await tenants.list().count == Self.count + 1)
            }
            // More at once than there are connections; who is told that there was none comes back, as clients do.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, slug) in slugs.enumerated() {
                    if number >= 2 * Self.connections { try await group.next() }
                    group.addTask { try await Self.use(slug, of: service) }
                }
                try await group.waitForAll()
            }
            let held = try await service.control.run(
                """
                SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB LIKE '\(service.control.name)\\_many%';
                """)
            let number = try #require(Int(held.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect((1...Self.connections).contains(number))
        }
    }

    /// Somebody of a tenant has a subscription, and sees it and no other.
    private static func use(_ slug: String, of service: TestService) async throws {
        let user = try await answered { try await service.newUser(in: slug) }
        let plan = PrivatePlan(
            provider: "Kept by \(slug)", name: "All", fee: amount("1"), currency: "USD",
            duration: PlanDuration(value: 1, unit: .month))
        let made = try await answered { try await user.call(CreateSubscription(plan: plan)) }
        for _ in 0..<3 {
            let list = try await answered { try await user.call(ListSubscriptions()).subscriptions }
            #expect(list.map(\.id) == [made.id] && list.map(\.plan.provider) == ["Kept by \(slug)"])
        }
    }

    /// Asks again where the service had no connection in time.
    private static func answered<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        for _ in 0..<20 {
            do {
                return try await ask()
            } catch let problem as Problem where problem.code == .unavailable {}
        }
        return try await ask()
    }
}
