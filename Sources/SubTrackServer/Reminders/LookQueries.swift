import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements that find users for a look, and those that write its result.
enum LookQueries {
    /// Scopes that have changed since reminders were planned from them.
    static func stale(limit: Int, on connection: Connection) async throws -> [ScopeID] {
        try await connection.query("SELECT Scope_ID FROM Scope WHERE Stale = 1 LIMIT \(limit)").decode(UUID.self)
            .map { ScopeID(uuid: $0) }
    }

    /// Users whose time for a look has come, the longest due first, and since when that one is due.
    static func due(
        now: Instant, limit: Int, on connection: Connection
    ) async throws -> (users: [UserID], since: Instant?) {
        let rows = try await connection.query(
            "SELECT User_ID, Next_at FROM Agenda WHERE Next_at <= \(now) ORDER BY Next_at LIMIT \(limit)"
        ).decode((UUID, Instant).self)
        return (rows.map { UserID(uuid: $0.0) }, rows.first?.1)
    }

    /// Locks the scopes of users. A scope that a writer has is left out: the next pass finds it.
    /// - Returns: the version of each locked scope.
    static func lock(_ users: [UserID], on connection: Connection) async throws -> [UserID: Int64] {
        let rows = try await connection.query(
            """
            SELECT Scope_ID, Ver FROM Scope FORCE INDEX (PRIMARY)
            WHERE Scope_ID IN (\(list: users.map(\.uuid).filledUp())) ORDER BY Scope_ID FOR UPDATE SKIP LOCKED
            """
        ).decode((UUID, Int64).self)
        return Dictionary(rows.map { (UserID(uuid: $0.0), $0.1) }) { first, _ in first }
    }

    /// Users with a subscription that renews by itself and has ended by a day.
    static func behind(_ users: [UserID], by day: CalendarDate, on connection: Connection) async throws -> [UserID] {
        try await connection.query(
            """
            SELECT DISTINCT User_ID FROM Subscription
            WHERE User_ID IN (\(list: users.map(\.uuid).filledUp())) AND End_date <= \(day) AND Auto_renew
              AND Cancelled_on IS NULL AND Deleted_at IS NULL
            """
        ).decode(UUID.self).map { UserID(uuid: $0) }
    }

    /// The result of a look at a user.
    struct Result: Sendable {
        let user: UserID
        /// The version of the user's scope before the look, which is the number of its notification.
        let version: Int64
        let look: ReminderRules.Look
    }

    /// How many reminders one statement adds.
    private static let rowsPerStatement = 500

    /// Adds the reminders of some looks.
    /// - Parameter hasNewIDs: whether their ids are new, and not those of their keys.
    static func insert(
        _ results: [Result], hasNewIDs: Bool, now: Instant, on connection: Connection
    ) async throws {
        let rows = try results.flatMap { result in
            try result.look.due.map { key -> SQL in
                let id = hasNewIDs ? try UUIDv7.make(now: now) : key.id
                return """
                    (\(result.user.uuid), \(id), \(key.subject), \(key.kind.rawValue), \(key.occursOn), \(key.lead), \
                    \(result.version))
                    """
            }
        }
        for start in stride(from: 0, to: rows.count, by: rowsPerStatement) {
            let part = rows[start..<min(start + rowsPerStatement, rows.count)]
            _ = try await connection.execute(
                """
                INSERT INTO Reminder (User_ID, Reminder_ID, Subject_ID, Kind, Occurs_on, Lead_days, Notification_no)
                VALUES \(SQL.joined(Array(part)))
                """)
        }
    }

    /// Has a user looked at later, as if nothing had been tried: the hour that was missed is still to be spoken of then.
    static func postpone(_ user: UserID, to later: Instant, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Agenda (User_ID, Next_at, Looked_at) VALUES (\(user.uuid), \(later), '1970-01-02')
            ON DUPLICATE KEY UPDATE Next_at = VALUES(Next_at)
            """)
        _ = try await connection.execute("UPDATE Scope SET Planned_ver = Ver WHERE Scope_ID = \(user.uuid)")
    }

    /// Notes the times of the next looks, and that the scopes are planned as they are now.
    /// - Parameter gone: ids without a user.
    static func plan(
        _ next: [(user: UserID, at: Instant)], gone: [UserID], now: Instant, on connection: Connection
    ) async throws {
        if !next.isEmpty {
            _ = try await connection.execute(
                """
                INSERT INTO Agenda (User_ID, Next_at, Looked_at)
                VALUES \(SQL.joined(next.map { "(\($0.user.uuid), \($0.at), \(now))" }))
                ON DUPLICATE KEY UPDATE Next_at = VALUES(Next_at), Looked_at = VALUES(Looked_at)
                """)
        }
        if !gone.isEmpty {
            _ = try await connection.execute(
                "DELETE FROM Agenda WHERE User_ID IN (\(list: gone.map(\.uuid).filledUp()))")
        }
        let users = next.map(\.user) + gone
        guard !users.isEmpty else { return }
        // The look's own rows have moved the versions too.
        _ = try await connection.execute(
            "UPDATE Scope SET Planned_ver = Ver WHERE Scope_ID IN (\(list: users.map(\.uuid).filledUp()))")
    }
}
