import Foundation
import MariaDB
import SubTrackAPI

/// Removes the rows of users who were deleted, in small transactions.
///
/// A row of `Erasure` ends a user at once, in one short transaction (its trigger does). The user's rows are removed
/// from then on in batches. The request removes them for a moment, and the job of the replica that has the lease
/// removes the rest. The user's row goes last, and the row of `Erasure` with it. A removal that is cut off goes on
/// after the last batch.
enum UserErasure {
    /// How many rows one transaction removes.
    static let batch = 1000
    /// How many subscriptions are looked at together for their periods.
    private static let group = 200
    /// How many users a step of the job looks at, and how many transactions each of them gets.
    private static let (users, turns) = (20, 10)

    /// The job.
    static let job = Job(name: "erasures") { tenant, _ in try await step(tenant) }

    /// Removes some rows of some deleted users of a tenant.
    /// - Returns: whether there may be more.
    static func step(_ tenant: Tenant) async throws -> Bool {
        let waiting = try await tenant.read { try await UserErasureQueries.waiting(limit: users, on: $0) }
        var failure: (any Error)?
        var isAnyLeft = waiting.count == users
        for user in waiting {
            do {
                isAnyLeft = try await !removeSome(of: user, in: tenant, turns: turns) || isAnyLeft
            } catch {
                // One user's rows that cannot be removed hold up nobody else's.
                failure = error
            }
        }
        if let failure { throw failure }
        return isAnyLeft
    }

    /// Removes the rows of a deleted user, in a few transactions.
    /// - Returns: whether nothing is left.
    static func removeSome(of user: UserID, in tenant: Tenant, turns: Int) async throws -> Bool {
        for _ in 0..<turns {
            let isDone = try await tenant.client.withTransaction(tenant.database, isolation: .readCommitted) {
                connection in try await remove(user, on: connection)
            }
            if isDone { return true }
        }
        return false
    }

    /// Removes up to ``batch`` rows of a deleted user, in a transaction of its own.
    /// - Returns: whether nothing is left.
    private static func remove(_ user: UserID, on connection: Connection) async throws -> Bool {
        try await UserErasureQueries.lock(user, on: connection)
        guard try await UserErasureQueries.isWaiting(user, on: connection) else { return true }
        var room = batch
        while room > 0 {
            let ids = try await UserErasureQueries.subscriptions(of: user, limit: min(group, room), on: connection)
            guard !ids.isEmpty else { break }
            let periods = try await PeriodRemoval.remove(of: ids, limit: room, on: connection)
            room -= periods + ids.count
            guard room > 0 else { return false }
            try await UserErasureQueries.deleteSubscriptions(ids, of: user, on: connection)
        }
        while room > 0 {
            let plans = try await UserErasureQueries.plans(of: user, limit: min(group, room), on: connection)
            guard !plans.isEmpty else { break }
            let prices = try await UserErasureQueries.deletePrices(of: plans, limit: room, on: connection)
            room -= prices + plans.count
            guard room > 0 else { return false }
            try await UserErasureQueries.deletePlans(plans, of: user, on: connection)
        }
        if room > 0 { room -= try await UserErasureQueries.deleteAnswers(of: user, limit: room, on: connection) }
        if room > 0 { room -= try await UserErasureQueries.deleteTombstones(of: user, limit: room, on: connection) }
        guard room > 0 else { return false }
        try await UserQueries.delete(user, on: connection)
        return true
    }
}

/// The statements that remove the rows of deleted users.
enum UserErasureQueries {
    /// Some users who were deleted, the first first.
    static func waiting(limit: Int, on connection: Connection) async throws -> [UserID] {
        try await connection.query("SELECT User_ID FROM Erasure ORDER BY Erased_at, User_ID LIMIT \(limit)")
            .decode(UUID.self).map { UserID(uuid: $0) }
    }

