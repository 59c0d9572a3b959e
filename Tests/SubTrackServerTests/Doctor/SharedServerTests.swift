import EmbeddedMariaDB
import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// A server that is shared with others: a binary log, ordinary accounts, and what is not the service's.
@Suite("On a shared server", .ownTime)
struct SharedServerTests {
    private let password = "a \"password' of tests"

    /// Runs `subtrackd` with the two accounts.
    private func subtrackd(
        _ arguments: [String], socket: String, control: String, hasMigrator: Bool = true
    ) async throws -> (code: Int, output: String) {
        var environment = [
            "SUBTRACKIT_DATABASE_URL": "mysql://svc@localhost/\(control)?socket=\(socket)",
            "SUBTRACKIT_DATABASE_PASSWORD": password,
        ]
        if hasMigrator {
            environment["SUBTRACKIT_MIGRATOR_URL"] = "mysql://mig@localhost/\(control)?socket=\(socket)"
            environment["SUBTRACKIT_MIGRATOR_PASSWORD"] = password
        }
        do {
            return (0, try await Command.run(try ServiceProcess.executable(), arguments, environment: environment))
        } catch let failure as CommandFailure {
            let code = failure.end.firstMatch(of: #/\d+/#).flatMap { Int($0.0) } ?? -1
            return (code, failure.output)
        }
    }

    private func root(_ socket: String, _ statements: String) async throws -> String {
        try await Command.run(
            "mariadb",
            ["--no-defaults", "--socket=\(socket)", "--user=root", "--batch", "--skip-column-names", "--binary-mode"],
            input: statements)
    }

    /// Makes somebody else's databases, whose names come near, and the two accounts without any right.
    private func prepare(_ socket: String) async throws {
        let quoted = password.replacing("'", with: "''")
        _ = try await root(
            socket,
            """
            CREATE DATABASE shop; CREATE TABLE shop.Secret (a INT); INSERT INTO shop.Secret VALUES (1);
            CREATE DATABASE opsXsub; CREATE TABLE opsXsub.Secret (a INT);
            CREATE DATABASE ops_subXacme; CREATE TABLE ops_subXacme.Secret (a INT);
            CREATE USER 'svc'@'%' IDENTIFIED BY '\(quoted)'; CREATE USER 'mig'@'%' IDENTIFIED BY '\(quoted)';
            """)
    }

    /// From accounts without rights to a tenant that is served, by what the doctor says.
    private func followTheDoctor(_ socket: String, hasLog: Bool) async throws {
        let control = "ops_sub"
        try await prepare(socket)
        let neighbours = "CHECKSUM TABLE shop.Secret, opsXsub.Secret, ops_subXacme.Secret; SHOW TABLES FROM shop"
        let before = try await root(socket, neighbours)

        let sick = try await subtrackd(["doctor"], socket: socket, control: control)
        #expect(sick.code == 78, "\(sick.output)")
        #expect(sick.output.contains("GRANT SELECT, INSERT, UPDATE, DELETE ON `ops\\_sub\\_%`.* TO 'svc'@'%';"))
        #expect(sick.output.contains("1419") == hasLog, "\(sick.output)")
        #expect(!sick.output.contains(password))
        // What it says is done as it says it, up to the comment.
        let remedies = sick.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("GRANT ") || $0.hasPrefix("SET GLOBAL log_bin_trust") }
        _ = try await root(socket, remedies.map { $0.components(separatedBy: ";")[0] + ";" }.joined(separator: "\n"))

        let migrated = try await subtrackd(["migrate"], socket: socket, control: control)
        #expect(migrated.code == 0, "\(migrated.output)")
        let created = try await subtrackd(["tenant", "create", "acme"], socket: socket, control: control)
        #expect(created.code == 0, "\(created.output)")
        let well = try await subtrackd(["doctor", "--json"], socket: socket, control: control)
        #expect(well.code == 0 && !well.output.contains("\"problem\""), "\(well.output)")
        #expect(!well.output.contains("like a tenant's"), "\(well.output)")
        #expect(!well.output.contains("more than it needs"), "\(well.output)")

        // The service's account can serve what is migrated, alone; and nothing else.
        try await ServiceProcess.withFolder { folder in
            let environment = [
                "SUBTRACKIT_DATABASE_URL": "mysql://svc@localhost/\(control)?socket=\(socket)",
                "SUBTRACKIT_DATABASE_PASSWORD": password,
            ]
            try await ServiceProcess.run(
                ["serve", "--http-listen", "127.0.0.1:0"], environment: environment, in: folder
            ) { process in
                var client = try await process.becomesReady()
                client.prefix = "/t/acme"
                client.token = try await client.call(RegisterDevice(name: "x", country: "US")).token
                #expect(try await client.response(to: GetMe()).status == 200)
                #expect(!process.output.contains(password))
            }
        }
        for statement in [
            "SELECT * FROM shop.Secret", "SELECT * FROM opsXsub.Secret", "SELECT * FROM ops_subXacme.Secret",
            "DROP TABLE Plan", "CREATE TABLE x (a INT)", "DROP TRIGGER Subscription_before_insert",
            "SELECT LOAD_FILE('/etc/passwd') FROM mysql.user", "SET GLOBAL max_connections = 10",
            "GRANT SELECT ON ops_sub.* TO 'svc'@'%'", "SELECT 1 INTO OUTFILE '/tmp/x'",
        ] {
            let refused = try await subtrackd(
                ["sql", "--tenant", "acme", "-e", statement], socket: socket, control: control)
            #expect(refused.code != 0 && refused.output.contains("denied"), "\(statement): \(refused.output)")
        }
        #expect(try await root(socket, neighbours) == before)

        // A tenant's database that nobody has is named; what is only called like one is not, nor another installation's.
        _ = try await root(
            socket,
            ["ops_sub_left", "ops_sub_next_acme", "OPS_SUB_LOUD"].map { name in
                "CREATE DATABASE \(name);"
                    + ["Migration", "Scope", "Plan", "Subscription"].map { "CREATE TABLE \(name).\($0) (a INT);" }
                    .joined()
            }.joined()
                + """
                CREATE DATABASE ops_sub_other; CREATE TABLE ops_sub_other.Migration (a INT);
                CREATE DATABASE ops_sub_next; CREATE TABLE ops_sub_next.Migration (a INT);
                CREATE TABLE ops_sub_next.Tenant (a INT);
                """)
        let leftover = try await subtrackd(["doctor", "--json"], socket: socket, control: control)
        #expect(leftover.code == 0 && leftover.output.contains("\"database ops_sub_left\""), "\(leftover.output)")
        #expect(leftover.output.matches(of: #/"database /#).count == 1, "\(leftover.output)")
        #expect(!leftover.output.contains("DROP DATABASE"))
        for name in ["ops_sub_left", "ops_sub_next_acme", "OPS_SUB_LOUD", "ops_sub_other", "ops_sub_next"] {
            _ = try await root(socket, "DROP DATABASE \(name)")
        }

        // Too much is seen as well.
        _ = try await root(socket, "GRANT SELECT ON `ops_sub%`.* TO 'svc'@'%'; GRANT SELECT ON shop.* TO 'svc'@'%'")
        let excess = try await subtrackd(["doctor"], socket: socket, control: control)
        #expect(excess.output.contains("REVOKE SELECT ON `ops_sub%`.* FROM 'svc'@'%';"), "\(excess.output)")
        #expect(excess.output.contains("REVOKE SELECT ON `shop`.* FROM 'svc'@'%';"))
    }

