import MariaDB
import Passwords
import Synchronization

/// The key by which a tenant's cursors are authenticated. It is made at random when the tenant's database is
/// prepared, and lives in it: every replica has the same, and a dump carries it along.
final class CursorKey: Sendable {
    private let client: MariaDBClient
    private let database: String
    private let known = Mutex<[UInt8]?>(nil)

    /// The key of a tenant's database.
    init(client: MariaDBClient, database: String) {
        self.client = client
        self.database = database
    }

    /// The 32 bytes.
    func bytes() async throws -> [UInt8] {
        if let key = known.withLock({ $0 }) { return key }
        return try await reread()
    }

    /// The key as the database has it now, which a restored dump may have changed.
    func reread() async throws -> [UInt8] {
        let key = try await client.withConnection(database) { try await Self.ensure(on: $0) }
        known.withLock { $0 = key }
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
