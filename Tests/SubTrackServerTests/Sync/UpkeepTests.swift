import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Deleting, restoring, and what goes by itself", .tags(.otherServers), .ownTime)
struct UpkeepTests {
    /// Makes the jobs run all the time.
    private func busy(_ settings: inout ServiceSettings) { settings.jobInterval = .milliseconds(20) }

    @Test("A deleted subscription is restored as it was, its periods kept, for 30 days, and not by others")
    func restore() async throws {
        try await TestService.run(at: "2026-03-10") { service in
            let ada = try await service.newUser()
            let eve = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-31"), note: "n"))
            let before = try await ada.call(RenewSubscription(id: made.id))
            let periods = try await ada.call(ListPeriods(id: made.id)).periods
            var copy = SyncCopy()
            try await copy.pull(ada)
            let held = copy
            try await ada.call(DeleteSubscription(id: made.id))
            try await copy.pull(ada)
            #expect(copy.data(.subscription).isEmpty && copy.data(.period).isEmpty)
            #expect(try await eve.refusal(of: RestoreSubscription(id: made.id)).code == .notFound)

            let key = [("Idempotency-Key", UUID().uuidString)]
            var restored = try await ada.call(RestoreSubscription(id: made.id), headers: key)
            #expect(restored.version > before.version)
            #expect(try await ada.call(RestoreSubscription(id: made.id), headers: key) == restored)
            // It is there: nothing to restore, nothing changes.
            #expect(try await ada.call(RestoreSubscription(id: made.id)) == restored)
            restored.version = before.version
            #expect(restored == before)
            #expect(try await ada.call(ListPeriods(id: made.id)).periods == periods)
            try await copy.pull(ada)
            #expect(copy.data(.subscription) == held.data(.subscription))
            #expect(copy.data(.period) == held.data(.period))

            try await ada.call(DeleteSubscription(id: made.id))
            let id = "UNHEX('\(made.id.uuidString.replacing("-", with: ""))')"
            try await service.database.run(
                "UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() - INTERVAL 29 DAY WHERE Subscription_ID = \(id)")
            try await ada.call(RestoreSubscription(id: made.id))
            try await ada.call(DeleteSubscription(id: made.id))
            try await service.database.run(
                "UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() - INTERVAL 31 DAY WHERE Subscription_ID = \(id)")
            #expect(try await ada.refusal(of: RestoreSubscription(id: made.id)).code == .notFound)
        }
    }

