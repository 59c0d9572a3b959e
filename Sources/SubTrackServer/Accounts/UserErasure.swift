import Foundation
import MariaDB
import SubTrackAPI

/// Removes the rows of users who were deleted, in small transactions.
///
/// A row of `Erasure` ends a user at once, in one short transaction (its trigger does). The user's rows are removed
/// from then on in batches. The request removes them for a moment, and the job of the replica that has the lease
/// removes the rest. The user's row goes last, and the row of `Erasure` with it. A removal that is cut off goes on
/// after the last batch.
struct UserErasure: Sendable {
    /// How many rows one transaction removes.
    static let batch = 1000
    /// How many users a step of the job looks at, and how many transactions each of them gets.
    private static let (usersPerStep, turnsPerStep) = (20, 10)

    /// The areas' rows.
    let users: UserDataRegistry

    /// The job.
    var job: Job { Job(name: "erasures") { tenant, _ in try await step(tenant) } }

    /// Removes some rows of some deleted users of a tenant.
    /// - Returns: whether there may be more.
    func step(_ tenant: Tenant) async throws -> Bool {
        let waiting = try await tenant.read { try await UserErasureQueries.waiting(limit: Self.usersPerStep, on: $0) }
        var failure: (any Error)?
        var isAnyLeft = waiting.count == Self.usersPerStep
        for user in waiting {
            do {
                isAnyLeft = try await !removeSome(of: user, in: tenant, turns: Self.turnsPerStep) || isAnyLeft
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
    func removeSome(of user: UserID, in tenant: Tenant, turns: Int) async throws -> Bool {
        for _ in 0..<turns {
            let isDone = try await tenant.client.withTransaction(tenant.database, isolation: .readCommitted) {
                connection in try await remove(user, in: tenant, on: connection)
            }
            if isDone { return true }
        }
        return false
    }

    /// Removes up to ``batch`` rows of a deleted user, in a transaction of its own.
    /// - Returns: whether nothing is left.
    private func remove(_ user: UserID, in tenant: Tenant, on connection: Connection) async throws -> Bool {
        try await UserErasureQueries.lock(user, on: connection)
        guard try await UserErasureQueries.isWaiting(user, on: connection) else { return true }
        var room = Self.batch
        for data in users.data(in: tenant).reversed() {
            room -= try await data.erase(user, upTo: room, on: connection)
            guard room > 0 else { return false }
        }
        try await UserQueries.delete(user, on: connection)
        return true
    }
}

/// The statements on users who are being deleted.
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
}
