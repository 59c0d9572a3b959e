import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Reads what is on the device, with what waits laid over it.
enum LocalReading {
    /// The user as this device knows it.
    static func user(in database: Database) throws -> StoredUser {
        let user = try database.firstRow("SELECT \(StoredUser.selection("m")) FROM me m LIMIT 1") {
            try StoredUser(&$0)
        }
        if let user { return user }
        // Before the first pull.
        return StoredUser(
            userName: nil, country: try Store.state(.country, in: database) ?? "",
            timeZone: try Store.state(.timeZone, in: database) ?? "UTC", accounts: [])
    }

    /// All subscriptions, or one.
    static func overlay(of id: String? = nil, in database: Database) throws -> Overlay {
        var (entries, needed) = ([Overlay.Entry](), Set<Int64>())
        try database.eachRow(
            """
            SELECT s.id, s.version, \(StoredSubscription.selection("s")) FROM subscription s
            \(id == nil ? "" : "WHERE s.id = ?") ORDER BY s.id, s.scope
            """, id == nil ? [] : [id]
        ) { reader in
            let entry = Overlay.Entry(
                id: try reader.text(), version: try reader.integer(), row: try StoredSubscription(&reader))
            // A row is known by its id and its scope; of two with one id the last is shown.
            if entries.last?.id == entry.id { entries.removeLast() }
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
        try database.firstRow("SELECT data FROM deleted WHERE id = ?", [id]) {
            try JSON.value(StoredSubscription.self, $0.text())
        }
    }

    /// The periods that have ended, as the server has them.
    static func periods(of id: String, in database: Database) throws -> [StoredPeriod] {
        var periods: [StoredPeriod] = []
        try database.eachRow(
            "SELECT \(StoredPeriod.selection("p")) FROM period p WHERE p.parent = ? ORDER BY p.number", [id]
        ) { periods.append(try StoredPeriod(&$0)) }
        return periods
    }
}
