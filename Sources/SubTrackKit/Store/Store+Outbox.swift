import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// A change that was made here and is not answered yet.
struct OutboxEntry: Sendable {
    /// Its place in the order.
    var number: Int64
    /// The user's day on which it was made.
    var today: CalendarDate
    /// What is sent.
    var mutation: PushChanges.Mutation

    /// The change as it is sent.
    /// - Parameter sayingDay: whether it says on which day it was made: it may arrive long after.
    func sent(sayingDay: Bool) -> PushChanges.Mutation {
        var sent = mutation
        if sayingDay { sent.madeOn = today }
        return sent
    }
}

extension Store {
    /// All that waits, in its order.
    /// - Parameters:
    ///   - id: of one row alone.
    ///   - limit: how many at most.
    static func outbox(of id: String? = nil, limit: Int = .max, in database: Database) throws -> [OutboxEntry] {
        var entries: [OutboxEntry] = []
        try database.eachRow(
            "SELECT number, today, mutation FROM outbox \(id == nil ? "" : "WHERE id = ?") ORDER BY number LIMIT ?",
            id == nil ? [Int64(clamping: limit)] : [id, Int64(clamping: limit)]
        ) { reader in
            entries.append(
                OutboxEntry(
                    number: try reader.integer(), today: try reader.day(),
                    mutation: try JSON.value(PushChanges.Mutation.self, reader.text())))
        }
        return entries
    }

    /// Puts a change behind those that wait. What it is based on is what the store holds of the row now.
    static func enqueue(
        _ entity: SyncEntity, id: String, op: PushChanges.Mutation.Op, fields: [String: AnyJSON] = [:],
        today: CalendarDate, in database: Database
    ) throws {
        let last = try String.fetchOne(
            database, sql: "SELECT key FROM outbox WHERE id = ? ORDER BY number DESC LIMIT 1", arguments: [id])
        // What this device did of a plan since the last pull is its own, also where the service did not say which version came of it.
        let former = try last ?? (fields["plan"] == nil ? nil : lastAcknowledged(of: id, in: database))
        var mutation = PushChanges.Mutation(
            entity: entity, id: id, op: op, after: former.flatMap { UUID(uuidString: $0) },
            fields: fields.isEmpty ? nil : fields)
        if op != .create, let key = entity.key(id) {
            mutation.baseVersion =
                if let columns = entity.columns {
                    try Int64.fetchOne(
                        database, sql: "SELECT version FROM \(columns.table) WHERE id = ?", arguments: [key])
                } else {
                    try DeclaredRows.version(of: entity, id, in: database)
                }
            // What stands in for a plan has no version; that of the subscription, made after it, serves then.
            if entity == .subscription, fields["plan"] != nil {
                mutation.planVersion = try Int64.fetchOne(
                    database,
                    sql: """
                        SELECT p.version FROM subscription s JOIN plan p ON p.id = s.planId WHERE s.id = ? AND p.version > 0
                        """, arguments: [key])
            }
        }
        try insert(mutation, today: today, in: database)
    }

    /// The key of the last change of a row's plan that was answered.
    private static func lastAcknowledged(of id: String, in database: Database) throws -> String? {
        try String.fetchOne(
            database,
            sql: """
                SELECT key FROM acknowledged
                WHERE json_extract(mutation, '$.id') = ? AND json_extract(mutation, '$.fields.plan') IS NOT NULL
                ORDER BY number DESC LIMIT 1
                """, arguments: [id])
    }

    /// The number of the last change that was ever put into the outbox.
    static func lastNumber(in database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'") ?? 0
    }

