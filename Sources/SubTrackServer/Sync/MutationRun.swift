import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Applies one change inside of a transaction that has the user's scope locked, by the functions of the direct operations.
struct MutationRun {
    let run: PushRun
    let written: OwnWrites

    private var call: Call { run.call }
    private var user: UserID { run.session.user }

    /// Applies a change.
    /// - Throws: a problem, when it is refused.
    func apply(_ mutation: PushChanges.Mutation, on connection: Connection) async throws -> PushRun.Done {
        guard let entity = SyncEntity(rawValue: mutation.entity) else {
            throw Problem.input("entity", .missing, "there is no entity \"\(mutation.entity.prefix(20))\"")
        }
        guard let op = PushChanges.Mutation.Op(rawValue: mutation.op) else {
            throw Problem.input("op", .missing, "there is no op \"\(mutation.op.prefix(20))\"")
        }
        switch entity {
        case .me: return try await me(mutation, op, on: connection)
        case .subscription: return try await subscription(mutation, op, on: connection)
        case .plan: return try await plan(mutation, op, on: connection)
        default: throw Problem.input("entity", .range, "clients cannot change a \(entity)")
        }
    }

    // MARK: Subscriptions

    private func subscription(
        _ mutation: PushChanges.Mutation, _ op: PushChanges.Mutation.Op, on connection: Connection
    ) async throws -> PushRun.Done {
        guard let id = UUID(uuidString: mutation.id) else {
            throw Problem.input("id", .malformed, "must be a UUID: 8-4-4-4-12 hexadecimal digits")
        }
        let today = run.session.today(at: call.now)
        if op != .create, op != .restore {
            let found = try await RowVersions.read(mutation, of: user, on: connection)
            guard let found else { throw SubscriptionReading.unknown }
            if found.isDeleted {
                // Two devices deleted it: both have what they wanted. Anything else comes too late.
                guard op == .delete else { throw SubscriptionReading.unknown }
                return try await done(mutation, before: found, on: connection)
            }
            // What renews by itself comes first, as for any reader.
            try await SubscriptionChanges.current(id, user: user, today: today, on: connection)
        }
        let before = try await RowVersions.read(mutation, of: user, on: connection)
        var lost: [LostField] = []
        switch op {
        case .create:
            let input: CreateSubscription = try decode(mutation.fields ?? [:], id: mutation.id)
            let new = try SubscriptionCreation.Checked(input, today: today, now: call.now)
            try await SubscriptionCreation.insert(new, call, on: connection)
        case .update:
            let (fields, kept) = try await merged(mutation, id, before, on: connection)
            lost = kept
            if !fields.isEmpty {
                let input: UpdateSubscription = try decode(fields, id: mutation.id)
                try await SubscriptionChanges.update(input, call, on: connection)
            }
        case .delete:
            let input: DeleteSubscription = try decode(mutation.fields ?? [:], id: mutation.id)
            try await SubscriptionChanges.delete(input, call, on: connection)
        case .restore:
            let input: RestoreSubscription = try decode(mutation.fields ?? [:], id: mutation.id)
            try await SubscriptionChanges.restore(input, call, on: connection)
        case .renew:
            let input: RenewSubscription = try decode(mutation.fields ?? [:], id: mutation.id)
            guard input.period != nil else {
                throw Problem.input("period", .required, "is needed: the number of the period that ends")
            }
            try await SubscriptionChanges.renew(input, call, on: connection)
        case .cancel:
            let input: CancelSubscription = try decode(mutation.fields ?? [:], id: mutation.id)
            try await SubscriptionChanges.cancel(input, call, on: connection)
        case .resume:
            let input: ResumeSubscription = try decode(mutation.fields ?? [:], id: mutation.id)
            try await SubscriptionChanges.resume(input, call, on: connection)
        }
        if op != .delete {
            // What it has just become may have to renew at once; what would take long is refused.
            _ = try await SubscriptionChanges.answer(
                id, user: user, today: today, tenant: call.tenant, on: connection)
        }
        return try await done(mutation, before: before, lost: lost, on: connection)
    }

    /// The fields of a change that nobody else has changed since, and those that somebody has.
    private func merged(
        _ mutation: PushChanges.Mutation, _ id: UUID, _ before: RowVersions?, on connection: Connection
    ) async throws -> ([String: AnyJSON], [LostField]) {
        let fields = mutation.fields ?? [:]
        guard let base = mutation.baseVersion, let before, written.others(before, of: mutation) > base else {
            return (fields, [])
        }
        let digits = try await call.tenant.currencies.table(on: connection)
        let row = try await StoredRowQueries.subscription(id, of: user, digits: digits, on: connection)
        guard case .subscription(let stored) = row?.data else { throw SubscriptionReading.unknown }
        var plan: StoredPlan?
        if fields["plan"] != nil,
            case .plan(let own) = try await StoredRowQueries.plan(
                stored.planId, of: user, digits: digits, on: connection)?.data
        {
            plan = own
        }
        return FieldMerge.split(
            fields, base: base,
            version: { field in FieldGroup(field: field).map { written.others(before, $0, of: mutation) } },
            kept: { field in stored.value(of: field, plan: plan) })
    }

