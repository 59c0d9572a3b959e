import MariaDB
import SubTrackAPI

extension UserLimits {
    /// Refuses more subscriptions than a user may have, in a transaction that has the user's scope locked.
    /// - Parameter adding: how many come to those that are there.
    /// - Throws: `too_many`.
    func checkSubscriptions(of user: UserID, adding: Int = 1, on connection: Connection) async throws {
        let rows = try await connection.query(
            "SELECT COUNT(*) FROM Subscription WHERE User_ID = \(user.uuid) AND Deleted_at IS NULL")
        try check(subscriptions: (try rows.decode(Int.self).first ?? 0) + adding)
    }

    /// Refuses more subscriptions than a user may have.
    /// - Parameter count: how many there are with those that come.
    /// - Throws: `too_many`.
    func check(subscriptions count: Int) throws {
        guard count <= subscriptions else {
            throw Problem(.tooMany, "A user may have \(subscriptions) subscriptions; delete some that have ended.")
        }
    }

    /// Refuses one private plan more than a user may have, in a transaction that has the user's scope locked.
    /// - Throws: `too_many`.
    func checkPrivatePlans(of user: UserID, on connection: Connection) async throws {
        let rows = try await connection.query("SELECT COUNT(*) FROM Plan WHERE Owner_ID = \(user.uuid)")
        guard try rows.decode(Int.self).first ?? 0 < privatePlans else {
            throw Problem(
                .tooMany,
                "A user may have \(privatePlans) plans of their own; use one that is there (planId) or change it.")
        }
    }
}
