import Foundation
import MariaDB
import SubTrackAPI

/// The statements on users.
enum UserQueries {
    /// A user with the accounts that lead to it.
    static func user(_ user: UserID, on connection: Connection) async throws -> User? {
        let rows = try await connection.query(
            """
            SELECT u.User_name, u.Country_ID, u.Time_zone, u.Ver, a.Email, a.Verified_at IS NOT NULL
            FROM `User` u LEFT JOIN Account a ON a.User_ID = u.User_ID
            WHERE u.User_ID = \(user.uuid) ORDER BY a.Email
            """)
        let values = try rows.decode((String?, String, String, Int64, String?, Bool).self)
        guard let (name, country, zone, version, _, _) = values.first else { return nil }
        let accounts = values.compactMap { row in row.4.map { User.Account(email: $0, verified: row.5) } }
        return User(
            id: user.uuid, userName: name, country: country, timeZone: zone, accounts: accounts, version: version)
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
        // What is stored, not what was typed: trailing spaces do not count in comparisons.
        return try rows.decode(String.self).first
    }

    /// Adds a user without name.
    static func insert(
        _ user: UserID, country: String, timeZone: String, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            "INSERT INTO `User` (User_ID, Country_ID, Time_zone) VALUES (\(user.uuid), \(country), \(timeZone))")
    }

    /// Writes what a user says of himself or herself.
    static func update(_ user: User, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            UPDATE `User` SET User_name = \(user.userName), Country_ID = \(user.country), Time_zone = \(user.timeZone)
            WHERE User_ID = \(user.id)
            """)
    }

    /// Whether a user keeps anything: subscriptions, also deleted ones that can be restored, or plans.
    static func hasData(_ user: UserID, on connection: Connection) async throws -> Bool {
        let rows = try await connection.query(
            """
            SELECT EXISTS (SELECT 1 FROM Subscription WHERE User_ID = \(user.uuid))
                OR EXISTS (SELECT 1 FROM Plan WHERE Owner_ID = \(user.uuid))
            """)
        return try rows.decode(Bool.self).first ?? false
    }

    /// The periods that have ended, of all subscriptions of a user, by subscription and number.
    /// - Parameter areDeleted: whether those of deleted subscriptions are wanted, or else of the others.
    static func endedPeriods(
        of user: UserID, areDeleted: Bool = false, on connection: Connection
    ) async throws -> [UUID: [Period]] {
        let condition: SQL = areDeleted ? "s.Deleted_at IS NOT NULL" : "s.Deleted_at IS NULL"
        let rows = try await connection.query(
            """
            SELECT p.Subscription_ID, p.Period, p.Start_date, p.End_date, p.Fee, p.Currency_code, p.Free_trial
            FROM Subscription s JOIN Subscription_period p ON p.Subscription_ID = s.Subscription_ID
            WHERE s.User_ID = \(user.uuid) AND \(condition) ORDER BY p.Subscription_ID, p.Period
            """)
        var periods: [UUID: [Period]] = [:]
        for row in try rows.decode((UUID, Int, CalendarDate, CalendarDate, Amount, String, Bool).self) {
            periods[row.0, default: []].append(
                Period(
                    number: row.1, startDate: row.2, endDate: row.3, fee: row.4, currency: row.5, freeTrial: row.6))
        }
        return periods
    }

    /// Deletes a user with all that is the user's; the triggers see to it.
    static func delete(_ user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM `User` WHERE User_ID = \(user.uuid)")
    }
}
