import MariaDB
import Passwords
import Synchronization

/// The epoch of a tenant's data: clients hold copies of one epoch, and a new one tells them that the data went back in
/// time. It stands in the control database, for a restored dump of the tenant would bring its old one back.
final class TenantEpoch: Sendable {
    private let slug: String
    private let controlDatabase: String
    private let client: MariaDBClient
    private let current: Mutex<[UInt8]>
    private let observer = Mutex<@Sendable () -> Void>({})

    /// The epoch of a tenant as the control database had it.
    init(slug: String, controlDatabase: String, client: MariaDBClient, value: [UInt8]) {
        self.slug = slug
        self.controlDatabase = controlDatabase
        self.client = client
        current = Mutex(value)
    }

    /// The sixteen bytes, as they were read last: within the last seconds.
    var value: [UInt8] { current.withLock { $0 } }

    /// Has a body called whenever this process learns of a new epoch.
    func onChange(_ body: @escaping @Sendable () -> Void) { observer.withLock { $0 = body } }

    /// Takes note of what the control database has.
    func note(_ epoch: [UInt8]) {
        let isNew = current.withLock { current in
            defer { current = epoch }
            return current != epoch
        }
        if isNew { observer.withLock { $0 }() }
    }

    /// The epoch as the control database has it now.
    @discardableResult
    func refresh() async throws -> [UInt8] {
        let rows = try await client.withConnection(controlDatabase) { connection in
            try await connection.query("SELECT Epoch FROM Tenant WHERE Slug = \(slug)").decode([UInt8].self)
        }
        if let epoch = rows.first { note(epoch) }
        return value
    }

    /// Makes a new epoch, unless another replica has made one already. What was noted of the counters is of the old one and
    /// goes with it: one restored backup makes one epoch.
    /// - Parameter old: the epoch in which the data were found to have gone back; nil: whichever it is.
    func renew(insteadOf old: [UInt8]?) async throws {
        let new = try SecureRandom.bytes(16)
        var condition: SQL = "Slug = \(slug)"
        if let old { condition += " AND Epoch = \(old)" }
        try await client.withTransaction(controlDatabase) { connection in
            let renewed = try await connection.execute("UPDATE Tenant SET Epoch = \(new) WHERE \(condition)")
            guard renewed.affectedRows > 0 else { return }
            _ = try await connection.execute("DELETE FROM Tenant_counter WHERE Slug = \(slug)")
        }
        try await refresh()
    }

    /// Looks whether the data went back in time since it was looked last, and makes a new epoch if so.
    func watch(_ tenant: Tenant) async throws {
        // First what was noted, and in which epoch: whatever is noted meanwhile is of a reading as old as the one below, or
        // newer; and where there is a new epoch meanwhile, the reading may be of data that are no more.
        let control = try await client.withConnection(controlDatabase) { connection in
            try await connection.query(
                """
                SELECT t.Epoch, c.Counter_sum FROM Tenant t LEFT JOIN Tenant_counter c ON c.Slug = t.Slug
                WHERE t.Slug = \(slug)
                """
            ).decode(([UInt8], Int64?).self).first
        }
        guard let (epoch, noted) = control else { return }
        let sum = try await tenant.read { try await TenantEpochQueries.counterSum(isLocking: false, on: $0) }
        if let noted, sum < noted {
            // A node that lags behind its primary has a smaller sum as well; it cannot lock what it may not write.
            let locked = try await client.withTransaction(tenant.database, isolation: .readCommitted) { connection in
                try await TenantEpochQueries.counterSum(isLocking: true, on: connection)
            }
            if locked < noted { try await renew(insteadOf: epoch) }
            return
        }
        guard sum != noted else { return }
        try await client.withConnection(controlDatabase) { connection in
            _ = try await connection.execute(
                """
                INSERT INTO Tenant_counter (Slug, Counter_sum, Noted_at)
                SELECT Slug, \(sum), UTC_TIMESTAMP() FROM Tenant WHERE Slug = \(slug) AND Epoch = \(epoch)
                ON DUPLICATE KEY UPDATE Counter_sum = VALUES(Counter_sum), Noted_at = VALUES(Noted_at)
                """)
        }
    }
}

/// The statements on a tenant's epoch.
enum TenantEpochQueries {
    /// The sum of all counters.
    /// - Parameter isLocking: reads the present rows and waits for writers, on a server that takes writes.
    static func counterSum(isLocking: Bool, on connection: Connection) async throws -> Int64 {
        let lock: SQL = isLocking ? " LOCK IN SHARE MODE" : ""
        return try await connection.query("SELECT CAST(COALESCE(SUM(Ver), 0) AS UNSIGNED) FROM Scope\(lock)")
            .decode(Int64.self).first ?? 0
    }
}
