import MariaDB

/// Keeps everybody from writing to a tenant's database: services that have not heard that it is closed, because they cannot
/// read the control database, and people with a client.
///
/// It is made of triggers, three for each table, which refuse as a lock does that is not to be had. Each waits for the
/// transactions that have the table: once all are there, what was begun before is done or can be done no more. They are no
/// part of an export.
enum TenantFence {
    /// `ER_LOCK_NOWAIT`, as in ``TriggerFence``: services answer 503 for it, and keep their connections. A service takes the
    /// code of a read-only server (1290) for a primary that moved, and drops the connections of all tenants.
    private static let refusal: SQL = """
        SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 3572,
            MESSAGE_TEXT = 'This database is closed: its tenant is being moved, replaced or dropped, or is elsewhere now'
        """

    private static let events: [(name: String, sql: SQL)] = [
        ("insert", "INSERT"), ("update", "UPDATE"), ("delete", "DELETE"),
    ]

    /// Refuses all writes from now on. When it fails, some tables may refuse them: ``lower(on:)`` opens them again.
    /// - Parameter connection: the migrator's, on the tenant's database.
    /// - Throws: what the database says, such as 1205 where somebody has a transaction open for too long.
    static func raise(on connection: Connection) async throws {
        try await MigrationQueries.limitLockWait(on: connection)
        let present = try await triggers(on: connection)
        for table in try await TableShapeQueries.tables(on: connection).map(\.table) {
            for event in events where !present.contains(name(event.name, table)) {
                _ = try await connection.simpleQuery(
                    """
                    CREATE TRIGGER \(try Identifier(name(event.name, table))) BEFORE \(event.sql) ON \(try Identifier(table))
                    FOR EACH ROW \(refusal)
                    """)
            }
        }
    }

    /// Lets everybody write again.
    /// - Parameter connection: the migrator's, on the tenant's database.
    static func lower(on connection: Connection) async throws {
        try await MigrationQueries.limitLockWait(on: connection)
        for trigger in try await triggers(on: connection) {
            _ = try await connection.simpleQuery("DROP TRIGGER IF EXISTS \(try Identifier(trigger))")
        }
    }

    /// Whether the connection's database refuses writes by a fence.
    static func isRaised(on connection: Connection) async throws -> Bool { try await !triggers(on: connection).isEmpty }

    private static func name(_ event: String, _ table: String) -> String { "Fence_\(event)_\(table)" }

    /// Those of its triggers that the connection's database has.
    private static func triggers(on connection: Connection) async throws -> [String] {
        try await connection.query(
            """
            SELECT CONVERT(TRIGGER_NAME USING utf8mb4) FROM information_schema.TRIGGERS
            WHERE TRIGGER_SCHEMA = DATABASE() AND TRIGGER_NAME LIKE 'Fence\\_%' ORDER BY 1
            """
        ).decode(String.self)
    }
}
