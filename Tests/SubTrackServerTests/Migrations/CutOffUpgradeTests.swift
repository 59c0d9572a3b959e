import MariaDB
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackSQL
@testable import SubTrackServer

/// A migration of a database that is in use is cut off: the rules hold for whoever goes on to write.
@Suite("Upgrades that are cut off", .ownTime)
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

    private let left =
        "SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() AND TRIGGER_NAME LIKE 'Replacing%'"

    @Test(
        "A table that somebody holds in a long transaction keeps its triggers, and nobody takes the migration for cut off"
    )
    func tableInUse() async throws {
        try await TestDatabase.lease { database in
            #expect(try await migrate(database, to: .tenant, version: "1.0.0"))
            let plan = later(["Exchange_rate"])
            try await database.withClient { client in
                try await client.withTransaction { connection in
                    _ = try await connection.query("SELECT COUNT(*) FROM Exchange_rate")
                    await #expect(throws: MariaDBError.self) {
                        _ = try await migrate(database, to: plan, version: "1.0.1")
                    }
                }
            }
            #expect(try await database.run("SELECT COUNT(*) FROM Migration WHERE Checksum = 'replacing'") == "0\n")
            #expect(try await migrate(database, to: plan, version: "1.0.1"))
        }
    }

    @Test(
        "Killed while triggers are replaced, at any moment: their table has its rules, or takes nothing until the next run",
        .enabled(if: TestStage.faults, "script/test --faults"))
    func whileReplacing() async throws {
        try await TestDatabase.lease { database in
            #expect(try await migrate(database, to: .tenant, version: "1.0.0"))
            let before = try await SchemaPicture.take(of: database)
            let wrong = "INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('USD', '2026-01-01', -1)"
            let right = "INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('USD', '2026-01-01', 1)"
            let plan = later(["Exchange_rate"])
            var (position, closed) = (0, 0)
            while try await !migrate(database, to: plan, version: "1.0.1", killedBefore: position) {
                position += 1
                let refusal = try await database.runFailing(wrong)
                if refusal.contains("3572") {
                    #expect(refusal.contains("subtrackd migrate"))
                    closed += 1
                } else {
                    #expect(refusal.contains("Exchange_rate.Per_euro"), "before \(position): \(refusal)")
                }
                let isCutOff = try await database.run("SELECT COUNT(*) FROM Migration WHERE Checksum = 'replacing'")
                #expect(isCutOff == "1\n")
                if position.isMultiple(of: 2) {
                    // The former version starts again: it puts back what it had.
                    #expect(try await migrate(database, to: .tenant, version: "1.0.0"))
                    #expect(try await SchemaPicture.take(of: database) == before, "before \(position)")
                }
            }
            #expect(position > 8 && closed > 1, "\(position) kills, closed after \(closed)")
            #expect(try await database.run(left) == "0\n")
            try await database.run(right)
            #expect(try await database.runFailing(wrong).contains("Exchange_rate.Per_euro"))
        }
    }

    @Test(
        "The foreign key of subscriptions goes when the triggers are there that stand in for it, and not before",
        .enabled(if: TestStage.faults, "script/test --faults"))
    func foreignKey() async throws {
        try await TestDatabase.lease { database in
            #expect(try await migrate(database, to: .tenant, version: "1.0.0"))
            let references =
                "SELECT COUNT(*) FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = DATABASE() "
                + "AND TABLE_NAME = 'Subscription' AND REFERENCED_TABLE_NAME = 'Plan'"
            #expect(try await database.run(references) == "0\n")
            // As it was before: a foreign key, and triggers that trust in it.
            try await database.run(
                """
                INSERT INTO `User` (User_ID, Country_ID) VALUES (0x01900000000070008000000000000001, 'US');
                INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
                VALUES (7, 'Acme', 'Basic', 5, 'US', 1, 'month');
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
                VALUES (0x01900000000070008000000000000001, 7, '2026-01-31');
                ALTER TABLE Subscription ADD FOREIGN KEY (Plan_ID) REFERENCES Plan (Plan_ID);
                DROP TRIGGER Plan_before_delete; DROP TRIGGER Plan_after_delete;
                UPDATE Migration SET Checksum = 'older' WHERE Path IN ('tenant/triggers/Plan.sql', 'tenant/triggers/Subscription.sql');
                DELETE FROM Migration WHERE Path IN ('tenant/0061_plan_keys.sql', 'tenant/0062_plan_index.sql');
                """)
            var (position, refusals) = (0, Set<String>())
            while try await !migrate(database, to: .tenant, version: "1.0.0", killedBefore: position) {
                position += 1
                let refusal = try await database.runFailing("DELETE FROM Plan WHERE Plan_ID = 7")
                let code = refusal.firstMatch(of: #/ERROR (\d+)/#).map { String($0.1) } ?? ""
                #expect(["1451", "3572", "1644"].contains(code), "before \(position): \(refusal)")
                refusals.insert(code)
            }
            #expect(refusals.count == 3, "\(refusals)")
            #expect(try await database.run(references + ";" + left) == "0\n0\n")
            #expect(try await database.runFailing("DELETE FROM Plan WHERE Plan_ID = 7").contains("it is in use"))
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
