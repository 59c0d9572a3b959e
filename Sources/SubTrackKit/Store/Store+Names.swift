import Foundation
import GRDB
import SubTrackAPI

extension Store {
    /// How many reports are searched for the name of a row that is neither held nor named by its change.
    private static let searchedReports = 100

    /// The name for people of the row that a change is of: the label, or provider and plan; nil: it is not known.
    static func name(of mutation: PushChanges.Mutation, in database: Database) throws -> String? {
        switch SyncEntity(rawValue: mutation.entity) {
        case .subscription: try nameOfSubscription(mutation, in: database)
        case .plan: try Int64(mutation.id).flatMap { try title(ofPlan: $0, in: database) }
        case StoredReminder.entity: try nameOfReminder(mutation, in: database)
        default: try DeclaredRows.name(of: mutation, in: database)
        }
    }

    /// The name of the subscription, or of the contact with the word for the day.
    private static func nameOfReminder(_ mutation: PushChanges.Mutation, in database: Database) throws -> String? {
        guard let subject = ReminderKey(mutation.id)?.subject else { return nil }
        var of = mutation
        (of.entity, of.id, of.fields) = (SyncEntity.subscription.rawValue, subject.lowercased, nil)
        return try nameOfSubscription(of, in: database)
            ?? DeclaredTexts(of: StoredContact.declaration, isDeleted: false, in: database)
            .rows(StoredContact.self, in: database).lazy.flatMap { contact in
                contact.row.dates.filter { $0.id == subject }.map { "\(contact.row.fullName), \($0.type)" }
            }.first
    }

    /// The name for people of the plan that a change names; nil: it names none, or the plan is not known.
    static func planName(of mutation: PushChanges.Mutation, in database: Database) throws -> String? {
        guard case .integer(let plan)? = mutation.fields?["planId"] else { return nil }
        return try title(ofPlan: plan, in: database)
    }

    private static func nameOfSubscription(
        _ mutation: PushChanges.Mutation, in database: Database
    ) throws -> String? {
        let held = try database.firstRow("SELECT label, planId FROM subscription WHERE id = ?", [mutation.id]) {
            (label: try $0.optionalText(), plan: try $0.integer())
        }
        if let held { return try held.label ?? title(ofPlan: held.plan, in: database) }
        if let row = try LocalReading.deleted(mutation.id, in: database) {
            return try row.label ?? title(ofPlan: row.planId, in: database)
        }
        if case .string(let label)? = mutation.fields?["label"] { return label }
        if case .object(let plan)? = mutation.fields?["plan"], case .string(let provider)? = plan["provider"] {
            return provider
        }
        if let plan = try planName(of: mutation, in: database) { return plan }
        // Its addition was refused before.
        return try String.fetchOne(
            database,
            sql: """
                SELECT name FROM report WHERE number > (SELECT MAX(number) FROM report) - ? AND name IS NOT NULL
                    AND json_extract(mutation, '$.id') = ? ORDER BY number DESC LIMIT 1
                """, arguments: [searchedReports, mutation.id])
    }

    /// Provider and name of a plan, as ``SubTrackAPI/Plan/title`` has them.
    private static func title(ofPlan id: Int64, in database: Database) throws -> String? {
        let plan = try database.firstRow("SELECT \(StoredPlan.selection("p")) FROM plan p WHERE p.id = ?", [id]) {
            try StoredPlan(&$0)
        }
        guard let plan else { return nil }
        let isPlain = plan.type == "Standard" || plan.type == plan.name
        if isPlain, plan.private, plan.name == "Standard" { return plan.provider }
        return [plan.provider, plan.name, isPlain ? nil : plan.type].compactMap { $0 }.joined(separator: " ")
    }
}
