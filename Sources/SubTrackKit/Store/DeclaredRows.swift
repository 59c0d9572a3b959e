import GRDB
import SubTrackAPI
import SubTrackCore

/// Rows of kinds without a table of their own, as JSON in one table. Kinds that this kit does not know are kept as well: a
/// later version finds them where its cursor has passed them.
enum DeclaredRows {
    /// The table.
    static let table = "declared"

    /// Takes in a change.
    /// - Parameter now: seconds since 1970. It tells which deleted rows can be restored.
    static func take(_ change: PulledChange, at now: Int64, in database: Database) throws {
        let key: StatementArguments = [change.entity.rawValue, change.id, change.scope, change.version]
        switch change.content {
        case .json(let text):
            try database.cachedStatement(
                sql: """
                    INSERT INTO declared (kind, id, scope, version, data) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (kind, id, scope) DO UPDATE
                    SET version = excluded.version, data = excluded.data, deletedAt = NULL
                    WHERE excluded.version >= version
                    """
            ).execute(arguments: key + [text])
        case .gone:
            try database.cachedStatement(
                sql: """
                    UPDATE declared SET deletedAt = COALESCE(deletedAt, ?), version = ?
                    WHERE kind = ? AND id = ? AND scope = ? AND version <= ?
                    """
            ).execute(arguments: [now, change.version] + key)
        case .columns, .unreadable: break
        }
    }

    /// The version of a row that is held; nil: there is none of this id.
    static func version(of kind: SyncEntity, _ id: String, in database: Database) throws -> Int64? {
        try database.firstRow("SELECT version FROM declared WHERE kind = ? AND id = ?", [kind.rawValue, id]) {
            try $0.integer()
        }
    }

    /// Drops all rows but those that were deleted and can be restored.
    static func drop(in database: Database) throws {
        try database.execute(sql: "DELETE FROM declared WHERE deletedAt IS NULL")
    }

    /// Drops those that were deleted and can be restored: the user is another one.
    static func dropDeleted(in database: Database) throws {
        try database.execute(sql: "DELETE FROM declared WHERE deletedAt IS NOT NULL")
    }

    /// Forgets what was deleted or said long ago.
    static func tidy(at now: Int64, in database: Database) throws {
        try ReminderRows.tidy(at: now, in: database)
        try database.execute(sql: "DELETE FROM declared WHERE deletedAt < ?", arguments: [now - 30 * 86_400])
    }

    // MARK: Reading

    /// A row as it stands here.
    struct Entry: Sendable {
        var id: String
        var row: [String: AnyJSON]
        /// Whether something of it waits to be sent.
        var isPending = false
        var isDeleted = false
    }

    /// The rows of a kind, or some, with what waits laid over them. Deleted ones are among them.
    /// - Parameter ids: nil: all.
    static func entries(
        of declaration: EntityDeclaration, ids: Set<String>? = nil, in database: Database
    ) throws -> [Entry] {
        if let ids, ids.count <= single {
            return try ids.sorted().flatMap { try entries(of: declaration, id: $0, in: database) }
        }
        return try entries(of: declaration, id: nil, in: database).filter { ids?.contains($0.id) ?? true }
    }

    /// The rows of a kind as they stand here, with the fields that add them anew. Of a kind that this kit does not know all
    /// members are.
    static func standing(
        of kind: SyncEntity, in database: Database
    ) throws -> [(id: String, fields: [String: AnyJSON])] {
        guard let declaration = EntityTable.declaration(of: kind) else {
            var rows: [(id: String, fields: [String: AnyJSON])] = []
            try database.eachRow(
                "SELECT id, data FROM declared WHERE kind = ? AND deletedAt IS NULL ORDER BY id", [kind.rawValue]
            ) { rows.append((try $0.text(), try JSON.value([String: AnyJSON].self, $0.text()))) }
            return rows
        }
        let names = Set(declaration.fields.map(\.name) + declaration.parts.map(\.name))
        return try entries(of: declaration, in: database).filter { !$0.isDeleted }
            .map { ($0.id, $0.row.filter { names.contains($0.key) }) }
    }

    /// So many rows are read one by one.
    private static let single = 20

    /// The rows of a kind, or one.
    private static func entries(
        of declaration: EntityDeclaration, id: String?, in database: Database
    ) throws -> [Entry] {
        let arguments: StatementArguments = [declaration.name.rawValue]
        let (condition, bound) = id == nil ? ("", arguments) : (" AND id = ?", arguments + [id])
        var entries: [String: Entry] = [:]
        try database.eachRow(
            "SELECT id, data, deletedAt IS NOT NULL FROM declared WHERE kind = ?\(condition) ORDER BY id", bound
        ) { reader in
            let (id, text) = (try reader.text(), try reader.text())
            entries[id] = Entry(
                id: id, row: try JSON.value([String: AnyJSON].self, text), isDeleted: try reader.flag())
        }
        try database.eachRow("SELECT mutation FROM outbox WHERE entity = ?\(condition) ORDER BY number", bound) {
            let mutation = try JSON.value(PushChanges.Mutation.self, $0.text())
            apply(mutation, to: &entries[mutation.id], declaration)
        }
        return entries.values.sorted { $0.id < $1.id }
    }

    private static func apply(
        _ mutation: PushChanges.Mutation, to entry: inout Entry?, _ declaration: EntityDeclaration
    ) {
        let fields = mutation.fields ?? [:]
        switch PushChanges.Mutation.Op(rawValue: mutation.op) {
        case .create?:
            // It is done already where the row is there.
            if entry == nil {
                entry = Entry(id: mutation.id, row: DeclaredEdit(fields, to: nil, of: declaration).applied())
            }
        case .update?:
            guard let row = entry?.row, entry?.isDeleted == false else { return }
            entry?.row = DeclaredEdit(fields, to: row, of: declaration).applied()
        case .delete?: entry?.isDeleted = true
        case .restore?: entry?.isDeleted = false
        default: return
        }
        entry?.isPending = true
    }

    /// The name for people of the row that a change is of; nil: it is not known.
    static func name(of mutation: PushChanges.Mutation, in database: Database) throws -> String? {
        guard let declaration = EntityTable.declaration(of: SyncEntity(rawValue: mutation.entity)),
            let row = try entries(of: declaration, ids: [mutation.id], in: database).first?.row ?? mutation.fields
        else { return nil }
        let words = declaration.title.compactMap { if case .string(let text)? = row[$0] { text } else { nil } }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
