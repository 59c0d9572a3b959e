import EmbeddedMariaDB
import Foundation

/// A program that ended with something else than success.
public struct CommandFailure: Error, CustomStringConvertible {
    /// The program's name.
    public let program: String
    /// How it ended.
    public let end: String
    /// What it wrote, on both of its outputs.
    public let output: String

    public var description: String { "\(program): \(end)\n\(output)" }
}

/// Runs other programs in tests.
public enum Command {
    /// The variables of this process that programs inherit. A test gives settings itself, and `subtrackd` refuses those of the tests.
    public static let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SUBTRACKIT_") }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - program: Its name, found through `PATH`, or its absolute path.
    ///   - arguments: Its arguments.
    ///   - environment: Variables beside ``inherited``; they win.
    ///   - input: What it reads from its standard input.
    /// - Returns: What it wrote to its standard output and error, in that order as far as it kept to it.
    /// - Throws: `CommandFailure` unless its exit code is 0.
    @discardableResult
    public static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], input: String = ""
    ) async throws -> String {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (inputFile, outputFile) = (folder.path + "/in", folder.path + "/out")
        try Data(input.utf8).write(to: URL(fileURLWithPath: inputFile))
        let source = open(inputFile, O_RDONLY | O_CLOEXEC)
        defer { close(source) }
        let sink = open(outputFile, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(sink) }
        guard source >= 0, sink >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let all = inherited.merging(environment) { $1 }
        let child = try ChildProcess.spawn(
            "/usr/bin/env", [program] + arguments, environment: all, input: source, output: sink)
        guard let status = await child.exit() else {
            child.signal(SIGKILL)
            throw CancellationError()
        }
        let output = String(decoding: try Data(contentsOf: URL(fileURLWithPath: outputFile)), as: UTF8.self)
        guard status == .exited(0) else {
            throw CommandFailure(program: program, end: "\(status)", output: output)
        }
        return output
    }
}
