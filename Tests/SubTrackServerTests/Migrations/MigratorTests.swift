import Foundation
import MariaDB
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackSQL
@testable import SubTrackServer

@Suite("Migrations", .tags(.otherServers), .ownTime)
struct MigratorTests {
    /// A migration that was cut off.
    private struct Killed: Error {}

    /// Runs a body with a client for migrations, as a process of its own would have.
    @discardableResult
    private func withMigrator<Result>(
        on database: TestDatabase, beforeStatement: @escaping @Sendable (String) throws -> Void = { _ in },
        _ body: (Migrator) async throws -> Result
    ) async throws -> Result {
        let logger = RecordedLog().logger("migrator")
        let settings = ServiceSettings(
            stateDirectory: URL(fileURLWithPath: "/nonexistent"),
            database: DatabaseURL(endpoint: .unix(path: database.socketPath), user: database.user))
        let client = try await DatabaseAccess.open(settings, logger: logger).migratorClient(logger: logger)
        do {
            let migrator = Migrator(client: client, logger: logger, beforeStatement: beforeStatement)
            let result = try await body(migrator)
            await client.shutdown()
            return result
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// Lends a database that nothing disturbed, with its picture.
    private func undisturbed(_ plan: MigrationPlan) async throws -> String {
        try await TestDatabase.lease { database in
            try await withMigrator(on: database) { try await $0.migrate(try Identifier(database.name), to: plan) }
            return try await SchemaPicture.take(of: database)
        }
    }

    @Test("Killed again and again, each time some statements further, it goes on and ends as if nothing had happened")
    func killedEverywhere() async throws {
        // Before each single statement where there is time for it.
        let stride = TestStage.faults ? 1 : 6
        let expected = try await undisturbed(.tenant)
        try await TestDatabase.lease { database in
            let seen = Mutex<Set<String>>([])
            var kills = 0
            while true {
                let previous = Mutex("")
                do {
                    try await withMigrator(
                        on: database,
                        beforeStatement: { statement in
                            let key = previous.withLock { previous in
                                defer { previous = statement }
                                return previous + "\u{0}" + statement
                            }
                            let isNew = seen.withLock { $0.insert(key).inserted ? $0.count : nil }
                            guard let isNew, isNew.isMultiple(of: stride) else { return }
                            throw Killed()
                        }
                    ) { try await $0.migrate(try Identifier(database.name), to: .tenant) }
                    break
                } catch is Killed {
                    kills += 1
                }
            }
            let statements = Self.statements(of: .tenant)
            #expect(Set(statements).count / stride <= kills, "\(kills) kills, \(statements.count) statements")
            #expect(try await SchemaPicture.take(of: database) == expected)
        }
    }

    @Test("Private providers that a collation took for one become several, each with the category that they had")
    func privateProviders() async throws {
        try await TestDatabase.lease { database in
            func migrate() async throws -> [String] {
                try await withMigrator(on: database) {
                    try await $0.migrate(try Identifier(database.name), to: .tenant)
                }
            }
            _ = try await migrate()
            // As it was before.
            try await database.run(
                """
                ALTER TABLE Private_provider
                    MODIFY Provider VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL;
                DELETE FROM Migration WHERE Path LIKE '%0006%';
                INSERT INTO `User` (User_ID, Country_ID) VALUES (0x01900000000070008000000000000001, 'US');
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID) VALUES
                    ('gym', 'a', 1, 'US', 1, 'month', 0x01900000000070008000000000000001),
                    ('Gym', 'b', 1, 'US', 1, 'month', 0x01900000000070008000000000000001),
                    ('🎬', 'c', 1, 'US', 1, 'month', 0x01900000000070008000000000000001),
                    ('🎵', 'd', 1, 'US', 1, 'month', 0x01900000000070008000000000000001);
                UPDATE Private_provider SET Category = 'Sport' WHERE Provider = 'gym'
                """)
            let providers = "SELECT CONCAT(Provider, ' ', Category) FROM Private_provider ORDER BY HEX(Provider)"
            #expect(try await database.run(providers) == "gym Sport\n🎬 Other\n")
            #expect(try await migrate() == ["tenant/0006_private_providers.sql"])
            #expect(try await database.run(providers) == "Gym Sport\ngym Sport\n🎬 Other\n🎵 Other\n")
        }
    }

    @Test(
        "Killed before the n-th statement of a fresh database, for every n, the next run completes it",
        .enabled(if: TestStage.faults, "script/test --faults"))
    func killedOnce() async throws {
        for plan in [MigrationPlan.control, .tenant] {
            let expected = try await undisturbed(plan)
            for position in Self.statements(of: plan).indices {
                try await TestDatabase.lease { database in
                    let count = Mutex(0)
                    await #expect(throws: Killed.self) {
                        try await withMigrator(
                            on: database,
                            beforeStatement: { _ in
                                let index = count.withLock { count in
                                    defer { count += 1 }
                                    return count
                                }
                                guard index != position else { throw Killed() }
                            }
                        ) { try await $0.migrate(try Identifier(database.name), to: plan) }
                    }
                    try await withMigrator(on: database) {
                        try await $0.migrate(try Identifier(database.name), to: plan)
                    }
                    let found = try await SchemaPicture.take(of: database)
                    #expect(found == expected, "killed before statement \(position)")
                }
            }
        }
    }

    @Test("A second run finds nothing to do")
    func again() async throws {
        try await TestDatabase.lease { database in
            try await withMigrator(on: database) { migrator in
                let first = try await migrator.migrate(try Identifier(database.name), to: .tenant)
                #expect(first == MigrationPlan.tenant.files.map(\.path))
                #expect(try await migrator.migrate(try Identifier(database.name), to: .tenant).isEmpty)
            }
        }
    }

    @Test("A file of triggers that changed is applied anew, and no other; changed back, it is what it was")
    func changedTriggers() async throws {
        try await TestDatabase.lease { database in
            try await withMigrator(on: database) { migrator in
                let name = try Identifier(database.name)
                let original = MigrationPlan.tenant
                try await migrator.migrate(name, to: original)
                let before = try await SchemaPicture.take(of: database)
                let changed = MigrationPlan(
                    steps: original.steps,
                    triggers: original.triggers.map { file in
                        guard file.name == "Account", let begin = file.text.firstRange(of: "BEGIN\n") else {
                            return file
                        }
                        return SQLFiles.File(
                            path: file.path,
                            text: file.text.replacingCharacters(in: begin, with: "BEGIN\n    DO 4711;\n"))
                    }, definitions: original.definitions, lateSteps: original.lateSteps)
                #expect(try await migrator.migrate(name, to: changed) == ["tenant/triggers/Account.sql"])
                let triggers = "SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()"
                let count = try await database.run(triggers)
                #expect(try await database.run(triggers + " AND ACTION_STATEMENT LIKE '%DO 4711%'") == "1\n")
                #expect(try await migrator.migrate(name, to: original) == ["tenant/triggers/Account.sql"])
                #expect(try await database.run(triggers) == count)
                #expect(try await SchemaPicture.take(of: database) == before)
            }
        }
    }

    @Test("A statement that the database refuses is named with its file, and the tables are not left locked")
    func refusedStatement() async throws {
        try await TestDatabase.lease { database in
            try await withMigrator(on: database) { migrator in
                let name = try Identifier(database.name)
                let original = MigrationPlan.tenant
                let broken = MigrationPlan(
                    steps: original.steps,
                    triggers: [SQLFiles.File(path: "tenant/triggers/Account.sql", text: "CREATE TRIGGER nonsense")],
                    definitions: [])
                do {
                    try await migrator.migrate(name, to: broken)
                    Issue.record("migrated")
                } catch let failure as MigrationFailure {
                    #expect(failure.description.hasPrefix("sql/tenant/triggers/Account.sql: "))
                    #expect(failure.description.contains("CREATE TRIGGER nonsense"))
                }
                // Somebody else can work on the table at once, and the same client as well.
                try await database.run("SET lock_wait_timeout = 2; LOCK TABLES Account WRITE; UNLOCK TABLES")
                try await migrator.migrate(name, to: original)
            }
        }
    }

    /// The statements of a plan on a fresh database.
    private static func statements(of plan: MigrationPlan) -> [String] {
        plan.files.flatMap { StatementSplitter.statements(of: $0.text) }
    }
}

/// All that information_schema tells of a database, and its reference data, as one text that can be compared.
enum SchemaPicture {
    static func take(of database: TestDatabase) async throws -> String {
        let text = try await database.run(
            """
            SELECT 'column', TABLE_NAME, ORDINAL_POSITION, COLUMN_NAME, COLUMN_DEFAULT, IS_NULLABLE, COLUMN_TYPE,
                CHARACTER_SET_NAME, COLLATION_NAME, COLUMN_KEY, EXTRA, GENERATION_EXPRESSION
            FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ORDER BY 2, 3;
            SELECT 'key', TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX, COLUMN_NAME, NON_UNIQUE
            FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() ORDER BY 2, 3, 4;
            SELECT 'reference', CONSTRAINT_NAME, TABLE_NAME, REFERENCED_TABLE_NAME, UPDATE_RULE, DELETE_RULE
            FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE() ORDER BY 3, 2;
            SELECT 'constraint', TABLE_NAME, CONSTRAINT_NAME, CONSTRAINT_TYPE
            FROM information_schema.TABLE_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE() ORDER BY 2, 3;
            SELECT 'trigger', TRIGGER_NAME, EVENT_MANIPULATION, ACTION_TIMING, EVENT_OBJECT_TABLE, SQL_MODE,
                CHARACTER_SET_CLIENT, COLLATION_CONNECTION, ACTION_STATEMENT
            FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() ORDER BY 2;
            SELECT 'view', TABLE_NAME, SECURITY_TYPE, VIEW_DEFINITION
            FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE() ORDER BY 2;
            SELECT 'routine', ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE();
            SELECT 'applied', Path, Checksum FROM Migration ORDER BY Path;
            """)
        let tables = try await database.run("SHOW TABLES").split(separator: "\n")
        var rows = ""
        for table in ["Country", "Currency", "Setting"] where tables.contains(Substring(table)) {
            let columns = try await database.run(
                """
                SELECT GROUP_CONCAT(CONCAT('`', COLUMN_NAME, '`') ORDER BY ORDINAL_POSITION) FROM information_schema.COLUMNS
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '\(table)' AND COLUMN_NAME <> 'Ver'
                """)
            rows += try await database.run("SELECT \(columns) FROM `\(table)` ORDER BY 1")
        }
        return (text + rows).replacing(database.name, with: "DATABASE")
    }
}
