import Foundation
import MariaDB
import SubTrackAPI

/// The mails of looks: one for each user to whom a look has said something.
enum MailedLooks {
    /// For how many hours it is tried to hand a mail over.
    private static let hoursQueued = 72

    /// Queues the mails of some looks, in their transaction. A user without a confirmed address gets none,
    /// nor one that wants no mails.
    /// - Returns: whether there is one.
    static func queue(_ results: [LookQueries.Result], now: Instant, on connection: Connection) async throws -> Bool {
        let told = results.filter { !$0.look.due.isEmpty }
        guard !told.isEmpty else { return false }
        let accounts = try await connection.query(
            """
            SELECT a.User_ID, a.Email, u.Country_ID FROM Account a JOIN `User` u ON u.User_ID = a.User_ID
            WHERE a.User_ID IN (\(list: told.map(\.user.uuid).filledUp())) AND a.Verified_at IS NOT NULL
              AND NOT EXISTS (
                SELECT 1 FROM Reminder_setting s WHERE s.User_ID = a.User_ID AND s.Deleted_at IS NULL AND NOT s.By_mail)
            ORDER BY a.User_ID, COALESCE(a.Since, a.Created_at), a.Email
            """
        ).decode((UUID, String, String).self)
        let addresses = Dictionary(accounts.map { (UserID(uuid: $0.0), $0) }) { first, _ in first }
        for result in told {
            guard let (_, email, country) = addresses[result.user] else { continue }
            try await MailQueries.insert(
                NotificationReference.kind, to: EmailAddress(stored: email),
                detail: NotificationReference(user: result.user, number: result.version).text,
                language: MailLanguage(accepted: nil, country: country), id: try UUIDv7.make(now: now),
                hoursQueued: hoursQueued, on: connection)
        }
        return !addresses.isEmpty
    }
}
