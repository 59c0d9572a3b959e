import MariaDB
import SubTrackAPI
import SubTrackCore

/// Changes of plans of a user's own.
struct PrivatePlanEntity: ChangeableEntity {
    let name = "plan"

    func id(_ text: String, of user: UserID) -> String? { Int64(text).map { String($0) } }

    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot? {
        guard let id = Int64(id) else { return nil }
        let session = try call.requireSession()
        let found = try await PrivatePlanSnapshot.read(
            id, of: session.user, today: session.today(at: call.now), on: connection)
        let digits = try await call.tenant.currencies.table(on: connection)
        return try found?.snapshot(digits: digits)
    }

    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange {
        let call = change.call
        let today = try SubscriptionChanges.day(change.mutation.madeOn, call)
        let unknown = Problem(.notFound, "There is no such plan of yours.")
        guard let id = Int64(change.mutation.id),
            let found = try await PrivatePlanSnapshot.read(id, of: change.user, today: today, on: connection)
        else { throw unknown }
        let digits = try await call.tenant.currencies.table(on: connection)
        let before = try found.snapshot(digits: digits)
        var lost: [LostField] = []
        switch change.op {
        case .update:
            let (fields, kept) = change.split(before) { StoredPlan.changeable.contains($0) ? .plan : nil }
            lost = kept
            let patch: PrivatePlanPatch = try change.input(fields, id: nil)
            if patch.movesPeriods {
                try await SubscriptionChanges.settle(plan: id, madeOn: change.mutation.madeOn, call, on: connection)
            }
            try await PrivatePlans.update(
                found.row, patch, owner: change.user, today: today, call, on: connection)
            try await SubscriptionChanges.priceAnew(plan: id, patch, call, on: connection)
        case .delete:
            try await PrivatePlans.delete(id, owner: change.user, limits: call.tenant.limits, on: connection)
        default:
            throw Problem.input(
                "op", .range, "of a plan there are update and delete; it is made with its first subscription")
        }
        let after = try await PrivatePlanSnapshot.read(id, of: change.user, today: today, on: connection)
        return AppliedChange(before: before, after: try after?.snapshot(digits: digits), lost: lost)
    }
}
