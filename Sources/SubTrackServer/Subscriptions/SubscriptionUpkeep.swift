import Foundation
import MariaDB

/// Removal of deleted subscriptions that can no longer be restored.
enum SubscriptionUpkeep {
    /// How many subscriptions one step removes.
    private static let batch = 50

    /// The job.
    static let job = Job(name: "deleted-subscriptions") { tenant, _ in try await removeDeleted(tenant) }

    /// Removes some subscriptions that were deleted and can no longer be restored, with their periods.
    /// - Returns: whether there may be more.
    static func removeDeleted(_ tenant: Tenant) async throws -> Bool {
        let old = try await tenant.read { try await oldDeleted(limit: batch, on: $0) }
        var turns = 0
        for (user, id) in old {
            // A subscription may have tens of thousands of periods: they go in several transactions and steps.
            var isDone = false
            while !isDone {
                guard turns < 2 * batch else { return true }
                turns += 1
                isDone = try await tenant.write(scope: user) { connection in
                    try await removeDeleted(id, of: user, on: connection)
                }
            }
        }
        return old.count == batch
    }

    /// Some subscriptions that were deleted too long ago to be restored.
    private static func oldDeleted(limit: Int, on connection: Connection) async throws -> [(user: UserID, id: UUID)] {
        try await connection.query(
            """
            SELECT s.User_ID, s.Subscription_ID FROM Subscription s
            WHERE s.Deleted_at < UTC_TIMESTAMP() - INTERVAL \(SubscriptionQueries.restorableDays) DAY
              AND NOT EXISTS (SELECT 1 FROM Erasure e WHERE e.User_ID = s.User_ID)
            ORDER BY s.Deleted_at LIMIT \(limit)
            """
        ).decode((UUID, UUID).self).map { (user: UserID(uuid: $0.0), id: $0.1) }
    }

    /// Removes some periods of a deleted subscription, and then itself, unless it was restored meanwhile. Its tombstone
    /// is there already.
    /// - Returns: whether nothing is left to do.
    static func removeDeleted(_ id: UUID, of user: UserID, on connection: Connection) async throws -> Bool {
        let isOld: SQL = """
            User_ID = \(user.uuid) AND Subscription_ID = \(id)
            AND Deleted_at < UTC_TIMESTAMP() - INTERVAL \(SubscriptionQueries.restorableDays) DAY
            """
        guard try await !connection.query("SELECT 1 FROM Subscription WHERE \(isOld)").isEmpty else { return true }
        let removed = try await PeriodRemoval.remove(of: [id], limit: UserErasure.batch, on: connection)
        guard removed < UserErasure.batch else { return false }
        _ = try await connection.execute("DELETE FROM Subscription WHERE \(isOld)")
        return true
    }
}
