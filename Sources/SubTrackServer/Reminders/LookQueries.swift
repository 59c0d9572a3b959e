import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements that find users for a look, and those that write its result.
enum LookQueries {
    /// A scope whose rows have changed since it was planned.
    struct Stale: Sendable {
        let scope: ScopeID

        /// The country of a catalogue's scope; nil: it is the scope of a user, or ``ScopeID/reference``.
        var country: String? {
            let bytes = scope.bytes
            guard isNamed, bytes[0] == UInt8(ascii: "C") else { return nil }
            return String(decoding: bytes[1..<3], as: UTF8.self)
        }

        /// Whether the scope has a name, and no user.
        var isNamed: Bool { scope.bytes.suffix(7).allSatisfy { $0 == 0 } }
    }

    /// Scopes that have changed since they were planned.
    static func stale(limit: Int, on connection: Connection) async throws -> [Stale] {
        try await connection.query("SELECT Scope_ID FROM Scope WHERE Stale = 1 LIMIT \(limit)").decode(UUID.self)
            .map { Stale(scope: ScopeID(uuid: $0)) }
    }

    /// Users whose time for a look has come, the longest due first.
    static func due(now: Instant, limit: Int, on connection: Connection) async throws -> [UserID] {
        try await connection.query(
            "SELECT User_ID FROM Agenda WHERE Next_at <= \(now) ORDER BY Next_at LIMIT \(limit)"
        ).decode(UUID.self).map { UserID(uuid: $0) }
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

    /// A user as a look reads it.
    struct Person: Sendable {
        let id: UserID
        let timeZone: String
        let country: String
        /// Whether a confirmed address leads to the user.
        let isReachable: Bool
        /// The time of the last look; nil: there was none.
        let lookedAt: Instant?
        /// The time for which a look was planned; nil: none was.
        let nextAt: Instant?
    }

    /// The users of some ids; those that are deleted are left out.
    static func people(_ users: [UserID], on connection: Connection) async throws -> [Person] {
        try await connection.query(
            """
            SELECT u.User_ID, u.Time_zone, u.Country_ID,
                EXISTS (SELECT 1 FROM Account a WHERE a.User_ID = u.User_ID AND a.Verified_at IS NOT NULL),
                g.Looked_at, g.Next_at
            FROM `User` u LEFT JOIN Agenda g ON g.User_ID = u.User_ID
            WHERE u.User_ID IN (\(list: users.map(\.uuid).filledUp()))
              AND NOT EXISTS (SELECT 1 FROM Erasure e WHERE e.User_ID = u.User_ID)
            """
        ).decode((UUID, String, String, Bool, Instant?, Instant?).self).map { row in
            Person(
                id: UserID(uuid: row.0), timeZone: row.1, country: row.2, isReachable: row.3, lookedAt: row.4,
                nextAt: row.5)
        }
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

    /// Something that a look says.
    struct Said: Sendable {
        let user: UserID
        let subject: UUID
        let kind: ReminderKind
        let on: CalendarDate
        let lead: Int
        /// The number of the notification.
        let number: Int64
    }

    /// A notification of a user, with its way out.
    struct Told: Sendable {
        let user: UserID
        let number: Int64
        /// Whether it goes out by mail.
        let byMail: Bool
    }

    /// Writes the notifications of a look, with their reminders and their deliveries.
    static func insert(
        _ told: [Told], _ said: [Said], now: Instant, on connection: Connection
    ) async throws {
        guard !told.isEmpty else { return }
        _ = try await connection.execute(
            """
            INSERT INTO Notification (User_ID, Notification_no, Fired_at)
            VALUES \(SQL.joined(told.map { "(\($0.user.uuid), \($0.number), \(now))" }))
            """)
        _ = try await connection.execute(
            """
            INSERT INTO Reminder (User_ID, Subject_ID, Kind, Occurs_on, Lead_days, Notification_no)
            VALUES \(SQL.joined(said.map {
                "(\($0.user.uuid), \($0.subject), \($0.kind), \($0.on), \($0.lead), \($0.number))"
            }))
            """)
        let mailed = told.filter(\.byMail)
        guard !mailed.isEmpty else { return }
        _ = try await connection.execute(
            """
            INSERT INTO Mail_delivery (User_ID, Notification_no, Next_attempt_at)
            VALUES \(SQL.joined(mailed.map { "(\($0.user.uuid), \($0.number), \(now))" }))
            """)
    }

    /// Notes when to look next, and that the scopes are planned as they are now.
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
        // The look's own rows have moved the versions too.
        _ = try await connection.execute(
            "UPDATE Scope SET Planned_ver = Ver WHERE Scope_ID IN (\(list: users.map(\.uuid).filledUp()))")
    }

    /// Leaves a user out until a time. A change of its rows brings the look back before that.
    static func postpone(_ user: UserID, to time: Instant, now: Instant, in tenant: Tenant) async throws {
        try await tenant.client.withTransaction(tenant.database, isolation: .readCommitted) { connection in
            guard try await !lock([user], on: connection).isEmpty else { return }
            // The time of the last look stays, so that the next one says what this one could not.
            _ = try await connection.execute(
                """
                INSERT INTO Agenda (User_ID, Next_at, Looked_at) VALUES (\(user.uuid), \(time), \(now))
                ON DUPLICATE KEY UPDATE Next_at = VALUES(Next_at)
                """)
            _ = try await connection.execute(
                "UPDATE Scope SET Planned_ver = Ver WHERE Scope_ID = \(user.uuid)")
        }
    }
}
