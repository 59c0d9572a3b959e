import Foundation
import MariaDB
import SubTrackAPI

/// How a user is written to.
struct ReminderReader: Sendable {
    let timeZone: String
    let language: MailLanguage
    /// Whether the user's country writes the month first in English: March 3.
    let monthFirst: Bool
    /// The oldest confirmed address that no server has refused; nil: there is none, or the user wants no mails.
    let email: EmailAddress?

    /// The United States with their territories, Canada and the Philippines.
    private static let monthFirstCountries: Set<String> = ["AS", "CA", "GU", "MP", "PH", "PR", "US", "VI"]

    /// Reads a user; nil when there is none, or the user is being removed.
    static func read(_ user: UserID, on connection: Connection) async throws -> ReminderReader? {
        try await read([user], on: connection)[user]
    }

    /// Reads some users. Those that are being removed are left out.
    static func read(_ users: [UserID], on connection: Connection) async throws -> [UserID: ReminderReader] {
        let ids = users.map(\.uuid).filledUp()
        let accounts = try await connection.query(
            """
            SELECT User_ID, Email FROM Account WHERE User_ID IN (\(list: ids)) AND Verified_at IS NOT NULL
            ORDER BY User_ID, COALESCE(Since, Created_at), Email
            """
        ).decode((UUID, String).self)
        let addresses = Dictionary(grouping: accounts, by: \.0).mapValues { $0.map(\.1) }
        // Of several rows of settings the first one that was made holds.
        let rows = try await connection.query(
            """
            SELECT u.User_ID, u.Country_ID, u.Time_zone, s.Language, COALESCE(s.By_mail, TRUE), s.Mail_refused
            FROM `User` u LEFT JOIN Reminder_setting s ON s.User_ID = u.User_ID AND s.Deleted_at IS NULL
            WHERE u.User_ID IN (\(list: ids)) AND NOT EXISTS (SELECT 1 FROM Erasure e WHERE e.User_ID = u.User_ID)
            ORDER BY u.User_ID, s.Created_at, s.Reminder_setting_ID
            """
        ).decode((UUID, String, String, MailLanguage?, Bool, String?).self)
        return Dictionary(
            rows.map { id, country, timeZone, language, byMail, refused in
                let address = byMail ? addresses[id]?.first { $0 != refused }.map(EmailAddress.init(stored:)) : nil
                return (
                    UserID(uuid: id),
                    ReminderReader(
                        timeZone: timeZone, language: language ?? MailLanguage(accepted: nil, country: country),
                        monthFirst: monthFirstCountries.contains(country), email: address)
                )
            }
        ) { first, _ in first }
    }
}
