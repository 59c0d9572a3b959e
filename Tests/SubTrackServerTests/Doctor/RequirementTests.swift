import EmbeddedMariaDB
import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Settings of a server with which the service cannot work, and those from which it makes itself independent.
@Suite("Settings of servers", .ownTime)
struct RequirementTests {
    private func subjects(
        _ variables: [String: String], hasInnoDB: Bool = true, mayWrite: Bool = false
    ) -> [String] {
        let version = ServerVersion("10.11.6-MariaDB")
        var facts = ServerRequirements.Facts(version: version, innerVersion: version)
        facts.hasInnoDB = hasInnoDB
        facts.mayWriteReadOnly = mayWrite
        let faults = ServerRequirements.faults(variables, facts)
        #expect(faults.allSatisfy { $0.level == .problem && $0.remedy != nil })
        return faults.map(\.subject)
    }

    @Test("Each setting that cannot work is named with its remedy; the defaults are not")
    func judged() {
        let good = [
            "log_bin": "ON", "binlog_format": "ROW", "read_only": "OFF", "super_read_only": "OFF",
            "innodb_read_only": "OFF",
            "innodb_force_recovery": "0", "enforce_storage_engine": "", "disabled_storage_engines": "MyISAM,BLACKHOLE",
            "innodb_page_size": "16384", "innodb_default_row_format": "dynamic", "max_allowed_packet": "1048576",
            "max_prepared_stmt_count": "10", "thread_stack": "299008", "offline_mode": "OFF",
            "pxc_strict_mode": "PERMISSIVE",
        ]
        #expect(subjects(good).isEmpty && subjects([:]).isEmpty)
        let bad = [
            "binlog_format": "STATEMENT", "read_only": "ON", "super_read_only": "1", "innodb_read_only": "ON",
            "innodb_force_recovery": "4", "enforce_storage_engine": "Aria",
            "disabled_storage_engines": "MyISAM, InnoDB",
            "innodb_page_size": "4096", "innodb_default_row_format": "COMPACT", "max_allowed_packet": "65536",
            "max_prepared_stmt_count": "0", "thread_stack": "131072", "offline_mode": "ON",
            "pxc_strict_mode": "ENFORCING",
        ]
        for (name, value) in bad { #expect(subjects(good.merging([name: value]) { $1 }) == [name]) }
        #expect(subjects(["binlog_format": "STATEMENT", "log_bin": "OFF"]).isEmpty)
        #expect(subjects(["read_only": "ON"], mayWrite: true).isEmpty)
        #expect(subjects(["read_only": "NO_LOCK_NO_ADMIN"]) == ["read_only"])
        #expect(subjects([:], hasInnoDB: false) == ["innodb"])
    }

    /// Changes global settings, and has commands refuse the server.
    private func refuses(_ server: EmbeddedServer, _ change: String, _ name: String, back: String) async throws {
        let admin = TestDatabase(name: "mysql", socketPath: server.socketPath)
        try await admin.run(change)
        let url = ["--database-url", "mysql://svc@localhost/ops?socket=\(server.socketPath)"]
        for command in [["doctor"], ["migrate"]] {
            do {
                _ = try await Command.run(try ServiceProcess.executable(), command + url)
                Issue.record("\(command) passed with \(change)")
            } catch let failure as CommandFailure {
                #expect(failure.output.contains(name), "\(change): \(failure)")
                #expect(failure.output.contains("SET GLOBAL") || failure.output.contains("--"), "\(failure)")
                #expect(!failure.output.contains("proof:"), "nothing is tried there: \(failure)")
            }
        }
        #expect(try await admin.run("SHOW DATABASES LIKE 'ops%'").isEmpty, "\(change): nothing was written")
        try await admin.run(back)
    }

    @Test("A server with such a setting is refused by doctor, migrate and serve, and nothing is written to it")
    func refused() async throws {
        try await PrivateServer.own { server in
            let admin = TestDatabase(name: "mysql", socketPath: server.socketPath)
            try await admin.run(
                "CREATE USER 'svc'@'%'; GRANT ALL ON `ops`.* TO 'svc'@'%'; GRANT ALL ON `ops\\_%`.* TO 'svc'@'%'")
            for (change, name, back) in [
                ("SET GLOBAL read_only = 1", "read_only", "SET GLOBAL read_only = 0"),
                (
                    "SET GLOBAL innodb_default_row_format = 'compact'", "innodb_default_row_format",
                    "SET GLOBAL innodb_default_row_format = 'dynamic'"
                ),
                (
                    "SET GLOBAL enforce_storage_engine = 'Aria'", "enforce_storage_engine",
                    "SET GLOBAL enforce_storage_engine = NULL"
                ),
                (
                    "SET GLOBAL max_allowed_packet = 65536", "max_allowed_packet",
                    "SET GLOBAL max_allowed_packet = 16777216"
                ),
            ] { try await refuses(server, change, name, back: back) }

            // The service waits, and goes on by itself once the setting is mended.
            try await admin.run("SET GLOBAL read_only = 1")
            try await ServiceProcess.withFolder { folder in
                try await ServiceProcess.run(
                    [
                        "serve", "--http-listen", "127.0.0.1:0", "--database-url",
                        "mysql://svc@localhost/ops?socket=\(server.socketPath)",
                    ], in: folder
                ) { process in
                    let client = try await process.listens()
                    try await eventually("it is said") { process.output.contains("read_only is on") }
                    #expect(try await client.send("GET", "/v1").status == 503)
                    #expect(try await admin.run("SHOW DATABASES LIKE 'ops%'").isEmpty)
                    try await admin.run("SET GLOBAL read_only = 0")
                    _ = try await process.becomesReady()
                }
            }
        }
    }

    @Test("An account that lacks a right makes nothing, rather than half of it")
    func rights() async throws {
        try await PrivateServer.own(configure: {
            $0.extraArguments = ["--log-bin=binary-log", "--server-id=1", "--binlog-format=ROW", "--sync-binlog=0"]
        }) { server in
            let admin = TestDatabase(name: "mysql", socketPath: server.socketPath)
            let all = GrantStatements.migrator
            try await admin.run("CREATE USER 'svc'@'%'")
            func migrate() async throws -> String {
                do {
                    return try await Command.run(
                        try ServiceProcess.executable(),
                        ["migrate", "--database-url", "mysql://svc@localhost/ops?socket=\(server.socketPath)"])
                } catch let failure as CommandFailure { return failure.output }
            }
            for missing in ["TRIGGER", "CREATE VIEW", "LOCK TABLES", "REFERENCES"] {
                let rights = all.filter { $0 != missing }.joined(separator: ", ")
                try await admin.run(
                    "GRANT \(rights) ON `ops`.* TO 'svc'@'%'; GRANT \(rights) ON `ops\\_%`.* TO 'svc'@'%'")
                let refused = try await migrate()
                #expect(refused.contains("may not \(missing)") && refused.contains("nothing was changed"), "\(refused)")
                #expect(try await admin.run("SHOW DATABASES LIKE 'ops%'").isEmpty, "\(missing)")
                try await admin.run("REVOKE ALL PRIVILEGES, GRANT OPTION FROM 'svc'@'%'")
            }
            let rights = all.joined(separator: ", ")
            try await admin.run(
                "GRANT \(rights) ON `ops`.* TO 'svc'@'%'; GRANT \(rights) ON `ops\\_%`.* TO 'svc'@'%'")
            let refused = try await migrate()
            #expect(refused.contains("log_bin_trust_function_creators"), "\(refused)")
            #expect(try await admin.run("SHOW DATABASES LIKE 'ops%'").isEmpty)
            try await admin.run("SET GLOBAL log_bin_trust_function_creators = 1")
            let done = try await migrate()
            #expect(done.contains("files applied"), "\(done)")
        }
    }

    @Test("A service's account that lacks a right is refused before its databases are made, with a migrator beside it")
    func serviceRights() async throws {
        try await PrivateServer.own { server in
            let admin = TestDatabase(name: "mysql", socketPath: server.socketPath)
            let rights = GrantStatements.migrator.joined(separator: ", ")
            try await admin.run(
                """
                CREATE USER 'svc'@'%'; CREATE USER 'mig'@'%';
                GRANT \(rights) ON `ops`.* TO 'mig'@'%'; GRANT \(rights) ON `ops\\_%`.* TO 'mig'@'%';
                GRANT SELECT, INSERT, UPDATE, DELETE ON `ops`.* TO 'svc'@'%';
                GRANT SELECT, INSERT, UPDATE ON `ops\\_%`.* TO 'svc'@'%';
                """)
            let command = [
                "migrate", "--database-url", "mysql://svc@localhost/ops?socket=\(server.socketPath)",
                "--migrator-url", "mysql://mig@localhost/ops?socket=\(server.socketPath)",
            ]
            let program = try ServiceProcess.executable()
            var refused = ""
            do { _ = try await Command.run(program, command) } catch let failure as CommandFailure {
                refused = failure.output
            }
            #expect(refused.contains("may not DELETE in ops_default; nothing was changed"), "\(refused)")
            #expect(try await admin.run("SHOW DATABASES LIKE 'ops%'").isEmpty)
            try await admin.run("GRANT DELETE ON `ops\\_%`.* TO 'svc'@'%'")
            let done = try await Command.run(program, command)
            #expect(done.contains("files applied"), "\(done)")
        }
    }

    @Test(
        "A server that is to encrypt tables and has no key for it: said with its setting, and nothing is left",
        .enabled(if: MySQLServer.tree != nil, Comment(rawValue: MySQLServer.skipped)))
    func noKey() async throws {
        let arguments = ["--default-table-encryption=ON", "--log-bin-trust-function-creators=ON"]
        try await MySQLServer.own(arguments: arguments) { socket in
            let command = ["migrate", "--database-url", "mysql://root@localhost/ops?socket=\(socket)"]
            var refused = ""
            let program = try ServiceProcess.executable()
            do { _ = try await Command.run(program, command) } catch let failure as CommandFailure {
                refused = failure.output
            }
            #expect(refused.contains("default_table_encryption is ON"), "\(refused)")
            let admin = TestDatabase(name: "mysql", socketPath: socket)
            #expect(try await admin.run("SHOW DATABASES LIKE 'ops%'").isEmpty)
        }
    }

    @Test("What a server's defaults do to sessions is nothing to the service: it sets what it counts on")
    func foreignDefaults() async throws {
        try await PrivateServer.own { server in
            let admin = TestDatabase(name: "mysql", socketPath: server.socketPath)
            try await admin.run(
                """
                SET GLOBAL sql_safe_updates = 1; SET GLOBAL max_join_size = 10; SET GLOBAL sql_big_selects = 0;
                SET GLOBAL sql_select_limit = 1; SET GLOBAL tx_read_only = 1; SET GLOBAL foreign_key_checks = 0;
                SET GLOBAL unique_checks = 0; SET GLOBAL check_constraint_checks = 0; SET GLOBAL max_statement_time = 0.02;
                SET GLOBAL alter_algorithm = 'INSTANT'; SET GLOBAL max_session_mem_used = 1000000;
                SET GLOBAL completion_type = 'RELEASE'; SET GLOBAL sql_auto_is_null = 1; SET GLOBAL autocommit = 0;
                SET GLOBAL div_precision_increment = 0; SET GLOBAL max_sort_length = 64; SET GLOBAL sql_mode = 'ANSI';
                SET GLOBAL tx_isolation = 'SERIALIZABLE'; SET GLOBAL time_zone = '+13:00'
                """)
            try await TestService.runUnready(on: server) { service in
                try await service.becomesReady()
                let ada = try await service.newUser()
                let plan = try await service.withTenants { tenants in
                    let client = try tenants.clients.client(of: nil)
                    return try await client.withConnection(service.database.name) { connection in
                        try await connection.execute(
                            """
                            INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
                            VALUES (1, 'Testflix', 'Basic', 5, 'US', 1, 'month')
                            """)
                        await #expect(throws: MariaDBError.self, "foreign keys hold") {
                            try await connection.execute(
                                "INSERT INTO Device (Device_ID, User_ID, Device_name) VALUES ('a', 'b', 'c')")
                        }
                        return Int64(1)
                    }
                }
                for _ in 0..<3 {
                    _ = try await ada.call(CreateSubscription(planId: plan, startDate: day("2025-12-31")))
                }
                #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 3)
                let account = try await ada.client.response(
                    to: RegisterAccount(email: "ada@example.org", password: goodPassword))
                #expect(account.status < 300, "\(account.text)")
            }
        }
    }
}
