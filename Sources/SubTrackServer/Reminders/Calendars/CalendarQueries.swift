import Foundation
import MariaDB
import Passwords
import SubTrackAPI

extension UserLimit {
    /// Calendars, each with an address of its own.
    static let calendars = UserLimit(
        name: "calendars", standard: 10,
        count: { "SELECT COUNT(*) FROM Calendar_feed WHERE User_ID = \($0.uuid)" },
        refusal: { "A user may have \($0) calendars; delete one that no program reads." },
        // None moves at a sign-in.
        mergeRefusal: { "Together these would be more than \($0) calendars." })
}

/// The statements on calendars. A calendar is found by the hash of its token.
enum CalendarQueries {
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

    /// The user and the name of the calendar at an address; nil: there is none.
    static func feed(_ hash: TokenHash, on connection: Connection) async throws -> (user: UserID, name: String)? {
        try await connection.query("SELECT User_ID, Calendar_name FROM Calendar_feed WHERE Token_hash = \(hash.bytes)")
            .decode((UUID, String).self).first.map { (user: UserID(uuid: $0.0), name: $0.1) }
    }

    /// The scopes of all rows of which a user's calendar is made: the user's own, and those of the plans.
    static func scopes(of user: UserID, on connection: Connection) async throws -> [ScopeID] {
        let plans = try await connection.query(
            """
            SELECT DISTINCT p.Country_ID, p.Owner_ID FROM Subscription s STRAIGHT_JOIN Plan p ON p.Plan_ID = s.Plan_ID
            WHERE s.User_ID = \(user.uuid) AND s.Deleted_at IS NULL
            """
        ).decode((String, UUID?).self)
        let further = Set(
            plans.map { country, owner -> ScopeID in owner.map { ScopeID(uuid: $0) } ?? .country(country) })
        return [.user(user), .reference]
            + further.subtracting([.user(user)]).sorted { $0.uuid.uuidString < $1.uuid.uuidString }
    }
}
