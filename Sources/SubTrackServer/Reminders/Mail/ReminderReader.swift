import MariaDB
import SubTrackAPI

/// How a user is written to.
struct ReminderReader: Sendable {
    let timeZone: String
    let language: MailLanguage
    /// Whether the user wants mails.
    let byMail: Bool

    /// Reads a user; nil when there is none, or the user is being removed.
    static func read(_ user: UserID, on connection: Connection) async throws -> ReminderReader? {
        try await connection.query(
            """
            SELECT u.Country_ID, u.Time_zone, s.Language, COALESCE(s.By_mail, TRUE)
            FROM `User` u LEFT JOIN Reminder_setting s ON s.User_ID = u.User_ID AND s.Deleted_at IS NULL
            WHERE u.User_ID = \(user.uuid) AND NOT EXISTS (SELECT 1 FROM Erasure e WHERE e.User_ID = u.User_ID)
            ORDER BY s.Created_at, s.Reminder_setting_ID LIMIT 1
            """
        ).decode((String, String, MailLanguage?, Bool).self).first.map { country, timeZone, language, byMail in
            ReminderReader(
                timeZone: timeZone, language: language ?? MailLanguage(accepted: nil, country: country), byMail: byMail)
        }
    }
}
