import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The rows of a user by which a look decides.
struct LookRows {
    /// A user as a look reads it.
    struct Person: Sendable {
        let id: UserID
        let timeZone: String
        /// The time of the last look; nil: there was none.
        let lookedAt: Instant?
        /// The time for which a look was planned; nil: none was.
        let nextAt: Instant?
    }

    let person: Person
    let settings: ReminderSettings
    let subjects: [ReminderSubject]
    /// The reminders of before, with their answers.
    let said: [SaidReminder]

    /// For how many days back reminders are read: an overdue one is of use the longest.
    private static let daysBack = 61
    /// And for how many days ahead: no lead is longer than a year.
    private static let daysAhead = 400

    /// The rules for the user's things.
    var rules: ReminderRules {
        ReminderRules(user: person.id.uuid, settings: settings, timeZone: person.timeZone, subjects: subjects)
    }

    /// Decides which reminders are said now, and the time of the next look.
    func look(at now: Instant) -> ReminderRules.Look {
        rules.look(at: now, said: said, lookedAt: person.lookedAt, plannedAt: person.nextAt)
    }

    /// Reads the rows of some users, by a few statements for all of them. Users that were deleted are left out.
    /// - Parameter hasDates: whether the tenant has contacts.
    static func read(
        _ users: [UserID], hasDates: Bool, now: Instant, on connection: Connection
    ) async throws -> [LookRows] {
        let people = try await people(users, on: connection)
        guard !people.isEmpty else { return [] }
        let ids = people.map(\.id)
        let today = now.date(secondsFromUTC: 0)
        let settings = try await settings(of: ids, on: connection)
        var subjects = Dictionary(
            grouping: try await SubjectQueries.subscriptions(of: ids, today: today, on: connection), by: \.user
        ).mapValues { $0.map(\.subject) }
        for date in hasDates ? try await SubjectQueries.dates(of: ids, on: connection) : [] {
            subjects[date.user, default: []].append(.date(id: date.occasion.id, date.occasion))
        }
        let said = try await said(to: ids, since: today.adding(days: -daysBack), on: connection)
        return people.map { person in
            LookRows(
                person: person, settings: settings[person.id] ?? ReminderSettings(),
                subjects: subjects[person.id] ?? [], said: said[person.id] ?? [])
        }
    }

    static func people(_ users: [UserID], on connection: Connection) async throws -> [Person] {
        try await connection.query(
            """
            SELECT u.User_ID, u.Time_zone, g.Looked_at, g.Next_at
            FROM `User` u LEFT JOIN Agenda g ON g.User_ID = u.User_ID
            WHERE u.User_ID IN (\(list: users.map(\.uuid).filledUp()))
              AND NOT EXISTS (SELECT 1 FROM Erasure e WHERE e.User_ID = u.User_ID)
            """
        ).decode((UUID, String, Instant?, Instant?).self).map { row in
            Person(id: UserID(uuid: row.0), timeZone: row.1, lookedAt: row.2, nextAt: row.3)
        }
    }

    /// The settings of those of some users that have any.
    static func settings(of users: [UserID], on connection: Connection) async throws -> [UserID: ReminderSettings] {
        let ids = users.map(\.uuid).filledUp()
        // Of several rows the first one that was made holds.
        let rows = try await connection.query(
            """
            SELECT User_ID, Remind_at, Repeat_days, Weekly_on FROM Reminder_setting
            WHERE User_ID IN (\(list: ids)) AND Deleted_at IS NULL ORDER BY User_ID, Created_at, Reminder_setting_ID
            """
        ).decode((UUID, String, Int?, Int?).self)
        let settings = Dictionary(
            rows.map { row in
                (row.0, StoredReminderSetting(remindAt: row.1, repeatDays: row.2, weeklyOn: row.3))
            }
        ) { first, _ in first }
        let leads = try await connection.query(
            "SELECT User_ID, Kind, Days FROM Reminder_lead WHERE User_ID IN (\(list: ids)) AND Deleted_at IS NULL"
        ).decode((UUID, String, Int?).self).compactMap { user, kind, days in
            ReminderKind(rawValue: kind).map { (user: user, lead: StoredReminderLead(kind: $0, days: days)) }
        }
        let byUser = Dictionary(grouping: leads, by: \.user).mapValues { $0.map(\.lead) }
        return Dictionary(
            Set(settings.keys).union(byUser.keys).map { user in
                (UserID(uuid: user), ReminderSettings(settings[user], leads: byUser[user] ?? []))
            }
        ) { first, _ in first }
    }

    /// The reminders of some users about days from one on. A deleted one counts as answered.
    private static func said(
        to users: [UserID], since day: CalendarDate, on connection: Connection
    ) async throws -> [UserID: [SaidReminder]] {
        let rows = try await connection.query(
            """
            SELECT User_ID, Subject_ID, Kind, Occurs_on, Lead_days, IF(Deleted_at IS NULL, Answer, 'done'), Snoozed_until
            FROM Reminder WHERE User_ID IN (\(list: users.map(\.uuid).filledUp())) AND Occurs_on BETWEEN \(day) AND \(day.adding(days: daysBack + daysAhead))
            """
        ).decode((UUID, UUID, String, CalendarDate, Int, String?, CalendarDate?).self)
        var said: [UserID: [SaidReminder]] = [:]
        for row in rows {
            guard let kind = ReminderKind(rawValue: row.2) else { continue }
            said[UserID(uuid: row.0), default: []].append(
                SaidReminder(
                    key: ReminderKey(subject: row.1, kind: kind, occursOn: row.3, lead: row.4),
                    answer: row.5.flatMap(ReminderAnswer.init(rawValue:)), snoozedUntil: row.6))
        }
        return said
    }
}
