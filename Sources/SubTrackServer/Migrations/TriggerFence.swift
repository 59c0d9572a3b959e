import MariaDB

/// Keeps everybody from writing to a table while its triggers are replaced. If the migrator is killed in the middle,
/// the table would else be without rules, beside replicas that go on.
///
/// It is made of triggers, one for each kind of write, which refuse as a lock does that is not to be had. See ``TenantFence``,
/// which closes a whole database; neither takes the other's away.
enum TriggerFence {
    /// A trigger that refuses.
    struct Trigger: Sendable {
        let name: Identifier
        fileprivate let event: SQL
        fileprivate let table: Identifier
    }

    /// Those of a table.
    static func triggers(of table: String) throws -> [Trigger] {
        let events: [(String, SQL)] = [("insert", "INSERT"), ("update", "UPDATE"), ("delete", "DELETE")]
        return try events.map { name, event in
            Trigger(name: try Identifier("Replacing_\(name)_\(table)"), event: event, table: try Identifier(table))
        }
    }

    /// Fences that a migration has left which was cut off. They are read, and not just made again. One that is refused
    /// because it is there (1359) leaves MariaDB with triggers of the table that it cannot read (1064).
    static func left(on table: String, _ connection: Connection) async throws -> Set<String> {
        Set(
            try await connection.query(
                """
                SELECT CONVERT(TRIGGER_NAME USING utf8mb4) FROM information_schema.TRIGGERS
                WHERE TRIGGER_SCHEMA = DATABASE() AND EVENT_OBJECT_SCHEMA = DATABASE() AND EVENT_OBJECT_TABLE = \(table)
                """
            ).decode(String.self))
    }

    /// Refuses writes from now on.
    /// - Parameter connection: the migrator's, which has the table locked.
    static func raise(_ trigger: Trigger, on connection: Connection) async throws {
        // A lock that is not to be had (`ER_LOCK_NOWAIT`): services answer 503 for it. For the error of a read-only
        // server (1290) they would look for another server as well, and give up all connections to this one.
        _ = try await connection.simpleQuery(
            """
            CREATE TRIGGER \(trigger.name) BEFORE \(trigger.event) ON \(trigger.table) FOR EACH ROW
            SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 3572,
                MESSAGE_TEXT = 'The rules of this table are being replaced; if it lasts, run subtrackd migrate'
            """)
    }

    /// Takes writes again.
    static func lower(_ trigger: Trigger, on connection: Connection) async throws {
        _ = try await connection.simpleQuery("DROP TRIGGER IF EXISTS \(trigger.name)")
    }
}
