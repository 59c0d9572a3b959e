import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A user's settings of reminders, as the database has them.
struct ReminderSettingRow: Sendable {
    /// Minutes from midnight on the user's clock.
    let remindAt: Int
    /// nil: the language of the country, also where SQL has set one that no mail is written in.
    let language: MailLanguage?
    /// After how many days an unanswered reminder comes again; nil: never.
    let repeatDays: Int?
    /// 1 Monday … 7 Sunday; nil: no weekly digest.
    let weeklyOn: Int?
    let byMail: Bool
    /// All days ahead that there are. A kind with none is not said.
    var leads: ReminderLeads
    /// The version in the user's scope.
    let version: Int64

    /// The row as clients hold it.
    var stored: StoredReminderSettings {
        StoredReminderSettings(
            remindAt: ClockTime(minute: remindAt).description, language: language?.rawValue, repeatDays: repeatDays,
            weeklyOn: weeklyOn, byMail: byMail, leads: leads)
    }

    /// The settings as the rules take them.
    var rules: ReminderSettings {
        ReminderSettings(
            minute: remindAt, repeatDays: repeatDays, weekday: weeklyOn,
            leads: Dictionary(uniqueKeysWithValues: ReminderLeads.kinds.map { ($0, leads[$0]) }))
    }
}

/// The statements on the settings of reminders.
enum ReminderSettingQueries {
    /// The settings of users that have stored some.
    static func settings(
        of users: [UserID], on connection: Connection
    ) async throws -> [UserID: ReminderSettingRow] {
        let list: SQL = "\(list: users.map(\.uuid).filledUp())"
        let rows = try await connection.query(
            """
            SELECT User_ID, TIME_TO_SEC(Remind_at) DIV 60, Language, Repeat_days, Weekly_on, By_mail, Ver
            FROM Reminder_setting WHERE User_ID IN (\(list))
            """
        ).decode((UUID, Int, String?, Int?, Int?, Bool, Int64).self)
        guard !rows.isEmpty else { return [:] }
        var settings: [UserID: ReminderSettingRow] = [:]
        for row in rows {
            settings[UserID(uuid: row.0)] = ReminderSettingRow(
                remindAt: row.1, language: row.2.flatMap(MailLanguage.init), repeatDays: row.3, weeklyOn: row.4,
                byMail: row.5, leads: .none,
                version: row.6)
        }
        let leads = try await connection.query(
            "SELECT User_ID, Kind, Lead_days FROM Reminder_lead WHERE User_ID IN (\(list)) ORDER BY Lead_days DESC"
        ).decode((UUID, ReminderKind, Int).self)
        for (user, kind, days) in leads { settings[UserID(uuid: user)]?.leads[kind].append(days) }
        return settings
    }

    /// Stores a user's settings, in a transaction that has the user's scope locked.
    /// - Parameter former: the stored ones; nil: there are none.
    static func write(
        _ settings: StoredReminderSettings, over former: StoredReminderSettings?, of user: UserID,
        on connection: Connection
    ) async throws {
        let seconds = (ClockTime(settings.remindAt)?.minute ?? ReminderSettings.usualMinute) * 60
        if former == nil {
            _ = try await connection.execute(
                """
                INSERT INTO Reminder_setting (User_ID, Remind_at, Language, Repeat_days, Weekly_on, By_mail)
                VALUES (\(user.uuid), SEC_TO_TIME(\(seconds)), \(settings.language), \(settings.repeatDays),
                    \(settings.weeklyOn), \(settings.byMail))
                """)
        } else {
            _ = try await connection.execute(
                """
                UPDATE Reminder_setting SET Remind_at = SEC_TO_TIME(\(seconds)), Language = \(settings.language),
                    Repeat_days = \(settings.repeatDays), Weekly_on = \(settings.weeklyOn), By_mail = \(settings.byMail)
                WHERE User_ID = \(user.uuid)
                """)
        }
        let changed = ReminderLeads.kinds.filter { settings.leads[$0] != (former?.leads ?? .none)[$0] }
        guard !changed.isEmpty else { return }
        if former != nil {
            _ = try await connection.execute(
                "DELETE FROM Reminder_lead WHERE User_ID = \(user.uuid) AND Kind IN (\(list: changed))")
        }
        let leads = changed.flatMap { kind in settings.leads[kind].map { (kind: kind, days: $0) } }
        guard !leads.isEmpty else { return }
        _ = try await connection.execute(
            """
            INSERT INTO Reminder_lead (User_ID, Kind, Lead_days)
            VALUES \(SQL.joined(leads.map { "(\(user.uuid), \($0.kind), \($0.days))" }))
            """)
    }
}
