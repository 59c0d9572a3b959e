import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// The statements on devices and their sessions.
enum SessionQueries {
    /// The row of a token.
    enum Presented {
        /// It is a session's. `isStale`: its last use was noted more than an hour ago.
        case valid(Session, isStale: Bool)
        /// It was ended, or unused for too long.
        case ended
        /// Its user was deleted.
        case userDeleted
        /// It is nobody's.
        case unknown
    }

    /// A session of a user with account ends when it was not used for so many days.
    static let daysUnused = 400
    /// How many devices a user may have: beyond, those that were not used for the longest time go.
    static let maximumDevices = 100
    /// How many devices are remembered as known, those included on which the user is not signed in any more.
    static let maximumKnown = 200

    /// A row that ``seen(_:)`` reads.
    private static let columns: SQL =
        """
        s.Session_ID, d.Device_ID, u.User_ID, u.Country_ID, u.Time_zone,
        EXISTS (SELECT 1 FROM Account a WHERE a.User_ID = u.User_ID),
        s.Last_used_at < UTC_TIMESTAMP() - INTERVAL 1 HOUR,
        s.Last_used_at < UTC_TIMESTAMP() - INTERVAL \(daysUnused) DAY, s.Token_hash
        """

    private static let tables: SQL =
        "Session s JOIN Device d ON d.Device_ID = s.Device_ID JOIN `User` u ON u.User_ID = d.User_ID"

    /// The sessions of rows.
    private static func seen(_ rows: Rows) throws -> [(presented: Presented, tokenHash: TokenHash)] {
        try rows.decode((UUID, UUID, UUID, String, String, Bool, Bool, Bool, [UInt8]).self).compactMap { row in
            guard let tokenHash = TokenHash(row.8) else { return nil }
            let session = Session(
                id: row.0, device: row.1, user: UserID(uuid: row.2), country: row.3, timeZone: row.4,
                hasAccount: row.5, tokenHash: tokenHash)
            // A user without an account cannot sign in again: that token does not end.
            return (row.7 && row.5 ? .ended : .valid(session, isStale: row.6), tokenHash)
        }
    }

    /// How many tokens ``presented(tokenHashes:on:)`` takes at the most.
    static let batch = 64
    /// As many as a small tenant's people have at the same time.
    private static let few = 8

    /// The sessions of tokens, with their hashes; tokens without a session are left out.
    /// - Parameter hashes: at most ``batch``.
    static func presented(
        tokenHashes hashes: [TokenHash], on connection: Connection
    ) async throws -> [(presented: Presented, tokenHash: TokenHash)] {
        guard let last = hashes.last else { return [] }
        // Always as many or as few, so that it is two statements, each prepared once.
        let places = hashes.count <= few ? few : batch
        let all = hashes.prefix(places) + Array(repeating: last, count: max(0, places - hashes.count))
        let list = SQL.joined(all.map { hash -> SQL in "\(hash.bytes)" })
        // Where a table has few rows, the server would read all of them in place of some by key. For each request of a
        // tenant with twenty people that costs more than the answer.
        return try seen(
            try await connection.query(
                """
                SELECT STRAIGHT_JOIN \(columns) FROM Session s FORCE INDEX (Session_token)
                JOIN Device d FORCE INDEX (PRIMARY) ON d.Device_ID = s.Device_ID
                JOIN `User` u FORCE INDEX (PRIMARY) ON u.User_ID = d.User_ID
                WHERE s.Token_hash IN (\(list))
                """))
    }

    /// The session of a token, by its hash.
    static func presented(tokenHash: TokenHash, on connection: Connection) async throws -> Presented {
        let rows = try await connection.query(
            "SELECT \(columns) FROM \(tables) WHERE s.Token_hash = \(tokenHash.bytes)")
        if let row = try seen(rows).first { return row.presented }
        let ended = try await connection.query(
            "SELECT User_deleted FROM Ended_session WHERE Token_hash = \(tokenHash.bytes)")
        switch try ended.decode(Bool.self).first {
        case true?: return .userDeleted
        case false?: return .ended
        case nil: return .unknown
        }
    }

