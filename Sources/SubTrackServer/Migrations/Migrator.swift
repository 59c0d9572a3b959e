import Logging
import MariaDB
import SubTrackSQL

/// Brings a database to the state that this service needs.
///
/// MariaDB and MySQL commit each DDL statement by itself, so that a migration can be cut off after any of them. Every
/// statement can therefore be run again, and what was applied is noted only after it is complete. The notes are in the
/// database itself: a dump carries them along.
struct Migrator: Sendable {
    /// A client with the rights to create databases, tables and triggers. Its connections are used for nothing else: the
    /// files change their session's settings.
    let client: MariaDBClient
    /// Gets what is being done.
    let logger: Logger
    /// Is asked before each statement, so that a test can stop at any of them.
    var beforeStatement: @Sendable (String) async throws -> Void = { _ in }

    /// Creates the database if it is not there and applies what has not been applied yet.
    /// - Returns: the paths of the files that were applied.
    @discardableResult
    func migrate(_ database: Identifier, to plan: MigrationPlan) async throws -> [String] {
        try await client.withConnection(nil) { connection in
            _ = try await connection.simpleQuery(
                "CREATE DATABASE IF NOT EXISTS \(database) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci")
        }
        return try await client.withConnection(database.name) { connection in
            _ = try await connection.simpleQuery(
                """
                CREATE TABLE IF NOT EXISTS Migration (
                    Path       VARCHAR(150) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
                    Checksum   VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
                    Applied_at DATETIME     NOT NULL,
                    PRIMARY KEY (Path)
                ) ENGINE = InnoDB
                """)
            let applied = try await applied(on: connection)
            var done: [String] = []
            for file in plan.steps where applied[file.path] == nil {
                try await apply(file, on: connection)
                done.append(file.path)
            }
            for file in plan.triggers where applied[file.path] != MigrationPlan.checksum(file) {
                // While the table is locked nobody writes to it without its triggers.
                let table = try Identifier(file.name)
                _ = try await connection.simpleQuery("LOCK TABLES \(table) WRITE")
                try await run(file, on: connection)
                _ = try await connection.simpleQuery("UNLOCK TABLES")
                try await note(file, on: connection)
                done.append(file.path)
            }
            for file in plan.definitions where applied[file.path] != MigrationPlan.checksum(file) {
                try await apply(file, on: connection)
                done.append(file.path)
            }
            return done
        }
    }

    /// Runs files that are run once in the life of a database, as far as they have not been: to their end, that is, for
    /// only then it is noted.
    /// - Returns: the paths of the files that were run.
    func load(_ files: [SQLFiles.File], into database: Identifier) async throws -> [String] {
        try await client.withConnection(database.name) { connection in
            let applied = try await applied(on: connection)
            var done: [String] = []
            for file in files where applied[file.path] == nil {
                try await apply(file, on: connection)
                done.append(file.path)
            }
            return done
        }
    }

    private func applied(on connection: Connection) async throws -> [String: String] {
        let rows = try await connection.query("SELECT Path, Checksum FROM Migration").decode((String, String).self)
        return Dictionary(rows.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
    }

    private func apply(_ file: SQLFiles.File, on connection: Connection) async throws {
        try await run(file, on: connection)
        try await note(file, on: connection)
    }

    private func run(_ file: SQLFiles.File, on connection: Connection) async throws {
        logger.debug("Applying", metadata: ["file": "\(file.path)", "database": "\(connection.database ?? "")"])
        for statement in StatementSplitter.statements(of: file.text) {
            try await beforeStatement(statement)
            do {
                // Our own files, compiled into this binary.
                _ = try await connection.simpleQuery(SQL(unsafeText: statement))
            } catch let error as MariaDBError {
                throw MigrationFailure(file: file.path, statement: String(statement.prefix(120)), error: error)
            }
        }
    }

    private func note(_ file: SQLFiles.File, on connection: Connection) async throws {
        let checksum = MigrationPlan.checksum(file)
        _ = try await connection.execute(
            """
            INSERT INTO Migration (Path, Checksum, Applied_at) VALUES (\(file.path), \(checksum), UTC_TIMESTAMP())
            ON DUPLICATE KEY UPDATE Checksum = VALUES(Checksum), Applied_at = VALUES(Applied_at)
            """)
    }
}

/// A statement of a migration that the database refused.
struct MigrationFailure: Error, CustomStringConvertible {
    /// The file, below `sql/`.
    let file: String
    /// How the statement begins.
    let statement: String
    /// What the database said.
    let error: MariaDBError

    var description: String { "sql/\(file): \(error) at \"\(statement)\"" }
}
