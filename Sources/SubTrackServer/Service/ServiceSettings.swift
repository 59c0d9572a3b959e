import Foundation
import MariaDB
import Passwords

/// How the service is to run.
public struct ServiceSettings: Sendable {
    /// Where an embedded database and what else lives on disk is kept.
    public var stateDirectory: URL
    /// The address and port of HTTP.
    public var httpListen: ListenAddress
    /// Where readiness and metrics are, for operators alone; nil: readiness is at ``httpListen``.
    public var adminListen: ListenAddress?
    /// Where plain sockets are listened for.
    public var socketListen: [SocketListenAddress]
    /// The certificate for HTTP and plain sockets over TCP; nil: no TLS.
    public var tls: TLSFiles?
    /// What HTTP connections may cost.
    public var httpLimits = HTTPLimits()
    /// Whether metrics are at ``httpListen`` as well, where everybody can read them.
    public var publicMetrics = false
    /// Whether the web app is served at ``httpListen``, and where its files are.
    public var web = WebSetting.on
    /// How many files and sockets the process may have open; nil: as many as the system says.
    public var descriptorLimit: Int?
    /// What a socket may cost.
    public var socketLimits = SocketLimits()
    /// The database server; nil: an embedded one.
    public var database: DatabaseURL?
    /// The password of the database's user.
    public var databasePassword: MariaDBConfiguration.Password
    /// The same, for handing it to another program; nil when there is none.
    public var passwordText: String?
    /// Who changes the databases' tables: nil: the service's user.
    public var migrator: DatabaseURL?
    /// The migrator's password; nil: the service's.
    public var migratorPassword: MariaDBConfiguration.Password?
    /// A folder of passwords for other database servers: a file `host` for the service's user, `host.migrator` for the
    /// migrator, each of which must be there; nil: the passwords are the same everywhere.
    public var serverPasswords: URL?
    /// The files that passwords of these settings were read from. Others may be able to read them.
    public var secretFiles: [SecretFile] = []
    /// Findings in the files and variables that the settings come from.
    public var sourceFindings: [Finding] = []
    /// How many prepared statements all connections together may keep on a database server.
    public var databaseStatements = 8_000
    /// A file of certificates by which the database server's is verified; nil: no TLS.
    public var databaseCA: String?
    /// How many connections to the database there may be.
    public var databaseConnections: Int
    /// How much memory lists that were answered may take, in MiB; 0: none is remembered.
    public var listMemoryMiB = 16
    /// The tenant of requests for hosts that no tenant has; nil: `default` while no tenant has a host, and then none.
    public var defaultTenant: String?
    /// For how long what was read of the tenants is used. The same for all services and commands of a deployment: who closes a
    /// tenant waits until all have read that.
    public var tenantReadingInterval = Duration.seconds(5)
    /// How long to wait between two rounds of the jobs that look after the data.
    public var jobInterval = Duration.seconds(60)
    /// Memory of the embedded database's buffer pool, in MiB.
    public var embeddedBufferPoolMiB: Int
    /// How much a user may have.
    public var limits = UserLimits()
    /// Is told of each statement that the service's own work sends, with its database: tests watch them by it.
    public var onStatement: (@Sendable (SQL, String?) -> Void)?
    /// How often somebody may try to sign in, register, or ask for mail.
    public var accountLimits = AccountLimits()
    /// Rounds of the hashes of passwords; fewer than the default are for tests alone.
    public var passwordRounds = PasswordHash.Current.iterations
    /// What hashes passwords in place of threads of the service's own: tests hold it, to see what happens meanwhile.
    var passwordHasher: PasswordHasher?
    /// What reads large inputs in place of threads of the service's own: tests look at it.
    var largeInputs: LargeInputs?
    /// How mails leave the service.
    public var mail = MailSettings()
    /// The proxies that are believed whom they speak for.
    public var trustedProxies = TrustedProxies.none

    /// Settings with the documented defaults.
    public init(
        stateDirectory: URL, httpListen: ListenAddress = .default, socketListen: [SocketListenAddress] = [],
        database: DatabaseURL? = nil,
        databasePassword: MariaDBConfiguration.Password = "", databaseCA: String? = nil, databaseConnections: Int = 32,
        embeddedBufferPoolMiB: Int = 128
    ) {
        self.stateDirectory = stateDirectory
        self.httpListen = httpListen
        self.socketListen = socketListen
        self.database = database
        self.databasePassword = databasePassword
        self.databaseCA = databaseCA
        self.databaseConnections = databaseConnections
        self.embeddedBufferPoolMiB = embeddedBufferPoolMiB
    }
}

