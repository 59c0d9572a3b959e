import Foundation
import MariaDB
import SubTrackAPI

/// Removes subscriptions and private plans of a deleted user.
enum SubscriptionErasure {
    /// How many subscriptions are looked at together for their periods.
    private static let group = 200

    /// Removes some rows, in a transaction that has the user's scope locked.
    /// - Parameter limit: about how many.
    /// - Returns: how many; less than the limit when none is left.
    static func remove(_ user: UserID, upTo limit: Int, on connection: Connection) async throws -> Int {
        var room = limit
        while room > 0 {
            let ids = try await SubscriptionErasureQueries.subscriptions(
                of: user, limit: min(group, room), on: connection)
            guard !ids.isEmpty else { break }
            room -= try await PeriodRemoval.remove(of: ids, limit: room, on: connection)
            guard room > 0 else { break }
            try await SubscriptionErasureQueries.deleteSubscriptions(ids, of: user, on: connection)
            room -= ids.count
        }
        while room > 0 {
            let plans = try await SubscriptionErasureQueries.plans(of: user, limit: min(group, room), on: connection)
            guard !plans.isEmpty else { break }
            room -= try await SubscriptionErasureQueries.deletePrices(of: plans, limit: room, on: connection)
            guard room > 0 else { break }
            try await SubscriptionErasureQueries.deletePlans(plans, of: user, on: connection)
            room -= plans.count
        }
        return limit - room
    }
}

/// The statements that remove subscriptions and private plans of deleted users.
enum SubscriptionErasureQueries {
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
