import Logging
import MariaDB
import SubTrackAPI
import Synchronization

/// Finds tenants by slug and host, as the control database has them.
final class TenantDirectory: Sendable {
    /// How long what was read from the control database is used: a new tenant is seen within this time.
    static let maximumAge = Duration.seconds(5)

    private struct Snapshot {
        var bySlug: [String: Tenant] = [:]
        var slugByHost: [String: String] = [:]
        var readAt: ContinuousClock.Instant?
    }

    private let client: MariaDBClient
    private let controlDatabase: String
    private let logger: Logger
    private let snapshot = Mutex(Snapshot())

    /// A directory on a control database.
    init(client: MariaDBClient, controlDatabase: String, logger: Logger) {
        self.client = client
        self.controlDatabase = controlDatabase
        self.logger = logger
    }

    /// The tenant of a request.
    /// - Parameters:
    ///   - slug: the tenant that the path names, if it does.
    ///   - host: the request's authority, with or without port.
    /// - Throws: `tenant_unknown` or `tenant_suspended`.
    func tenant(slug: String?, host: String?) async throws -> Tenant {
        let current = try await refreshed()
        let found: Tenant?
        if let slug {
            found = current.bySlug[slug]
        } else {
            let name = host.map { $0.prefix { $0 != ":" }.lowercased() } ?? ""
            found = current.bySlug[current.slugByHost[name] ?? "default"]
        }
        guard let found else { throw Problem(.tenantUnknown, "There is no such tenant here.") }
        guard !found.isSuspended else { throw Problem(.tenantSuspended, "The operator has suspended this tenant.") }
        return found
    }

    private func refreshed() async throws -> Snapshot {
        let known = snapshot.withLock { $0 }
        if let readAt = known.readAt, ContinuousClock.now - readAt < Self.maximumAge { return known }
        do {
            return try await read(known)
        } catch {
            // While the control database is away, what was known goes on; the tenant's own database will say more.
            guard known.readAt != nil else { throw error }
            logger.warning("The control database cannot be read", metadata: ["error": "\(error)"])
            snapshot.withLock { $0.readAt = ContinuousClock.now }
            return known
        }
    }

    private func read(_ known: Snapshot) async throws -> Snapshot {
        let (tenants, hosts) = try await client.withConnection(controlDatabase) { connection in
            (
                try await connection.query("SELECT Slug, Database_name, Suspended_at IS NOT NULL FROM Tenant")
                    .decode((String, String, Bool).self),
                try await connection.query("SELECT Host, Slug FROM Tenant_host").decode((String, String).self)
            )
        }
        var new = Snapshot(readAt: ContinuousClock.now)
        for (slug, database, isSuspended) in tenants {
            // The same tenant keeps what is remembered of it.
            if let old = known.bySlug[slug], old.database == database, old.isSuspended == isSuspended {
                new.bySlug[slug] = old
            } else {
                new.bySlug[slug] = Tenant(slug: slug, database: database, isSuspended: isSuspended, client: client)
            }
        }
        for (host, slug) in hosts { new.slugByHost[host] = slug }
        let result = new
        snapshot.withLock { $0 = result }
        return result
    }
}
