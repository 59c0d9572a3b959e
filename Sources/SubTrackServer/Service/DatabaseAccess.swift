import EmbeddedMariaDB
import Foundation
import Logging
import MariaDB

/// The database server that the service works on: an embedded one that it runs itself, or one that it is told of.
public struct DatabaseAccess: Sendable {
    /// Where it is.
    public let url: DatabaseURL
    /// The embedded server; nil when there is another.
    public let embedded: EmbeddedServer?
    private let settings: ServiceSettings

    /// Starts the embedded server, or takes note of where the other one is.
    /// - Throws: `EmbeddedServerError` when the embedded server cannot be started; it says what to do.
    public static func open(_ settings: ServiceSettings, logger: Logger) async throws -> DatabaseAccess {
        if let url = settings.database { return DatabaseAccess(url: url, embedded: nil, settings: settings) }
        var configuration = EmbeddedServer.Configuration(directory: embeddedDirectory(settings))
        configuration.bufferPoolMiB = settings.embeddedBufferPoolMiB
        let server = try await EmbeddedServer.start(configuration, logger: logger)
        let url = DatabaseURL(endpoint: .unix(path: server.socketPath), user: EmbeddedServer.user)
        return DatabaseAccess(url: url, embedded: server, settings: settings)
    }

    /// The embedded server that another process runs at the moment, as this user; nil when there is none.
    public static func runningEmbedded(_ settings: ServiceSettings) async -> DatabaseURL? {
        await EmbeddedServer.runningSocket(in: embeddedDirectory(settings)).map { path in
            DatabaseURL(endpoint: .unix(path: path), user: EmbeddedServer.user)
        }
    }

    private static func embeddedDirectory(_ settings: ServiceSettings) -> URL {
        settings.stateDirectory.appending(path: "database")
    }

    /// A client for the service's own work: whoever asked waits for an answer. A statement is ended by the server after
    /// 8 s; a server that does not even do that is given up after 12 s.
    public func client(logger: Logger) -> MariaDBClient {
        var configuration = configuration()
        configuration.maximumConnections = settings.databaseConnections
        configuration.session.statementTimeout = .seconds(8)
        configuration.readTimeout = .seconds(12)
        configuration.onStatement = settings.onStatement
        return MariaDBClient(configuration: configuration, logger: logger)
    }

    /// A client for migrations: its statements may take long, and there are never many.
    public func migratorClient(logger: Logger) -> MariaDBClient {
        patientClient(named: "migrator", connections: 2, logger: logger)
    }

    /// A client for loading many rows: as patient, with the service's account.
    public func importClient(logger: Logger) -> MariaDBClient {
        patientClient(named: "import", connections: settings.databaseConnections, logger: logger)
    }

    /// A client whose few statements may take as long as they take.
    private func patientClient(named name: String, connections: Int, logger: Logger) -> MariaDBClient {
        var configuration = configuration()
        configuration.maximumConnections = connections
        configuration.session.statementTimeout = nil
        configuration.session.lockWaitTimeout = .seconds(50)
        configuration.readTimeout = .seconds(3600)
        configuration.leaseTimeout = .seconds(5)
        configuration.name = name
        return MariaDBClient(configuration: configuration, logger: logger)
    }

    private func configuration() -> MariaDBConfiguration {
        MariaDBConfiguration(
            endpoint: url.endpoint, user: url.user, password: settings.databasePassword,
            tls: settings.databaseCA.map { .required(ca: $0) } ?? .disabled)
    }
}
