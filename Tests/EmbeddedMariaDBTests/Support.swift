import EmbeddedMariaDB
import Foundation
import Logging
import SubTrackTestSupport
import Synchronization

/// A folder of its own for one test, gone afterwards.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = try PrivateServer.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// A server's configuration for tests, on a directory that outlives it.
func configuration(_ directory: URL) -> EmbeddedServer.Configuration {
    var configuration = EmbeddedServer.Configuration(directory: directory)
    configuration.durable = false
    configuration.redoLogMiB = 16
    return configuration
}

/// Starts a server in a directory, lends it, and stops it.
func withServer<Result: Sendable>(
    _ configuration: EmbeddedServer.Configuration, logger: Logger = quiet,
    _ body: (EmbeddedServer) async throws -> Result
) async throws -> Result {
    let server = try await EmbeddedServer.start(configuration, logger: logger)
    do {
        let result = try await body(server)
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}

extension EmbeddedServer {
    /// The plain client's output for some statements, entered as root without a password.
    func sql(_ statements: String) async throws -> String {
        try await mariadb(socketPath, statements)
    }
}

/// The plain client's output for some statements on the server behind a socket.
func mariadb(_ socketPath: String, _ statements: String) async throws -> String {
    try await Command.run(
        "mariadb",
        [
            "--no-defaults", "--disable-ssl-verify-server-cert", "--socket=\(socketPath)", "--user=root", "--batch",
            "--skip-column-names",
        ],
        input: statements)
}

/// Whether a process is there: zombies count, their parents forgot them.
func exists(_ process: Int32) -> Bool {
    FileManager.default.fileExists(atPath: "/proc/\(process)")
}

/// Whether a process runs: a zombie does not.
func runs(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
    return status.split(separator: ")").last?.split(separator: " ").first != "Z"
}

/// A logger that says nothing.
let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }

/// Keeps log lines for tests.
final class LogBook: Sendable {
    private let lines = Mutex<[String]>([])

    var logger: Logger { Logger(label: "test") { _ in Handler(book: self) } }
    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    private struct Handler: LogHandler {
        let book: LogBook
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            book.lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
        }
    }
}
