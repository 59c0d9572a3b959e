import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// A row of a user whom the service has lost, as the changes that make it anew.
struct FormerRow: Codable, Sendable {
    /// A change with the user's day on which it was made.
    struct Step: Codable, Sendable {
        var day: CalendarDate
        var mutation: PushChanges.Mutation
    }

    var kind: SyncEntity
    var id: String
    /// The addition, and what follows from it.
    var steps: [Step]
    /// How many periods have ended: they cannot be sent.
    var endedPeriods: Int?
}

/// Rows of a user whom the service has lost. A device sends again what it did lately; older rows, and those of other devices,
/// are only here.
extension Store {
    /// Notes the rows that no kept change adds, before they are dropped. Their values are those that the device shows.
    static func noteFormer(today: CalendarDate, in database: Database) throws {
        let added = try keptAdditions(in: database)
        let rows =
            try formerSubscriptions(without: added, today: today, in: database)
            + formerDeclared(without: added, today: today, in: database)
        guard !rows.isEmpty else { return }
        // A former sign-in may not have got so far as to send them.
        let noted = try former(in: database)
        let ids = Set(rows.map(\.id))
        try set(.formerRows, try JSON.text(noted.filter { !ids.contains($0.id) } + rows), in: database)
    }

    /// Has the user add the noted rows that the service does not have, when all of the user's rows have been pulled. What was
    /// changed of such a row is in its values.
    /// - Parameter now: seconds since 1970.
    /// - Returns: how many were reported, for something of them cannot be sent.
    static func giveFormer(at now: Int64, in database: Database) throws -> Int {
        let lacking = try former(in: database).filter { try !isHeld($0, in: database) }
        let ids = Set(lacking.map(\.id))
        let waiting = try outbox(in: database)
        try database.execute(sql: "DELETE FROM outbox")
        for step in lacking.flatMap(\.steps) { try insert(step.mutation, today: step.day, in: database) }
        for entry in waiting where !ids.contains(entry.mutation.id) {
            try insert(entry.mutation, today: entry.today, in: database)
        }
        try set(.formerRows, nil, in: database)
        let incomplete = lacking.filter { ($0.endedPeriods ?? 0) > 0 }
        for row in incomplete {
            guard let addition = row.steps.first?.mutation else { continue }
            let detail =
                "The service had lost it, and got it from this device, without the periods that have ended: "
                + "\(row.endedPeriods ?? 0)."
            try report(addition, lost: [], problem: Problem(.statusConflict, detail), at: now, in: database)
        }
        return incomplete.count
    }

    /// Tells of the noted rows, for another person has signed in.
    static func reportFormer(_ problem: Problem, at now: Int64, in database: Database) throws {
        for row in try former(in: database) {
            guard let addition = row.steps.first?.mutation else { continue }
            try report(addition, lost: [], problem: problem, at: now, in: database)
        }
        try set(.formerRows, nil, in: database)
    }

    private static func former(in database: Database) throws -> [FormerRow] {
        try state(.formerRows, in: database).map { try JSON.value([FormerRow].self, $0) } ?? []
    }

    private static func isHeld(_ row: FormerRow, in database: Database) throws -> Bool {
        guard let columns = row.kind.columns else {
            return try DeclaredRows.version(of: row.kind, row.id, in: database) != nil
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM \(columns.table) WHERE id = ?)"
        return try Bool.fetchOne(database, sql: sql, arguments: [row.kind.key(row.id)]) ?? false
    }

    /// The ids of rows that are added by changes which wait, or are sent again.
    private static func keptAdditions(in database: Database) throws -> Set<String> {
        Set(
            try String.fetchAll(
                database,
                sql: """
                    SELECT json_extract(mutation, '$.id') FROM outbox WHERE json_extract(mutation, '$.op') = 'create'
                    UNION SELECT json_extract(mutation, '$.id') FROM acknowledged
                    WHERE json_extract(mutation, '$.op') = 'create'
                    """))
    }

    private static func formerDeclared(
        without added: Set<String>, today: CalendarDate, in database: Database
    ) throws -> [FormerRow] {
        let kinds = try String.fetchAll(
            database, sql: "SELECT DISTINCT kind FROM \(DeclaredRows.table) WHERE deletedAt IS NULL ORDER BY kind")
        return try kinds.map { SyncEntity(rawValue: $0) }.flatMap { kind in
            try DeclaredRows.standing(of: kind, in: database).filter { !added.contains($0.id) }.map { id, fields in
                let addition = PushChanges.Mutation(entity: kind, id: id, op: .create, fields: fields)
                return FormerRow(kind: kind, id: id, steps: [.init(day: today, mutation: addition)])
            }
        }
    }

    private static func formerSubscriptions(
        without added: Set<String>, today: CalendarDate, in database: Database
    ) throws -> [FormerRow] {
        let overlay = try LocalReading.overlay(in: database)
        return try overlay.entries.values.filter { !$0.isDeleted && !added.contains($0.id) }.map { entry in
            let row = entry.row
            let addition = PushChanges.Mutation(
                entity: .subscription, id: entry.id, op: .create,
                fields: try CreateSubscription(row, plans: overlay.plans).fields())
            var steps = [FormerRow.Step(day: today, mutation: addition)]
            if let day = row.cancelledOn, row.endDate > today {
                steps.append(
                    .init(
                        day: day,
                        mutation: .init(entity: .subscription, id: entry.id, op: .cancel, after: addition.key)))
            }
            let ended = try LocalReading.periods(of: entry.id, in: database).count + entry.ended.count
            return FormerRow(
                kind: .subscription, id: entry.id, steps: steps, endedPeriods: ended == 0 ? nil : ended)
        }
    }
}

extension CreateSubscription {
    /// What a user would give to have a subscription as it stands in its period, with its own plan if it has one.
    fileprivate init(_ row: StoredSubscription, plans: PlanTable) {
        let own = plans[row.planId].flatMap { $0.private ? PrivatePlan($0) : nil }
        // Where somebody corrected the renewal, the period does not follow from its first day.
        let begun = plans.terms(row.planId).flatMap {
            try? BillingState.begin(on: row.startDate, terms: $0, freeTrial: row.freeTrial)
        }
        let isByStart = row.freeTrial || begun == nil || begun?.end == row.endDate
        self.init(
            planId: own == nil ? row.planId : nil, plan: own, startDate: isByStart ? row.startDate : nil,
            nextRenewal: isByStart ? nil : row.endDate, freeTrial: row.freeTrial ? true : nil,
            // What was cancelled runs out.
            autoRenew: row.autoRenew && row.cancelledOn == nil ? true : nil, fee: row.ownFee, label: row.label,
            reminderDays: row.reminderDays, muted: row.muted ? true : nil, note: row.note)
    }
}
