import Logging
import MariaDB

/// A tenant's database on the server where it is, for commands that fill and read it.
public struct TenantDatabase: Sendable {
    /// The tenant.
    let slug: String
    /// The database's name.
    let name: String
    /// A client of its server, with the service's account, that waits.
    let client: MariaDBClient

    /// A database that is known.
    init(slug: String, name: String, client: MariaDBClient) {
        self.slug = slug
        self.name = name
        self.client = client
    }

    /// Finds a tenant's database, ready to be worked on.
    /// - Parameters:
    ///   - control: the control database.
    ///   - client: gives the client of a server, as a tenant's row names it; nil: that of the control database.
    /// - Throws: ``SettingsError`` when there is no such tenant, or its server cannot be used; ``DatabaseGone`` when
    ///   its database was there once; ``CatalogueUnprepared`` when it has not been migrated; what the database says.
    init(finding slug: String, control: String, client: (_ server: String?) throws -> MariaDBClient) async throws {
        do {
            let row = try await client(nil).withConnection(control) { try await TenantQueries.find(slug, on: $0) }
            guard let row else { throw SettingsError("there is no tenant \"\(ShownText.of(slug))\"") }
            let own = try client(row.server)
            // A command of migration does not bring back what was lost.
            try await DatabaseGone.check(row, client: own)
            // Without its triggers the database would take rows and tell nobody of them.
            let isPrepared = try await own.withConnection(row.database) { connection in
                try await CatalogueImportQueries.isPrepared(on: connection)
            }
            guard isPrepared else { throw CatalogueUnprepared() }
            self.init(slug: slug, name: row.database, client: own)
        } catch let error as MariaDBError where error.code == 1049 || error.code == 1146 {
            // No such database, no such table.
            throw CatalogueUnprepared()
        }
    }
}

extension DatabaseAccess {
    /// Lends a tenant's database, beside the control database or on the other server where it is.
    /// - Throws: as ``TenantDatabase/init(finding:control:client:)``; what `body` throws.
    public func withTenant<Result>(
        _ slug: String, logger: Logger, _ body: (TenantDatabase) async throws -> Result
    ) async throws -> Result {
        var clients: [String?: MariaDBClient] = [:]
        do {
            let tenant = try await TenantDatabase(finding: slug, control: url.controlDatabase) { server in
                if let known = clients[server] { return known }
                let client = try importClient(logger: logger, server: server)
                clients[server] = client
                return client
            }
            let result = try await body(tenant)
            for client in clients.values { await client.shutdown() }
            return result
        } catch {
            for client in clients.values { await client.shutdown() }
            throw error
        }
    }
}
