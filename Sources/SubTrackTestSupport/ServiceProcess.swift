import EmbeddedMariaDB
import Foundation

/// `subtrackd` as a process of its own, as an operator runs it.
public final class ServiceProcess: Sendable {
    /// Its process id.
    public var processID: Int32 { child.pid }
    private let child: ChildProcess
    private let logFile: String

    private init(child: ChildProcess, logFile: String) {
        self.child = child
        self.logFile = logFile
    }

    /// The program that was built with the tests; it lies beside them.
    public static func executable() throws -> String {
        let folders = [
            Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent(),
            Bundle.main.bundleURL.deletingLastPathComponent(),
            URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent(),
        ]
        for folder in folders.compactMap(\.self) {
            let path = folder.appending(path: "subtrackd").path
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw NeverHappened(description: "subtrackd was not built beside the tests: \(folders)")
    }

    /// Starts it.
    /// - Parameters:
    ///   - arguments: its arguments.
    ///   - program: another program that becomes it; nil: it is run itself.
    ///   - environment: variables beside those of this process.
    ///   - folder: where its output is kept.
    public static func start(
        _ arguments: [String], program: String? = nil, environment: [String: String] = [:], in folder: URL
    ) throws -> ServiceProcess {
        let logFile = folder.path + "/output-\(UUID().uuidString)"
        let output = open(logFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(output) }
        // Many run at the same time, and none of them may have the default port.
        let all = Command.inherited.merging(["SUBTRACKIT_SOCKET_LISTEN": "none"]) { $1 }.merging(environment) { $1 }
        let child = try ChildProcess.spawn(try program ?? executable(), arguments, environment: all, output: output)
        return ServiceProcess(child: child, logFile: logFile)
    }

    /// Runs it in a folder of its own and ends it afterwards, whatever the test did.
    public static func run<Result: Sendable>(
        _ arguments: [String], program: String? = nil, environment: [String: String] = [:], in folder: URL,
        _ body: (ServiceProcess) async throws -> Result
    ) async throws -> Result {
        let process = try start(arguments, program: program, environment: environment, in: folder)
        do {
            let result = try await body(process)
            await process.end()
            return result
        } catch {
            await process.end()
            throw error
        }
    }

    /// Lends a folder for state and output, and removes it afterwards.
    public static func withFolder<Result: Sendable>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    /// What it wrote so far, to both of its outputs.
    public var output: String {
        String(decoding: FileManager.default.contents(atPath: logFile) ?? Data(), as: UTF8.self)
    }

    /// Waits until it listens.
    /// - Returns: a client of it.
    public func listens() async throws -> APIClient {
        var url: String?
        try await eventually(within: .seconds(120), "it listens") {
            if !child.isRunning { throw NeverHappened(description: "it ended: \(output)") }
            url = output.firstMatch(of: #/listens at (http:[\/0-9.:]+)/#).map { String($0.1) }
            return url != nil
        }
        return APIClient(baseURL: url ?? "")
    }

    /// Waits until it says that it is ready.
    /// - Returns: a client of it.
    public func becomesReady() async throws -> APIClient {
        let client = try await listens()
        try await eventually(within: .seconds(120), "it is ready") {
            if !child.isRunning { throw NeverHappened(description: "it ended: \(output)") }
            return try await client.send("GET", "/readyz").status == 200
        }
        return client
    }

    /// Sends it a signal.
    public func signal(_ number: Int32) { child.signal(number) }

    /// Waits for its end.
    /// - Returns: its exit code, or the signal's number below zero.
    public func exit(within limit: Duration = .seconds(60)) async throws -> Int32 {
        switch await child.exit(within: limit) {
        case .exited(let code): return code
        case .signalled(let number): return -number
        case .unknown, nil: throw NeverHappened(description: "it did not end within \(limit): \(output.suffix(2000))")
        }
    }

    /// Ends it, in order if it can be.
    private func end() async {
        guard child.isRunning else { return }
        child.signal(SIGTERM)
        guard await child.exit(within: .seconds(60)) == nil else { return }
        child.signal(SIGKILL)
        _ = await child.exit()
    }

    /// The memory that it has at the moment, in MiB; nil where the system does not tell.
    public var residentMiB: Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8) else { return nil }
        return text.firstMatch(of: #/VmRSS:\s+(\d+) kB/#).flatMap { Int($0.1) }.map { $0 / 1024 }
    }

    /// Begins to measure ``highestMiB`` anew.
    public func forgetHighestMemory() {
        // 5: see proc(5), clear_refs.
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(processID)/clear_refs"))
    }

    /// The most memory that it has had, in MiB, by the system's own count; nil where the system does not tell.
    public var highestMiB: Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8) else { return nil }
        return text.firstMatch(of: #/VmHWM:\s+(\d+) kB/#).flatMap { Int($0.1) }.map { $0 / 1024 }
    }

    /// The MariaDB servers that run on data below a folder, whoever started them.
    public static func databases(below folder: URL) -> [Int32] {
        let prefix = "--datadir=" + folder.resolvingSymlinksInPath().path + "/"
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
            .filter { process in
                let bytes = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
                return bytes.split(separator: 0).contains { String(decoding: $0, as: UTF8.self).hasPrefix(prefix) }
            }
    }
}
