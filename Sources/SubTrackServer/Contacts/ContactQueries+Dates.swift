import Foundation
import MariaDB
import SubTrackAPI

extension ContactQueries {
    /// A date of a contact, with the contact's names.
    struct NamedDate: Sendable {
        let occasion: StoredContact.Occasion
        let firstName: String
        let lastName: String
    }

    /// A date of a user's contact; nil: there is none of this id, or the contact is deleted.
    static func date(_ id: UUID, of user: UserID, on connection: Connection) async throws -> NamedDate? {
        try await connection.query(
            """
            SELECT d.Happens_on, d.Yearly, d.Reminder_days, d.Date_type, c.First_name, c.Last_name
            FROM Contact_date d JOIN Contact c ON c.User_ID = d.User_ID AND c.Contact_ID = d.Contact_ID
            WHERE d.User_ID = \(user.uuid) AND d.Date_ID = \(id) AND c.Deleted_at IS NULL LIMIT 1
            """
        ).decode((String, Bool, Int?, String, String, String).self).first.map { row in
            NamedDate(
                occasion: .init(id: id, date: row.0, yearly: row.1, reminderDays: row.2, type: row.3),
                firstName: row.4, lastName: row.5)
        }
    }
}