    /// Locks a user's scope, as every writer does.
    static func lock(_ user: UserID, on connection: Connection) async throws {
        _ = try await connection.query("SELECT Ver FROM Scope WHERE Scope_ID = \(user.uuid) FOR UPDATE")
    }

    /// Whether a user was deleted and is still there.
    static func isWaiting(_ user: UserID, on connection: Connection) async throws -> Bool {
        try await !connection.query("SELECT 1 FROM Erasure WHERE User_ID = \(user.uuid)").isEmpty
    }

    /// Some subscriptions of a user.
    static func subscriptions(of user: UserID, limit: Int, on connection: Connection) async throws -> [UUID] {
        try await connection.query(
            """
            SELECT Subscription_ID FROM Subscription WHERE User_ID = \(user.uuid)
            ORDER BY Subscription_ID LIMIT \(limit)
            """
        ).decode(UUID.self)
    }

    /// Removes subscriptions whose periods were removed.
    static func deleteSubscriptions(_ ids: [UUID], of user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "DELETE FROM Subscription WHERE User_ID = \(user.uuid) AND Subscription_ID IN (\(list: ids))")
    }

    /// Some plans of a user's own, the newest first: whether another one has the same provider is then seen at the first one.
    /// From the other end the triggers would go past all that were deleted and are not purged yet.
    static func plans(of user: UserID, limit: Int, on connection: Connection) async throws -> [Int64] {
        try await connection.query(
            "SELECT Plan_ID FROM Plan WHERE Owner_ID = \(user.uuid) ORDER BY Plan_ID DESC LIMIT \(limit)"
        ).decode(Int64.self)
    }

    /// Removes prices of plans.
    /// - Returns: how many.
    static func deletePrices(of plans: [Int64], limit: Int, on connection: Connection) async throws -> Int {
        Int(
            clamping: try await connection.execute(
                """
                DELETE FROM Plan_price WHERE Plan_ID IN (\(list: plans)) ORDER BY Plan_ID, Effective_on LIMIT \(limit)
                """
            ).affectedRows)
    }

    /// Removes plans whose prices were removed.
    static func deletePlans(_ plans: [Int64], of user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "DELETE FROM Plan WHERE Plan_ID IN (\(list: plans)) AND Owner_ID = \(user.uuid)")
    }

    /// Removes stored answers.
    /// - Returns: how many.
    static func deleteAnswers(of user: UserID, limit: Int, on connection: Connection) async throws -> Int {
        Int(
            clamping: try await connection.execute(
                """
                DELETE FROM Idempotency WHERE User_ID = \(user.uuid) ORDER BY Idempotency_key LIMIT \(limit)
                """
            ).affectedRows)
    }

    /// Removes tombstones: nobody can pull them any more.
    /// - Returns: how many.
    static func deleteTombstones(of user: UserID, limit: Int, on connection: Connection) async throws -> Int {
        Int(
            clamping: try await connection.execute(
                "DELETE FROM Tombstone WHERE Scope_ID = \(user.uuid) ORDER BY Ver LIMIT \(limit)"
            ).affectedRows)
    }
}

/// Removes the periods of subscriptions that are about to go: some at once, for one may have tens of thousands.
enum PeriodRemoval {
    /// Removes periods.
    /// - Returns: how many.
    static func remove(of subscriptions: [UUID], limit: Int, on connection: Connection) async throws -> Int {
        // Version 0 says that they go with their subscription, and need no tombstone of their own.
        let marked = try await connection.execute(
            """
            UPDATE Subscription_period SET Ver = 0 WHERE Subscription_ID IN (\(list: subscriptions)) AND Ver > 0
            ORDER BY Subscription_ID, Period LIMIT \(limit)
            """
        ).affectedRows
        guard marked > 0 else { return 0 }
        _ = try await connection.execute(
            """
            DELETE FROM Subscription_period WHERE Subscription_ID IN (\(list: subscriptions)) AND Ver = 0
            ORDER BY Subscription_ID, Period LIMIT \(limit)
            """)
        return Int(clamping: marked)
    }
}
