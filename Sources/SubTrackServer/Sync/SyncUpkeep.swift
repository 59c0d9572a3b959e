import MariaDB
import SubTrackAPI

/// Removal of rows that sync no longer needs, in small steps.
enum SyncUpkeep {
    /// How long it is told that a row was deleted, and how long the answer to a write with a key is kept, in days.
    static let keptDays = 90
    /// How many rows one step looks at.
    static let batch = 500

    /// The jobs.
    static let jobs = [
        Job(name: "epoch", runsAtStart: true) { tenant, _ in
            try await tenant.epoch.watch(tenant)
            return false
        },
        Job(name: "tombstones") { tenant, _ in try await removeTombstones(tenant) },
        Job(name: "idempotency") { tenant, _ in try await removeAnswers(tenant) },
    ]

    /// Removes some old tombstones. The floor of their scope is raised with them: a device that was away for longer
    /// starts over.
    /// - Returns: whether there may be more.
    static func removeTombstones(_ tenant: Tenant) async throws -> Bool {
        let scopes = try await tenant.read { try await SyncUpkeepQueries.oldTombstones(limit: batch, on: $0) }
        for (scope, version) in scopes {
            try await tenant.client.withTransaction(tenant.database, isolation: .readCommitted) { connection in
                try await SyncUpkeepQueries.removeTombstones(
                    of: scope, upTo: version, limit: 2 * batch, on: connection)
            }
        }
        return !scopes.isEmpty
    }

    /// Removes some answers to writes that nobody will send again.
    /// - Returns: whether there may be more.
    static func removeAnswers(_ tenant: Tenant) async throws -> Bool {
        try await tenant.read { try await SyncUpkeepQueries.removeAnswers(limit: batch, on: $0) } == batch
    }
}
