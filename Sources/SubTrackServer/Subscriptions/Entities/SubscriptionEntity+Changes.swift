import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

extension SubscriptionEntity: ChangeableEntity {
    func id(_ text: String, of user: UserID) -> String? { UUID(uuidString: text)?.uuidString.lowercased() }

    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot? {
        guard let id = UUID(uuidString: id) else { return nil }
        let session = try call.requireSession()
        let found = try await SubscriptionSnapshot.read(
            id, of: session.user, today: session.today(at: call.now), on: connection)
        let digits = try await call.tenant.currencies.table(on: connection)
        return try found?.snapshot(digits: digits)
    }

    /// The own plan that a change of a subscription made or changed, as it is now. Its sender needs the version.
    /// Without it the next change would count as one on top of others' changes since the last pull.
    func companion(
        of change: PushedChange, _ row: RowSnapshot?, on connection: Connection
    ) async throws -> (entity: String, row: RowSnapshot)? {
        guard change.fields["plan"] != nil, let row, row.row != nil, case .integer(let plan)? = row.values["planId"],
            let found = try await PrivatePlanSnapshot.read(
                plan, of: change.user, today: change.today, on: connection)
        else { return nil }
        let digits = try await change.call.tenant.currencies.table(on: connection)
        return (PrivatePlanEntity().name, try found.snapshot(digits: digits))
    }

    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange {
        guard let id = UUID(uuidString: change.mutation.id) else {
            throw Problem.input("id", .malformed, "must be a UUID: 8-4-4-4-12 hexadecimal digits")
        }
        let digits = try await change.call.tenant.currencies.table(on: connection)
        var before = change.op == .create ? nil : try await read(id, change, on: connection)
        if change.op != .create, change.op != .restore {
            guard let found = before else { throw SubscriptionReading.unknown }
            if found.isDeleted {
                // Two devices deleted it: both are served. Anything else comes too late.
                guard change.op == .delete else { throw SubscriptionReading.unknown }
                let row = try found.snapshot(digits: digits)
                return AppliedChange(before: row, after: row)
            }
            if try await settle(id, change, found, on: connection) {
                before = try await read(id, change, on: connection)
            }
        }
        let lost = try await make(change, id, before, digits: digits, on: connection)
        let after = try await read(id, change, on: connection)
        var applied = AppliedChange(
            before: try before?.snapshot(digits: digits), after: try after?.snapshot(digits: digits), lost: lost)
        if let version = after?.ownPlan(of: change.user) {
            // A change that leaves the plan alone names its version all the same: the sender's last write of it still stands.
            applied.companions.after[.plan] = version
            applied.companions.before[.plan] =
                change.fields["plan"] != nil ? before?.ownPlan(of: change.user) : version
        }
        if change.op != .delete, let row = after?.row, row.awaitsRenewal(today: change.today) {
            // The changed row has to renew at once; a renewal that would take long is refused. It is nobody's change.
            _ = try await SubscriptionChanges.answer(
                id, user: change.user, today: change.today, tenant: change.call.tenant, on: connection)
            applied.now = try await read(id, change, on: connection)?.snapshot(digits: digits)
        }
        return applied
    }

    private func read(
        _ id: UUID, _ change: PushedChange, on connection: Connection
    ) async throws -> SubscriptionSnapshot? {
        try await SubscriptionSnapshot.read(
            id, of: change.user, today: try SubscriptionChanges.day(change.mutation.madeOn, change.call), on: connection
        )
    }

    /// Brings a subscription to the day on which the change was made. Automatic renewals come first, as for any reader,
    /// but only up to that day. Later ones are taken back where the change concerns them. They are nobody's change, and
    /// move the dates alone.
    /// - Returns: whether anything was done.
    private func settle(
        _ id: UUID, _ change: PushedChange, _ found: SubscriptionSnapshot, on connection: Connection
    ) async throws -> Bool {
        // A cancellation that is lost takes nothing back: it would not follow anew where renewals were switched off.
        let isLost =
            try change.op == .cancel && !lostCancelling(change, found, isCancelled: true).isEmpty
        let row = try await SubscriptionChanges.settle(
            id, madeOn: change.mutation.madeOn, isTakenBack: change.movesPeriods && !isLost,
            isCancelling: change.op == .cancel, change.call, found: found.row, on: connection)
        return row.version != found.row.version
    }

