import EmbeddedMariaDB
import Foundation
import NIOCore
import NIOPosix
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Accounts that a server does not let in: the fault is told in plain words, with its remedy, by each command and at the start.
@Suite(
    "Accounts that are not let in", .tags(.ownServer),
    .enabled(if: ServicesServer.kind == .own, "the other servers have no such accounts"), .ownTime)
struct SignInFaultTests {
    private func url(_ user: String, _ server: EmbeddedServer) -> String {
        "mysql://\(user)@localhost/ops?socket=\(server.socketPath)"
    }

    private func failure(_ arguments: [String]) async throws -> CommandFailure {
        do {
            let said = try await Command.run(try ServiceProcess.executable(), arguments)
            throw NeverHappened(description: "\(arguments) passed: \(said)")
        } catch let failure as CommandFailure { return failure }
    }

    /// Has the doctor, a migration and a start tell a fault.
    private func isTold(_ words: String, remedy: String, _ arguments: [String]) async throws {
        for command in [["doctor"], ["migrate"]] {
            let failure = try await failure(command + arguments)
            #expect(failure.output.contains(words) && failure.output.contains(remedy), "\(command): \(failure)")
        }
        try await ServiceProcess.withFolder { folder in
            try await ServiceProcess.run(["serve", "--http-listen", "127.0.0.1:0"] + arguments, in: folder) { process in
                try await eventually("the start tells \(words)") {
                    process.output.contains(words) && process.output.contains(remedy.prefix(12))
                }
            }
        }
    }

    @Test("A locked account, an expired password, and an account that may have one connection")
    func accounts() async throws {
        try await PrivateServer.own { server in
            let admin = TestDatabase(name: "mysql", socketPath: server.socketPath)
            try await admin.run(
                """
                CREATE USER 'locked'@'%' ACCOUNT LOCK; CREATE USER 'old'@'%' IDENTIFIED BY 'x';
                ALTER USER 'old'@'%' PASSWORD EXPIRE; CREATE USER 'single'@'%' WITH MAX_USER_CONNECTIONS 1;
                CREATE USER 'svc'@'%'; GRANT ALL ON `ops`.* TO 'single'@'%', 'svc'@'%', 'locked'@'%';
                GRANT ALL ON `ops\\_%`.* TO 'single'@'%', 'svc'@'%', 'locked'@'%';
                """)
            try await isTold(
                "the account 'locked' is locked", remedy: "ALTER USER 'locked'@'%' ACCOUNT UNLOCK;",
                ["--database-url", url("locked", server)])
            try await isTold(
                "the account 'locked' is locked", remedy: "ALTER USER 'locked'@'%' ACCOUNT UNLOCK;",
                ["--database-url", url("svc", server), "--migrator-url", url("locked", server)])
            try await isTold(
                "'single'@'%' may have 1 at a time (MAX_USER_CONNECTIONS)",
                remedy: "ALTER USER 'single'@'%' WITH MAX_USER_CONNECTIONS 4;",
                ["--database-url", url("svc", server), "--migrator-url", url("single", server)])
            try await ServiceProcess.withFolder { folder in
                let file = folder.appending(path: "password").path
                try Data("x\n".utf8).write(to: URL(filePath: file))
                // Both ways of servers: the session may do nothing, or is not let in at all.
                for setting in ["OFF", "ON"] {
                    try await admin.run("SET GLOBAL disconnect_on_expired_password = \(setting)")
                    try await isTold(
                        "the password of the account 'old' has expired", remedy: "ALTER USER 'old'@'%' IDENTIFIED BY",
                        ["--database-url", url("old", server), "--database-password-file", file])
                }
            }
            #expect(try await admin.run("SHOW DATABASES LIKE 'ops%'").isEmpty, "nothing was written")
        }
    }

    @Test("A server that takes TLS alone, reached without TLS")
    func secureTransport() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        try await channel.close()
        try await PrivateServer.own(configure: {
            $0.extraArguments += ["--skip-networking=0", "--bind-address=127.0.0.1", "--port=\(port)"]
        }) { server in
            let admin = TestDatabase(name: "mysql", socketPath: server.socketPath)
            try await admin.run("CREATE USER 'svc'@'%'; SET GLOBAL require_secure_transport = ON")
            try await isTold(
                "TLS alone (require_secure_transport is ON", remedy: "--database-ca-file FILE",
                ["--database-url", "mysql://svc@127.0.0.1:\(port)/ops"])
        }
    }

    @Test("All connections of an account or of the server, an address that is not let in, and other errors")
    func judged() {
        func fault(_ code: UInt32, _ message: String = "") -> SignInFault? {
            SignInFault(code: code, message: message, user: "o'neil")
        }
        #expect(fault(1226)?.remedy.hasPrefix("ALTER USER 'o''neil'@'%' WITH MAX_USER_CONNECTIONS") == true)
        #expect(fault(1040)?.isOfAccount == false && fault(1130)?.remedy.contains("CREATE USER") == true)
        #expect(fault(3118)?.text == fault(4151)?.text && fault(1820) == fault(1862))
        #expect(fault(1045) == nil && fault(2003) == nil)
        let words = "Connections using insecure transport are prohibited while --require_secure_transport=ON."
        #expect(fault(3159) == fault(1105, words) && fault(3159)?.remedy.contains("--database-ca-file") == true)
    }
}
