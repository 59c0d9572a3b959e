import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A reminder as it is stored.
struct ReminderRow: Sendable {
    /// The row as clients hold it.
    let stored: StoredReminder
    /// The version in the user's scope.
    let version: Int64
    /// The number of its notification.
    let number: Int64
}

extension ReminderRow: RowDecodable {
    init(row: Row) throws {
        let columns = try row.decode(
            (
                ReminderKind, UUID, CalendarDate, Int, Instant, ReminderAnswer?, Instant?, CalendarDate?, Int64, Int64
            ).self)
        stored = StoredReminder(
            kind: columns.0, subjectId: columns.1, occursOn: columns.2, leadDays: columns.3, firedAt: columns.4,
            answer: columns.5, answeredAt: columns.6, snoozedUntil: columns.7)
        (version, number) = (columns.8, columns.9)
    }
}

/// The statements on reminders that were said.
enum ReminderQueries {
    private static let selection: SQL = """
        SELECT r.Kind, r.Subject_ID, r.Occurs_on, r.Lead_days, n.Fired_at, r.Answer, r.Answered_at, r.Snoozed_until, r.Ver,
            r.Notification_no
        FROM Reminder r JOIN Notification n ON n.User_ID = r.User_ID AND n.Notification_no = r.Notification_no
        """

    private static func rows(
        of user: UserID, where condition: SQL, on connection: Connection
    ) async throws -> [ReminderRow] {
        try await connection.query("\(selection) WHERE r.User_ID = \(user.uuid) AND \(condition)")
            .decode(as: ReminderRow.self)
    }

    private static func condition(_ key: ReminderKey) -> SQL {
        """
        r.Subject_ID = \(key.subject) AND r.Kind = \(key.kind) AND r.Occurs_on = \(key.occursOn) AND r.Lead_days = \(key.lead)
        """
    }

    /// A reminder of a user; nil: it was not said.
    static func reminder(
        _ key: ReminderKey, of user: UserID, on connection: Connection
    ) async throws -> ReminderRow? {
        try await rows(of: user, where: condition(key), on: connection).first
    }

    /// The reminders of a notification.
    static func reminders(
        of user: UserID, number: Int64, on connection: Connection
    ) async throws -> [ReminderRow] {
        try await rows(of: user, where: "r.Notification_no = \(number)", on: connection)
    }

    /// The reminders whose versions lie in a range, by version.
    static func reminders(
        of user: UserID, versions: ClosedRange<Int64>, limit: Int? = nil, on connection: Connection
    ) async throws -> [ReminderRow] {
        var condition: SQL = "r.Ver >= \(versions.lowerBound) AND r.Ver <= \(versions.upperBound) ORDER BY r.Ver"
        if let limit { condition += " LIMIT \(limit)" }
        return try await rows(of: user, where: condition, on: connection)
    }

    /// The place of a reminder in a list.
    struct Place: Sendable {
        let number: Int64
        let version: Int64

        /// A place as a cursor has it; nil: it is none.
        init?(_ fields: [String]) {
            guard fields.count == 2, let number = Int64(fields[0]), let version = Int64(fields[1]) else { return nil }
            (self.number, self.version) = (number, version)
        }

        /// The place of a reminder.
        init(_ row: ReminderRow) { (number, version) = (row.number, row.version) }

        /// The fields of a cursor.
        var fields: [String] { [String(number), String(version)] }
    }

    /// A page of a user's reminders, the newest notification first.
    /// - Parameters:
    ///   - openOn: a day: only those that nobody has answered and that are of use on it, of each matter the last one; nil: all.
    ///   - place: the place after which the page begins.
    static func page(
        of user: UserID, openOn day: CalendarDate?, after place: Place?, limit: Int, on connection: Connection
    ) async throws -> [ReminderRow] {
        var condition: SQL = "TRUE"
        if let day {
            condition += """
                 AND r.Answer IS NULL
                AND DATEDIFF(\(day), r.Occurs_on) <= CASE r.Kind \(daysOfUse) ELSE 0 END
                AND NOT EXISTS (
                    SELECT 1 FROM Reminder o
                    WHERE o.User_ID = r.User_ID AND o.Subject_ID = r.Subject_ID AND o.Kind = r.Kind
                      AND o.Occurs_on = r.Occurs_on AND (o.Lead_days < r.Lead_days OR o.Answer <> 'snooze'))
                """
        }
        if let place {
            condition += """
                 AND (r.Notification_no < \(place.number)
                OR r.Notification_no = \(place.number) AND r.Ver > \(place.version))
                """
        }
        return try await rows(
            of: user, where: "\(condition) ORDER BY r.Notification_no DESC, r.Ver LIMIT \(limit)", on: connection)
    }

    /// The kinds that are of use after their day.
    private static var daysOfUse: SQL {
        let kinds = ReminderKind.allCases.filter { $0.daysOfUse > 0 }
        return SQL.joined(kinds.map { "WHEN \($0) THEN \($0.daysOfUse)" }, separator: " ")
    }

    /// An answer as it is stored.
    struct Answer: Sendable {
        let answer: ReminderAnswer
        let until: CalendarDate?
        let at: Instant
    }

    /// Writes the answer to a reminder that was said.
    static func answer(
        _ key: ReminderKey, of user: UserID, _ answer: Answer, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            UPDATE Reminder r SET r.Answer = \(answer.answer), r.Answered_at = \(answer.at),
                r.Snoozed_until = \(answer.until)
            WHERE r.User_ID = \(user.uuid) AND \(condition(key))
            """)
    }

    /// Writes a reminder that a device has said first, with its answer. It goes out by no way.
    static func insert(
        _ key: ReminderKey, of user: UserID, _ answer: Answer, on connection: Connection
    ) async throws {
        // The version only grows, and no look can have used it: each reminder moves it.
        let number = try await SyncQueries.counter(of: .user(user), on: connection)
        _ = try await connection.execute(
            """
            INSERT INTO Notification (User_ID, Notification_no, Fired_at)
            VALUES (\(user.uuid), \(number), \(answer.at))
            """)
        _ = try await connection.execute(
            """
            INSERT INTO Reminder (User_ID, Subject_ID, Kind, Occurs_on, Lead_days, Notification_no, Answer, Answered_at,
                Snoozed_until)
            VALUES (\(user.uuid), \(key.subject), \(key.kind), \(key.occursOn), \(key.lead), \(number), \(answer.answer),
                \(answer.at), \(answer.until))
            """)
    }
}