    @Test(
        "MariaDB with a binary log and accounts without SUPER: the doctor's statements lead to a tenant that is served")
    func mariaDB() async throws {
        try await PrivateServer.own(configure: {
            $0.extraArguments = ["--log-bin=binary-log", "--server-id=1", "--binlog-format=ROW", "--sync-binlog=0"]
        }) { server in
            try await followTheDoctor(server.socketPath, hasLog: true)
        }
    }

    @Test("MySQL likewise", .enabled(if: MySQLServer.tree != nil, Comment(rawValue: MySQLServer.skipped)))
    func mySQL() async throws {
        let socket = try await MySQLServer.socketPath
        // Where other tests have it so already, they go on to need it.
        let hasLog = try await root(socket, "SELECT @@log_bin AND NOT @@log_bin_trust_function_creators") == "1\n"
        try await followTheDoctor(socket, hasLog: hasLog)
    }

    @Test("A server that cannot be reached, or refuses, is said with what to do, and exit code 69")
    func unreachable() async throws {
        let away = try await subtrackd(["doctor"], socket: "/nonexistent/socket", control: "x")
        #expect(away.code == 69 && away.output.contains("cannot be reached"), "\(away.output)")
        let server = try await PrivateServer.shared
        let refused = try await subtrackd(["doctor"], socket: server.socketPath, control: "x")
        #expect(refused.code == 69 && refused.output.contains("CREATE USER"), "\(refused.output)")
        #expect(refused.output.contains("DROP USER ''@'localhost';") && refused.output.contains("--database-ca-file"))
        #expect(!refused.output.contains(password))
    }

    @Test("A command that lacks a right says which other command names it")
    func advice() async throws {
        try await PrivateServer.own(configure: { _ in }) { server in
            try await prepare(server.socketPath)
            let refused = try await subtrackd(["migrate"], socket: server.socketPath, control: "ops_sub")
            #expect(refused.code == 69 && refused.output.contains("subtrackd doctor"), "\(refused.output)")
        }
    }
}
