import MariaDB
import SubTrackSQL

/// Compares the triggers of a database with those that the service's files make.
///
/// A dump that was loaded in part leaves tables without triggers, and an administrator may replace one by hand. The table
/// `Migration` shows neither. Without triggers no rule is kept, and devices do not find new rows, which get no version.
enum TriggerInventory {
    /// A trigger as a file makes it, or as a server has it.
    struct Definition: Sendable, Equatable {
        let table: String
        /// `BEFORE` or `AFTER`.
        let timing: String
        /// `INSERT`, `UPDATE` or `DELETE`.
        let event: String
        /// The statement, in the form of ``SQLText/normalized(_:)``.
        let body: String
        /// The modes of the session that made it: it runs in them.
        let modes: Set<String>

        init(table: String, timing: String, event: String, body: String, modes: Set<String>) {
            // A server may keep the names of tables in small letters.
            self.table = table.lowercased()
            self.timing = timing.uppercased()
            self.event = event.uppercased()
            self.body = SQLText.normalized(body)
            self.modes = modes
        }
    }

    /// The names of the triggers that a file makes.
    static func names(in file: SQLFiles.File) -> [String] { definitions(in: file).map { $0.name } }

    /// The triggers that a file makes.
    static func definitions(in file: SQLFiles.File) -> [(name: String, definition: Definition)] { wanted[file] }

    /// The triggers of all files that were asked for: `CREATE TRIGGER name BEFORE INSERT ON table FOR EACH ROW …`.
    private static let wanted = FileMemory<[(name: String, definition: Definition)]> { file in
        let statements = StatementSplitter.statements(of: file)
        let modes = SQLText.mode(of: statements)
        return statements.compactMap { statement in
            let words = statement.split(maxSplits: 10, whereSeparator: \.isWhitespace)
            guard words.count == 11, words[0].uppercased() == "CREATE", words[1].uppercased() == "TRIGGER" else {
                return nil
            }
            let table = words[6].filter { $0 != "`" }
            let definition = Definition(
                table: table, timing: String(words[3]), event: String(words[4]), body: String(words[10]), modes: modes)
            return (name: String(words[2]), definition: definition)
        }
    }

    /// Faults of the triggers of a file.
    struct Drift: Sendable {
        let file: SQLFiles.File
        /// Those that are not there.
        var missing: [String] = []
        /// Those that are there and do something else.
        var changed: [String] = []
        /// Those of them that are on another table. They are dropped first: while the file's own table is locked, the server
        /// changes no other.
        var misplaced: [String] = []
    }

    /// The triggers of a database.
    struct Comparison: Sendable {
        /// Files whose triggers are not all as the file makes them.
        var drifts: [Drift] = []
        /// Triggers on the database's tables that are none of this service's.
        var others: [String] = []
        /// Whether the account sees no trigger at all and has no right to: nothing was compared.
        var isBlind = false
    }

    /// Compares the triggers of a database with the applied files, as far as this service has them. Files of another
    /// version are not known.
    /// - Parameters:
    ///   - applied: the notes in it.
    ///   - connection: one to it, of an account that may see triggers: the migrator's.
    static func compare(
        _ plan: MigrationPlan, applied: [String: MigrationQueries.Applied], on connection: Connection
    ) async throws -> Comparison {
        let known = plan.triggers.filter { applied[$0.path]?.checksum == MigrationPlan.checksum($0) }
        guard !known.isEmpty else { return Comparison() }
        let live = try await live(on: connection)
        var result = Comparison()
        if live.isEmpty, try await !maySeeTriggers(connection) {
            result.isBlind = true
            return result
        }
        for file in known {
            var drift = Drift(file: file)
            for (name, definition) in definitions(in: file) {
                guard let found = live[name.lowercased()]?.definition else {
                    drift.missing.append(name)
                    continue
                }
                if found != definition { drift.changed.append(name) }
                if found.table != definition.table { drift.misplaced.append(name) }
            }
            if !drift.missing.isEmpty || !drift.changed.isEmpty { result.drifts.append(drift) }
        }
        let ours = Set(plan.triggers.flatMap(names).map { $0.lowercased() })
        result.others = live.filter { !ours.contains($0.key) && !isFence($0.key) }.map { $0.value.name }.sorted()
        return result
    }

    /// Whether a trigger is one of those that close a database or a table for a while.
    private static func isFence(_ name: String) -> Bool { name.hasPrefix("fence_") || name.hasPrefix("replacing_") }

    /// The triggers of the connection's database, by their names in small letters.
    private static func live(
        on connection: Connection
    ) async throws -> [String: (name: String, definition: Definition)] {
        let rows = try await connection.query(
            """
            SELECT CONVERT(TRIGGER_NAME USING utf8mb4), CONVERT(EVENT_OBJECT_TABLE USING utf8mb4),
                CONVERT(ACTION_TIMING USING utf8mb4), CONVERT(EVENT_MANIPULATION USING utf8mb4),
                CONVERT(ACTION_STATEMENT USING utf8mb4), CONVERT(SQL_MODE USING utf8mb4)
            FROM information_schema.TRIGGERS
            WHERE TRIGGER_SCHEMA = DATABASE() AND EVENT_OBJECT_SCHEMA = DATABASE()
            """
        ).decode((String, String, String, String, String, String).self)
        return Dictionary(
            rows.map { row in
                let (name, table, timing, event, body, modes) = row
                let definition = Definition(
                    table: table, timing: timing, event: event, body: body, modes: SQLText.modes(modes))
                return (name.lowercased(), (name: name, definition: definition))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the account may see triggers; also where its rights cannot be told (a role).
    private static func maySeeTriggers(_ connection: Connection) async throws -> Bool {
        guard let database = connection.database else { return true }
        let grants = try await DoctorQueries.grants(on: connection)
        guard !grants.others.contains(where: { if case .role = $0 { true } else { false } }) else { return true }
        return grants.missing(["TRIGGER"], on: database).isEmpty
    }
}
