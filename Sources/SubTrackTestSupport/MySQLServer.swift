import EmbeddedMariaDB
import Foundation

/// The private MySQL server that the tests of a process share, where there is one to run.
///
/// Its programs come from a folder (`script/server-tree mysql` makes one), named by `SUBTRACKIT_MYSQL_TREE`. The scripts of
/// its `launch` folder run them with the libraries beside them; no root is needed, and nothing is installed. The server
/// starts when the first test asks for it, and ends with the process, by whatever cause that ends.
public enum MySQLServer {
    /// The folder with MySQL's programs; nil: tests on MySQL are skipped.
    public static let tree: String? = {
        guard let tree = ProcessInfo.processInfo.environment["SUBTRACKIT_MYSQL_TREE"], !tree.isEmpty else { return nil }
        return tree
    }()

    /// Why tests on MySQL are skipped, in words.
    public static let skipped: String =
        "MySQL: SUBTRACKIT_MYSQL_TREE names no folder with a server; script/server-tree mysql makes one"

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
                // Its descriptor stays open until this process ends: the kernel closes it then.
                let start = start ?? Task { try await MySQLServer.start().socketPath }
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

    /// Runs a server that belongs to one test, and ends it afterwards.
    ///
    /// - Parameters:
    ///   - arguments: Further arguments of mysqld. They win over the others.
    ///   - body: The test, with the server's Unix socket.
    public static func own<Result: Sendable>(
        arguments: [String], _ body: (_ socketPath: String) async throws -> Result
    ) async throws -> Result {
        let (socketPath, keeper) = try await start(arguments: arguments)
        defer { close(keeper) }
        return try await body(socketPath)
    }

    /// Starts a server.
    ///
    /// - Returns: Its socket, and a descriptor: the server ends when it is closed.
    private static func start(arguments: [String] = []) async throws -> (socketPath: String, keeper: Int32) {
        guard let tree else { throw Unavailable(description: skipped) }
        let folder = try PrivateServer.temporaryFolder().path
        let program = try command(tree: tree, folder: folder) + arguments
        do {
            // MySQL 8.0 cannot make its own tables without autocommit (1694); a server that runs takes the setting.
            let first = program.dropFirst().filter { !$0.hasPrefix("--autocommit=") }
            try await Command.run(program[0], first + ["--initialize-insecure"])
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        let keeper = try keep(["-c", keeper, "mysql-keeper", folder] + program)
        let socketPath = folder + "/s"
        do {
            try await eventually(within: .seconds(60), "MySQL answers") {
                let answer = try? await Command.run(
                    "mariadb",
                    [
                        "--no-defaults", "--disable-ssl-verify-server-cert", "--socket=\(socketPath)", "--user=root",
                        "-e", "SELECT 1",
                    ])
                return answer != nil
            }
        } catch {
            let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "no log"
            close(keeper)
            throw Unavailable(description: "MySQL did not start: \(log.suffix(2_000))")
        }
        return (socketPath, keeper)
    }

    /// The server and its arguments: small, and without care for a crash of the machine.
    private static func command(tree: String, folder: String) throws -> [String] {
        let program = tree + "/launch/mysqld"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Unavailable(description: "\(program) is missing; script/server-tree mysql \(tree) writes it")
        }
        return [
            program, "--no-defaults", "--datadir=\(folder)/data", "--socket=\(folder)/s", "--pid-file=\(folder)/pid",
            "--skip-networking", "--mysqlx=OFF", "--performance-schema=OFF", "--secure-file-priv=NULL",
            "--local-infile=ON", "--max-connections=300", "--innodb-buffer-pool-size=64M",
            "--loose-innodb-redo-log-capacity=32M", "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=OFF",
        ]
            // For services it is as MySQL is by default: with a binary log.
            + (ServicesServer.kind == .mysql
                ? ["--sync-binlog=0", "--log-bin-trust-function-creators=1"] : ["--skip-log-bin"])
            + (geteuid() == 0 ? ["--user=root"] : [])
    }

    /// Starts the keeper.
    ///
    /// - Returns: A descriptor that stays open until the server is to end, or this process does.
    private static func keep(_ arguments: [String]) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
        }
        defer { close(ends[1]) }
        do {
            // With the clock of the pretend day.
            let clock = ProcessInfo.processInfo.environment.filter { $0.key == "LD_PRELOAD" }
            _ = try ChildProcess.spawn(
                "/bin/sh", arguments, environment: clock.merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { $1 },
                input: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        return ends[0]
    }

    private struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }
}
