import EmbeddedMariaDB
import Foundation
import SubTrackServer
import Synchronization

/// The database server that the services of this process's tests work on, and the accounts that they use there.
///
/// `SUBTRACKIT_TEST_SERVER` chooses it: nothing is the private MariaDB, as its root; `shared` a MariaDB as operators share
/// it with others, with a binary log and accounts that may do what the GRANTs say and nothing else; `mysql` a MySQL likewise.
///
/// The MariaDB is that of `PATH`: with the `launch` folder of a tree (`script/server-tree`) in front, all tests run on the
/// tree's version.
public enum ServicesServer {
    /// The kinds of server.
    public enum Kind: String, Sendable {
        case own
        case shared
        case mysql
    }

    /// Which it is in this process.
    public static let kind =
        ProcessInfo.processInfo.environment["SUBTRACKIT_TEST_SERVER"].flatMap { Kind(rawValue: $0) } ?? .own

    /// Its Unix socket.
    static var socketPath: String { get async throws { try await Starter.shared.socketPath } }

    /// The accounts' names and password.
    private static let (service, migrator, password) = ("tested", "tested_migrator", "a password of \"tests\"")
    /// The sockets of servers that have the accounts.
    private static let prepared = Mutex<Set<String>>([])

    /// Has a service use its accounts, where its server has them.
    static func apply(to settings: inout ServiceSettings, socketPath: String, control: String) {
        guard prepared.withLock({ $0.contains(socketPath) }) else { return }
        func url(_ user: String) -> DatabaseURL {
            DatabaseURL(endpoint: .unix(path: socketPath), user: user, controlDatabase: control)
        }
        settings.database = url(service)
        settings.databasePassword = .init(password)
        settings.passwordText = password
        settings.migrator = url(migrator)
        settings.migratorPassword = .init(password)
    }

    /// The environment in which `subtrackd` uses the accounts.
    public static func environment(socketPath: String, control: String) -> [String: String] {
        func url(_ user: String) -> String { "mysql://\(user)@localhost/\(control)?socket=\(socketPath)" }
        return [
            "SUBTRACKIT_DATABASE_URL": url(service), "SUBTRACKIT_DATABASE_PASSWORD": password,
            "SUBTRACKIT_MIGRATOR_URL": url(migrator), "SUBTRACKIT_MIGRATOR_PASSWORD": password,
        ]
    }

    /// Starts the server once, however many tests ask at the same time.
    private actor Starter {
        static let shared = Starter()
        private var start: Task<String, any Error>?

        var socketPath: String {
            get async throws {
                let start = start ?? Task { try await ServicesServer.start() }
                self.start = start
                return try await start.value
            }
        }

        private var servers: [EmbeddedServer] = []
        func keep(_ server: EmbeddedServer) { servers.append(server) }
    }

    private static func start() async throws -> String {
        switch kind {
        case .own: return try await PrivateServer.shared.socketPath
        case .shared:
            var configuration = try PrivateServer.configuration()
            configuration.extraArguments = [
                "--log-bin=binary-log", "--server-id=1", "--binlog-format=ROW", "--sync-binlog=0",
                "--log-bin-trust-function-creators=1",
            ]
            let server = try await EmbeddedServer.start(configuration, logger: PrivateServer.logger)
            await Starter.shared.keep(server)
            return try await addAccounts(server.socketPath)
        case .mysql: return try await addAccounts(try await MySQLServer.socketPath)
        }
    }

    /// Makes the accounts on a server. Services that run on it use them from then on.
    ///
    /// - Returns: The server's socket.
    @discardableResult
    public static func addAccounts(_ socketPath: String) async throws -> String {
        var statements: [String] = []
        for (user, isMigrator) in [(service, false), (migrator, true)] {
            let account = "'\(user)'@'localhost'"
            statements.append("CREATE USER \(account) IDENTIFIED BY '\(password)';")
            // Test databases are called test_….
            statements += GrantStatements.statements(isMigrator: isMigrator, control: "test", account: account)
        }
        try await Command.run(
            "mariadb", ["--no-defaults", "--disable-ssl-verify-server-cert", "--socket=\(socketPath)", "--user=root"],
            input: statements.joined(separator: "\n"))
        _ = prepared.withLock { $0.insert(socketPath) }
        return socketPath
    }
}
