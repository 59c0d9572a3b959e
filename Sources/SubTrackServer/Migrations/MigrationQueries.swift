import MariaDB

/// The migrator's statements in the database that it works on.
enum MigrationQueries {
    /// A file as it was applied last.
    struct Applied: Sendable {
        let checksum: String
        /// The version of the service that applied it.
        let version: ServiceVersion
        /// Whether it was being replaced when the migration was cut off.
        var isCutOff: Bool { checksum == MigrationQueries.cutOff }
    }

    /// Stands in the place of the checksum of a file while it is being replaced.
    private static let cutOff = "replacing"

    /// The name of the setting that says which versions of the service a database accepts.
    private static let settingName = "oldest_service"

    /// How long a change of a table waits for open transactions on it. Later statements wait behind it. Because the
    /// server's default is a day or a year, it fails early, and is tried again later.
    static let lockWait = Duration.seconds(10)

    /// Has changes of tables wait for no longer than ``lockWait``.
    static func limitLockWait(on connection: Connection) async throws {
        let seconds = lockWait.components.seconds
        _ = try await connection.execute("SET SESSION lock_wait_timeout = \(seconds)")
    }

    /// Makes a database that is not there.
    /// - Returns: false when it is there already, made by anybody.
    static func create(_ database: Identifier, on connection: Connection) async throws -> Bool {
        do {
            _ = try await connection.simpleQuery(
                "CREATE DATABASE \(database) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci")
            return true
        } catch let error as MariaDBError where error.code == 1007 {
            return false
        }
    }

    /// Removes a database that has no tables.
    static func dropIfEmpty(_ database: Identifier, on connection: Connection) async throws {
        let name = database.name
        let tables = try await connection.query(
            "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = \(name)"
        ).decode(Int64.self).first
        guard tables == 0 else { return }
        _ = try await connection.simpleQuery("DROP DATABASE \(database)")
    }

    /// Whether a database is there.
    static func exists(_ database: Identifier, on connection: Connection) async throws -> Bool {
        let name = database.name
        return try await connection.query(
            "SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = \(name)"
        ).decode(Int64.self).first ?? 0 > 0
    }

    /// The tables of the connection's database among some names.
    static func tables(_ names: [String], on connection: Connection) async throws -> Set<String> {
        Set(
            try await connection.query(
                """
                SELECT CONVERT(TABLE_NAME USING utf8mb4) FROM information_schema.TABLES
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (\(list: names))
                """
            ).decode(String.self))
    }

    /// The databases of a server that have notes of applied files, in small letters, of those that the account may see.
    static func withNotes(on connection: Connection) async throws -> Set<String> {
        let names = try await connection.query(
            "SELECT CONVERT(TABLE_SCHEMA USING utf8mb4) FROM information_schema.TABLES WHERE TABLE_NAME = 'Migration'"
        ).decode(String.self)
        return Set(names.map { $0.lowercased() })
    }

    /// Makes the table with the notes of applied files, or brings it to its present form.
    static func makeTable(on connection: Connection) async throws {
        let hasVersion =
            try await connection.query(
                """
                SELECT COUNT(*) FROM information_schema.COLUMNS
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Migration' AND COLUMN_NAME = 'Service_version'
                """
            ).decode(Int64.self).first ?? 0 > 0
        // Asked first: an account without the right to change tables can find that there is nothing to do.
        guard !hasVersion else { return }
        _ = try await connection.simpleQuery(
            """
            CREATE TABLE IF NOT EXISTS Migration (
                Path            VARCHAR(150) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
                Checksum        VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
                Applied_at      DATETIME     NOT NULL,
                Service_version VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '0.0.0',
                PRIMARY KEY (Path)
            ) ENGINE = InnoDB
            """)
        do {
            // One of an earlier version.
            _ = try await connection.simpleQuery(
                """
                ALTER TABLE Migration ADD COLUMN
                    Service_version VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '0.0.0'
                """)
        } catch let error as MariaDBError where error.code == 1060 {
            // The column is there: the table is a new one, or another replica was quicker.
        }
    }

    /// The applied files, by path.
    static func applied(on connection: Connection) async throws -> [String: Applied] {
        let rows = try await connection.query("SELECT Path, Checksum, Service_version FROM Migration")
            .decode((String, String, String).self)
        return Dictionary(
            rows.map { ($0.0, Applied(checksum: $0.1, version: ServiceVersion($0.2) ?? .zero)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Notes that a file was applied.
    static func note(
        _ path: String, checksum: String, version: ServiceVersion, on connection: Connection
    ) async throws {
        let version = version.description
        _ = try await connection.execute(
            """
            INSERT INTO Migration (Path, Checksum, Applied_at, Service_version)
            VALUES (\(path), \(checksum), UTC_TIMESTAMP(), \(version))
            ON DUPLICATE KEY UPDATE Checksum = VALUES(Checksum), Applied_at = VALUES(Applied_at),
                Service_version = VALUES(Service_version)
            """)
    }

    /// Notes that a file which was applied is being replaced. The version stays: the service that applied it last may
    /// do so again if the replacement is cut off.
    /// - Returns: the checksum that stood there.
    static func noteReplacing(_ path: String, on connection: Connection) async throws -> String? {
        let checksum = try await connection.query("SELECT Checksum FROM Migration WHERE Path = \(path)")
            .decode(String.self).first
        _ = try await connection.execute("UPDATE Migration SET Checksum = \(cutOff) WHERE Path = \(path)")
        return checksum
    }

    /// Takes back that a file is being replaced: nothing was done to it.
    static func noteNotReplacing(_ path: String, checksum: String, on connection: Connection) async throws {
        _ = try await connection.execute("UPDATE Migration SET Checksum = \(checksum) WHERE Path = \(path)")
    }

    /// The oldest version of the service that the connection's database accepts; nil: any.
    static func oldestService(on connection: Connection) async throws -> ServiceVersion? {
        guard try await !tables(["Setting"], on: connection).isEmpty else { return nil }
        return try await connection.query("SELECT Setting_value FROM Setting WHERE Setting_name = \(settingName)")
            .decode(String.self).first.flatMap { ServiceVersion($0) }
    }

    /// Has the connection's database accept no service that is older.
    static func setOldestService(_ version: ServiceVersion, on connection: Connection) async throws {
        let text = version.description
        _ = try await connection.execute(
            """
            INSERT INTO Setting (Setting_name, Setting_value) VALUES (\(settingName), \(text))
            ON DUPLICATE KEY UPDATE Setting_value = VALUES(Setting_value)
            """)
    }
}
