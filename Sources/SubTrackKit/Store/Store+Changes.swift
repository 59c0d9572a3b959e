import Foundation
import GRDB
import SubTrackAPI

extension Store {
    /// Takes in a page together with its cursor. A page that was asked for from another place than where the store stands by
    /// now (another program was quicker) is left alone.
    /// - Parameter since: the cursor that it was asked for from.
    /// - Returns: whether it was taken.
    static func take(
        _ page: PulledPage, since: String?, at now: Int64, in database: Database
    ) throws -> Bool {
        guard try state(.cursor, in: database) == since else { return false }
        // Without a cursor a copy begins anew; what came with the answers to pushes is in it again.
        if since == nil { try dropRows(in: database) }
        for scope in page.dropped {
            for table in StoredTables.names + [DeclaredRows.table] {
                try database.execute(sql: "DELETE FROM \(table) WHERE scope = ?", arguments: [scope])
            }
        }
        for change in page.changes { try take(change, at: now, in: database) }
        try tidyDeleted(at: now, in: database)
        try set(.cursor, page.cursor, in: database)
        try set(.left, page.more ? String(page.total) : nil, in: database)
        return true
    }

    /// Takes in a change.
    /// - Parameter now: seconds since 1970. It tells which deleted rows can be restored.
    static func take(_ change: PulledChange, at now: Int64, in database: Database) throws {
        let entity = change.entity
        guard let columns = entity.columns else { return try DeclaredRows.take(change, at: now, in: database) }
        guard let id = entity.key(change.id) else { return }
        if case .columns(let data) = change.content {
            // What stands in for a plan is the user's own; the plan may have become one of the catalogue.
            if entity == .plan {
                try database.cachedStatement(sql: "DELETE FROM plan WHERE id = ? AND version <= 0 AND scope <> ?")
                    .execute(arguments: [id, change.scope])
            }
            try upsert(data, id: id, scope: change.scope, version: change.version, in: database)
            if entity == .subscription {
                try database.cachedStatement(sql: "DELETE FROM deleted WHERE id = ?").execute(arguments: [id])
            }
            return
        }
        if entity == .subscription { try keepDeleted(id, change, at: now, in: database) }
        try database.cachedStatement(
            sql: "DELETE FROM \(columns.table) WHERE id = ? AND scope = ? AND version <= ?"
        ).execute(arguments: [id, change.scope, change.version])
        guard let child = entity.childTable else { return }
        try database.cachedStatement(
            sql: "DELETE FROM \(child) WHERE parent = ? AND scope = ? AND version <= ?"
        ).execute(arguments: [id, change.scope, change.version])
    }

    /// Takes in a row unless a newer one is held.
    static func upsert<Stored: StoredColumns>(
        _ row: Stored, id: any DatabaseValueConvertible, scope: String, version: Int64, in database: Database
    ) throws {
        let key: [(any DatabaseValueConvertible)?] = [id, scope, version]
        try database.cachedStatement(sql: StoredTables.upserts[Stored.table] ?? Stored.upsert)
            .execute(arguments: StatementArguments(key + row.values))
    }

    /// Keeps what is held of a subscription that is gone, so that it can be shown and restored.
    private static func keepDeleted(
        _ id: any DatabaseValueConvertible, _ change: PulledChange, at now: Int64, in database: Database
    ) throws {
        let held = try database.firstRow(
            """
            SELECT \(StoredSubscription.selection("s")) FROM subscription s
            WHERE s.id = ? AND s.scope = ? AND s.version <= ?
            """, [id, change.scope, change.version]
        ) { try StoredSubscription(&$0) }
        guard let held else { return }
        let data = try JSON.text(held)
        try database.execute(
            sql: "INSERT OR REPLACE INTO deleted (id, deletedAt, data) VALUES (?, ?, ?)", arguments: [id, now, data])
    }

    /// Forgets what was deleted long ago: it can be restored for 30 days, and a thousand are enough to choose from.
    static func tidyDeleted(at now: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM deleted WHERE deletedAt < ?
                    OR id NOT IN (SELECT id FROM deleted ORDER BY deletedAt DESC LIMIT 1000)
                """, arguments: [now - 30 * 86_400])
        try DeclaredRows.tidy(at: now, in: database)
    }

    /// Drops all rows of the server's, and nothing else.
    static func dropRows(in database: Database) throws {
        for table in StoredTables.names { try database.execute(sql: "DELETE FROM \(table)") }
        try DeclaredRows.drop(in: database)
    }

    /// Drops everything: the user is another one, or gone.
    /// - Parameter keepsReports: whether what was not done as it was made can be read still.
    static func dropAll(keepsReports: Bool = false, in database: Database) throws {
        try dropRows(in: database)
        for table in ["outbox", "acknowledged", "deleted", DeclaredRows.table] + (keepsReports ? [] : ["report"]) {
            try database.execute(sql: "DELETE FROM \(table)")
        }
        for name in [
            StateName.cursor, .left, .user, .server, .device, .signedOut, .clockChecked, .accountless, .totalCurrency,
            .rates, .areas, .distinctRows, .formerRows,
        ] {
            try set(name, nil, in: database)
        }
    }
}

/// JSON in columns.
enum JSON {
    /// A value's text.
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// The value of a text.
    static func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw StoreDamage(place: "the JSON of a \(type)")
        }
    }
}
