import MariaDB
import SubTrackTestSupport
import Synchronization
import Testing

@testable import SubTrackSQL
@testable import SubTrackServer

/// A migration of a database that is in use is cut off: the rules hold for whoever goes on to write.
@Suite("Upgrades that are cut off")
struct CutOffUpgradeTests {
    private struct Killed: Error {}

    /// The schema with another text of some tables' triggers.
    private func later(_ tables: Set<String>) -> MigrationPlan {
        var plan = MigrationPlan.tenant
        plan = MigrationPlan(
            steps: plan.steps,
            triggers: plan.triggers.map { file in
                guard tables.contains(file.name) else { return file }
                return SQLFiles.File(
                    path: file.path, text: file.text.replacing("\nEND//", with: "\n    DO 4711;\nEND//"))
            }, definitions: plan.definitions, lateSteps: plan.lateSteps)
        return plan
    }

    /// Migrates, and ends before the statement of that number.
    /// - Returns: whether it was through before.
    private func migrate(
        _ database: TestDatabase, to plan: MigrationPlan, version: String, killedBefore position: Int = .max
    ) async throws -> Bool {
        let version = try #require(ServiceVersion(version))
        return try await database.withClient { client in
            let count = Mutex(0)
            let migrator = Migrator(
                client: client, logger: RecordedLog().logger("migrator"), version: version,
                beforeStatement: { _ in
                    let index = count.withLock { count in
                        defer { count += 1 }
                        return count
                    }
                    guard index < position else { throw Killed() }
                })
            do {
                try await migrator.migrate(try Identifier(database.name), to: plan)
                return true
            } catch is Killed {
                return false
            }
        }
    }

    @Test("Of two builds of one version the one that knows fewer steps takes nothing back; a later version does")
    func equalVersions() async throws {
        try await TestDatabase.lease { database in
            #expect(try await migrate(database, to: .tenant, version: "1.0.0"))
            var plan = later(["Provider"])
            plan = MigrationPlan(
                steps: plan.steps + [.init(path: "tenant/9000_more.sql", text: "DO 0;")], triggers: plan.triggers,
                definitions: plan.definitions, lateSteps: plan.lateSteps)
            #expect(try await migrate(database, to: plan, version: "1.0.0"))
            let picture = try await SchemaPicture.take(of: database)
            #expect(picture.contains("DO 4711"))
            #expect(try await migrate(database, to: .tenant, version: "1.0.0"))
            #expect(try await SchemaPicture.take(of: database) == picture)
            let applied = try await database.withClient { client in
                try await client.withConnection { try await MigrationQueries.applied(on: $0) }
            }
            let version = try #require(ServiceVersion("1.0.0"))
            #expect(MigrationPlan.tenant.missing(from: applied, for: version).files.isEmpty, "it may serve beside")
            #expect(try await migrate(database, to: .tenant, version: "1.0.1"))
            #expect(try await !SchemaPicture.take(of: database).contains("DO 4711"))
        }
    }
}
