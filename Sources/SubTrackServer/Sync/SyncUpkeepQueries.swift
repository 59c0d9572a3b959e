import Foundation
import MariaDB

/// The statements that remove what is no longer needed.
enum SyncUpkeepQueries {
    /// The scopes of the oldest tombstones that need not be kept, each with the newest of their versions.
    static func oldTombstones(
        limit: Int, on connection: Connection
    ) async throws -> [(scope: [UInt8], version: Int64)] {
        try await connection.query(
            """
            SELECT Scope_ID, MAX(Ver)
            FROM (SELECT Scope_ID, Ver FROM Tombstone
                  WHERE Deleted_at < UTC_TIMESTAMP() - INTERVAL \(SyncUpkeep.keptDays) DAY
                  ORDER BY Deleted_at LIMIT \(limit)) AS Old
            GROUP BY Scope_ID ORDER BY Scope_ID
            """
        ).decode(([UInt8], Int64).self).map { (scope: $0.0, version: $0.1) }
    }

    /// Removes old tombstones of a scope and raises its floor, in the caller's transaction.
    static func removeTombstones(
        of scope: [UInt8], upTo version: Int64, limit: Int, on connection: Connection
    ) async throws {
        // The scope first, as every writer does.
        _ = try await connection.execute(
            "UPDATE Scope SET Floor_ver = GREATEST(Floor_ver, \(version)) WHERE Scope_ID = \(scope)")
        _ = try await connection.execute(
            """
            DELETE FROM Tombstone
            WHERE Scope_ID = \(scope) AND Ver <= \(version)
              AND Deleted_at < UTC_TIMESTAMP() - INTERVAL \(SyncUpkeep.keptDays) DAY
            ORDER BY Ver LIMIT \(limit)
            """)
    }

    /// Removes some old answers.
    /// - Returns: how many.
    static func removeAnswers(limit: Int, on connection: Connection) async throws -> Int {
        let result = try await connection.execute(
            """
            DELETE FROM Idempotency WHERE Created_at < UTC_TIMESTAMP() - INTERVAL \(SyncUpkeep.keptDays) DAY
            ORDER BY Created_at LIMIT \(limit)
            """)
        return Int(clamping: result.affectedRows)
    }

    /// Some subscriptions that were deleted too long ago to be restored.
    static func oldDeleted(limit: Int, on connection: Connection) async throws -> [(user: UserID, id: UUID)] {
        try await connection.query(
            """
            SELECT User_ID, Subscription_ID FROM Subscription
            WHERE Deleted_at < UTC_TIMESTAMP() - INTERVAL \(SubscriptionQueries.restorableDays) DAY
            ORDER BY Deleted_at LIMIT \(limit)
            """
        ).decode((UUID, UUID).self).map { (user: UserID(uuid: $0.0), id: $0.1) }
    }

    /// Removes a deleted subscription, unless it was restored meanwhile. Its tombstone is there already.
    static func removeDeleted(_ id: UUID, of user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            DELETE FROM Subscription
            WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id)
              AND Deleted_at < UTC_TIMESTAMP() - INTERVAL \(SubscriptionQueries.restorableDays) DAY
            """)
    }
}
