import MariaDB

/// The statements that remove rows without a use.
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

    /// Whether a user has more than so many tombstones.
    static func hasTombstones(of user: UserID, beyond limit: Int, on connection: Connection) async throws -> Bool {
        try await connection.query(
            "SELECT COUNT(*) FROM (SELECT 1 FROM Tombstone WHERE Scope_ID = \(user.uuid) LIMIT \(limit + 1)) AS Found"
        ).decode(Int.self).first ?? 0 > limit
    }

    /// Removes the oldest tombstones of a user and raises the floor of the scope with them.
    static func removeOldestTombstones(of user: UserID, _ count: Int, on connection: Connection) async throws {
        let version = try await connection.query(
            "SELECT Ver FROM Tombstone WHERE Scope_ID = \(user.uuid) ORDER BY Ver LIMIT 1 OFFSET \(count - 1)"
        ).decode(Int64.self).first
        guard let version else { return }
        _ = try await connection.execute(
            "UPDATE Scope SET Floor_ver = GREATEST(Floor_ver, \(version)) WHERE Scope_ID = \(user.uuid)")
        _ = try await connection.execute(
            "DELETE FROM Tombstone WHERE Scope_ID = \(user.uuid) AND Ver <= \(version)")
    }

    /// Removes tombstones of a deleted user: nobody can pull them any more.
    /// - Returns: how many.
    static func deleteTombstones(of user: UserID, limit: Int, on connection: Connection) async throws -> Int {
        Int(
            clamping: try await connection.execute(
                "DELETE FROM Tombstone WHERE Scope_ID = \(user.uuid) ORDER BY Ver LIMIT \(limit)"
            ).affectedRows)
    }
}
