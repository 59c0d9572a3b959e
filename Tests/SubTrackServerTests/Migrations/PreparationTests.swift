import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Preparing the databases", .tags(.otherServers), .ownTime)
struct PreparationTests {
    /// Prepares a control database as a replica does at its start.
    /// - Parameters:
    ///   - log: where the replica logs.
    ///   - beforeStatement: is called before each statement in a tenant's database, while the replica holds the lease.
    private func prepare(
        _ control: TestDatabase, demo: Bool = false, log: RecordedLog = RecordedLog(),
        beforeStatement: @escaping @Sendable (String) async throws -> Void = { _ in }
    ) async throws -> (outcomes: [Preparation.Outcome], log: RecordedLog) {
        let settings = ServiceSettings(
            stateDirectory: URL(fileURLWithPath: "/nonexistent"),
            database: DatabaseURL(
                endpoint: .unix(path: control.socketPath), user: control.user, controlDatabase: control.name))
        let logger = log.logger("preparation")
        let access = try await DatabaseAccess.open(settings, logger: logger)
        var preparation = Preparation(access: access, logger: logger)
        preparation.beforeStatement = beforeStatement
        return (try await preparation.run(defaultTenant: .init(hasDemoCatalogue: demo)), log)
    }

    /// Whether a replica has said that it waits for another one.
    private func hasWaited(_ log: RecordedLog) -> Bool {
        log.lines.contains { $0.message.contains("Another replica is migrating") }
    }

    @Test("Two at once: one works, the other waits, says so, and finds all done")
    func twoAtOnce() async throws {
        try await TestDatabase.leaseControl { control in
            let (worker, waiter) = (RecordedLog(), RecordedLog())
            let isAtWork = Atomic(false)
            async let first = prepare(control, log: worker) { _ in
                isAtWork.store(true, ordering: .releasing)
                try await eventually("the second replica waits") { self.hasWaited(waiter) }
            }
            try await eventually("the first replica is at work") { isAtWork.load(ordering: .acquiring) }
            async let second = prepare(control, log: waiter)
            let (done, found) = (try await first.outcomes, try await second.outcomes)
            for outcomes in [done, found] {
                #expect(outcomes.map(\.slug) == ["default"] && outcomes.allSatisfy { $0.failure == nil })
            }
            #expect(done.first?.applied.isEmpty == false && found.first?.applied.isEmpty == true)
            #expect(!hasWaited(worker), "\(worker.lines)")
            #expect(try await control.run("SELECT COUNT(*) FROM Lease") == "0\n")
        }
    }

    @Test("The lease of a replica that was killed is taken over once it has expired")
    func expiredLease() async throws {
        try await TestDatabase.leaseControl { control in
            _ = try await prepare(control)
            try await control.run(
                "INSERT INTO Lease VALUES ('migrate', RANDOM_BYTES(16), UTC_TIMESTAMP() + INTERVAL 1 HOUR)")
            let waiter = RecordedLog()
            async let second = prepare(control, log: waiter)
            try await eventually("the second replica waits") { hasWaited(waiter) }
            try await control.run("UPDATE Lease SET Expires_at = UTC_TIMESTAMP() - INTERVAL 1 SECOND")
            let outcomes = try await second.outcomes
            #expect(outcomes.count == 1 && outcomes[0].failure == nil)
        }
    }

    @Test("The demo catalogue is loaded once: what an admin removes stays away")
    func demoCatalogue() async throws {
        try await TestDatabase.leaseControl { control in
            let (outcomes, _) = try await prepare(control, demo: true)
            #expect(outcomes[0].applied.contains("catalog/demo.sql"))
            let tenant = TestDatabase(name: control.name + "_default", socketPath: control.socketPath)
            let counts = try await tenant.run(
                "SELECT COUNT(*), COUNT(DISTINCT Provider), COUNT(DISTINCT Country_ID) FROM Plan")
            let numbers = counts.split { "\t\n".contains($0) }.compactMap { Int($0) }
            #expect(numbers.count == 3 && numbers[0] >= 140 && numbers[1] >= 40 && numbers[2] >= 10, "\(counts)")
            try await tenant.run("DELETE FROM Plan WHERE Provider = 'Netflix'")
            #expect(try await prepare(control, demo: true).outcomes[0].applied.isEmpty)
            #expect(try await tenant.run("SELECT COUNT(*) FROM Plan WHERE Provider = 'Netflix'") == "0\n")
        }
    }

    @Test("A tenant that cannot be migrated is said and answers 503; the others are served")
    func brokenTenant() async throws {
        try await TestService.runAlone { service in
            let control = service.control.name
            try await service.control.run(
                """
                INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at) VALUES
                    ('broken', '\(control)_broken', RANDOM_BYTES(16), UTC_TIMESTAMP()),
                    ('fine', '\(control)_fine', RANDOM_BYTES(16), UTC_TIMESTAMP());
                CREATE DATABASE `\(control)_broken`; CREATE TABLE `\(control)_broken`.Plan (Nonsense INT)
                """)
            let (outcomes, log) = try await prepare(service.control)
            #expect(outcomes.map(\.slug) == ["broken", "default", "fine"])
            #expect(outcomes.map { $0.failure == nil } == [false, true, true])
            #expect(outcomes[0].failure?.contains("sql/tenant/") == true, "\(outcomes)")
            #expect(log.lines.contains { $0.level == .error && $0.metadata["tenant"] == "broken" })
            await #expect(throws: ServerFault.self) {
                try await service.runReplica { service in
                    let broken = try await service.client.send("GET", "/t/broken/v1")
                    #expect(broken.status == 503 && broken.header("retry-after") == "1")
                    #expect(try broken.problem().code == .tenantMigrating)
                    #expect(!broken.text.contains("Nonsense") && !broken.text.contains("sql/"))
                    #expect(try await service.client.send("GET", "/t/fine/v1").status == 200)
                    #expect(try await service.client.send("GET", "/v1").status == 200)
                    #expect(try await service.client.send("GET", "/readyz").status == 200)
                }
            }
        }
    }
}
