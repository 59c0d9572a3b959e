import EmbeddedMariaDB
import Foundation
import Logging

/// The private MariaDB that the tests of a process share.
///
/// It starts when the first test asks for it, and ends with the process: its watchdog ends it and removes its files as
/// soon as the process is gone, by whatever cause. Nothing needs to be torn down.
public enum PrivateServer {
    /// The server that all tests of this process share. Lease a database of your own on it: `TestDatabase`.
    ///
    /// - Throws: `EmbeddedServerError`, the same one to every test, when it cannot be started.
    public static var shared: EmbeddedServer {
        get async throws { try await Starter.shared.server }
    }

    /// Runs a server that belongs to one test, for tests that kill it or freeze it, and stops it afterwards.
    ///
    /// - Parameters:
    ///   - configure: Changes the configuration, which is that of the shared server.
    ///   - body: Gets the running server.
    public static func own<Result: Sendable>(
        configure: (inout EmbeddedServer.Configuration) -> Void = { _ in },
        _ body: (EmbeddedServer) async throws -> Result
    ) async throws -> Result {
        var configuration = try configuration()
        configure(&configuration)
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

    /// What a test's server is started with: small, in a folder of its own that goes when the server does.
    public static func configuration() throws -> EmbeddedServer.Configuration {
        var configuration = EmbeddedServer.Configuration(directory: try temporaryFolder())
        configuration.durable = false
        configuration.removesDirectory = true
        configuration.redoLogMiB = 32
        configuration.maximumConnections = 500
        return configuration
    }

    /// Makes an empty folder with a short name that this user alone can enter. What the test does not remove goes when
    /// the process ends, by whatever cause.
    public static func temporaryFolder() throws -> URL {
        URL(fileURLWithPath: try makeFolder(try temporaryRoot.get().folder + "/XXXXXX"), isDirectory: true)
    }

    /// The folder of all temporary folders of this process, and who removes it.
    private static let temporaryRoot = Result<(folder: String, watchdog: Watchdog), any Error> {
        // script/test names a folder of its run, by which it knows the processes that outlive the tests.
        let folder = try makeFolder(TemporaryPlace.path + "/subtrackit-test-XXXXXX")
        // To be passed, not read, by a test that becomes another user.
        chmod(folder, 0o711)
        return (folder, try Watchdog(removing: [folder]))
    }

    private static func makeFolder(_ pattern: String) throws -> String {
        var pattern = Array(pattern.utf8CString)
        guard mkdtemp(&pattern) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Says aloud what goes wrong and keeps quiet about the rest.
    static let logger = {
        var logger = Logger(label: "test-database")
        logger.logLevel = .warning
        return logger
    }()

    /// Starts the shared server once, however many tests ask at the same time.
    private actor Starter {
        static let shared = Starter()
        private var start: Task<EmbeddedServer, any Error>?

        var server: EmbeddedServer {
            get async throws {
                let start =
                    start ?? Task { try await EmbeddedServer.start(PrivateServer.configuration(), logger: logger) }
                self.start = start
                return try await start.value
            }
        }
    }
}
