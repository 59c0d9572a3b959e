import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

extension UserLimit {
    /// Calendars with an address of their own.
    static let calendars = UserLimit(
        name: "calendars", standard: 10,
        count: { "SELECT COUNT(*) FROM Calendar_feed WHERE User_ID = \($0.uuid)" },
        refusal: { "A user may have \($0) calendars; delete one that no program reads." },
        mergeRefusal: {
            "Together with the account's these would be more than \($0) calendars; delete some on this device first."
        })
}

/// The statements on calendars.
enum CalendarQueries {
    /// A calendar at an address, with its user.
    struct Feed: Sendable {
        let user: UserID
        let name: String
        let country: String
        let timeZone: String
    }

    /// Adds a calendar of a user.
    static func insert(
        _ calendar: CalendarFeed, _ hash: TokenHash, of user: UserID, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Calendar_feed (Token_hash, User_ID, Calendar_ID, Calendar_name, Created_at)
            VALUES (\(hash.bytes), \(user.uuid), \(calendar.id), \(calendar.name), \(calendar.createdAt))
            """)
    }

    /// The calendars of a user, the newest first.
    static func list(of user: UserID, on connection: Connection) async throws -> [CalendarFeed] {
        try await connection.query(
            """
            SELECT Calendar_ID, Calendar_name, Created_at FROM Calendar_feed
            WHERE User_ID = \(user.uuid) ORDER BY Created_at DESC, Calendar_ID DESC
            """
        ).decode((UUID, String, Instant).self).map { CalendarFeed(id: $0.0, name: $0.1, createdAt: $0.2) }
    }

    /// Removes a calendar of a user.
    /// - Returns: whether there was one.
    static func delete(_ id: UUID, of user: UserID, on connection: Connection) async throws -> Bool {
        try await connection.execute(
            "DELETE FROM Calendar_feed WHERE User_ID = \(user.uuid) AND Calendar_ID = \(id)"
        ).affectedRows > 0
    }

    /// Makes the calendars of one user another's. Their addresses stay.
    static func move(_ former: UserID, to user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "UPDATE Calendar_feed SET User_ID = \(user.uuid) WHERE User_ID = \(former.uuid)")
    }

    /// The calendar of an address; nil where there is none, or its user was deleted.
    static func feed(_ hash: TokenHash, on connection: Connection) async throws -> Feed? {
        try await connection.query(
            """
            SELECT f.User_ID, f.Calendar_name, u.Country_ID, u.Time_zone
            FROM Calendar_feed f JOIN `User` u ON u.User_ID = f.User_ID
            WHERE f.Token_hash = \(hash.bytes)
              AND NOT EXISTS (SELECT 1 FROM Erasure e WHERE e.User_ID = f.User_ID)
            """
        ).decode((UUID, String, String, String).self).first.map {
            Feed(user: UserID(uuid: $0.0), name: $0.1, country: $0.2, timeZone: $0.3)
        }
    }

    /// The scopes of all rows of which a user's calendar is made: the user's own, and those of the plans.
    static func scopes(of user: UserID, on connection: Connection) async throws -> [ScopeID] {
        let plans = try await connection.query(
            """
            SELECT DISTINCT p.Country_ID, p.Owner_ID FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID
            WHERE s.User_ID = \(user.uuid) AND s.Deleted_at IS NULL
            """
        ).decode((String, UUID?).self)
        let further = plans.map { country, owner in owner.map { ScopeID(uuid: $0) } ?? .country(country) }
        let sorted = Set(further).subtracting([.user(user)]).sorted { $0.uuid.uuidString < $1.uuid.uuidString }
        return [.user(user), .reference] + sorted
    }

    /// A date of a contact.
    struct ContactDate: Sendable {
        let contact: UUID
        let name: String
        let version: Int64
        let date: StoredContact.Occasion
    }

    /// The dates of a user's contacts that are not deleted.
    static func dates(of user: UserID, on connection: Connection) async throws -> [ContactDate] {
        try await connection.query(
            """
            SELECT c.Contact_ID, CONCAT(c.First_name, ' ', c.Last_name), c.Ver, d.Date_ID, d.Happens_on, d.Yearly,
                d.Reminder_days, d.Date_type
            FROM Contact c JOIN Contact_date d ON d.User_ID = c.User_ID AND d.Contact_ID = c.Contact_ID
            WHERE c.User_ID = \(user.uuid) AND c.Deleted_at IS NULL ORDER BY c.Contact_ID, d.Date_ID
            """
        ).decode((UUID, String, Int64, UUID, String, Bool, Int?, String).self).map { row in
            ContactDate(
                contact: row.0, name: row.1, version: row.2,
                date: .init(id: row.3, date: row.4, yearly: row.5, reminderDays: row.6, type: row.7))
        }
    }
}
