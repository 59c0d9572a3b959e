import Foundation
import MariaDB

/// The statements on devices and their sessions.
enum SessionQueries {
    /// Who a token stands for, by its hash.
    static func session(tokenHash: [UInt8], on connection: Connection) async throws -> Session? {
        let rows = try await connection.query(
            """
            SELECT s.Session_ID, d.Device_ID, u.User_ID, u.Country_ID, u.Time_zone
            FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID JOIN `User` u ON u.User_ID = d.User_ID
            WHERE s.Token_hash = \(tokenHash)
            """)
        return try rows.decode((UUID, UUID, UUID, String, String).self).first.map { id, device, user, country, zone in
            Session(id: id, device: device, user: UserID(uuid: user), country: country, timeZone: zone)
        }
    }

    /// Which of these hashes belong to a session.
    static func tokenHashes(among hashes: [[UInt8]], on connection: Connection) async throws -> [[UInt8]] {
        try await connection.query("SELECT Token_hash FROM Session WHERE Token_hash IN (\(list: hashes))")
            .decode([UInt8].self)
    }

    /// Adds a device of a user and its session.
    static func insert(
        device: UUID, name: String, user: UserID, session: UUID, tokenHash: [UInt8], on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            "INSERT INTO Device (Device_ID, User_ID, Device_name) VALUES (\(device), \(user.uuid), \(name))")
        _ = try await connection.execute(
            "INSERT INTO Session (Session_ID, Device_ID, Token_hash) VALUES (\(session), \(device), \(tokenHash))")
    }
}
