import GRDB
import SubTrackAPI

/// Subscriptions of a user whom the service has lost. A device sends again what it did lately; older rows, and those of other
/// devices, are only here.
extension Store {
    /// Notes the subscriptions that no waiting change adds, before the rows are dropped.
    static func noteFormer(in database: Database) throws {
        let added = Set(
            try outbox(in: database).map(\.mutation).filter { $0.op == PushChanges.Mutation.Op.create.rawValue }
                .map(\.id))
        var rows: [(id: String, row: StoredSubscription)] = []
        try database.eachRow(
            "SELECT s.id, \(StoredSubscription.selection("s")) FROM subscription s ORDER BY s.id"
        ) { reader in
            rows.append((try reader.text(), try StoredSubscription(&reader)))
        }
        rows.removeAll { added.contains($0.id) }
        guard !rows.isEmpty else { return }
        let plans = try PlanTable(Set(rows.map(\.row.planId)), in: database)
        let additions = try rows.map { id, row in
            let own = plans[row.planId].flatMap { $0.private ? PrivatePlan($0) : nil }
            let addition = CreateSubscription(
                planId: own == nil ? row.planId : nil, plan: own, startDate: row.startDate,
                freeTrial: row.freeTrial ? true : nil, autoRenew: row.autoRenew ? true : nil, fee: row.ownFee,
                label: row.label, reminderDays: row.reminderDays, note: row.note)
            return PushChanges.Mutation(
                entity: .subscription, id: id, op: .create, fields: try addition.fields())
        }
        try set(.formerRows, try JSON.text(additions), in: database)
    }

    /// Reports the noted subscriptions that the user does not have, when all of the user's rows have been pulled.
    /// - Parameter now: seconds since 1970.
    /// - Returns: how many were reported.
    static func reportFormer(at now: Int64, in database: Database) throws -> Int {
        guard let noted = try state(.formerRows, in: database) else { return 0 }
        var count = 0
        for addition in try JSON.value([PushChanges.Mutation].self, noted) {
            let isHeld = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM subscription WHERE id = ?)", arguments: [addition.id])
            guard isHeld != true else { continue }
            try report(
                addition, lost: [],
                problem: Problem(.statusConflict, "This device had it, and the service does not have it any more."),
                at: now, in: database)
            count += 1
        }
        try set(.formerRows, nil, in: database)
        return count
    }
}