    /// Makes a change that waits another user's, who has the rows of the former one by now.
    /// - Parameter same: ids of subscriptions that both had, and those that stand for them now.
    static func handOver(
        _ entry: OutboxEntry, to user: User, same: [UUID: UUID], in database: Database
    ) throws {
        var mutation = entry.mutation
        // Versions of one user's rows say nothing of another's.
        mutation.baseVersion = nil
        mutation.planVersion = nil
        let own = [SyncEntity.me, StoredReminderSettings.entity].map(\.rawValue)
        if own.contains(mutation.entity) { mutation.id = user.id.lowercased }
        if let id = UUID(uuidString: mutation.id), let other = same[id] { mutation.id = other.lowercased }
        if let key = GivenAnswer(mutation)?.key, let other = same[key.subject] {
            mutation.id =
                ReminderKey(subject: other, kind: key.kind, occursOn: key.occursOn, lead: key.lead).description
        }
        try database.execute(
            sql: "UPDATE outbox SET id = ?, mutation = ? WHERE number = ?",
            arguments: [mutation.id, try JSON.text(mutation), entry.number])
    }

    static func insert(
        _ mutation: PushChanges.Mutation, today: CalendarDate, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO outbox (key, entity, id, today, mutation) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            mutation.key.lowercased, mutation.entity, mutation.id, today.stored, try JSON.text(mutation),
        ])
    }

    /// Takes in the answers to the first changes of the outbox, together with the rows that they brought.
    /// - Returns: how many changes were done with.
    /// - Throws: ``KitError/nonsense(_:)`` when they are not the answers to these changes; nothing is taken then.
    static func take(
        _ results: [PushChanges.Result], for entries: [OutboxEntry], at now: Int64, in database: Database
    ) throws -> Int {
        guard results.map(\.key) == entries.map(\.mutation.key) else {
            throw KitError.nonsense("the answers are not those of the changes that were sent")
        }
        let held = try held(before: results, to: entries, in: database)
        var done = 0
        for (entry, result) in zip(entries, results) {
            guard result.outcome != .unknown else { break }
            done += 1
            // Another program may have sent the same, and have been told.
            try database.execute(sql: "DELETE FROM outbox WHERE number = ?", arguments: [entry.number])
            guard database.changesCount > 0 else { continue }
            if let row = result.row {
                try take(try PulledChange(row), at: now, in: database)
                // What was made of the plan after that, in the same push, is in the row, and not in this change.
                let isChanged = entries.contains {
                    $0.number > entry.number && $0.mutation.id == entry.mutation.id
                        && $0.mutation.fields?["plan"] != nil
                }
                if let plan = result.plan {
                    try take(try PulledChange(plan), at: now, in: database)
                } else {
                    // A service that does not give the plan; or it has another one by now.
                    try standIn(for: row, made: entry, result, isChanged: isChanged, in: database)
                }
            }
            if result.outcome != .refused {
                try database.execute(
                    sql: """
                        INSERT OR IGNORE INTO acknowledged (key, today, answeredAt, mutation) VALUES (?, ?, ?, ?)
                        """,
                    arguments: [entry.mutation.key.lowercased, entry.today.stored, now, try JSON.text(entry.mutation)])
            }
            let lost = try sendAgain(result, to: entry, held: held[entry.mutation.id], in: database)
            if result.outcome == .refused || !lost.isEmpty {
                try report(entry.mutation, lost: lost, problem: result.error, at: now, in: database)
            }
        }
        try tidy(at: now, in: database)
        return done
    }

    /// Keeps what was made here of a plan of the user's own until the server's row is pulled: of an answer to a push the
    /// subscription alone comes, which refers to it. Any row of the server's takes its place.
    ///
    /// An answer that comes again shows the subscription as others have made it since: then what was made here stands in only
    /// where it may still be so, as a guess.
    private static func standIn(
        for row: Change, made entry: OutboxEntry, _ result: PushChanges.Result, isChanged: Bool, in database: Database
    ) throws {
        guard case .subscription(let subscription)? = row.data, let fields = entry.mutation.fields?["plan"],
            !result.lost.contains(where: { $0.field == "plan" })
        else { return }
        let id = subscription.planId
        let held = try database.firstRow(
            "SELECT p.scope, p.version, \(StoredPlan.selection("p")) FROM plan p WHERE p.id = ?", [id]
        ) { (scope: try $0.text(), version: try $0.integer(), plan: try StoredPlan(&$0)) }
        switch (PushChanges.Mutation.Op(rawValue: entry.mutation.op), held) {
        case (.create?, nil):
            guard let made: PrivatePlan = decoded(fields) else { return }
            let plan = StoredPlan(
                made, country: try LocalReading.user(in: database).country,
                digits: try CurrencyDigits(in: database)[made.currency],
                since: min(subscription.startDate, entry.today))
            guard !result.replayed || isChanged || plan.mayBePlan(of: subscription) else { return }
            try upsert(
                plan, id: id, scope: row.scope, version: result.replayed ? guessed : 0, in: database)
        case (.update?, var held?):
            guard let patch: PrivatePlanPatch = decoded(fields), held.plan.private,
                !result.replayed || max(held.version, 0) == entry.mutation.planVersion ?? 0
            else { return }
            held.plan.apply(patch)
            try upsert(held.plan, id: id, scope: held.scope, version: held.version, in: database)
        default: break
        }
    }

    /// The version of a plan that was made here and may be another one by now.
    static let guessed: Int64 = -1

    /// Whether what is held of a plan is no more than what was made of it here once.
    static func isGuessed(_ plan: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM plan WHERE id = ? AND version = ?)",
            arguments: [plan, guessed]) ?? false
    }

    private static func decoded<Value: Decodable>(_ json: AnyJSON) -> Value? {
        try? JSONDecoder().decode(Value.self, from: JSONEncoder().encode(json))
    }

    /// Notes what was not done as it was made.
    static func report(
        _ mutation: PushChanges.Mutation, lost: [LostField], problem: Problem?, at now: Int64, in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO report (at, mutation, lost, problem, name, plan) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                now, try JSON.text(mutation), try JSON.text(lost), try problem.map { try JSON.text($0) },
                try name(of: mutation, in: database), try planName(of: mutation, in: database),
            ])
    }

    /// The number of changes that were not done as they were made.
    static func countOfReports(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM report") ?? 0
    }

    /// Forgets what is of no use any more: the service knows keys for 90 days, and what is offered again must be known.
    private static func tidy(at now: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM acknowledged WHERE answeredAt < ?
                    OR number <= (SELECT MAX(number) FROM acknowledged) - 10000
                """, arguments: [now - 30 * 86_400])
        try tidyDeleted(at: now, in: database)
    }

    /// Starts over: the rows are pulled anew, and what waits is kept.
    /// - Parameter reason: where the data went back in time, what was acknowledged is offered again, before what waits: a
    ///   key that the server still knows is answered once more, and nothing is done twice.
    static func startOver(_ reason: Problem.ResyncReason?, in database: Database) throws {
        try set(.cursor, nil, in: database)
        try set(.left, nil, in: database)
        guard reason == .epoch else { return }
        let waiting = try outbox(in: database)
        try database.execute(sql: "DELETE FROM outbox")
        try database.eachRow("SELECT today, mutation FROM acknowledged ORDER BY number") { reader in
            let today = try reader.day()
            try insert(try JSON.value(PushChanges.Mutation.self, reader.text()), today: today, in: database)
        }
        for entry in waiting { try insert(entry.mutation, today: entry.today, in: database) }
        try database.execute(sql: "DELETE FROM acknowledged")
    }
}

extension StoredPlan {
    /// Whether a subscription's period and price are those that this plan gives.
    fileprivate func mayBePlan(of row: StoredSubscription) -> Bool {
        guard currency == row.currency, row.freeTrial || (row.ownFee ?? fee) == row.fee,
            let terms = try? BillingTerms(duration: duration, trialDays: trialDays)
        else {
            return false
        }
        return row.anchorCount > 0
            ? row.state.fits(terms) : row.startDate.adding(days: terms.trialDays) == row.endDate
    }
}
