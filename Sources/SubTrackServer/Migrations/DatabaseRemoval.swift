import MariaDB
import SubTrackSQL

/// Removes databases of tenants.
enum DatabaseRemoval {
    /// The server cannot remove the database's folder, for there is a file in it that it does not know (`ER_DB_DROP_RMDIR`).
    private static let folderStays: UInt32 = 1010

    /// Removes a database with all that is in it, if it is there.
    ///
    /// MariaDB 10.11 may leave the backup of a table's file of triggers (`Plan.TRG-`) behind. It does so when several
    /// connections make triggers at the same time, in any databases. It drops the tables then, and never the database,
    /// however often it is told to. A second trigger on a table of that name takes the backup away.
    /// - Parameter connection: the migrator's, on no database.
    /// - Throws: the database's errors.
    static func drop(_ database: Identifier, on connection: Connection) async throws {
        // Those with triggers as well as those that are there: an earlier attempt may have dropped them all, and left that.
        let tables = try Set(await tables(of: database, on: connection)).union(withTriggers())
            .sorted { $0.name < $1.name }
        for _ in 0..<3 {
            do {
                return try await dropOnce(database, on: connection)
            } catch let error as MariaDBError where error.code == folderStays {
                for table in tables { try await takeBackupAway(of: table, in: database, on: connection) }
            }
        }
        try await dropOnce(database, on: connection)
    }

    private static func dropOnce(_ database: Identifier, on connection: Connection) async throws {
        _ = try await connection.simpleQuery("DROP DATABASE IF EXISTS \(database)")
    }

    private static func takeBackupAway(
        of table: Identifier, in database: Identifier, on connection: Connection
    ) async throws {
        _ = try await connection.simpleQuery("CREATE TABLE IF NOT EXISTS \(database).\(table) (a INT) ENGINE = InnoDB")
        let insert = try Identifier("Last_insert_\(table.name)")
        let update = try Identifier("Last_update_\(table.name)")
        _ = try await connection.simpleQuery(
            "CREATE TRIGGER \(database).\(insert) BEFORE INSERT ON \(database).\(table) FOR EACH ROW SET @a = 1")
        _ = try await connection.simpleQuery(
            "CREATE TRIGGER \(database).\(update) BEFORE UPDATE ON \(database).\(table) FOR EACH ROW SET @a = 1")
    }

    /// The tables of a tenant that have triggers.
    private static func withTriggers() throws -> [Identifier] {
        try Set(SQLFiles.triggers.map(\.table)).sorted().map { try Identifier($0) }
    }

    private static func tables(of database: Identifier, on connection: Connection) async throws -> [Identifier] {
        let name = database.name
        return try await connection.query(
            """
            SELECT CONVERT(TABLE_NAME USING utf8mb4) FROM information_schema.TABLES
            WHERE TABLE_SCHEMA = \(name) AND TABLE_TYPE = 'BASE TABLE' ORDER BY 1
            """
        ).decode(String.self).map { try Identifier($0) }
    }
}
