import Logging
import MariaDB
import SubTrackSQL

/// Brings a database to the state that this service needs.
///
/// MariaDB and MySQL commit each DDL statement by itself, so that a migration can be cut off after any of them. Every
/// statement can therefore be run again, and a file is noted only after it is complete. The notes are in the database
/// itself: a dump carries them along.
struct Migrator: Sendable {
    /// A client with the rights to create databases, tables and triggers. Its connections are used for nothing else: the
    /// files change their session's settings.
    let client: MariaDBClient
    /// Gets the steps as they begin.
    let logger: Logger
    /// The version of the service that migrates.
    var version = ServiceVersion.current
    /// Whether triggers and views that were applied, and are missing or were changed by hand, are made again.
    var mendsDefinitions = false
    /// Is called when a database that may be in use has been told to accept no older services, before anything changes.
    var onRaised: @Sendable (ServiceVersion) async throws -> Void = { _ in }
    /// Is asked before each statement, so that a test can stop at any of them.
    var beforeStatement: @Sendable (String) async throws -> Void = { _ in }

    /// Creates the database if it is not there and applies the pending files.
    /// - Returns: the paths of the files that were applied.
    /// - Throws: ``DatabaseTooNew``; ``MigrationFailure``; the database's errors.
    @discardableResult
    func migrate(_ database: Identifier, to plan: MigrationPlan) async throws -> [String] {
        let isNew = try await client.withConnection(nil) { connection in
            // Asked first: an account that may not create databases can find that there is nothing to do.
            if try await MigrationQueries.exists(database, on: connection) { return false }
            try await RightsCheck.check([database.name], on: connection)
            return try await MigrationQueries.create(database, on: connection)
        }
        do {
            return try await fill(database, to: plan)
        } catch {
            // The server refused the first table: the empty database is removed.
            if isNew {
                try? await client.withConnection(nil) { try await MigrationQueries.dropIfEmpty(database, on: $0) }
            }
            throw error
        }
    }

    /// Applies the pending files to a database that is there.
    private func fill(_ database: Identifier, to plan: MigrationPlan) async throws -> [String] {
        try await client.withConnection(database.name) { connection in
            try await MigrationQueries.limitLockWait(on: connection)
            if try await MigrationQueries.tables(["Migration"], on: connection).isEmpty {
                try await RightsCheck.check([database.name], on: connection)
            }
            try await MigrationQueries.makeTable(on: connection)
            let oldest = try await MigrationQueries.oldestService(on: connection)
            if let oldest, oldest > version { throw DatabaseTooNew(database: database.name, oldest: oldest) }
            let applied = try await MigrationQueries.applied(on: connection)
            let plan = plan.keeping(applied)
            var missing = plan.missing(from: applied, for: version)
            var misplaced: [String] = []
            if mendsDefinitions {
                // Neither names a file that is missing anyway: only files that were applied are compared.
                let drifts = try await TriggerInventory.compare(plan, applied: applied, on: connection).drifts
                missing.triggers += drifts.map(\.file)
                misplaced = drifts.flatMap(\.misplaced)
                missing.definitions += try await ViewInventory.compare(plan, applied: applied, on: connection).files
            }
            if !missing.files.isEmpty { try await RightsCheck.check([database.name], on: connection) }
            let canBeTold = try await !MigrationQueries.tables(["Setting"], on: connection).isEmpty
            if plan.oldestService > oldest ?? .zero, canBeTold {
                // Before anything changes: services that are too old are to have left when it does.
                try await MigrationQueries.setOldestService(plan.oldestService, on: connection)
                try await onRaised(plan.oldestService)
            }
            var done: [String] = []
            for file in missing.steps {
                try await apply(file, on: connection)
                done.append(file.path)
            }
            for name in misplaced {
                _ = try await connection.simpleQuery("DROP TRIGGER IF EXISTS \(try Identifier(name))")
            }
            for file in missing.triggers {
                try await define(file, isNew: applied[file.path] == nil, on: connection)
                done.append(file.path)
            }
            for file in missing.lateSteps {
                try await apply(file, on: connection)
                done.append(file.path)
            }
            for file in missing.definitions {
                try await run(file, on: connection)
                // Before it is noted that the file was applied: cut off in between, it is applied again.
                try await ViewInventory.note(file, on: connection)
                try await note(file, on: connection)
                done.append(file.path)
            }
            if plan.oldestService > oldest ?? .zero {
                try await MigrationQueries.setOldestService(plan.oldestService, on: connection)
            }
            return done
        }
    }