    @Test("Old tombstones, answers and deleted subscriptions go, newer ones stay; who was away for longer starts over")
    func upkeep() async throws {
        try await TestService.runAlone(configure: busy) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            var ids: [UUID] = []
            for number in 0..<3 {
                let made = try await ada.call(
                    CreateSubscription(planId: plan, startDate: day("2025-12-31")),
                    headers: [("Idempotency-Key", "create \(number)".replacing(" ", with: "-"))])
                try await ada.call(RenewSubscription(id: made.id))
                ids.append(made.id)
            }
            var (old, recent) = (SyncCopy(), SyncCopy())
            try await old.pull(ada)
            try await ada.call(DeleteSubscription(id: ids[0]))
            try await recent.pull(ada)
            try await ada.call(DeleteSubscription(id: ids[1]))
            func hex(_ id: UUID) -> String { "UNHEX('\(id.uuidString.replacing("-", with: ""))')" }
            try await service.database.run(
                """
                UPDATE Tombstone SET Deleted_at = UTC_TIMESTAMP() - INTERVAL 91 DAY WHERE Row_ID = \(hex(ids[0]));
                UPDATE Tombstone SET Deleted_at = UTC_TIMESTAMP() - INTERVAL 89 DAY WHERE Row_ID = \(hex(ids[1]));
                UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() - INTERVAL 31 DAY
                WHERE Subscription_ID = \(hex(ids[0]));
                UPDATE Idempotency SET Created_at = UTC_TIMESTAMP() - INTERVAL 91 DAY WHERE Idempotency_key = 'create-0';
                UPDATE Idempotency SET Created_at = UTC_TIMESTAMP() - INTERVAL 89 DAY WHERE Idempotency_key = 'create-1';
                """)
            func count(_ table: String) async throws -> String {
                try await service.database.run("SELECT COUNT(*) FROM \(table)").trimmingCharacters(in: .newlines)
            }
            try await eventually("what is old has gone") {
                let counts = [
                    try await count("Tombstone"), try await count("Idempotency"), try await count("Subscription"),
                    try await count("Subscription_period"),
                ]
                return counts == ["1", "2", "2", "2"]
            }
            try await recent.pull(ada)
            #expect(recent.resyncs == [])
            try await old.pull(ada)
            #expect(old.resyncs == [.floor])
            #expect(old.data(.subscription).count == 1)
            #expect(old.differences(from: recent) == [])
        }
    }

    @Test("The jobs run on one replica at a time: not while another holds the lease, and again when it expired")
    func lease() async throws {
        try await TestService.runAlone { service in
            try await service.control.run(
                """
                INSERT INTO Lease (Lease_name, Holder, Expires_at)
                VALUES ('jobs', 'somebody else', UTC_TIMESTAMP() + INTERVAL 1 HOUR)
                ON DUPLICATE KEY UPDATE Holder = VALUES(Holder), Expires_at = VALUES(Expires_at);
                """)
            let ada = try await service.newUser()
            let hex = ada.user.id.uuidString.replacing("-", with: "")
            try await service.database.run(
                """
                INSERT INTO Tombstone VALUES (UNHEX('\(hex)'), 1, 3, 'x', '2020-01-01');
                """)
            let sent = Mutex<[String]>([])
            try await service.runReplica(configure: {
                busy(&$0)
                $0.onStatement = { sql, _ in sent.withLock { $0.append(sql.text) } }
            }) { replica in
                @Sendable func count(_ fragment: String) -> Int {
                    sent.withLock { $0.count { $0.contains(fragment) } }
                }
                try await eventually("it has tried several times") { count("INSERT INTO Lease") >= 20 }
                #expect(count("FROM Tombstone") == 0 && count("SUM(Ver)") == 0)
                #expect(try await service.database.run("SELECT COUNT(*) FROM Tombstone") == "1\n")
                try await service.control.run("UPDATE Lease SET Expires_at = UTC_TIMESTAMP() - INTERVAL 1 SECOND")
                try await eventually("the old tombstone has gone") {
                    try await service.database.run("SELECT COUNT(*) FROM Tombstone") == "0\n"
                }
            }
        }
    }

    @Test("A tenant with endless work leaves time to the others; a job that fails stops none")
    func fairness() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { try await $0.create("zeta") }
            try await service.control.run("DELETE FROM Lease")
            let done = Mutex<[String: Int]>([:])
            let jobs = [
                Job(name: "endless") { tenant, _ in
                    done.withLock { $0["endless \(tenant.slug)", default: 0] += 1 }
                    return true
                },
                Job(name: "failing") { tenant, _ in
                    done.withLock { $0["failing \(tenant.slug)", default: 0] += 1 }
                    throw NeverHappened(description: "it works")
                },
                Job(name: "idle") { tenant, _ in
                    done.withLock { $0["idle \(tenant.slug)", default: 0] += 1 }
                    return false
                },
            ]
            try await service.control.withClient { client in
                let (log, readiness) = (RecordedLog(), Readiness())
                readiness.prepared()
                let runner = JobRunner(
                    jobs: jobs,
                    tenants: TenantDirectory(
                        client: client, controlDatabase: service.control.name, logger: log.logger("test")),
                    readiness: readiness, clock: service.clock.wall, interval: .milliseconds(5),
                    lease: try Lease(client: client, database: service.control.name, name: "test"),
                    logger: log.logger("test"))
                let running = Task { try await runner.run() }
                try await eventually("all have had their turn, twice") {
                    done.withLock { $0.count == 6 && $0.values.allSatisfy { $0 >= 2 } }
                }
                running.cancel()
                _ = await running.result
                let counts = done.withLock { $0 }
                let passes = counts["idle default"] ?? 0
                #expect((counts["endless default"] ?? 0) <= (passes + 1) * JobRunner.stepsPerPass)
                #expect(log.lines.contains { $0.metadata["job"] == "failing" && $0.metadata["tenant"] == "zeta" })
            }
        }
    }

    @Test("A restored backup is noticed by itself: the data have not come as far as was noted")
    func restoredUnseen() async throws {
        try await TestService.runAlone(configure: busy) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            var copy = SyncCopy()
            try await copy.pull(ada)
            let backup = try await Backup(of: service.database)
            for _ in 0..<3 { try await ada.call(CreateSubscription(planId: plan)) }
            let sum = try await service.database.run("SELECT SUM(Ver) FROM Scope")
            try await eventually("it is noted how far the data have come") {
                try await service.control.run("SELECT Counter_sum FROM Tenant_counter") == sum
            }
            let epoch = try await service.control.run("SELECT HEX(Epoch) FROM Tenant")
            try await backup.restore()
            try await eventually("there is a new epoch") {
                try await service.control.run("SELECT HEX(Epoch) FROM Tenant") != epoch
            }
            // This client's cursor is not from ahead: it could not have told. The service learns of the epoch a moment after
            // the control database has it.
            try await eventually("the client is told") {
                try await copy.pull(ada)
                return !copy.resyncs.isEmpty
            }
            #expect(copy.resyncs == [.epoch])
            // Nothing goes back any more: it stays at that.
            let now = try await service.control.run("SELECT HEX(Epoch) FROM Tenant")
            try await ada.call(CreateSubscription(planId: plan))
            let later = try await service.database.run("SELECT SUM(Ver) FROM Scope")
            try await eventually("it is noted again") {
                try await service.control.run("SELECT Counter_sum FROM Tenant_counter") == later
            }
            #expect(try await service.control.run("SELECT HEX(Epoch) FROM Tenant") == now)
        }
    }
}
