import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Reads what is on the device, with what waits laid over it.
enum LocalReading {
    /// The user as this device knows it.
    static func user(in database: Database) throws -> StoredUser {
        if let row = try Row.fetchOne(database, sql: "SELECT \(StoredUser.selection("m")) FROM me m LIMIT 1") {
            var reader = ColumnReader(row)
            return try StoredUser(&reader)
        }
        // Before the first pull.
        return StoredUser(
            userName: nil, country: try Store.state(.country, in: database) ?? "",
            timeZone: try Store.state(.timeZone, in: database) ?? "UTC", accounts: [])
    }

    /// All subscriptions, or one.
    static func overlay(of id: String? = nil, in database: Database) throws -> Overlay {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT s.id, s.version, \(StoredSubscription.selection("s")) FROM subscription s
                    \(id == nil ? "" : "WHERE s.id = ?")
                    """), arguments: id == nil ? [] : [id])
        var (entries, needed) = ([Overlay.Entry](), Set<Int64>())
        while let row = try rows.next() {
            var reader = ColumnReader(row)
            let entry = Overlay.Entry(
                id: try reader.text(), version: try reader.integer(), row: try StoredSubscription(&reader))
            entries.append(entry)
            needed.insert(entry.row.planId)
        }
        let outbox = try Store.outbox(in: database).filter {
            id == nil || $0.mutation.id == id || $0.mutation.entity != SyncEntity.subscription.rawValue
        }
        var deleted: [String: StoredSubscription] = [:]
        for waiting in outbox {
            if case .integer(let plan)? = waiting.mutation.fields?["planId"] { needed.insert(plan) }
            guard waiting.mutation.op == PushChanges.Mutation.Op.restore.rawValue,
                let row = try self.deleted(waiting.mutation.id, in: database)
            else { continue }
            deleted[waiting.mutation.id] = row
            needed.insert(row.planId)
        }
        return Overlay(
            entries: entries, plans: try PlanTable(needed, in: database), user: try user(in: database),
            deleted: deleted, outbox: outbox)
    }

    /// A subscription that was deleted, as it was.
    static func deleted(_ id: String, in database: Database) throws -> StoredSubscription? {
        try String.fetchOne(database, sql: "SELECT data FROM deleted WHERE id = ?", arguments: [id])
            .map { try JSON.value(StoredSubscription.self, $0) }
    }

    /// The periods that have ended, as the server has them.
    static func periods(of id: String, in database: Database) throws -> [StoredPeriod] {
        try Row.fetchAll(
            database,
            sql: "SELECT \(StoredPeriod.selection("p")) FROM period p WHERE p.parent = ? ORDER BY p.number",
            arguments: [id]
        ).map { row in
            var reader = ColumnReader(row)
            return try StoredPeriod(&reader)
        }
    }
}