    /// Runs pending files that are run once in the life of a database. A file is noted at its end.
    /// - Returns: the paths of the files that were run.
    func load(_ files: [SQLFiles.File], into database: Identifier) async throws -> [String] {
        try await client.withConnection(database.name) { connection in
            let applied = try await MigrationQueries.applied(on: connection)
            var done: [String] = []
            for file in files where applied[file.path] == nil {
                try await apply(file, on: connection)
                done.append(file.path)
            }
            return done
        }
    }

    /// Notes files as run, without running them: their rows are not wanted.
    func skip(_ files: [SQLFiles.File], in database: Identifier) async throws {
        try await client.withConnection(database.name) { connection in
            for file in files { try await note(file, on: connection) }
        }
    }

    /// Replaces the triggers of a file. While the table is locked nobody writes to it without them. If the migration
    /// is cut off, the lock ends, and other triggers refuse writes until the next migration is through.
    /// - Parameter isNew: whether they were never there: no replica knows the table yet, or none relies on them.
    private func define(_ file: SQLFiles.File, isNew: Bool, on connection: Connection) async throws {
        let table = try Identifier(file.table)
        let fence = isNew ? [] : try TriggerFence.triggers(of: file.table)
        let left = isNew ? [] : try await TriggerFence.left(on: file.table, connection)
        let checksum = isNew ? nil : try await MigrationQueries.noteReplacing(file.path, on: connection)
        do {
            _ = try await connection.simpleQuery("LOCK TABLES \(table) WRITE")
        } catch {
            // Somebody has it in a long transaction: its triggers are unchanged, and replicas may go on.
            if let checksum {
                try? await MigrationQueries.noteNotReplacing(file.path, checksum: checksum, on: connection)
            }
            throw error
        }
        for trigger in fence where !left.contains(trigger.name.name) {
            try await beforeStatement("fence \(trigger.name.name)")
            try await TriggerFence.raise(trigger, on: connection)
        }
        try await run(file, on: connection)
        for trigger in fence {
            try await beforeStatement("no fence \(trigger.name.name)")
            try await TriggerFence.lower(trigger, on: connection)
        }
        _ = try await connection.simpleQuery("UNLOCK TABLES")
        try await note(file, on: connection)
    }

    private func apply(_ file: SQLFiles.File, on connection: Connection) async throws {
        try await run(file, on: connection)
        try await note(file, on: connection)
    }

    private func run(_ file: SQLFiles.File, on connection: Connection) async throws {
        logger.debug("Applying", metadata: ["file": "\(file.path)", "database": "\(connection.database ?? "")"])
        for statement in StatementSplitter.statements(of: file) {
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
        try await MigrationQueries.note(
            file.path, checksum: MigrationPlan.checksum(file), version: version, on: connection)
    }
}

/// A database that only newer services may work on.
struct DatabaseTooNew: Error, CustomStringConvertible {
    let database: String
    /// The oldest version that it accepts.
    let oldest: ServiceVersion

    var description: String {
        "the database \(database) accepts no service older than \(oldest), and this is \(ServiceVersion.current): "
            + "a newer one has migrated it"
    }
}

/// A statement of a migration that the database refused.
struct MigrationFailure: Error, CustomStringConvertible {
    /// The file, below `sql/`.
    let file: String
    /// How the statement begins.
    let statement: String
    /// The database's message.
    let error: MariaDBError

    var description: String { "sql/\(file): \(error) at \"\(statement)\"" }
}
