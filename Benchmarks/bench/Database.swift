import Foundation

/// A private MariaDB with durable settings.
struct Database {
    static let name = "subtrackit_default"

    let folder: String
    let socket: String
    let children: Children
    let process: Process

    /// The URL by which the service reaches it.
    var url: String { "mysql://root@localhost/subtrackit?socket=\(socket)" }

    /// Makes an empty data folder.
    static func install(in folder: String, children: Children) throws {
        try children.run(
            "mariadb-install-db",
            [
                "--no-defaults", "--datadir=\(folder)", "--auth-root-authentication-method=normal", "--skip-test-db",
                "--skip-name-resolve", "--force",
            ] + asRoot)
    }

    /// Starts the server on a data folder, and waits until it answers.
    /// - Parameters:
    ///   - name: tells the files of several servers apart.
    ///   - options: further ones, which win.
    static func start(
        _ folder: String, scratch: ScratchFolder, children: Children, name: String = "db", options: [String] = []
    ) throws -> Database {
        let socket = scratch.file("\(name).sock")
        let log = scratch.file("mariadbd.log")
        let process = try children.start(
            "mariadbd",
            [
                "--no-defaults", "--datadir=\(folder)", "--socket=\(socket)",
                "--pid-file=\(scratch.file("\(name).pid"))",
                "--skip-networking", "--skip-name-resolve", "--character-set-server=utf8mb4",
                "--collation-server=utf8mb4_unicode_ci", "--default-time-zone=+00:00", "--max-connections=2000",
                "--performance-schema=OFF", "--innodb-buffer-pool-size=1G", "--innodb-log-file-size=512M",
                "--innodb-flush-log-at-trx-commit=1", "--table-open-cache=4000",
            ] + options + asRoot, log: log)
        let database = Database(folder: folder, socket: socket, children: children, process: process)
        let limit = ContinuousClock.now + .seconds(120)
        while !FileManager.default.fileExists(atPath: socket) {
            guard process.isRunning, ContinuousClock.now < limit else {
                let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw BenchFailure("mariadbd does not start (is another benchmark running?):\n\(text.suffix(2_000))")
            }
            usleep(50_000)
        }
        return database
    }

    /// Stops the server in order: what it has in memory is on disk afterwards.
    func stop() { children.end(process) }

    /// Runs statements, in a tenant's database unless told otherwise.
    /// - Returns: the rows, a line each, with tabs between the columns.
    @discardableResult
    func sql(_ statements: String, in database: String = Database.name) throws -> String {
        try children.run(
            "mariadb",
            [
                "--no-defaults", "--default-character-set=utf8mb4", "--user=root", "--socket=\(socket)", "--batch",
                "--skip-column-names", "--local-infile=1", database,
            ], input: statements)
    }

    private static var asRoot: [String] { geteuid() == 0 ? ["--user=root"] : [] }
}
