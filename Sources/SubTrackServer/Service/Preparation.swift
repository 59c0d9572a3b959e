import Foundation
import Logging
import MariaDB
import Passwords
import SubTrackSQL

/// Brings the control database and all tenants' to the state that this service needs.
public struct Preparation: Sendable {
    let access: DatabaseAccess
    let logger: Logger

    /// The preparation of what is on a database server.
    public init(access: DatabaseAccess, logger: Logger) {
        self.access = access
        self.logger = logger
    }

    /// What was done to a tenant.
    public struct Outcome: Sendable {
        /// The tenant.
        public let slug: String
        /// The files that were applied.
        public let applied: [String]
        /// Why it could not be done, if it could not.
        public let failure: String?
    }

    /// Migrates everything, one replica at a time.
    /// - Parameter defaultTenant: the tenant to make when there is none yet; nil: none is made.
    /// - Returns: what was done to each tenant; the failure of one does not stop the others.
    /// - Throws: when the control database cannot be reached or migrated.
    @discardableResult
    public func run(defaultTenant: DefaultTenant?) async throws -> [Outcome] {
        let client = access.migratorClient(logger: logger)
        do {
            let outcomes = try await run(defaultTenant: defaultTenant, client: client)
            await client.shutdown()
            return outcomes
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// A tenant that is made where there is none.
    public struct DefaultTenant: Sendable {
        /// Whether it gets the demo catalogue.
        public let hasDemoCatalogue: Bool

        /// A tenant with or without the demo catalogue.
        public init(hasDemoCatalogue: Bool) { self.hasDemoCatalogue = hasDemoCatalogue }
    }

    private func run(defaultTenant: DefaultTenant?, client: MariaDBClient) async throws -> [Outcome] {
        let control = access.url.controlDatabase
        let migrator = Migrator(client: client, logger: logger)
        // The lease is in the control database, whose own steps can be taken by several at once.
        try await migrator.migrate(try Identifier(control), to: .control)
        let lease = try Lease(client: client, database: control, name: "migrate")
        return try await lease.hold(
            waiting: { logger.notice("Another replica is migrating; waiting for it.") },
            {
                try await self.addDefaultTenant(defaultTenant, client: client)
                return try await self.migrateTenants(migrator, demo: defaultTenant?.hasDemoCatalogue ?? false)
            })
    }

    private func addDefaultTenant(_ tenant: DefaultTenant?, client: MariaDBClient) async throws {
        guard tenant != nil else { return }
        let epoch = try SecureRandom.bytes(16)
        let database = access.url.tenantDatabase("default")
        try await client.withConnection(access.url.controlDatabase) { connection in
            _ = try await connection.execute(
                """
                INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at)
                SELECT 'default', \(database), \(epoch), UTC_TIMESTAMP() FROM (SELECT COUNT(*) AS n FROM Tenant) t
                WHERE t.n = 0
                """)
        }
    }

    private func migrateTenants(_ migrator: Migrator, demo: Bool) async throws -> [Outcome] {
        let tenants = try await migrator.client.withConnection(access.url.controlDatabase) { connection in
            try await connection.query("SELECT Slug, Database_name FROM Tenant ORDER BY Slug")
                .decode((String, String).self)
        }
        var outcomes: [Outcome] = []
        for (slug, database) in tenants {
            do {
                var applied = try await migrator.migrate(try Identifier(database), to: .tenant)
                if demo, slug == "default" {
                    applied += try await migrator.load(MigrationPlan.demo, into: try Identifier(database))
                }
                try await migrator.client.withConnection(database) { try await CursorKey.ensure(on: $0) }
                if !applied.isEmpty {
                    logger.notice("Migrated", metadata: ["tenant": "\(slug)", "files": "\(applied.count)"])
                }
                outcomes.append(Outcome(slug: slug, applied: applied, failure: nil))
            } catch let failure as MigrationFailure where failure.error.isTransient {
                throw failure
            } catch let error as MariaDBError where error.isTransient || error.kind == .refused {
                throw error
            } catch {
                logger.error("Not migrated", metadata: ["tenant": "\(slug)", "error": "\(error)"])
                outcomes.append(Outcome(slug: slug, applied: [], failure: "\(error)"))
            }
        }
        return outcomes
    }
}
