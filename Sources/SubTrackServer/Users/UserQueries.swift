import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements on users.
enum UserQueries {
    /// A user with the accounts that lead to it; nil when there is none.
    static func user(_ user: UserID, on connection: Connection) async throws -> User? {
        try await userWithGroups(user, on: connection)?.user
    }

    /// A user with the accounts that lead to it and the versions of the row's merge groups; nil when there is none.
    static func userWithGroups(
        _ user: UserID, on connection: Connection
    ) async throws -> (user: User, groups: [FieldGroup: Int64])? {
        let rows = try await connection.query(
            """
            SELECT u.User_name, u.Country_ID, u.Time_zone, u.Ver, a.Email, a.Verified_at IS NOT NULL,
                COALESCE(u.Ver_name, u.Ver), COALESCE(u.Ver_country, u.Ver), COALESCE(u.Ver_zone, u.Ver)
            FROM `User` u LEFT JOIN Account a ON a.User_ID = u.User_ID
            WHERE u.User_ID = \(user.uuid) AND \(user.isNotErased) ORDER BY a.Email
            """)
        guard let first = rows.first else { return nil }
        let accounts = try rows.compactMap { row in
            try row.decode(String?.self, at: 4).map {
                User.Account(email: $0, verified: try row.decode(Bool.self, at: 5))
            }
        }
        let groups: [FieldGroup: Int64] = [
            .name: try first.decode(Int64.self, at: 6), .country: try first.decode(Int64.self, at: 7),
            .zone: try first.decode(Int64.self, at: 8),
        ]
        return (
            User(
                id: user.uuid, userName: try first.decode(String?.self, at: 0),
                country: try first.decode(String.self, at: 1), timeZone: try first.decode(String.self, at: 2),
                accounts: accounts, version: try first.decode(Int64.self, at: 3)),
            groups
        )
    }

    /// The country of this code, or the tenant's own when no code is given; nil when there is no such country.
    static func country(_ code: String?, on connection: Connection) async throws -> String? {
        var code = code
        if code == nil {
            // Two statements: a value of another character set than the column's would find no index.
            code = try await connection.query(
                "SELECT Setting_value FROM Setting WHERE Setting_name = 'Default_country'"
            ).decode(String.self).first
        }
        let rows = try await connection.query("SELECT Country_ID FROM Country WHERE Country_ID = \(code ?? "US")")
        // The stored value, not the typed one: trailing spaces do not count in comparisons.
        return try rows.decode(String.self).first
    }

    /// Adds a user without name.
    static func insert(
        _ user: UserID, country: String, timeZone: String, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            "INSERT INTO `User` (User_ID, Country_ID, Time_zone) VALUES (\(user.uuid), \(country), \(timeZone))")
    }

    /// Writes a user's name, country and time zone.
    static func update(_ user: User, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            UPDATE `User` SET User_name = \(user.userName), Country_ID = \(user.country), Time_zone = \(user.timeZone)
            WHERE User_ID = \(user.id)
            """)
    }

    /// Deletes a user without a request for it. The sessions end first. The devices are told so (`token_ended`) and
    /// keep unsent changes; `user_deleted` would have them drop these.
    static func deleteUnasked(_ user: UserID, on connection: Connection) async throws {
        try await SessionQueries.deleteAll(of: user, but: nil, on: connection)
        try await delete(user, on: connection)
    }

    /// Deletes a user with all that is the user's; the triggers see to it. The user's devices are told so.
    static func delete(_ user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM `User` WHERE User_ID = \(user.uuid)")
    }

    /// Ends a user at once, in a transaction that has the user's scope locked. No session, no address and no operation
    /// leads to the user's rows from the commit on. ``UserErasure`` removes them.
    static func erase(_ user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "INSERT INTO Erasure (User_ID) VALUES (\(user.uuid)) ON DUPLICATE KEY UPDATE Erased_at = Erased_at")
    }

    /// Deletes a user of any size that nobody asked to delete: the devices' tokens end, and the devices keep their data.
    static func eraseUnasked(_ user: UserID, on connection: Connection) async throws {
        try await SessionQueries.deleteAll(of: user, but: nil, on: connection)
        try await erase(user, on: connection)
    }
}
