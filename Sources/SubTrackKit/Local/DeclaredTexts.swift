import Foundation
import GRDB
import SubTrackAPI

/// Rows of a declared kind as the texts that are stored. Most rows have no change that waits, or were made here and not changed
/// since: their texts are read in the row's type, without a value for each member in between. 10,000 rows with parts take 0.3 s in
/// place of 1.4 s. All others are ``DeclaredRows/entries(of:ids:in:)``.
struct DeclaredTexts {
    /// A row as a text.
    private struct Text {
        var id: String
        var text: String
        var isPending: Bool
    }

    private let isDeleted: Bool
    private var texts: [Text] = []
    /// The rows that a change waits for.
    private var others: Set<String> = []

    /// The texts of a kind's rows.
    init(of declaration: EntityDeclaration, isDeleted: Bool, in database: Database) throws {
        self.isDeleted = isDeleted
        let kind = declaration.name.rawValue
        var created: [String: String] = [:]
        try database.eachRow(
            """
            SELECT id, COUNT(*) = 1 AND MIN(json_extract(mutation, '$.op')) = 'create',
                MIN(json_extract(mutation, '$.fields'))
            FROM outbox WHERE entity = ? GROUP BY id
            """, [kind]
        ) { reader in
            let (id, isNew, fields) = (try reader.text(), try reader.flag(), try reader.optionalText())
            if isNew, let fields { created[id] = fields } else { others.insert(id) }
        }
        try database.eachRow(
            "SELECT id, data, deletedAt IS NOT NULL FROM declared WHERE kind = ? ORDER BY id, scope", [kind]
        ) { reader in
            let (id, text, gone) = (try reader.text(), try reader.text(), try reader.flag())
            // The service has done already what waits.
            if created.removeValue(forKey: id) != nil { others.insert(id) }
            guard gone == isDeleted, !others.contains(id) else { return }
            if texts.last?.id == id { texts.removeLast() }
            texts.append(Text(id: id, text: text, isPending: false))
        }
        if !isDeleted { texts += created.map { Text(id: $0.key, text: $0.value, isPending: true) } }
    }

    /// The rows in their type, by id. Rows of a newer service that this version cannot read are left out.
    /// - Parameter isWanted: whether a row is read, by its text. Rows that a change waits for are read in any case.
    func rows<Row: DeclaredRow>(
        _ type: Row.Type, where isWanted: (String) -> Bool = { _ in true }, in database: Database
    ) throws -> [TrackedRow<Row>] {
        var (rows, others) = ([(id: String, row: TrackedRow<Row>)](), others)
        let decoder = JSONDecoder()
        for text in texts where isWanted(text.text) {
            if let row = try? decoder.decode(type, from: Data(text.text.utf8)), let id = UUID(stored: text.id) {
                rows.append((text.id, TrackedRow(id: id, row: row, isPending: text.isPending)))
            } else if text.isPending {
                others.insert(text.id)
            }
        }
        for entry in try DeclaredRows.entries(of: type.declaration, ids: others, in: database)
        where entry.isDeleted == isDeleted {
            if let row = TrackedRow<Row>(entry) { rows.append((entry.id, row)) }
        }
        return rows.sorted { $0.id < $1.id }.map(\.row)
    }
}

extension TrackedRow {
    /// A row as it stands here; nil: it is of a newer service, and this version cannot read it.
    init?(_ entry: DeclaredRows.Entry) {
        guard let id = UUID(stored: entry.id), let row = try? AnyJSON.object(entry.row).decoded(as: Row.self) else {
            return nil
        }
        self.init(id: id, row: row, isPending: entry.isPending)
    }
}
