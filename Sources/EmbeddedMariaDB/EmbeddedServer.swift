import Foundation
import Logging

/// A private `mariadbd` as a child process, on a Unix socket only, with its data under a directory.
///
/// The child lives as long as this process and no longer. `stop()` ends it in order. If this process is killed, a small
/// watchdog shell ends it, or else the next start does. Only the current user can reach it: the socket lies in a folder
/// with mode 0700, and there is no network. `root` therefore needs no password.
///
///     let server = try await EmbeddedServer.start(.init(directory: folder), logger: logger)
///     try await server.run()   // until cancelled: restarts the server when it dies
public actor EmbeddedServer {
    /// The programs and limits of the server.
    public struct Configuration: Sendable {
        /// Holds all that is on disk: data, socket, lock, log. Made where there is none.
        public var directory: URL
        /// Whether a committed transaction survives a power cut. False is for tests alone: a commit then still
        /// survives the end of mariadbd, but not that of the machine.
        public var durable = true
        /// InnoDB's cache, in MiB.
        public var bufferPoolMiB = 64
        /// InnoDB's redo log, in MiB. It takes this much disk from the first start on.
        public var redoLogMiB = 96
        /// How many connections the server takes at once.
        public var maximumConnections = 151
        /// Further arguments of mariadbd; they win over the others.
        public var extraArguments: [String] = []
        /// How long the first answer may take. Recovery after a crash is part of it.
        public var startsWithin: Duration = .seconds(120)
        /// How long the server may take to stop by itself; after that it is killed, and recovers at its next start.
        public var shutsDownWithin: Duration = .seconds(20)
        /// Where MariaDB's programs are looked for; nil: `PATH` and the places where distributions put servers.
        public var searchPath: [String]?
        /// Whether the directory is removed when the server stops or this process ends, however it ends. For tests.
        public var removesDirectory = false

        /// The defaults, on this directory.
        public init(directory: URL) {
            self.directory = directory
        }
    }

    /// The account that may do everything. It has no password: see the type's description.
    public static let user = "root"

    /// The socket to connect to. It stays the same over restarts.
    public nonisolated let socketPath: String

    let configuration: Configuration
    let logger: Logger
    private let directory: StateDirectory
    private let lock: DirectoryLock
    private let executable: String
    private let environment: [String: String]

    private(set) var child: ChildProcess?
    private var watchdog: Watchdog?
    private var stopping: Task<Void, Never>?
    /// The supervisor's pause before a restart, so that `stop()` can cut it short.
    var pause: Task<Void, Never>?

    /// Whether `stop()` was called.
    var isStopping: Bool { stopping != nil }

    /// Starts a server and waits until it answers.
    ///
    /// Makes the data directory on first use. Stops a server that a killed process left behind on it.
    /// - Parameters:
    ///   - configuration: The server to start, and its place.
    ///   - logger: Gets events for operators: first start, unexpected ends, restarts.
    /// - Returns: A server that answers on `socketPath`.
    /// - Throws: `EmbeddedServerError`; its description names the remedy.
    public static func start(_ configuration: Configuration, logger: Logger) async throws -> EmbeddedServer {
        let environment = ProcessInfo.processInfo.environment
        let programs = Programs(
            searchPath: configuration.searchPath ?? Programs.defaultSearchPath(environment: environment))
        let executable = try programs.find("mariadbd")
        let directory = try StateDirectory(creating: configuration.directory)
        let lock = try DirectoryLock(directory)
        do {
            try await LeftoverServer.stop(in: directory, within: configuration.shutsDownWithin, logger: logger)
            let socketPath = try directory.prepare(environment: environment)
            if !socketPath.hasPrefix(directory.path) {
                logger.info(
                    "The state directory's path is too long for a socket in it; the socket lies elsewhere.",
                    metadata: ["socket": "\(socketPath)", "directory": "\(directory.path)"])
            }
            let childEnvironment = Programs.environment(from: environment, directory: directory)
            try await Installation(
                directory: directory, programs: programs, environment: childEnvironment,
                arguments: storageArguments(configuration)
            ).installIfNeeded(within: configuration.startsWithin, logger: logger)
            let server = EmbeddedServer(
                configuration: configuration, logger: logger, directory: directory, lock: lock,
                executable: executable, environment: childEnvironment, socketPath: socketPath)
            do {
                try await server.launch()
            } catch {
                await server.stop()
                throw error
            }
            return server
        } catch {
            directory.removeShortRunFolder()
            if configuration.removesDirectory { try? FileManager.default.removeItem(atPath: directory.path) }
            throw error
        }
    }

    private init(
        configuration: Configuration, logger: Logger, directory: StateDirectory, lock: DirectoryLock,
        executable: String, environment: [String: String], socketPath: String
    ) {
        self.configuration = configuration
        self.logger = logger
        self.directory = directory
        self.lock = lock
        self.executable = executable
        self.environment = environment
        self.socketPath = socketPath
    }

    /// The server's process id; nil while there is none.
    public var processID: Int32? { child.flatMap { $0.isRunning ? $0.pid : nil } }

    /// Stops the server in order: SIGTERM, and SIGKILL if that takes too long. Returns when it has ended.
    ///
    /// Cancelling the calling task does not cut this short. Calling it again waits for the same end.
    public func stop() async {
        if stopping == nil {
            pause?.cancel()
            stopping = Task { await self.shutDown() }
        }
        await stopping?.value
    }

    /// Ends the server at once by SIGKILL, as a crash would, and waits until it has ended. For fault tests.
    ///
    /// Beside `run()` the server is then restarted; without it, `restart()` does so.
    public func kill() async {
        guard let child else { return }
        child.signal(SIGKILL)
        _ = await child.exit()
    }

    /// Starts the server again where nothing supervises it (no `run()`), stopping it in order first if it still runs.
    ///
    /// - Throws: `EmbeddedServerError`.
    public func restart() async throws {
        await endChild()
        try await launch()
    }

    /// Makes the server stop answering without ending it, as a machine that hangs would (SIGSTOP). For fault tests.
    public func freeze() { child?.signal(SIGSTOP) }

    /// Lets a frozen server go on.
    public func thaw() { child?.signal(SIGCONT) }

    // MARK: - The child

    /// Starts the child and waits until it answers.
    func launch() async throws {
        guard !isStopping else { throw EmbeddedServerError.stopped }
        await watchdog?.release()
        let log = ServerLog(path: directory.logFile)
        let output = try log.openForAppending()
        defer { close(output) }
        let before = log.size
        let child: ChildProcess
        do {
            let leavesNothing = configuration.removesDirectory
            let watched = try WatchedChild.start(
                executable, arguments, environment: environment, output: output,
                patience: leavesNothing ? .zero : configuration.shutsDownWithin,
                removing: leavesNothing ? [directory.path, directory.shortRunFolder].compactMap(\.self) : [])
            child = watched.child
            self.child = child
            watchdog = watched.watchdog
        } catch let error as POSIXError {
            throw EmbeddedServerError.didNotStart(
                reason: "the system would not start it (\(systemError(error.code.rawValue)))", logFile: log.path,
                lastLines: [])
        }
        try await waitUntilItAnswers(child, log: log, before: before)
    }

    private func waitUntilItAnswers(_ child: ChildProcess, log: ServerLog, before: UInt64) async throws {
        let deadline = ContinuousClock.now + configuration.startsWithin
        while !(await SocketProbe.greets(socketPath)) {
            try Task.checkCancellation()
            if isStopping { throw EmbeddedServerError.stopped }
            let reason: String
            if !child.isRunning {
                reason = await child.exit().map { "\($0)" } ?? "it ended"
            } else if ContinuousClock.now >= deadline {
                reason = "no answer within \(configuration.startsWithin)"
                child.signal(SIGKILL)
            } else {
                try await Task.sleep(for: .milliseconds(10))
                continue
            }
            let lines = log.lastLines(12, after: before)
            if ServerLog.complainsOfFullDisk(lines) {
                throw EmbeddedServerError.directoryUnusable(path: directory.path, reason: systemError(ENOSPC))
            }
            throw EmbeddedServerError.didNotStart(reason: reason, logFile: log.path, lastLines: lines)
        }
    }

    /// Its last words since the last start, for the log.
    func lastErrors() -> [String] {
        ServerLog(path: directory.logFile).lastLines(200).filter { $0.contains("[ERROR]") }.suffix(3)
    }

    private func endChild() async {
        guard let child else { return }
        child.signal(SIGCONT)
        child.signal(SIGTERM)
        if await child.exit(within: configuration.shutsDownWithin) == nil {
            logger.warning(
                "The database did not stop in time: killing it. It recovers at its next start.",
                metadata: ["process": "\(child.pid)", "limit": "\(configuration.shutsDownWithin)"])
            child.signal(SIGKILL)
            _ = await child.exit()
        }
    }

    private func shutDown() async {
        await endChild()
        await watchdog?.release()
        directory.removeShortRunFolder()
        if configuration.removesDirectory { try? FileManager.default.removeItem(atPath: directory.path) }
        lock.release()
    }

    // MARK: - Arguments

    /// Options for the form of the files, for installer and server alike.
    private static func storageArguments(_ configuration: Configuration) -> [String] {
        var arguments = ["--innodb-log-file-size=\(configuration.redoLogMiB)M"]
        if !configuration.durable {
            arguments += ["--innodb-flush-log-at-trx-commit=2", "--innodb-flush-method=nosync"]
        }
        return arguments
    }

    private var arguments: [String] {
        var arguments = [
            // Nothing of this machine's own MariaDB: neither its option files nor its directories.
            "--no-defaults", "--datadir=\(directory.data)", "--socket=\(socketPath)",
            "--pid-file=\(directory.pidFile)", "--tmpdir=\(directory.temporary)",
            "--skip-networking", "--skip-name-resolve",
            "--character-set-server=utf8mb4", "--collation-server=utf8mb4_unicode_ci",
            "--default-time-zone=+00:00",
            "--max-connections=\(configuration.maximumConnections)", "--log-warnings=1",
            // Small: half of the default is for engines and views that are not used here.
            "--innodb-buffer-pool-size=\(configuration.bufferPoolMiB)M",
            "--loose-innodb-buffer-pool-size-max=\(max(configuration.bufferPoolMiB, 64))M",
            "--innodb-log-buffer-size=4M", "--performance-schema=OFF",
            "--aria-pagecache-buffer-size=8M", "--key-buffer-size=1M",
        ]
        // It refuses to run as root unless told that this is meant.
        if geteuid() == 0 { arguments.append("--user=root") }
        return arguments + Self.storageArguments(configuration) + configuration.extraArguments
    }
}
