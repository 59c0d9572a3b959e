import EmbeddedMariaDB
import Foundation
import MariaDB
import SubTrackSQL
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Triggers and views that somebody changed by hand are found, on both servers, and made again.
@Suite("Definitions that were changed by hand", .ownTime)
struct DefinitionInventoryTests {
    /// Runs a body with a migrated database and a migrator that mends.
    private func withDatabase(
        _ server: TestServer, _ body: (TestDatabase, Migrator) async throws -> Void
    ) async throws {
        try await server.lease { database in
            try await database.withClient { client in
                var migrator = Migrator(client: client, logger: RecordedLog().logger("test"))
                try await migrator.migrate(try Identifier(database.name), to: .tenant)
                migrator.mendsDefinitions = true
                try await body(database, migrator)
            }
        }
    }

    private func compare(
        _ database: TestDatabase, _ migrator: Migrator
    ) async throws -> (triggers: TriggerInventory.Comparison, views: ViewInventory.Drift) {
        try await migrator.client.withConnection(database.name) { connection in
            let applied = try await MigrationQueries.applied(on: connection)
            return (
                try await TriggerInventory.compare(.tenant, applied: applied, on: connection),
                try await ViewInventory.compare(.tenant, applied: applied, on: connection)
            )
        }
    }

    private func check(_ server: TestServer) async throws {
        try await withDatabase(server) { database, migrator in
            let name = try Identifier(database.name)
            let (triggers, views) = try await compare(database, migrator)
            #expect(triggers.drifts.isEmpty && triggers.others.isEmpty && views.files.isEmpty, "\(triggers) \(views)")
            #expect(try await migrator.migrate(name, to: .tenant).isEmpty)

            for (damage, changed) in [
                // Another body, another moment, another table, another session's modes.
                (
                    """
                    DROP TRIGGER Session_after_delete;
                    CREATE TRIGGER Session_after_delete AFTER DELETE ON Session FOR EACH ROW SET @x = 1
                    """, ["Session_after_delete"]
                ),
                (
                    """
                    DROP TRIGGER Account_after_insert; SET sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,\
                    ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';
                    CREATE TRIGGER Account_after_insert BEFORE UPDATE ON Device FOR EACH ROW SET @x = 1
                    """, ["Account_after_insert"]
                ),
            ] {
                try await database.run(damage)
                #expect(try await compare(database, migrator).triggers.drifts.flatMap(\.changed) == changed)
                #expect(try await migrator.migrate(name, to: .tenant).count == 1)
                #expect(try await compare(database, migrator).triggers.drifts.isEmpty, "\(damage)")
            }

            // The same text in a session that is not strict is another trigger.
            let file = try #require(MigrationPlan.tenant.triggers.first { $0.name == "Session" })
            let lax = file.text.replacing(#/SET SESSION sql_mode = '[^']*'/#, with: "SET SESSION sql_mode = ''")
            try await database.run(lax)
            #expect(try await compare(database, migrator).triggers.drifts.first?.changed == ["Session_after_delete"])
            // As it is, with comments and other white space, it is not.
            try await database.run(
                file.text.replacing("BEGIN\n", with: "BEGIN\n\n\t  -- noted here\n"), arguments: ["--comments"])
            #expect(try await compare(database, migrator).triggers.drifts.isEmpty)

            // One more trigger is named, and left to whoever made it.
            try await database.run("CREATE TRIGGER Audit AFTER INSERT ON Plan FOR EACH ROW SET @audit = 1")
            #expect(try await compare(database, migrator).triggers.others == ["Audit"])
            #expect(try await migrator.migrate(name, to: .tenant).isEmpty)
            try await database.run("DROP TRIGGER Audit")

            try await database.run("CREATE OR REPLACE VIEW Plan_text AS SELECT 1 AS a; DROP VIEW Account_text")
            let drift = try await compare(database, migrator).views
            #expect(drift.changed == ["Plan_text"] && drift.missing == ["Account_text"], "\(drift)")
            #expect(try await migrator.migrate(name, to: .tenant).count == 2)
            #expect(try await compare(database, migrator).views.files.isEmpty)
            // A database of before views were noted, or of another server: they are made again once.
            try await database.run("DELETE FROM Setting WHERE Setting_name LIKE 'view.%'")
            #expect(try await compare(database, migrator).views.changed.isEmpty)
            #expect(try await migrator.migrate(name, to: .tenant).allSatisfy { $0.contains("/views/") })
            #expect(try await migrator.migrate(name, to: .tenant).isEmpty)
        }
    }

    @Test("On MariaDB")
    func mariaDB() async throws { try await check(.mariaDB) }

    @Test("On MySQL", .enabled(if: MySQLServer.tree != nil, Comment(rawValue: MySQLServer.skipped)))
    func mySQL() async throws { try await check(.mySQL) }

    @Test("A dump that is loaded under another name has the same triggers and views")
    func dumped() async throws {
        try await withDatabase(.mariaDB) { database, migrator in
            let dump = try await Command.run(
                "mariadb-dump",
                [
                    "--no-defaults", "--socket=\(database.socketPath)", "--user=root", "--triggers",
                    "--single-transaction",
                    database.name,
                ])
            try await TestServer.mariaDB.lease { copy in
                try await copy.run(dump)
                let (triggers, views) = try await compare(copy, migrator)
                #expect(triggers.drifts.isEmpty && triggers.others.isEmpty, "\(triggers)")
                #expect(views.changed.isEmpty && views.missing.isEmpty && views.unknown.isEmpty, "\(views)")
                #expect(!triggers.isBlind)
            }
        }
    }

    @Test("The doctor names them, and migrate makes them again")
    func doctor() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { tenants in
                func finding() async -> Finding? {
                    await Doctor(access: tenants.access, logger: tenants.logger).findings()
                        .first { $0.subject == "tenant default" }
                }
                #expect(await finding()?.level == .ok)
                try await service.database.run(
                    """
                    DROP TRIGGER Session_after_delete;
                    CREATE TRIGGER Session_after_delete AFTER DELETE ON Session FOR EACH ROW SET @x = 1;
                    CREATE OR REPLACE VIEW User_text AS SELECT 1 AS a
                    """)
                let found = await finding()
                #expect(found?.level == .problem && found?.remedy?.hasPrefix("subtrackd migrate") == true)
                #expect(
                    found?.text.contains("somebody has changed Session_after_delete, User_text") == true,
                    "\(String(describing: found))")
                var preparation = Preparation(access: tenants.access, logger: tenants.logger)
                preparation.mendsDefinitions = true
                let outcome = try await preparation.run(defaultTenant: nil).first { $0.slug == "default" }
                #expect(outcome?.applied == ["tenant/triggers/Session.sql", "tenant/views/User_text.sql"])
                #expect(await finding()?.level == .ok)
                try await service.database.run("CREATE TRIGGER Audit AFTER INSERT ON Plan FOR EACH ROW SET @audit = 1")
                let audit = await finding()
                #expect(audit?.level == .warning && audit?.text.contains("Audit") == true)
                try await service.database.run("DROP TRIGGER Audit; DROP VIEW Plan_text")
                #expect(await finding()?.text.contains("Plan_text among them") == true)
                #expect(try await tenants.restored("default") == ["tenant/views/Plan_text.sql"])
                #expect(await finding()?.level == .ok)
            }
        }
    }

    @Test("What is missing hides nothing else: the doctor names each missing, changed and foreign trigger and view")
    func all() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { tenants in
                let lost =
                    ["Account_before_insert", "Plan_after_update", "Plan_before_insert", "Plan_before_update"]
                    + ["Subscription_before_insert", "Subscription_before_update"]
                try await service.database.run(
                    lost.map { "DROP TRIGGER \($0);" }.joined()
                        + """
                        DROP TRIGGER Session_after_delete;
                        CREATE TRIGGER Session_after_delete AFTER DELETE ON Session FOR EACH ROW SET @x = 1;
                        CREATE TRIGGER Audit AFTER INSERT ON Plan FOR EACH ROW SET @audit = 1;
                        CREATE OR REPLACE VIEW User_text AS SELECT 1 AS a;
                        DROP VIEW Plan_text
                        """)
                let found = await Doctor(access: tenants.access, logger: tenants.logger).findings()
                    .filter { $0.subject == "tenant default" }
                #expect(found.map(\.level) == [.problem, .problem, .warning], "\(found)")
                for name in lost + ["Plan_text"] { #expect(found.first?.text.contains(name) == true, "\(found)") }
                #expect(found.dropFirst().first?.text.contains("Session_after_delete, User_text") == true, "\(found)")
                #expect(found.last?.text.contains("Audit") == true && found.last?.remedy?.contains("Audit") == true)
            }
        }
    }

    @Test("Texts are compared without comments, white space and the doubling of quotes, which servers change")
    func normalized() {
        #expect(
            SQLText.normalized(" SET  @a = 'x' ; -- z\n/* c */ SET\t@b = \"y\" # d\n")
                == "SET @a = 'x' ; SET @b = \"y\"")
        #expect(SQLText.normalized("a--b") == "a--b" && SQLText.normalized("x /*! y */") == "x /*! y */")
        // As MySQL shows it, and as it was sent.
        #expect(SQLText.normalized("'the plan's', ''") == SQLText.normalized("'the plan''s',  ''"))
        #expect(SQLText.normalized("'a'") != SQLText.normalized("'b'"))
        #expect(
            SQLText.normalized("") == "" && SQLText.normalized("/* open") == ""
                && SQLText.normalized("'open") == "'open")
    }
}
