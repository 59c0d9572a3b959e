import EmbeddedMariaDB
import Foundation
import MariaDB
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The doctor tries on a server what the service does, and leaves nothing behind.
@Suite("The doctor's proof", .ownTime)
struct ProofTests {
    private static let control = "ops"

    private func root(_ socket: String, _ statements: String) async throws -> String {
        try await Command.run(
            "mariadb",
            ["--no-defaults", "--socket=\(socket)", "--user=root", "--batch", "--skip-column-names", "--binary-mode"],
            input: statements)
    }

    private func scratch(_ socket: String, _ control: String = control) async throws -> String {
        try await root(socket, "SHOW DATABASES LIKE '\(control.replacing("_", with: "\\_"))\\_\\_doctor%'")
    }

    /// Makes the two accounts with what the doctor's GRANTs give them, and nothing else.
    private func addAccounts(_ socket: String, _ control: String = control) async throws {
        let statements = [("svc", false), ("mig", true)].flatMap { user, isMigrator in
            ["CREATE USER '\(user)'@'%';"]
                + GrantStatements.statements(isMigrator: isMigrator, control: control, account: "'\(user)'@'%'")
        }
        _ = try await root(socket, statements.joined(separator: "\n"))
    }

    private func subtrackd(
        _ arguments: [String], _ socket: String, hasMigrator: Bool = true
    ) async throws -> (code: Int, output: String) {
        var all = arguments + ["--database-url", "mysql://svc@localhost/\(Self.control)?socket=\(socket)"]
        if hasMigrator { all += ["--migrator-url", "mysql://mig@localhost/\(Self.control)?socket=\(socket)"] }
        do {
            return (0, try await Command.run(try ServiceProcess.executable(), all))
        } catch let failure as CommandFailure {
            return (failure.end.firstMatch(of: #/\d+/#).flatMap { Int($0.0) } ?? -1, failure.output)
        }
    }

    @Test("A scratch tenant is made, filled, renewed, refused and dropped, with no more rights than the accounts have")
    func proved() async throws {
        try await PrivateServer.own { server in
            let socket = server.socketPath
            try await addAccounts(socket)
            // Before the first migration, and beside tenants.
            let early = try await subtrackd(["doctor"], socket)
            #expect(early.output.contains("ok      proof: a scratch tenant was made"), "\(early.output)")
            _ = try await subtrackd(["migrate"], socket)
            _ = try await subtrackd(["tenant", "create", "acme"], socket)
            let control = "SELECT * FROM ops.Tenant ORDER BY Slug; SELECT COUNT(*) FROM ops.Lease"
            let before = try await root(socket, control)
            let doctor = try await subtrackd(["doctor"], socket)
            #expect(doctor.code == 0 && doctor.output.contains("ok      proof: "), "\(doctor.output)")
            #expect(doctor.output.contains("which is tested"), "\(doctor.output)")
            #expect(try await root(socket, control) == before, "no tenant, no lease")
            #expect(try await scratch(socket).isEmpty)
            #expect(!(try await subtrackd(["tenant", "list"], socket)).output.contains("doctor"))
            let left = try await subtrackd(["doctor", "--no-proof"], socket)
            #expect(left.code == 0 && !left.output.contains("proof"), "\(left.output)")

            // Without the migrator it says what was not proved, and finds nothing wrong for that alone.
            let alone = try await subtrackd(["doctor"], socket, hasMigrator: false)
            #expect(
                alone.output.contains("warning proof: not tried: 'svc'@'%' may not make databases"), "\(alone.output)")
            #expect(!alone.output.contains("are missing, "), "triggers that it may not see are not missed")
            #expect(try await scratch(socket).isEmpty)
        }
    }

    @Test("On MySQL likewise", .enabled(if: MySQLServer.tree != nil, Comment(rawValue: MySQLServer.skipped)))
    func mySQL() async throws {
        let socket = try await MySQLServer.socketPath
        let proof = self.proof(socket, control: "proofmy")
        let findings = try await proof.run()
        #expect(findings.map(\.level) == [.ok], "\(findings)")
        #expect(try await scratch(socket, "proofmy").isEmpty)
    }

    private func proof(_ socket: String, control: String) -> ServerProof {
        let configuration = MariaDBConfiguration(endpoint: .unix(path: socket), user: EmbeddedServer.user)
        return ServerProof(
            control: control, migrator: configuration, service: configuration,
            logger: RecordedLog().logger("proof", level: .error))
    }

    @Test(
        "A rule that does not hold, and one that holds too well, are problems; the scratch database goes all the same")
    func broken() async throws {
        let socket = try await PrivateServer.shared.socketPath
        for (damage, words) in [
            ("DROP TRIGGER Account_before_insert", "a password that is no hash: it was taken"),
            (
                "CREATE TRIGGER Broken BEFORE UPDATE ON Subscription FOR EACH ROW "
                    + "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'", "a renewal, which keeps the month's end: "
            ),
            ("ALTER TABLE Device DROP FOREIGN KEY Device_ibfk_1", "a device of nobody: it was taken"),
        ] {
            var proof = proof(socket, control: "proofbroken")
            // Between the schema and the first step.
            proof.beforeSteps = { name in
                _ = try await TestDatabase(name: name, socketPath: socket).run(damage)
            }
            let findings = try await proof.run()
            #expect(findings.map(\.level) == [.problem], "\(damage): \(findings)")
            #expect(findings.first?.text.contains(words) == true, "\(findings)")
            #expect(try await scratch(socket, "proofbroken").isEmpty)
        }
    }

    /// Sends a doctor a signal once it has made a database. A doctor that was done before is run again, four times at the most.
    /// - Parameter body: waits for the end, and says whether the signal met the doctor at work.
    /// - Returns: whether it met one.
    private func meets(
        _ signal: Int32, _ arguments: [String], _ socket: String, in folder: URL,
        _ body: (ServiceProcess) async throws -> Bool
    ) async throws -> Bool {
        for _ in 0..<5 {
            let isMet = try await ServiceProcess.run(arguments, in: folder) { process in
                try await eventually("it has made a database, or is done") {
                    if try await !scratch(socket).isEmpty { return true }
                    return process.output.contains("proof: ")
                }
                // Stopped, it cannot be done between this look and the signal.
                process.signal(SIGSTOP)
                let isAtWork = try await !scratch(socket).isEmpty
                if isAtWork { process.signal(signal) }
                process.signal(SIGCONT)
                return isAtWork ? try await body(process) : false
            }
            if isMet { return true }
        }
        return false
    }

    @Test(
        "What is interrupted, killed or fails leaves nothing, or the next doctor removes it; one at work is left alone")
    func interrupted() async throws {
        try await PrivateServer.own { server in
            let socket = server.socketPath
            try await addAccounts(socket)
            let arguments = [
                "doctor", "--database-url", "mysql://svc@localhost/ops?socket=\(socket)", "--migrator-url",
                "mysql://mig@localhost/ops?socket=\(socket)",
            ]
            try await ServiceProcess.withFolder { folder in
                for signal in [SIGINT, SIGTERM] {
                    let isInterrupted = try await meets(signal, arguments, socket, in: folder) { process in
                        let code = try await process.exit()
                        guard code != 0 else { return false }
                        #expect(code == 69 && process.output.contains("interrupted"), "\(code): \(process.output)")
                        return true
                    }
                    #expect(isInterrupted)
                    #expect(try await scratch(socket).isEmpty)
                }
                let isKilled = try await meets(SIGKILL, arguments, socket, in: folder) { process in
                    _ = try await process.exit()
                    return try await !scratch(socket).isEmpty
                }
                #expect(isKilled)
            }
            let left = try await scratch(socket).trimmingCharacters(in: .newlines)
            #expect(left.hasPrefix("ops__doctor_"))
            // Another doctor is at work meanwhile: it is told by its lock.
            try await TestDatabase(name: "mysql", socketPath: socket).withClient { client in
                try await client.withConnection(nil) { connection in
                    _ = try await connection.query("SELECT GET_LOCK('ops__doctor_busy', 0)")
                    _ = try await connection.simpleQuery("CREATE DATABASE ops__doctor_busy")
                    try await eventually("the server has noticed that the first one is gone") {
                        let free = try await connection.query("SELECT IS_FREE_LOCK(\(left))").decode(Int64.self)
                        return free.first == 1
                    }
                    let next = try await subtrackd(["doctor"], socket)
                    #expect(next.output.contains("ok      database \(left): left by a doctor"), "\(next.output)")
                    #expect(next.output.contains("ok      proof: "), "\(next.output)")
                    #expect(try await scratch(socket) == "ops__doctor_busy\n")
                }
            }
        }
    }
}
