import MariaDB
import SubTrackAPI
import Synchronization

/// Whether the service can do its work.
final class Readiness: Sendable {
    private let isPrepared = Mutex(false)
    private let migrating = Mutex<Set<String>>([])

    /// Notes that the databases are in the state that this service needs, but for those of some tenants.
    func prepared(failed slugs: [String]) {
        migrating.withLock { $0 = Set(slugs) }
        isPrepared.withLock { $0 = true }
    }

    /// Refuses requests while the databases are not prepared.
    /// - Throws: `unavailable`.
    func check() throws {
        guard isPrepared.withLock({ $0 }) else {
            throw Problem(.unavailable, "The database is not ready yet; try again in a moment.")
        }
    }

    /// Refuses requests to a tenant whose database could not be migrated.
    /// - Throws: `tenant_migrating`.
    func check(_ tenant: Tenant) throws {
        guard !migrating.withLock({ $0.contains(tenant.slug) }) else {
            throw Problem(.tenantMigrating, "The data of this tenant are being upgraded; try again later.")
        }
    }

    /// Why the service is not ready, or nil when it is.
    func reason(client: MariaDBClient, controlDatabase: String) async -> String? {
        guard isPrepared.withLock({ $0 }) else { return "the databases are not prepared yet" }
        do {
            _ = try await client.withConnection(controlDatabase) { try await $0.query("SELECT 1") }
            return nil
        } catch {
            return "the database cannot be reached"
        }
    }
}
