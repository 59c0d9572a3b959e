import EmbeddedMariaDB
import Foundation

/// The private MySQL server that the tests of a process share, where there is one to run.
///
/// Its programs come from a folder (`script/mysql-tree` makes one), named by `SUBTRACKIT_MYSQL_TREE`. They are run from
/// there as they are, with the libraries beside them; no root is needed, and nothing is installed. The server starts
/// when the first test asks for it, and ends with the process, by whatever cause that ends.
public enum MySQLServer {
    /// The folder with MySQL's programs; nil: tests on MySQL are skipped.
    public static let tree: String? = {
        guard let tree = ProcessInfo.processInfo.environment["SUBTRACKIT_MYSQL_TREE"], !tree.isEmpty else { return nil }
        return tree
    }()

    /// Why tests on MySQL are skipped, in words.
    public static let skipped: String =
        "MySQL: SUBTRACKIT_MYSQL_TREE names no folder with a server; script/mysql-tree makes one"

    /// The Unix socket of the server that all tests of this process share. Lease a database on it:
    /// `TestServer.mySQL.lease`.
    ///
    /// - Throws: why it cannot be started, the same to every test.
    public static var socketPath: String {
        get async throws { try await Starter.shared.socketPath }
    }

    /// Starts the shared server once, however many tests ask at the same time.
    private actor Starter {
        static let shared = Starter()
        private var start: Task<String, any Error>?

        var socketPath: String {
            get async throws {
                let start = start ?? Task { try await MySQLServer.start() }
                self.start = start
                return try await start.value
            }
        }
    }

    /// Waits until its standard input ends, which is when the process that started it does; then ends the server and
    /// removes its files. `$1`: the folder; the rest: the server and its arguments.
    private static let keeper = """
        folder=$1; shift
        "$@" >"$folder/log" 2>&1 </dev/null &
        server=$!
        IFS= read -r word
        kill -s KILL "$server"
        wait "$server" 2>/dev/null
        rm -rf -- "$folder"
        """

    private static func start() async throws -> String {
        guard let tree else { throw Unavailable(description: skipped) }
        let folder = try PrivateServer.temporaryFolder().path
        let program = try command(tree: tree, folder: folder)
        do {
            try await Command.run(program[0], program.dropFirst() + ["--initialize-insecure"])
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        try keep(["-c", keeper, "mysql-keeper", folder] + program)
        let socketPath = folder + "/s"
        do {
            try await eventually(within: .seconds(60), "MySQL answers") {
                let answer = try? await Command.run(
                    "mariadb", ["--no-defaults", "--socket=\(socketPath)", "--user=root", "-e", "SELECT 1"])
                return answer != nil
            }
        } catch {
            let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "no log"
            throw Unavailable(description: "MySQL did not start: \(log.suffix(2_000))")
        }
        return socketPath
    }

    /// The server and its arguments: small, and without care for a crash of the machine.
    private static func command(tree: String, folder: String) throws -> [String] {
        // Run by the tree's own loader, so that the tree's C library is used and not this machine's.
        let files = FileManager.default
        let libraries = try files.contentsOfDirectory(atPath: tree + "/usr/lib")
            .filter { $0.hasSuffix("-linux-gnu") }.map { "\(tree)/usr/lib/\($0)" }
        let loaders = libraries.flatMap { folder in
            ((try? files.contentsOfDirectory(atPath: folder)) ?? [])
                .filter { $0.hasPrefix("ld-linux") }.map { "\(folder)/\($0)" }
        }
        guard let loader = loaders.first else {
            throw Unavailable(description: "\(tree) has no loader of programs in usr/lib/*-linux-gnu")
        }
        return [
            loader, "--library-path", (libraries + [tree + "/usr/lib/mysql/private"]).joined(separator: ":"),
            tree + "/usr/sbin/mysqld", "--no-defaults", "--basedir=\(tree)/usr", "--datadir=\(folder)/data",
            "--lc-messages-dir=\(tree)/usr/share/mysql", "--character-sets-dir=\(tree)/usr/share/mysql/charsets",
            "--plugin-dir=\(tree)/usr/lib/mysql/plugin", "--socket=\(folder)/s", "--pid-file=\(folder)/pid",
            "--skip-networking", "--mysqlx=OFF", "--performance-schema=OFF", "--secure-file-priv=NULL",
            "--local-infile=ON", "--max-connections=300", "--innodb-buffer-pool-size=64M",
            "--innodb-redo-log-capacity=32M", "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=OFF",
        ]
            // For services it is as MySQL is by default: with a binary log.
            + (ServicesServer.kind == .mysql
                ? ["--sync-binlog=0", "--log-bin-trust-function-creators=1"] : ["--skip-log-bin"])
            + (geteuid() == 0 ? ["--user=root"] : [])
    }

    private static func keep(_ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
        }
        defer { close(ends[1]) }
        // The first end stays open, on purpose, until this process ends: the kernel closes it then.
        do {
            _ = try ChildProcess.spawn(
                "/bin/sh", arguments, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], input: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
    }

    private struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }
}

/// The two kinds of server that the schema runs on.
public enum TestServer: String, Sendable, CaseIterable {
    case mariaDB
    case mySQL

    /// Lends a fresh, empty database on the server of this kind that the tests of this process share, and drops it
    /// afterwards, whatever the test did.
    ///
    /// - Parameters:
    ///   - prepare: Fills the database before the test gets it.
    ///   - body: The test.
    /// - Throws: What `prepare` or `body` throws, or that the database could not be made.
    public func lease<Result: Sendable>(
        prepare: (TestDatabase) async throws -> Void = { _ in }, _ body: (TestDatabase) async throws -> Result
    ) async throws -> Result {
        let socketPath =
            switch self {
            case .mariaDB: try await PrivateServer.shared.socketPath
            case .mySQL: try await MySQLServer.socketPath
            }
        let database = TestDatabase(name: TestDatabase.uniqueName(), socketPath: socketPath)
        try await client(database, "CREATE DATABASE `\(database.name)`")
        do {
            try await prepare(database)
            let result = try await body(database)
            try await drop(database)
            return result
        } catch {
            // Shielded: a test that was cancelled leaves no database either.
            _ = await Task { try? await drop(database) }.value
            throw error
        }
    }

    private func drop(_ database: TestDatabase) async throws {
        do {
            try await client(database, "DROP DATABASE IF EXISTS `\(database.name)`")
        } catch let failure as CommandFailure where failure.output.contains("ERROR 1010") {
            // MariaDB 10.11: when triggers are made in two databases at once, a backup (Plan.TRG-) may be left behind, and
            // DROP DATABASE does not remove it nor the folder. Everything else is gone, and the server goes as well.
        }
    }

    private func client(_ database: TestDatabase, _ statement: String) async throws {
        try await Command.run(
            "mariadb", ["--no-defaults", "--socket=\(database.socketPath)", "--user=\(database.user)", "--batch"],
            input: statement)
    }
}
