import Foundation
import MariaDB

/// The settings by which the service and all commands reach the databases of a deployment.
public protocol DeploymentSettings: Sendable {
    /// The folder of an embedded database, and of other files.
    var stateDirectory: URL { get set }
    /// Memory of the embedded database's buffer pool, in MiB.
    var embeddedBufferPoolMiB: Int { get set }
    /// The database server; nil: an embedded one.
    var database: DatabaseURL? { get set }
    /// The password of the database's user.
    var databasePassword: MariaDBConfiguration.Password { get set }
    /// The same, for handing it to another program; nil when there is none.
    var passwordText: String? { get set }
    /// The account that changes the databases' tables; nil: the service's.
    var migrator: DatabaseURL? { get set }
    /// The migrator's password; nil: the service's.
    var migratorPassword: MariaDBConfiguration.Password? { get set }
    /// A folder of passwords for other database servers; nil: the passwords are the same everywhere.
    var serverPasswords: URL? { get set }
    /// The number of prepared statements that all connections together may keep on a database server.
    var databaseStatements: Int { get set }
    /// A file of certificates by which the database server's is verified; nil: no TLS.
    var databaseCA: String? { get set }
    /// The number of connections to the database.
    var databaseConnections: Int { get set }
    /// Is called with each statement that the service's own work sends, and with its database.
    var onStatement: (@Sendable (SQL, String?) -> Void)? { get set }
    /// The time for which a request waits for things that others hold.
    var waits: RequestWaits { get set }
    /// The tenant of requests for hosts that no tenant has; nil: `default` while no tenant has a host, and then none.
    var defaultTenant: String? { get set }
    /// The time for which a reading of the tenants is used.
    var tenantReadingInterval: Duration { get set }
    /// The areas of the service.
    var areas: AreaList { get }
}

extension DeploymentSettings {
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
