import Foundation
import GRDB
import SubTrackAPI

/// A subscription as the store held it before answers were taken in.
struct HeldSubscription: Sendable {
    var version: Int64
    var row: StoredSubscription
}

extension Store {
    /// The subscriptions of changes that lost something, as they are held before the answers are taken in.
    static func held(
        before results: [PushChanges.Result], to entries: [OutboxEntry], in database: Database
    ) throws -> [String: HeldSubscription] {
        var held: [String: HeldSubscription] = [:]
        for (entry, result) in zip(entries, results)
        where !result.lost.isEmpty && entry.mutation.entity == SyncEntity.subscription.rawValue {
            held[entry.mutation.id] = try database.firstRow(
                "SELECT s.version, \(StoredSubscription.selection("s")) FROM subscription s WHERE s.id = ?",
                [entry.mutation.id]
            ) { HeldSubscription(version: try $0.integer(), row: try StoredSubscription(&$0)) }
        }
        return held
    }

    /// Sends again those lost fields that nobody else has changed, and that say nothing of others: the service merges by groups,
    /// and a new note keeps a label from being written.
    ///
    /// A change is sent again once. A service that refuses it for ever would be asked for ever.
    /// - Parameter held: the row that the change was based on; nil: it is not known any more.
    /// - Returns: the fields that are lost.
    static func sendAgain(
        _ result: PushChanges.Result, to entry: OutboxEntry, held: HeldSubscription?, in database: Database
    ) throws -> [LostField] {
        let mutation = entry.mutation
        guard !result.lost.isEmpty, mutation.op == PushChanges.Mutation.Op.update.rawValue, let held,
            held.version == mutation.baseVersion, let change = result.row, case .subscription(let now)? = change.data,
            try !isSentAgain(mutation, in: database)
        else { return result.lost }
        let later = try outbox(of: mutation.id, in: database).filter { $0.number > entry.number }.map(\.mutation)
        // A change that is not an update may make an end of the row.
        guard later.allSatisfy({ $0.op == PushChanges.Mutation.Op.update.rawValue }) else { return result.lost }
        let free = result.lost.filter { field in
            guard let before = held.row.single(field.field) else { return false }
            return now.single(field.field) == before
        }
        // A field that was changed once more waits behind this change already.
        let waiting = free.filter { field in later.contains { $0.fields?[field.field] != nil } }
        // Behind a change that waits it would follow that one, which the service takes for somebody else's.
        let sent = later.isEmpty ? free : []
        if !sent.isEmpty {
            try insert(
                PushChanges.Mutation(
                    entity: .subscription, id: mutation.id, op: .update, baseVersion: change.version,
                    after: mutation.key,
                    fields: Dictionary(sent.map { ($0.field, $0.yours) }, uniquingKeysWith: { $1 })),
                today: entry.today, in: database)
        }
        return result.lost.filter { !sent.contains($0) && !waiting.contains($0) }
    }

    /// Whether a change has the values of an answered one, on top of which it was made.
    private static func isSentAgain(_ mutation: PushChanges.Mutation, in database: Database) throws -> Bool {
        guard let former = mutation.after else { return false }
        let said = try database.firstRow("SELECT mutation FROM acknowledged WHERE key = ?", [former.lowercased]) {
            try JSON.value(PushChanges.Mutation.self, $0.text())
        }
        guard let said, said.id == mutation.id else { return false }
        return (mutation.fields ?? [:]).allSatisfy { said.fields?[$0.key] == $0.value }
    }
}

extension StoredSubscription {
    /// The value of a field that says nothing of others; nil for any other field.
    fileprivate func single(_ field: String) -> AnyJSON? {
        switch field {
        case "label": label.map { .string($0) } ?? .null
        case "note": note.map { .string($0) } ?? .null
        case "reminderDays": reminderDays.map { .integer(Int64($0)) } ?? .null
        case "muted": .bool(muted)
        default: nil
        }
    }
}
