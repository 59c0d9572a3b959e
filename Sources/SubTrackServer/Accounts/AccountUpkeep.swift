import Foundation
import MariaDB
import SubTrackAPI
import Synchronization

/// Removal of the rows of people who are not coming back.
final class AccountUpkeep: Sendable {
    /// A user without account and without data goes after so many days without use.
    static let daysWithoutUse = 30
    /// How many rows one statement looks at or removes, so that no lock is held for long.
    private static let batch = 500
    /// How long a tenant is left alone after all of its users were looked at.
    private static let pause = Duration.seconds(3600)

    /// How far this process has come with a tenant.
    private struct Progress {
        /// The last user who was looked at.
        var last: UUID?
        /// When all had been.
        var endedAt: ContinuousClock.Instant?
    }

    private let users: UserDataRegistry
    private let progress = Mutex<[String: Progress]>([:])

    /// Upkeep of users with the areas' rows.
    init(users: UserDataRegistry) { self.users = users }

    /// The job.
    var job: Job { Job(name: "accounts") { tenant, _ in try await self.step(tenant) } }

    /// Removes some of the due rows of a tenant. It can be cut off anywhere and run again.
    /// - Returns: whether there may be more.
    func step(_ tenant: Tenant) async throws -> Bool {
        var state = progress.withLock { $0[tenant.slug] } ?? Progress()
        if let endedAt = state.endedAt {
            guard ContinuousClock.now - endedAt >= Self.pause else { return false }
            state = Progress()
        }
        if let last = try await removeIdleUsers(tenant, after: state.last) {
            state.last = last
        } else if try await !Self.removeOld(tenant) {
            state.endedAt = .now
        }
        let now = state
        progress.withLock { $0[tenant.slug] = now }
        return now.endedAt == nil
    }

    /// Removes the idle ones among some users.
    /// - Returns: the last one who was looked at; nil when there are no more.
    private func removeIdleUsers(_ tenant: Tenant, after last: UUID?) async throws -> UUID? {
        let hasData = users.hasData("u.User_ID", in: tenant)
        let found = try await tenant.read {
            try await UpkeepQueries.users(after: last, limit: Self.batch, hasData: hasData, on: $0)
        }
        for user in found where user.isIdle {
            let id = UserID(uuid: user.id)
            try await tenant.write(scope: id) { connection in
                // Looked at again under the lock: the user may have come back.
                guard try await UpkeepQueries.isIdle(id, hasData: hasData, on: connection) else { return }
                // Nobody asked for it: the device begins again with its data.
                try await UserQueries.eraseUnasked(id, on: connection)
            }
            // Stored answers may be many; the other job removes the rest.
            _ = try await UserErasure(users: users).removeSome(of: id, in: tenant, turns: 2)
            tenant.sessions.forget(id)
        }
        return found.last?.id
    }

    /// Removes some sessions, tokens and mails that are too old.
    /// - Returns: whether there may be more.
    private static func removeOld(_ tenant: Tenant) async throws -> Bool {
        try await tenant.read { connection in
            let removed = [
                try await UpkeepQueries.removeUnusedSessions(batch, on: connection),
                try await UpkeepQueries.removeEndedSessions(batch, on: connection),
                try await UpkeepQueries.removeExpiredMails(batch, on: connection),
                try await UpkeepQueries.removeExpiredSecrets(batch, on: connection),
            ]
            return removed.contains { $0 >= batch }
        }
    }
}

/// The statements that find and remove rows without a use.
enum UpkeepQueries {
    /// Whether the user `u` has neither account nor data, and was not here lately.
    /// - Parameter hasData: the condition that `u` has data.
    private static func isIdle(_ hasData: SQL) -> SQL {
        """
        u.Created_at < UTC_TIMESTAMP() - INTERVAL \(AccountUpkeep.daysWithoutUse) DAY
        AND NOT EXISTS (SELECT 1 FROM Account a WHERE a.User_ID = u.User_ID)
        AND NOT EXISTS (SELECT 1 FROM Erasure r WHERE r.User_ID = u.User_ID)
        AND NOT (\(hasData))
        AND NOT EXISTS (
            SELECT 1 FROM Device d JOIN Session e ON e.Device_ID = d.Device_ID
            WHERE d.User_ID = u.User_ID
              AND e.Last_used_at > UTC_TIMESTAMP() - INTERVAL \(AccountUpkeep.daysWithoutUse) DAY)
        """
    }

    /// Some users by id, and whether each is idle.
    static func users(
        after last: UUID?, limit: Int, hasData: SQL, on connection: Connection
    ) async throws -> [(id: UUID, isIdle: Bool)] {
        var filter: SQL = "TRUE"
        if let last { filter = "u.User_ID > \(last)" }
        let rows = try await connection.query(
            "SELECT u.User_ID, \(isIdle(hasData)) FROM `User` u WHERE \(filter) ORDER BY u.User_ID LIMIT \(limit)")
        return try rows.decode((UUID, Bool).self).map { (id: $0.0, isIdle: $0.1) }
    }

    /// Whether a user is idle.
    static func isIdle(_ user: UserID, hasData: SQL, on connection: Connection) async throws -> Bool {
        let rows = try await connection.query(
            "SELECT \(isIdle(hasData)) FROM `User` u WHERE u.User_ID = \(user.uuid)")
        return try rows.decode(Bool.self).first ?? false
    }

    /// Ends sessions of users with account that were not used for long.
    /// - Returns: how many.
    static func removeUnusedSessions(_ limit: Int, on connection: Connection) async throws -> Int {
        try await removed(
            """
            DELETE FROM Session
            WHERE Last_used_at < UTC_TIMESTAMP() - INTERVAL \(SessionQueries.daysUnused) DAY
              AND Device_ID IN (SELECT d.Device_ID FROM Device d JOIN Account a ON a.User_ID = d.User_ID)
            LIMIT \(limit)
            """, on: connection)
    }

    /// Forgets tokens that would have ended by themselves by now.
    static func removeEndedSessions(_ limit: Int, on connection: Connection) async throws -> Int {
        try await removed(
            """
            DELETE FROM Ended_session WHERE Ended_at < UTC_TIMESTAMP() - INTERVAL \(SessionQueries.daysUnused) DAY
            LIMIT \(limit)
            """, on: connection)
    }

    /// Removes mails that it is too late to send.
    static func removeExpiredMails(_ limit: Int, on connection: Connection) async throws -> Int {
        try await removed("DELETE FROM Mail WHERE Expires_at < UTC_TIMESTAMP() LIMIT \(limit)", on: connection)
    }

    /// Removes tokens of mails that are not taken any more.
    static func removeExpiredSecrets(_ limit: Int, on connection: Connection) async throws -> Int {
        try await removed("DELETE FROM Mail_secret WHERE Expires_at < UTC_TIMESTAMP() LIMIT \(limit)", on: connection)
    }

    private static func removed(_ statement: SQL, on connection: Connection) async throws -> Int {
        Int(clamping: try await connection.execute(statement).affectedRows)
    }
}
