import MariaDB
import SubTrackAPI

/// A bound on the rows of one user. The area that keeps the rows declares it.
struct UserLimit: Sendable {
    /// The name in settings of tests: `subscriptions`.
    let name: String
    /// The number of the contract.
    let standard: Int
    /// The query that counts the rows of a user: one row of one number.
    let count: @Sendable (_ user: UserID) -> SQL
    /// The detail of a refused write.
    let refusal: @Sendable (_ limit: Int) -> String
    /// The detail of a refused merge: two users together have more.
    let mergeRefusal: @Sendable (_ limit: Int) -> String

    /// The number of rows that a user has.
    func used(by user: UserID, on connection: Connection) async throws -> Int {
        try await connection.query(count(user)).decode(Int.self).first ?? 0
    }

    /// Refuses more than a user may have, in a transaction that has the user's scope locked.
    /// - Parameter adding: how many come to those that are there.
    /// - Throws: `too_many`.
    func check(_ limits: UserLimits, of user: UserID, adding: Int = 1, on connection: Connection) async throws {
        guard try await used(by: user, on: connection) + adding <= limits[self] else {
            throw Problem(.tooMany, refusal(limits[self]))
        }
    }

    /// Refuses a merge after which a user would have more than one may have, in the merge's transaction.
    /// - Returns: how many the former user has.
    /// - Throws: `too_many`.
    @discardableResult
    func check(
        _ limits: UserLimits, merging former: UserID, into user: UserID, on connection: Connection
    ) async throws -> Int {
        let rows = try await connection.query("SELECT (\(count(former))), (\(count(user)))")
        let (ours, theirs) = try rows.decode((Int, Int).self).first ?? (0, 0)
        guard ours == 0 || ours + theirs <= limits[self] else {
            throw Problem(.tooMany, mergeRefusal(limits[self]))
        }
        return ours
    }
}