    // MARK: The user

    private func me(
        _ mutation: PushChanges.Mutation, _ op: PushChanges.Mutation.Op, on connection: Connection
    ) async throws -> PushRun.Done {
        guard UUID(uuidString: mutation.id) == user.uuid else { throw Problem(.notFound, "There is no such user.") }
        guard op == .update else { throw Problem.input("op", .range, "of \"me\" there is only update") }
        guard let row = try await UserQueries.user(user, on: connection) else {
            throw Problem(.userDeleted, "This user was deleted.")
        }
        let before = RowVersions(version: row.version)
        let (fields, lost) = whole(mutation, before, known: ["userName", "country", "timeZone"]) { field in
            switch field {
            case "userName": row.userName.map { .string($0) } ?? .null
            case "country": .string(row.country)
            default: .string(row.timeZone)
            }
        }
        if !fields.isEmpty {
            let input: UpdateMe = try decode(fields, id: nil)
            _ = try await UserHandlers.update(input, call, on: connection)
        }
        return try await done(mutation, before: before, lost: lost, on: connection)
    }

    // MARK: Plans of the user's own

    private func plan(
        _ mutation: PushChanges.Mutation, _ op: PushChanges.Mutation.Op, on connection: Connection
    ) async throws -> PushRun.Done {
        let today = run.session.today(at: call.now)
        let unknown = Problem(.notFound, "There is no such plan of yours.")
        guard let id = Int64(mutation.id),
            let row = try await CatalogueQueries.plan(id, user: user, today: today, on: connection),
            row.owner == user.uuid
        else { throw unknown }
        let before = RowVersions(version: row.version)
        var lost: [LostField] = []
        switch op {
        case .update:
            let digits = try await call.tenant.currencies.table(on: connection)
            guard
                case .plan(let stored) = try await StoredRowQueries.plan(
                    id, of: user, digits: digits, on: connection)?.data
            else { throw unknown }
            let (fields, kept) = whole(mutation, before, known: StoredPlan.changeable) { stored.value(of: $0) }
            lost = kept
            let patch: PrivatePlanPatch = try decode(fields, id: nil)
            try await PrivatePlans.update(
                row, patch, owner: user, today: today, tenant: call.tenant, on: connection)
        case .delete: try await PrivatePlans.delete(id, owner: user, on: connection)
        default:
            throw Problem.input(
                "op", .range, "of a plan there are update and delete; it is made with its first subscription")
        }
        return try await done(mutation, before: before, lost: lost, on: connection)
    }

    // MARK: What they share

    /// The fields of a change of a row that has but one version.
    private func whole(
        _ mutation: PushChanges.Mutation, _ before: RowVersions, known: Set<String>, kept: (String) -> AnyJSON
    ) -> ([String: AnyJSON], [LostField]) {
        let fields = mutation.fields ?? [:]
        guard let base = mutation.baseVersion else { return (fields, []) }
        let others = written.others(before, of: mutation)
        return FieldMerge.split(
            fields, base: base, version: { known.contains($0) ? others : nil }, kept: kept)
    }

    private func decode<Value: Decodable>(_ fields: [String: AnyJSON], id: String?) throws -> Value {
        guard fields["id"] == nil || id == nil else {
            throw Problem.input("id", .unknown, "stands beside the fields already")
        }
        var members = fields.map { JSONValue.Member(name: $0.key, value: JSONValue($0.value)) }
        if let id { members.append(.init(name: "id", value: .string(id))) }
        return try InputDecoder.decode(Value.self, from: .object(members))
    }

    /// The answer, with the row as it is now.
    private func done(
        _ mutation: PushChanges.Mutation, before: RowVersions?, lost: [LostField] = [], on connection: Connection
    ) async throws -> PushRun.Done {
        let after = try await RowVersions.read(mutation, of: user, on: connection)
        let isMerged =
            !lost.isEmpty
            || mutation.baseVersion.map { base in
                before.map { written.others($0, of: mutation) > base } ?? false
            } ?? false
        let row = try await run.row(mutation, after, on: connection)
        return PushRun.Done(
            result: .init(key: mutation.key, outcome: isMerged ? .merged : .applied, row: row, lost: lost),
            before: before, after: after, written: row?.version)
    }
}

extension JSONValue {
    /// A value of a pushed change, to be read like the input of an operation.
    init(_ value: AnyJSON) {
        self =
            switch value {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .integer(let number): .integer(number)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map(JSONValue.init))
            case .object(let members): .object(members.map { .init(name: $0.key, value: JSONValue($0.value)) })
            }
    }
}