    /// Applies a change to a subscription.
    /// - Returns: the fields that were lost to an earlier change of somebody else.
    private func make(
        _ change: PushedChange, _ id: UUID, _ before: SubscriptionSnapshot?, digits: [String: Int],
        on connection: Connection
    ) async throws -> [LostField] {
        let (call, fields, row) = (change.call, change.fields, before?.row)
        switch change.op {
        case .create:
            var input: CreateSubscription = try change.input(fields, id: change.mutation.id)
            // It began on the day on which it was added.
            if let day = change.mutation.madeOn, input.startDate == nil, input.nextRenewal == nil {
                input.startDate = min(day, change.today)
            }
            let new = try SubscriptionCreation.Checked(input, today: change.today, now: call.now)
            try await SubscriptionCreation.insert(new, call, on: connection)
        case .update:
            guard let before else { throw SubscriptionReading.unknown }
            let (fields, lost) = try await merged(change, id, before, digits: digits, on: connection)
            if !fields.isEmpty {
                try await SubscriptionChanges.update(try change.input(fields), call, found: row, on: connection)
            }
            return lost
        case .delete:
            // A delete beats edits of others; it can be restored.
            try await SubscriptionChanges.delete(try change.input(fields), call, found: row, on: connection)
        case .restore:
            try await SubscriptionChanges.restore(try change.input(fields), call, found: nil, on: connection)
        case .renew:
            // It names the period that it ends: an ended one is not ended again.
            let input: RenewSubscription = try change.input(fields)
            guard input.period != nil else {
                throw Problem.input("period", .required, "is needed: the number of the period that ends")
            }
            try await SubscriptionChanges.renew(input, call, found: row, on: connection)
        case .cancel:
            let input: CancelSubscription = try change.input(fields)
            let lost = try lostCancelling(change, before, isCancelled: true)
            guard lost.isEmpty else { return lost }
            try await SubscriptionChanges.cancel(input, call, found: row, on: connection)
        case .resume:
            let input: ResumeSubscription = try change.input(fields)
            let lost = try lostCancelling(change, before, isCancelled: false)
            guard lost.isEmpty else { return lost }
            try await SubscriptionChanges.resume(input, call, found: row, on: connection)
        }
        return []
    }

    /// The day of cancelling, when somebody else has changed since whether or how it goes on, and differently.
    private func lostCancelling(
        _ change: PushedChange, _ before: SubscriptionSnapshot?, isCancelled: Bool
    ) throws -> [LostField] {
        guard let base = change.mutation.baseVersion, let before,
            change.own.isTaken(.intent, of: before.groups, since: base)
        else { return [] }
        let kept = before.row.cancelledOn
        guard (kept != nil) != isCancelled else { return [] }
        let day = AnyJSON.string(try SubscriptionChanges.day(change.mutation.madeOn, change.call).description)
        return [
            LostField(
                field: "cancelledOn", kept: kept.map { .string($0.description) } ?? .null,
                yours: isCancelled ? day : .null)
        ]
    }

    /// The fields of an update that nobody else has changed since, and those that somebody has.
    private func merged(
        _ change: PushedChange, _ id: UUID, _ before: SubscriptionSnapshot, digits: [String: Int],
        on connection: Connection
    ) async throws -> ([String: AnyJSON], [LostField]) {
        guard let base = change.mutation.baseVersion else { return (change.fields, []) }
        let isLate = try await isOfFormerPeriod(change, id, since: base, on: connection)
        var row = try before.snapshot(digits: digits)
        var isPlanTaken = false
        if change.fields["plan"] != nil, let version = before.ownPlan(of: change.user),
            let plan = try await PrivatePlanSnapshot.read(
                before.row.plan.id, of: change.user, today: change.today, on: connection)
        {
            row.values["plan"] = .object(plan.stored(digits: digits).values)
            isPlanTaken = change.own.lastOfOthers(.plan, version) > change.mutation.planVersion ?? base
        }
        return change.split(row, group: FieldGroup.init(field:)) { field in
            isLate && FieldGroup(field: field) == .billing || field == "plan" && isPlanTaken
        }
    }

    /// Whether a change names dates of a period that somebody else has ended since, and that cannot come back. The
    /// dates would become those of another one. Without a day the period is meant that its sender knew.
    private func isOfFormerPeriod(
        _ change: PushedChange, _ id: UUID, since base: Int64, on connection: Connection
    ) async throws -> Bool {
        guard change.fields.keys.contains(where: { FieldGroup(field: $0) == .billing }) else { return false }
        let day = try change.mutation.madeOn.map { try SubscriptionChanges.day($0, change.call) }
        guard let ended = try await RenewalQueries.lastEnd(id, after: day, on: connection) else { return false }
        return change.own.lastOfOthers(.billing, ended) > base
    }
}

extension PushedChange {
    /// The fields of a subscription that have nothing to do with its periods.
    private static let stillFields: Set<String> = ["label", "note", "reminderDays", "muted"]

    /// Whether the change alters periods that renew by themselves.
    fileprivate var movesPeriods: Bool {
        switch op {
        case .cancel, .delete: true
        case .update: !Set(fields.keys).isSubset(of: Self.stillFields)
        case .create, .restore, .renew, .resume: false
        }
    }
}