extension ServiceSettings {
    /// Looks whether the service could begin with these settings, as far as that can be told without connecting.
    /// - Throws: ``SettingsError``.
    public func check() throws {
        var problems = SettingsProblems()
        try problems.collect { if mail.program != nil { _ = try mail.resolvedSender() } }
        try problems.collect { _ = try tls.map { try TLSIdentity($0) } }
        try problems.collect { try checkDatabaseCA() }
        try problems.check()
    }

    /// Looks whether there are certificates in the file of the database's authority.
    /// - Throws: ``SettingsError``.
    func checkDatabaseCA() throws {
        guard let databaseCA else { return }
        guard let text = try? String(contentsOfFile: databaseCA, encoding: .utf8) else {
            throw SettingsError("the file of certificates for the database cannot be read: \(databaseCA)")
        }
        // PEM (RFC 7468).
        guard text.contains("-----BEGIN CERTIFICATE-----") || text.contains("-----BEGIN TRUSTED CERTIFICATE-----")
        else {
            throw SettingsError("the file of certificates for the database has none: \(databaseCA)")
        }
    }
}

/// Whether the web app is served.
public enum WebSetting: Sendable, Hashable {
    /// The files that the binary carries.
    case on
    /// None: browsers that have the app are told to forget it.
    case off
    /// The files of a folder, read anew when one changes, for work on pages.
    case folder(URL)
}

/// An address and a port to listen at.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// An address or name; `0.0.0.0` or `::` for all.
    public let host: String
    /// The port; 0 for any that is free.
    public let port: Int

    /// `127.0.0.1:8080`.
    public static let `default` = ListenAddress(host: "127.0.0.1", port: 8080)

    /// An address and a port.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port` or `[::1]:port`; nil when it is neither.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else { return nil }
        self.init(host: host, port: Int(port))
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Where a database server is: `mysql://user@host:3306/subtrackit`.
///
/// The last part is the control database and the prefix of the tenants'. For a Unix socket its path is given as
/// `?socket=/path`.
public struct DatabaseURL: Sendable, Hashable {
    /// How the server is reached.
    public let endpoint: MariaDBConfiguration.Endpoint
    /// The user to sign in as.
    public let user: String
    /// The control database.
    public let controlDatabase: String

    /// Where a server is.
    public init(endpoint: MariaDBConfiguration.Endpoint, user: String, controlDatabase: String = "subtrackit") {
        self.endpoint = endpoint
        self.user = user
        self.controlDatabase = controlDatabase
    }

    /// Reads a URL; throws an error that says what is wrong with it.
    public init(_ text: String) throws {
        guard let url = URLComponents(string: text), url.scheme == "mysql" || url.scheme == "mariadb" else {
            throw SettingsError("the database URL must look like mysql://user@host:3306/subtrackit")
        }
        guard url.password == nil else {
            throw SettingsError("the database's password goes into a file (--database-password-file), not into the URL")
        }
        guard let user = url.user, !user.isEmpty else { throw SettingsError("the database URL names no user") }
        let name = String(url.path.dropFirst())
        // 30 bytes, `_` and a slug of 32 are a name that both servers take (64).
        guard name.utf8.count <= 30, !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else {
            throw SettingsError(
                "the database URL must end in a name of small letters, digits and _, such as subtrackit")
        }
        let socket = url.queryItems?.first { $0.name == "socket" }?.value
        if let socket {
            endpoint = .unix(path: socket)
        } else {
            guard let host = url.host, !host.isEmpty else { throw SettingsError("the database URL names no host") }
            endpoint = .tcp(host: host, port: url.port ?? 3306)
        }
        self.user = user
        controlDatabase = name
    }

    /// The same server and user in text form, without the database: what a tenant's row says of its server.
    public var serverText: String {
        switch endpoint {
        case .tcp(let host, let port): "mysql://\(user)@\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .unix(let path): "mysql://\(user)@localhost/?socket=\(path)"
        }
    }

    /// Reads the text of a tenant's row, whose control database is elsewhere: `mysql://user@host:3306`.
    /// - Throws: ``SettingsError`` that says what is wrong with it.
    init(server text: String, controlDatabase: String) throws {
        guard var url = URLComponents(string: text) else { throw SettingsError("\"\(text)\" is no URL of a server") }
        guard url.path.isEmpty || url.path == "/" else {
            throw SettingsError("the URL of a tenant's server names no database: mysql://user@host:3306")
        }
        url.path = "/" + controlDatabase
        try self.init(url.string ?? "")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// The name of a tenant's database.
    func tenantDatabase(_ slug: String) -> String { "\(controlDatabase)_\(slug)" }
}

/// A setting that cannot be used.
public struct SettingsError: Error, CustomStringConvertible {
    /// What is wrong and what would be right.
    public let description: String

    /// A setting that cannot be used, with what is wrong.
    public init(_ description: String) { self.description = description }
}