    /// Whether a session that was looked up before is still there, with the same user.
    static func isOpen(_ session: Session, on connection: Connection) async throws -> Bool {
        let rows = try await connection.query(
            """
            SELECT 1 FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID
            WHERE s.Session_ID = \(session.id) AND d.User_ID = \(session.user.uuid)
            """)
        return try rows.decode(Int.self).first != nil
    }

    /// Notes that a session is being used.
    static func touch(_ session: UUID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "UPDATE Session SET Last_used_at = UTC_TIMESTAMP() WHERE Session_ID = \(session)")
    }

    /// A device's name and user; nil when there is no such device.
    /// - Returns: also whether somebody is signed in on it.
    static func device(
        _ id: UUID, on connection: Connection
    ) async throws -> (name: String, user: UserID, isSignedIn: Bool)? {
        let rows = try await connection.query(
            """
            SELECT Device_name, User_ID, EXISTS (SELECT 1 FROM Session s WHERE s.Device_ID = d.Device_ID)
            FROM Device d WHERE Device_ID = \(id)
            """)
        return try rows.decode((String, UUID, Bool).self).first.map { name, user, isSignedIn in
            (name: name, user: UserID(uuid: user), isSignedIn: isSignedIn)
        }
    }

    /// Whether somebody is signed in on a device.
    static func isSignedIn(device: UUID, on connection: Connection) async throws -> Bool {
        try await connection.query("SELECT 1 FROM Session WHERE Device_ID = \(device) LIMIT 1").decode(Int.self).first
            != nil
    }

    /// Which of these hashes belong to a session.
    static func tokenHashes(among hashes: [[UInt8]], on connection: Connection) async throws -> [[UInt8]] {
        try await connection.query("SELECT Token_hash FROM Session WHERE Token_hash IN (\(list: hashes))")
            .decode([UInt8].self)
    }

    /// Adds a device of a user.
    static func insert(device: UUID, name: String, user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "INSERT INTO Device (Device_ID, User_ID, Device_name) VALUES (\(device), \(user.uuid), \(name))")
    }

    /// Makes a device another user's.
    static func update(device: UUID, name: String, user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "UPDATE Device SET User_ID = \(user.uuid), Device_name = \(name) WHERE Device_ID = \(device)")
    }

    /// Makes all devices of one user another's.
    static func moveDevices(_ former: UserID, to user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute("UPDATE Device SET User_ID = \(user.uuid) WHERE User_ID = \(former.uuid)")
    }

    /// Adds a session of a device, and ends the device's others.
    static func replace(
        session: UUID, device: UUID, tokenHash: [UInt8], on connection: Connection
    ) async throws {
        _ = try await connection.execute("DELETE FROM Session WHERE Device_ID = \(device)")
        _ = try await connection.execute(
            "INSERT INTO Session (Session_ID, Device_ID, Token_hash) VALUES (\(session), \(device), \(tokenHash))")
    }

    /// A user's sessions, the last used first.
    /// - Parameter after: the time and id of the last one of the page before.
    static func list(
        of user: UserID, after: (time: Instant, id: UUID)?, limit: Int, on connection: Connection
    ) async throws -> [(id: UUID, device: Device, createdAt: Instant, lastUsedAt: Instant)] {
        var filter: SQL = "d.User_ID = \(user.uuid)"
        if let (time, id) = after {
            filter += " AND (s.Last_used_at < \(time) OR (s.Last_used_at = \(time) AND s.Session_ID > \(id)))"
        }
        let rows = try await connection.query(
            """
            SELECT s.Session_ID, d.Device_ID, d.Device_name, s.Created_at, s.Last_used_at
            FROM Device d JOIN Session s ON s.Device_ID = d.Device_ID
            WHERE \(filter) ORDER BY s.Last_used_at DESC, s.Session_ID LIMIT \(limit)
            """)
        return try rows.decode((UUID, UUID, String, Instant, Instant).self).map { id, device, name, created, used in
            (id: id, device: Device(id: device, name: name), createdAt: created, lastUsedAt: used)
        }
    }

    /// Ends a session of a user.
    /// - Returns: whether there was one.
    static func delete(_ id: UUID, of user: UserID, on connection: Connection) async throws -> Bool {
        let deleted = try await connection.execute(
            """
            DELETE FROM Session WHERE Session_ID = \(id)
              AND Device_ID IN (SELECT Device_ID FROM Device WHERE User_ID = \(user.uuid))
            """)
        return deleted.affectedRows > 0
    }

    /// How many sessions a user has.
    static func count(of user: UserID, on connection: Connection) async throws -> Int {
        let rows = try await connection.query(
            """
            SELECT COUNT(*) FROM Device d JOIN Session s ON s.Device_ID = d.Device_ID WHERE d.User_ID = \(user.uuid)
            """)
        return try rows.decode(Int.self).first ?? 0
    }

    /// Ends all sessions of a user but one.
    static func deleteAll(of user: UserID, but session: UUID?, on connection: Connection) async throws {
        var filter: SQL = "d.User_ID = \(user.uuid)"
        if let session { filter += " AND s.Session_ID <> \(session)" }
        // Not by IN: MariaDB 10 would look at every session there is.
        _ = try await connection.execute(
            "DELETE s FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID WHERE \(filter)")
    }

    /// Ends all sessions of a user but that of one device.
    static func deleteAll(of user: UserID, butOn device: UUID, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            DELETE s FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID
            WHERE d.User_ID = \(user.uuid) AND d.Device_ID <> \(device)
            """)
    }

    /// Removes the devices of a user beyond the bound, with their sessions. Devices without a session go first, then
    /// those that were not used for the longest time.
    /// - Parameter device: one that stays.
    static func removeLongestUnused(of user: UserID, but device: UUID, on connection: Connection) async throws {
        let rows = try await connection.query(
            """
            SELECT d.Device_ID FROM Device d LEFT JOIN Session s ON s.Device_ID = d.Device_ID
            WHERE d.User_ID = \(user.uuid) AND d.Device_ID <> \(device)
            ORDER BY s.Last_used_at DESC, s.Created_at DESC, d.Created_at DESC LIMIT 1000 OFFSET \(maximumDevices - 1)
            """)
        let devices = try rows.decode(UUID.self)
        guard !devices.isEmpty else { return }
        _ = try await connection.execute("DELETE FROM Session WHERE Device_ID IN (\(list: devices))")
        _ = try await connection.execute(
            "DELETE FROM Known_device WHERE User_ID = \(user.uuid) AND Device_ID IN (\(list: devices))")
        _ = try await connection.execute("DELETE FROM Device WHERE Device_ID IN (\(list: devices))")
    }

    /// Forgets which devices a user was signed in on: the next sign-in there is reported by mail, and waits as all
    /// others do.
    /// - Parameter device: one that stays known; nil: none does.
    static func forgetDevices(of user: UserID, but device: UUID?, on connection: Connection) async throws {
        var filter: SQL = "User_ID = \(user.uuid)"
        if let device { filter += " AND Device_ID <> \(device)" }
        _ = try await connection.execute("DELETE FROM Known_device WHERE \(filter)")
    }

    /// Forgets that a user was signed in on the device of a session.
    static func forgetDevice(ofSession id: UUID, user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            DELETE k FROM Known_device k JOIN Session s ON s.Device_ID = k.Device_ID
            WHERE s.Session_ID = \(id) AND k.User_ID = \(user.uuid)
            """)
    }

    /// Whether a user was signed in on a device before.
    static func knows(_ device: UUID, user: UserID, on connection: Connection) async throws -> Bool {
        let rows = try await connection.query(
            "SELECT 1 FROM Known_device WHERE User_ID = \(user.uuid) AND Device_ID = \(device)")
        return try rows.decode(Int.self).first != nil
    }

    /// Notes that a user is signed in on a device.
    static func know(_ device: UUID, user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Known_device (User_ID, Device_ID) VALUES (\(user.uuid), \(device))
            ON DUPLICATE KEY UPDATE Since = Since
            """)
        let rows = try await connection.query("SELECT COUNT(*) FROM Known_device WHERE User_ID = \(user.uuid)")
        let count = try rows.decode(Int.self).first ?? 0
        guard count > maximumKnown else { return }
        _ = try await connection.execute(
            """
            DELETE FROM Known_device WHERE User_ID = \(user.uuid) AND Device_ID <> \(device)
            ORDER BY Since LIMIT \(count - maximumKnown)
            """)
    }
}
