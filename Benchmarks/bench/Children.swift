import Foundation
import Synchronization

/// The processes that the benchmark started. None outlives it, whether it ends by itself or is stopped.
final class Children: Sendable {
    private let running = Mutex<[pid_t]>([])
    private let signalQueue = DispatchQueue(label: "signals")

    /// Starts a program.
    /// - Parameter log: the file that its output goes to; nil: output is dropped, errors go where the benchmark's go.
    func start(_ program: String, _ arguments: [String], log: String? = nil) throws -> Process {
        let process = try Self.process(program, arguments)
        if let log {
            guard FileManager.default.createFile(atPath: log, contents: nil),
                let file = FileHandle(forWritingAtPath: log)
            else { throw BenchFailure("cannot write \(log)") }
            process.standardOutput = file
            process.standardError = file
        } else {
            process.standardOutput = FileHandle.nullDevice
        }
        try launch(process)
        return process
    }

    /// Runs a program to its end.
    /// - Parameter input: what it reads from standard input.
    /// - Returns: what it wrote to standard output.
    @discardableResult
    func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> String {
        let process = try Self.process(program, arguments)
        let output = Pipe()
        process.standardOutput = output
        // A file, not a pipe: nobody has to write while the output is read.
        var inputFile: URL?
        if let input {
            let url = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
            try input.write(to: url, atomically: false, encoding: .utf8)
            process.standardInput = try FileHandle(forReadingFrom: url)
            inputFile = url
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        defer { if let inputFile { try? FileManager.default.removeItem(at: inputFile) } }
        try launch(process)
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw BenchFailure("\(program) failed with \(process.terminationStatus)")
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Ends a process in order and waits for that.
    func end(_ process: Process) {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// Ends all that still run, the youngest first, and waits for that: a minute at most.
    func endAll() {
        let pids = running.withLock { $0 }
        for pid in pids.reversed() { kill(pid, SIGTERM) }
        let limit = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < limit, !running.withLock({ $0.isEmpty }) { usleep(20_000) }
        for pid in running.withLock({ $0 }) { kill(pid, SIGKILL) }
    }

    /// Makes SIGINT and SIGTERM end the children, then the benchmark.
    func endOnSignals() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: signalQueue)
            source.setEventHandler { [self] in
                say("Stopping")
                endAll()
                ScratchFolder.removeAll()
                // The handler holds its source, so that it lives as long as the process.
                withExtendedLifetime(source) { exit(128 + number) }
            }
            source.resume()
        }
    }

    private func launch(_ process: Process) throws {
        process.terminationHandler = { [self] process in
            let pid = process.processIdentifier
            running.withLock { $0.removeAll { $0 == pid } }
        }
        try process.run()
        let pid = process.processIdentifier
        running.withLock { $0.append(pid) }
        // It may have ended before it was noted.
        if !process.isRunning { running.withLock { $0.removeAll { $0 == pid } } }
    }

    private static func process(_ program: String, _ arguments: [String]) throws -> Process {
        let process = Process()
        if program.contains("/") {
            process.executableURL = URL(fileURLWithPath: program)
        } else {
            process.executableURL = URL(fileURLWithPath: try path(of: program))
        }
        process.arguments = arguments
        return process
    }

    private static func path(of program: String) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        for folder in folders + ["/usr/sbin", "/usr/local/sbin", "/usr/libexec"] {
            let path = "\(folder)/\(program)"
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw BenchFailure("\(program) was not found; script/bootstrap installs what is needed")
    }
}

/// A folder for sockets and small files, with a short path, that goes when the benchmark ends.
struct ScratchFolder {
    private static let existing = Mutex<[String]>([])
    let path: String

    init() throws {
        var pattern = Array("/tmp/subtrackit-bench-XXXXXX".utf8CString)
        guard mkdtemp(&pattern) != nil else { throw BenchFailure("cannot make a folder in /tmp") }
        path = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let made = path
        Self.existing.withLock { $0.append(made) }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    static func removeAll() {
        for path in existing.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }
}
