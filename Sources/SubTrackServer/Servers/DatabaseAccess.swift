import EmbeddedMariaDB
import Foundation
import Logging
import MariaDB

/// The database server that the service works on: an embedded one that it runs itself, or one that it is told of. Tenants
/// may be on others.
public struct DatabaseAccess: Sendable {
    /// Where it is.
    public let url: DatabaseURL
    /// The embedded server; nil when there is another.
    public let embedded: EmbeddedServer?
    let settings: any DeploymentSettings

    /// Starts the embedded server, or takes note of where the other one is.
    /// - Throws: `EmbeddedServerError` when the embedded server cannot be started; it names the remedy.
    public static func open(_ settings: any DeploymentSettings, logger: Logger) async throws -> DatabaseAccess {
        if let url = settings.database { return DatabaseAccess(url: url, embedded: nil, settings: settings) }
        var configuration = EmbeddedServer.Configuration(directory: embeddedDirectory(settings))
        configuration.bufferPoolMiB = settings.embeddedBufferPoolMiB
        let server = try await EmbeddedServer.start(configuration, logger: logger)
        let url = DatabaseURL(endpoint: .unix(path: server.socketPath), user: EmbeddedServer.user)
        return DatabaseAccess(url: url, embedded: server, settings: settings)
    }

    /// The embedded server that another process runs at the moment, as this user; nil when there is none.
    public static func runningEmbedded(_ settings: any DeploymentSettings) async -> DatabaseURL? {
        await EmbeddedServer.runningSocket(in: embeddedDirectory(settings)).map { path in
            DatabaseURL(endpoint: .unix(path: path), user: EmbeddedServer.user)
        }
    }

    private static func embeddedDirectory(_ settings: any DeploymentSettings) -> URL {
        settings.stateDirectory.appending(path: "database")
    }

    /// The account that signs in to a server.
    enum Role: Sendable {
        /// Reads and writes rows.
        case service
        /// Changes tables, too.
        case migrator
    }

    /// Makes a client for the service's own work, for which a caller waits as long as the settings say.
    /// - Parameter server: a server beside that of the control database, as a tenant's row has it.
    /// - Throws: ``SettingsError`` for a server whose URL or password cannot be used.
    public func client(logger: Logger, server: String? = nil) throws -> MariaDBClient {
        var configuration = try configuration(of: server, as: .service)
        configuration.maximumConnections = settings.databaseConnections
        configuration.statementCacheSize = Self.statementCacheSize(settings)
        configuration.leaseTimeout = settings.waits.lease
        configuration.session.lockWaitTimeout = settings.waits.lock
        configuration.session.statementTimeout = settings.waits.statement
        configuration.readTimeout = settings.waits.silence
        configuration.onStatement = settings.onStatement
        if let server {
            configuration.name = (try? DatabaseURL(server: server, controlDatabase: "x"))?.hostName ?? server
        }
        return MariaDBClient(configuration: configuration, logger: logger)
    }

    /// How many prepared statements each connection keeps, so that all together stay below the setting. One connection has
    /// use for some hundred of each tenant.
    static func statementCacheSize(_ settings: any DeploymentSettings) -> Int {
        min(400, max(1, settings.databaseStatements / max(1, settings.databaseConnections)))
    }

    /// A client for migrations: its statements may take long, and there are never many.
    public func migratorClient(logger: Logger, server: String? = nil) throws -> MariaDBClient {
        try patientClient(named: "migrator", connections: 2, server: server, as: .migrator, logger: logger)
    }

    /// A client for loading many rows: as patient, with the service's account.
    public func importClient(logger: Logger, server: String? = nil) throws -> MariaDBClient {
        try patientClient(
            named: "import", connections: settings.databaseConnections, server: server, as: .service, logger: logger)
    }

    /// A client whose few statements may take as long as they take.
    private func patientClient(
        named name: String, connections: Int, server: String?, as role: Role, logger: Logger
    ) throws -> MariaDBClient {
        var configuration = try configuration(of: server, as: role)
        configuration.maximumConnections = connections
        configuration.session.statementTimeout = nil
        configuration.session.lockWaitTimeout = .seconds(50)
        configuration.readTimeout = .seconds(3600)
        // Work that holds up no request waits no shorter than a request does.
        configuration.leaseTimeout = max(.seconds(5), settings.waits.lease)
        // A command prints the error, and the service's preparation logs it.
        configuration.reportsFailures = false
        configuration.name = name
        return MariaDBClient(configuration: configuration, logger: logger)
    }

    /// How to sign in to a server.
    /// - Parameter server: nil: that of the control database.
    /// - Throws: ``SettingsError`` for a URL or a password's file that cannot be used.
    func configuration(of server: String? = nil, as role: Role) throws -> MariaDBConfiguration {
        var url = url
        var password = settings.databasePassword
        if role == .migrator, let migrator = settings.migrator {
            url = migrator
            password = settings.migratorPassword ?? password
        }
        if let server {
            let other = try DatabaseURL(server: server, controlDatabase: url.controlDatabase)
            if let own = try serverPassword(of: other, as: role) { password = .init(own) }
            url = DatabaseURL(
                endpoint: other.endpoint, user: role == .migrator ? settings.migrator?.user ?? other.user : other.user,
                controlDatabase: url.controlDatabase)
        }
        var configuration = MariaDBConfiguration(
            endpoint: url.endpoint, user: url.user, password: password,
            tls: settings.databaseCA.map { .required(ca: $0) } ?? .disabled)
        configuration.refusal = ServerSupport.refusal
        return configuration
    }

    /// The password for another server; nil where no folder of passwords is set, and the accounts have the same password
    /// everywhere.
    /// - Throws: ``SettingsError`` when the folder has none that can be read. This avoids showing one server's password to
    ///   another because a file is missing.
    func serverPassword(of url: DatabaseURL, as role: Role) throws -> String? {
        guard let folder = settings.serverPasswords, let host = url.hostName else { return nil }
        // With one account for everything there is one password.
        let name = role == .migrator && settings.migrator != nil ? host + ".migrator" : host
        return try PasswordFile.read(folder.appending(path: name).path, what: "password of \(host)")
    }
}

extension DatabaseURL {
    /// The host's name or address; nil for a Unix socket.
    var hostName: String? {
        // A name of a file as well: a host has no slash in it.
        guard case .tcp(let host, _) = endpoint, !host.contains("/") else { return nil }
        return host
    }
}

/// A file that holds a secret and nothing else.
public enum PasswordFile {
    /// Reads the file's text without the end of its line. The second parameter names the password in messages.
    /// - Throws: ``SettingsError`` when it cannot be read.
    public static func read(_ path: String, what: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsError("the file of the \(what) cannot be read: \(path)")
        }
        // The byte order mark that some editors write is no part of a password.
        let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        guard let text = String(bytes: bytes, encoding: .utf8) else {
            throw SettingsError("the file of the \(what) is not in UTF-8: \(path)")
        }
        let password = text.trimmingCharacters(in: .newlines)
        guard !password.contains(where: \.isNewline) else {
            throw SettingsError("the file of the \(what) has several lines; write the password alone into it: \(path)")
        }
        return password
    }
}
