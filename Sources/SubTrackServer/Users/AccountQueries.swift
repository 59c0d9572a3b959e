import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// The statements on accounts.
enum AccountQueries {
    /// An account as it is stored.
    struct Row: Sendable {
        /// The address as its owner typed it.
        let email: EmailAddress
        /// The encoded hash of its password.
        var password: String
        /// The user that it leads to.
        let user: UserID
        /// Whether its owner has shown to receive mail there.
        let isVerified: Bool
        /// The user's country and time zone.
        let country: String
        let timeZone: String

        /// The password's hash; nil when it cannot be read, which matches no password.
        var hash: PasswordHash? { try? PasswordHash(encoded: password) }

        /// Whether nothing has changed that a compared password stands for: the address, the hash and the user.
        func isStill(_ other: Row) -> Bool {
            email == other.email && password == other.password && user == other.user
        }
    }

    private static let columns: SQL =
        "a.Email, a.Password, a.User_ID, a.Verified_at IS NOT NULL, u.Country_ID, u.Time_zone"

    /// The account of an address in any case; nil when there is none.
    static func account(_ email: EmailAddress, on connection: Connection) async throws -> Row? {
        try await accounts(where: "a.Email_key = LOWER(\(email.text))", on: connection).first
    }

    /// The accounts that lead to a user, the oldest first.
    static func accounts(of user: UserID, on connection: Connection) async throws -> [Row] {
        try await accounts(where: "a.User_ID = \(user.uuid)", on: connection)
    }

    private static func accounts(where condition: SQL, on connection: Connection) async throws -> [Row] {
        let rows = try await connection.query(
            """
            SELECT \(columns) FROM Account a JOIN `User` u ON u.User_ID = a.User_ID
            WHERE \(condition) ORDER BY COALESCE(a.Since, a.Created_at), a.Email
            """)
        return try rows.decode((String, String, UUID, Bool, String, String).self).map { row in
            Row(
                email: EmailAddress(stored: row.0), password: row.1, user: UserID(uuid: row.2), isVerified: row.3,
                country: row.4, timeZone: row.5)
        }
    }

    /// Adds an account that is not verified.
    /// - Throws: `email_taken`.
    static func insert(
        _ email: EmailAddress, hash: PasswordHash, user: UserID, on connection: Connection
    ) async throws {
        do {
            _ = try await connection.execute(
                """
                INSERT INTO Account (Email, Password, User_ID, Since)
                VALUES (\(email.text), \(hash.encoded), \(user.uuid), UTC_TIMESTAMP(6))
                """)
        } catch let error as MariaDBError where error.isDuplicate {
            throw taken
        }
    }

    /// The problem of an address that leads to somebody already.
    static let taken = Problem(
        .emailTaken, "There is an account of this e-mail already; sign in, or ask for a new password.")

    /// Gives an account another hash.
    /// - Parameter former: the hash that it must still have.
    /// - Returns: whether it had.
    @discardableResult
    static func setPassword(
        of email: EmailAddress, to hash: PasswordHash, from former: String, on connection: Connection
    ) async throws -> Bool {
        let changed = try await connection.execute(
            """
            UPDATE Account SET Password = \(hash.encoded)
            WHERE Email = \(email.text) AND Password = \(former)
            """)
        return changed.affectedRows > 0
    }

    /// Notes that mail to an account's address is read by its owner.
    static func verify(_ email: EmailAddress, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            UPDATE Account SET Verified_at = COALESCE(Verified_at, UTC_TIMESTAMP()) WHERE Email = \(email.text)
            """)
    }

    /// Makes an account lead to another user.
    static func give(_ email: EmailAddress, to user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "UPDATE Account SET User_ID = \(user.uuid) WHERE Email = \(email.text)")
    }

    /// Gives an account another address.
    /// - Parameter account: as it was when its password was compared.
    /// - Returns: whether it was so still.
    /// - Throws: `email_taken`.
    static func rename(
        _ account: Row, to new: EmailAddress, keepsVerification: Bool, on connection: Connection
    ) async throws -> Bool {
        do {
            let changed = try await connection.execute(
                """
                UPDATE Account SET Email = \(new.text), Verified_at = IF(\(keepsVerification), Verified_at, NULL),
                                   Since = IF(\(keepsVerification), Since, UTC_TIMESTAMP(6))
                WHERE Email = \(account.email.text) AND User_ID = \(account.user.uuid)
                  AND Password = \(account.password)
                """)
            return changed.affectedRows > 0
        } catch let error as MariaDBError where error.isDuplicate {
            throw taken
        }
    }

    /// Removes an account.
    static func delete(_ email: EmailAddress, of user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "DELETE FROM Account WHERE Email = \(email.text) AND User_ID = \(user.uuid)")
    }

    /// Names a user who has no name yet.
    static func nameUser(_ user: UserID, _ name: String?, on connection: Connection) async throws {
        guard let name else { return }
        _ = try await connection.execute(
            "UPDATE `User` SET User_name = \(name) WHERE User_ID = \(user.uuid) AND User_name IS NULL")
    }

    /// Names a user who has no name yet as another one is named.
    static func takeName(of former: UserID, for user: UserID, on connection: Connection) async throws {
        let names = try await connection.query("SELECT User_name FROM `User` WHERE User_ID = \(former.uuid)")
        try await nameUser(user, try names.decode(String?.self).first ?? nil, on: connection)
    }

    /// Notes that all devices of a user are known: an account leads to the user from now on.
    static func knowDevices(of user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Known_device (User_ID, Device_ID)
            SELECT User_ID, Device_ID FROM Device WHERE User_ID = \(user.uuid)
            ON DUPLICATE KEY UPDATE Since = Known_device.Since
            """)
    }
}
