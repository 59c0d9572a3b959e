import Foundation
import MariaDB
import Passwords
import Synchronization

/// The key by which a tenant's cursors are authenticated. It is made at random when the tenant's database is prepared,
/// and lives in it. Every replica has the same, and a dump carries it along.
final class CursorKey: Sendable {
    private let client: MariaDBClient
    private let database: String
    /// The key, and the epoch in which it was read: a restored backup has another one.
    private let known = Mutex<(key: [UInt8], epoch: [UInt8])?>(nil)

    /// The key of a tenant's database.
    init(client: MariaDBClient, database: String) {
        self.client = client
        self.database = database
    }

    /// The 32 bytes.
    /// - Parameter epoch: the tenant's present one.
    func bytes(epoch: [UInt8]) async throws -> [UInt8] {
        if let known = known.withLock({ $0 }), known.epoch == epoch { return known.key }
        return try await reread(epoch: epoch)
    }

    /// The key as the database has it now, which a restored dump may have changed.
    func reread(epoch: [UInt8]) async throws -> [UInt8] {
        let key = try await client.withConnection(database) { try await Self.ensure(on: $0) }
        known.withLock { $0 = (key, epoch) }
        return key
    }

    /// How long a key is, in bytes.
    private static let length = 32

    /// The text in the key's place is no key: by it anybody could make cursors.
    struct Malformed: Error, CustomStringConvertible {
        var description: String {
            "the row 'Cursor_key' of the table Setting is not \(length) bytes in base 64; delete it, and a new one is made"
        }
    }

    /// The key of a database, made if there is none.
    /// - Throws: ``Malformed``.
    @discardableResult
    static func ensure(on connection: Connection) async throws -> [UInt8] {
        var key = try await CursorKeyQueries.cursorKey(on: connection)
        if key == nil {
            try await CursorKeyQueries.insertCursorKey(try SecureRandom.bytes(length), on: connection)
            key = try await CursorKeyQueries.cursorKey(on: connection)
        }
        guard let key, key.count == length else { throw Malformed() }
        return key
    }
}

/// The statements on the key of cursors.
enum CursorKeyQueries {
    /// The key of cursors; nil where none was made yet, empty where it cannot be read.
    static func cursorKey(on connection: Connection) async throws -> [UInt8]? {
        let text = try await connection.query(
            "SELECT Setting_value FROM Setting WHERE Setting_name = 'Cursor_key'"
        ).decode(String.self).first
        return text.map { Data(base64Encoded: $0).map { Array($0) } ?? [] }
    }

    /// Removes the key of cursors: those that were made by it lead nowhere from then on.
    static func deleteCursorKey(on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM Setting WHERE Setting_name = 'Cursor_key'")
    }

    /// Keeps a key of cursors, unless another replica was quicker.
    static func insertCursorKey(_ key: [UInt8], on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Setting (Setting_name, Setting_value)
            VALUES ('Cursor_key', \(Data(key).base64EncodedString()))
            ON DUPLICATE KEY UPDATE Setting_value = Setting_value
            """)
    }
}
