import Foundation
import MariaDB
import SubTrackAPI

/// How a user wants to be reminded, as it is stored.
struct StoredReminderSettings: Sendable, Encodable {
    /// Minutes from midnight on the user's clock.
    let remindAt: Int
    /// nil: the language of the country.
    let language: MailLanguage?
    /// After how many days an unanswered reminder comes again; nil: never.
    let repeatDays: Int?
    /// 1 Monday … 7 Sunday; nil: no weekly digest.
    let weeklyOn: Int?
    let byMail: Bool
    /// The days ahead, by kind.
    var leads: [String: [Int]]
}

extension MailLanguage: Encodable {}

/// The statements on the settings of reminders.
enum ReminderSettingQueries {
    /// The settings of users that have stored some.
    static func settings(
        of users: [UserID], on connection: Connection
    ) async throws -> [UserID: StoredReminderSettings] {
        let list: SQL = "\(list: users.map(\.uuid).filledUp())"
        let rows = try await connection.query(
            """
            SELECT User_ID, TIME_TO_SEC(Remind_at) DIV 60, Language, Repeat_days, Weekly_on, By_mail
            FROM Reminder_setting WHERE User_ID IN (\(list))
            """
        ).decode((UUID, Int, MailLanguage?, Int?, Int?, Bool).self)
        guard !rows.isEmpty else { return [:] }
        var settings: [UserID: StoredReminderSettings] = [:]
        for row in rows {
            settings[UserID(uuid: row.0)] = StoredReminderSettings(
                remindAt: row.1, language: row.2, repeatDays: row.3, weeklyOn: row.4, byMail: row.5, leads: [:])
        }
        let leads = try await connection.query(
            "SELECT User_ID, Kind, Lead_days FROM Reminder_lead WHERE User_ID IN (\(list)) ORDER BY Lead_days DESC"
        ).decode((UUID, String, Int).self)
        for (user, kind, days) in leads { settings[UserID(uuid: user)]?.leads[kind, default: []].append(days) }
        return settings
    }
}
