import Logging
import MariaDB

/// Where a tenant's database is, and how to sign in there: for handing it to another program.
public struct TenantPlace: Sendable {
    public let endpoint: MariaDBConfiguration.Endpoint
    public let user: String
    public let database: String
    /// Nil where there is none.
    public let password: String?

    private init(endpoint: MariaDBConfiguration.Endpoint, user: String, database: String, password: String?) {
        self.endpoint = endpoint
        self.user = user
        self.database = database
        self.password = password
    }

    /// A tenant as the control database has it.
    /// - Throws: ``SettingsError`` when there is none of that name; ``DatabaseGone`` when nothing is left of its database; what the
    ///   database says.
    public static func find(_ slug: String, on access: DatabaseAccess, logger: Logger) async throws -> TenantPlace {
        let settings = access.settings
        let client = try access.importClient(logger: logger)
        let row: TenantQueries.Row?
        do {
            row = try await client.withConnection(access.url.controlDatabase) {
                try await TenantQueries.find(slug, on: $0)
            }
            await client.shutdown()
        } catch {
            await client.shutdown()
            throw error
        }
        guard let row else { throw SettingsError("there is no tenant \(slug)") }
        try await refuseIfGone(row, on: access, logger: logger)
        guard let server = row.server else {
            return TenantPlace(
                endpoint: access.url.endpoint, user: access.url.user, database: row.database,
                password: settings.passwordText)
        }
        let url = try DatabaseURL(server: server, controlDatabase: access.url.controlDatabase)
        return TenantPlace(
            endpoint: url.endpoint, user: url.user, database: row.database,
            password: try access.serverPassword(of: url, as: .service) ?? settings.passwordText)
    }

    /// A database that was loaded in part can be looked at; one that is not there cannot.
    private static func refuseIfGone(_ row: TenantQueries.Row, on access: DatabaseAccess, logger: Logger) async throws {
        let client = try access.importClient(logger: logger, server: row.server)
        do {
            try await DatabaseGone.check(row, client: client)
            await client.shutdown()
        } catch {
            await client.shutdown()
            if let gone = error as? DatabaseGone, gone.rest == .withoutNotes { return }
            throw error
        }
    }
}
