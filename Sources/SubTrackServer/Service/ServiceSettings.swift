import Foundation
import MariaDB
import Passwords

/// How the service is to run.
public struct ServiceSettings: DeploymentSettings {
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
    public var databaseStatements = StandardLimits.databaseStatements
    /// A file of certificates by which the database server's is verified; nil: no TLS.
    public var databaseCA: String?
    /// How many connections to the database there may be.
    public var databaseConnections: Int
    /// How much memory lists that were answered may take, in MiB; 0: none is remembered.
    public var listMemoryMiB = StandardLimits.listMemoryMiB
    /// The tenant of requests for hosts that no tenant has; nil: `default` while no tenant has a host, and then none.
    public var defaultTenant: String?
    /// For how long what was read of the tenants is used. The same for all services and commands of a deployment: who closes a
    /// tenant waits until all have read that.
    public var tenantReadingInterval = Duration.seconds(5)
    /// How long to wait until tenants that could not be migrated are tried again.
    var preparationInterval = Duration.seconds(30)
    /// How long to wait between two rounds of the jobs that look after the data.
    public var jobInterval = Duration.seconds(60)
    /// The same for the jobs that all replicas do side by side.
    public var sharedJobInterval = Duration.seconds(15)
    /// Memory of the embedded database's buffer pool, in MiB.
    public var embeddedBufferPoolMiB: Int
    /// How much a user may have.
    public var limits = UserLimits()
    /// How long a request waits for things that others hold.
    public var waits = RequestWaits()
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
    /// Areas behind the service's own. Tests bring theirs.
    var furtherAreas: [any Area] = [] {
        didSet { areas = AreaList(SubTrackService.areas(further: furtherAreas)) }
    }
    /// The areas of the service, as databases and operators know them.
    public private(set) var areas = SubTrackService.standardAreas
    /// How mails leave the service.
    public var mail = MailSettings()
    /// The proxies that are believed whom they speak for.
    public var trustedProxies = TrustedProxies.none

    /// Settings with the documented defaults.
    public init(
        stateDirectory: URL, httpListen: ListenAddress = .default, socketListen: [SocketListenAddress] = [],
        database: DatabaseURL? = nil,
        databasePassword: MariaDBConfiguration.Password = "", databaseCA: String? = nil,
        databaseConnections: Int = StandardLimits.databaseConnections, embeddedBufferPoolMiB: Int = 128
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
        try problems.collect { if mail.carrier != nil { _ = try mail.resolvedSender() } }
        try problems.collect { _ = try tls.map { try TLSIdentity($0) } }
        try problems.collect { try checkDatabaseCA() }
        try problems.check()
    }
}
