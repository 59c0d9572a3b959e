import MariaDB
import Passwords
import Synchronization

/// The key by which a tenant's cursors are authenticated. It is made at random when the tenant's database is
/// prepared, and lives in it: every replica has the same, and a dump carries it along.
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

    /// The key of a database, made if there is none.
    @discardableResult
    static func ensure(on connection: Connection) async throws -> [UInt8] {
        if let key = try await SyncQueries.cursorKey(on: connection) { return key }
        try await SyncQueries.insertCursorKey(try SecureRandom.bytes(32), on: connection)
        return try await SyncQueries.cursorKey(on: connection) ?? []
    }
}
