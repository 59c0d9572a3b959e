import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Applies one change inside of a transaction that has the user's scope locked, by the functions of the direct operations.
struct MutationRun {
    let run: PushRun
    /// The sender's earlier writes.
    let own: OwnWrites

    /// The call, with the base of the change.
    private let call: Call

    /// A run of one change.
    init(run: PushRun, own: OwnWrites, of mutation: PushChanges.Mutation) {
        self.run = run
        self.own = own
        var call = run.call
        call.baseVersion = mutation.baseVersion
        call.isPushed = true
        self.call = call
    }

    private var user: UserID { run.session.user }

    /// Applies a change.
    /// - Throws: a problem, when it is refused.
    func apply(_ mutation: PushChanges.Mutation, on connection: Connection) async throws -> PushRun.Done {
        guard let entity = SyncEntity(rawValue: mutation.entity) else {
            throw Problem.input("entity", .missing, "there is no entity \"\(mutation.entity.excerpt(20))\"")
        }
        guard let op = PushChanges.Mutation.Op(rawValue: mutation.op) else {
            throw Problem.input("op", .missing, "there is no op \"\(mutation.op.excerpt(20))\"")
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
                // Two devices deleted it: both are served. Anything else comes too late.
                guard op == .delete else { throw SubscriptionReading.unknown }
                return try await done(mutation, found, on: connection)
            }
            // A cancellation that is lost takes nothing back: it would not follow anew where renewals were switched off.
            let isLost =
                op == .cancel
                ? try await !lostCancelling(mutation, id, found, isCancelled: true, on: connection).isEmpty : false
            // Automatic renewals come first, as for any reader, but only up to the day on which the change was made.
            // Later ones are taken back where the change concerns them. They are nobody's change, and move the dates
            // alone.
            try await SubscriptionChanges.settle(
                id, madeOn: mutation.madeOn, isTakenBack: mutation.movesPeriods(op) && !isLost,
                isCancelling: op == .cancel, call, on: connection)
        }
        let before = try await RowVersions.read(mutation, of: user, on: connection)
        let plan = try await ownPlan(of: mutation, on: connection)
        let lost = try await change(mutation, id, op, before, on: connection)
        // Before the answer: renewals after the change are nobody's change either.
        var done = try await done(mutation, before, plan: plan, lost: lost, on: connection)
        if op != .delete {
            // The changed row may have to renew at once; a renewal that would take long is refused.
            _ = try await SubscriptionChanges.answer(
                id, user: user, today: today, tenant: call.tenant, on: connection)
            let after = try await RowVersions.read(mutation, of: user, on: connection)
            if after?.version != done.result.row?.version {
                done.result.row = try await run.row(mutation, after, on: connection)
            }
        }
        return done
    }

    /// Applies a change to a subscription.
    /// - Returns: the fields that were lost to an earlier change of somebody else.
    private func change(
        _ mutation: PushChanges.Mutation, _ id: UUID, _ op: PushChanges.Mutation.Op, _ before: RowVersions?,
        on connection: Connection
    ) async throws -> [LostField] {
        let fields = mutation.fields ?? [:]
        switch op {
        case .create:
            var input: CreateSubscription = try decode(fields, id: mutation.id)
            // It began on the day on which it was added.
            if let day = mutation.madeOn, input.startDate == nil, input.nextRenewal == nil {
                input.startDate = min(day, run.session.today(at: call.now))
            }
            let new = try SubscriptionCreation.Checked(
                input, today: run.session.today(at: call.now), now: call.now)
            try await SubscriptionCreation.insert(new, call, on: connection)
        case .update:
            let (fields, lost) = try await merged(mutation, id, before, on: connection)
            if !fields.isEmpty {
                let input: UpdateSubscription = try decode(fields, of: mutation)
                try await SubscriptionChanges.update(input, call, on: connection)
            }
            return lost
        case .delete:
            // A delete beats edits of others; it can be restored.
            let input: DeleteSubscription = try decode(fields, of: mutation)
            try await SubscriptionChanges.delete(input, call, on: connection)
        case .restore:
            let input: RestoreSubscription = try decode(fields, of: mutation)
            try await SubscriptionChanges.restore(input, call, on: connection)
        case .renew:
            // It names the period that it ends: an ended one is not ended again.
            let input: RenewSubscription = try decode(fields, of: mutation)
            guard input.period != nil else {
                throw Problem.input("period", .required, "is needed: the number of the period that ends")
            }
            try await SubscriptionChanges.renew(input, call, on: connection)
        case .cancel:
            let input: CancelSubscription = try decode(fields, of: mutation)
            let lost = try await lostCancelling(mutation, id, before, isCancelled: true, on: connection)
            guard lost.isEmpty else { return lost }
            try await SubscriptionChanges.cancel(input, call, on: connection)
        case .resume:
            let input: ResumeSubscription = try decode(fields, of: mutation)
            let lost = try await lostCancelling(mutation, id, before, isCancelled: false, on: connection)
            guard lost.isEmpty else { return lost }
            try await SubscriptionChanges.resume(input, call, on: connection)
        }
        return []
    }

    /// The day of cancelling, when somebody else has changed since whether or how it goes on, and differently.
    private func lostCancelling(
        _ mutation: PushChanges.Mutation, _ id: UUID, _ before: RowVersions?, isCancelled: Bool,
        on connection: Connection
    ) async throws -> [LostField] {
        guard let base = mutation.baseVersion, before?.isChanged(.intent, since: base, notBy: own) == true else {
            return []
        }
        let kept = try await stored(id, on: connection).cancelledOn
        guard (kept != nil) != isCancelled else { return [] }
        let day = AnyJSON.string(try SubscriptionChanges.day(mutation.madeOn, call).description)
        return [
            LostField(
                field: "cancelledOn", kept: kept.map { .string($0.description) } ?? .null,
                yours: isCancelled ? day : .null)
        ]
    }

    /// The fields of a change that nobody else has changed since, and those that somebody has.
    private func merged(
        _ mutation: PushChanges.Mutation, _ id: UUID, _ before: RowVersions?, on connection: Connection
    ) async throws -> ([String: AnyJSON], [LostField]) {
        let fields = mutation.fields ?? [:]
        guard let base = mutation.baseVersion, let before else { return (fields, []) }
        let isLate = try await isOfFormerPeriod(mutation, id, fields, since: base, on: connection)
        let isChanged = isLate || before.isChanged(since: base, notBy: own)
        guard isChanged || fields["plan"] != nil else { return (fields, []) }
        let stored = try await stored(id, on: connection)
        var plan: StoredPlan?
        var isPlanTaken = false
        if fields["plan"] != nil,
            let (version, data) = try await StoredRowQueries.plan(
                stored.planId, of: user, digits: try await call.tenant.currencies.table(on: connection),
                on: connection), case .plan(let row) = data
        {
            plan = row
            isPlanTaken = own.lastOfOthers(.plan, version) > mutation.planVersion ?? base
        }
        return FieldMerge.split(
            fields,
            isTaken: { field in
                FieldGroup(field: field).map { group in
                    before.isChanged(group, since: base, notBy: own) || group == .billing && isLate
                        || field == "plan" && isPlanTaken
                }
            }, kept: { field in stored.value(of: field, plan: plan) })
    }

    /// Whether a change names dates of a period that somebody else has ended since, and that cannot come back. The
    /// dates would become those of another one. Without a day the period is meant that its sender knew.
    private func isOfFormerPeriod(
        _ mutation: PushChanges.Mutation, _ id: UUID, _ fields: [String: AnyJSON], since base: Int64,
        on connection: Connection
    ) async throws -> Bool {
        guard fields.keys.contains(where: { FieldGroup(field: $0) == .billing }) else { return false }
        let day = try mutation.madeOn.map { try SubscriptionChanges.day($0, call) }
        guard let ended = try await RenewalQueries.lastEnd(id, after: day, on: connection) else { return false }
        return own.lastOfOthers(.billing, ended) > base
    }

    private func stored(_ id: UUID, on connection: Connection) async throws -> StoredSubscription {
        let digits = try await call.tenant.currencies.table(on: connection)
        let row = try await StoredRowQueries.subscription(id, of: user, digits: digits, on: connection)
        guard case .subscription(let stored) = row?.data else { throw SubscriptionReading.unknown }
        return stored
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
        let before = try await RowVersions.read(mutation, of: user, on: connection)
        let (fields, lost) = split(mutation, before, group: FieldGroup.init(userField:)) { field in
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
        return try await done(mutation, before, lost: lost, on: connection)
    }

    // MARK: Plans of the user's own

    private func plan(
        _ mutation: PushChanges.Mutation, _ op: PushChanges.Mutation.Op, on connection: Connection
    ) async throws -> PushRun.Done {
        let today = try SubscriptionChanges.day(mutation.madeOn, call)
        let unknown = Problem(.notFound, "There is no such plan of yours.")
        guard let id = Int64(mutation.id),
            let row = try await CatalogueQueries.plan(id, user: user, today: today, on: connection),
            row.owner == user.uuid
        else { throw unknown }
        let before = try await RowVersions.read(mutation, of: user, on: connection)
        var lost: [LostField] = []
        switch op {
        case .update:
            let digits = try await call.tenant.currencies.table(on: connection)
            guard
                case .plan(let stored) = try await StoredRowQueries.plan(
                    id, of: user, digits: digits, on: connection)?.data
            else { throw unknown }
            let (fields, kept) = split(
                mutation, before, group: { StoredPlan.changeable.contains($0) ? .plan : nil },
                kept: { stored.value(of: $0) })
            lost = kept
            let patch: PrivatePlanPatch = try decode(fields, id: nil)
            if patch.movesPeriods {
                try await SubscriptionChanges.settle(plan: id, madeOn: mutation.madeOn, call, on: connection)
            }
            try await PrivatePlans.update(
                row, patch, owner: user, today: today, tenant: call.tenant, on: connection)
            try await SubscriptionChanges.priceAnew(plan: id, patch, call, on: connection)
        case .delete:
            try await PrivatePlans.delete(id, owner: user, limits: call.tenant.limits, on: connection)
        default:
            throw Problem.input(
                "op", .range, "of a plan there are update and delete; it is made with its first subscription")
        }
        return try await done(mutation, before, lost: lost, on: connection)
    }

    // MARK: What they share

    /// The fields of a change that nobody else has changed since, and those that somebody has.
    private func split(
        _ mutation: PushChanges.Mutation, _ before: RowVersions?, group: (String) -> FieldGroup?,
        kept: (String) -> AnyJSON
    ) -> ([String: AnyJSON], [LostField]) {
        let fields = mutation.fields ?? [:]
        guard let base = mutation.baseVersion, let before else { return (fields, []) }
        return FieldMerge.split(
            fields, isTaken: { group($0).map { before.isChanged($0, since: base, notBy: own) } }, kept: kept)
    }

    /// Reads the input of a direct operation, with the day on which the change was made.
    private func decode<Value: Decodable>(
        _ fields: [String: AnyJSON], of mutation: PushChanges.Mutation
    ) throws -> Value {
        guard fields["madeOn"] == nil else {
            throw Problem.input("madeOn", .unknown, "stands beside the fields already")
        }
        var fields = fields
        if let day = mutation.madeOn { fields["madeOn"] = .string(day.description) }
        return try decode(fields, id: mutation.id)
    }

    private func decode<Value: Decodable>(_ fields: [String: AnyJSON], id: String?) throws -> Value {
        guard fields["id"] == nil || id == nil else {
            throw Problem.input("id", .unknown, "stands beside the fields already")
        }
        var members = fields.map { JSONValue.Member(name: $0.key, value: JSONValue($0.value)) }
        if let id { members.append(.init(name: "id", value: .string(id))) }
        return try InputDecoder.decode(Value.self, from: .object(members))
    }

    /// The version of the user's own plan that a change of a subscription changes with it.
    private func ownPlan(of mutation: PushChanges.Mutation, on connection: Connection) async throws -> Int64? {
        guard mutation.entity == SyncEntity.subscription.rawValue, mutation.fields?["plan"] != nil,
            let id = UUID(uuidString: mutation.id)
        else { return nil }
        return try await SyncQueries.version(ofPlanOf: id, user: user, on: connection)
    }

    /// The answer, with the row as it is directly after the change.
    /// - Parameter plan: the result of ``ownPlan(of:on:)`` before the change.
    private func done(
        _ mutation: PushChanges.Mutation, _ before: RowVersions?, plan: Int64? = nil, lost: [LostField] = [],
        on connection: Connection
    ) async throws -> PushRun.Done {
        let after = try await RowVersions.read(mutation, of: user, on: connection)
        var (former, current) = (before?.groups ?? [:], after?.groups ?? [:])
        if let changed = try await ownPlan(of: mutation, on: connection) {
            (former[.plan], current[.plan]) = (plan, changed)
        }
        var own = own
        own.insert(from: former, to: current)
        let isMerged =
            !lost.isEmpty
            || mutation.baseVersion.map { base in before?.isChanged(since: base, notBy: self.own) ?? false } ?? false
        let row = try await run.row(mutation, after, on: connection)
        return PushRun.Done(
            result: .init(
                key: mutation.key, outcome: isMerged ? .merged : .applied, row: row,
                plan: try await run.plan(mutation, of: row, on: connection), lost: lost), own: own,
            current: current)
    }
}

extension PushChanges.Mutation {
    /// Whether the mutation alters periods that renew by themselves.
    fileprivate func movesPeriods(_ op: Op) -> Bool {
        switch op {
        case .cancel, .delete: true
        case .update: !Set((fields ?? [:]).keys).isSubset(of: Self.stillFields)
        case .create, .restore, .renew, .resume: false
        }
    }

    /// The fields of a subscription that have nothing to do with its periods.
    private static let stillFields: Set<String> = ["label", "note", "reminderDays"]
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
