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
        var key = try await SyncQueries.cursorKey(on: connection)
        if key == nil {
            try await SyncQueries.insertCursorKey(try SecureRandom.bytes(length), on: connection)
            key = try await SyncQueries.cursorKey(on: connection)
        }
        guard let key, key.count == length else { throw Malformed() }
        return key
    }
}
