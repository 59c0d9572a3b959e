import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operation that adds a subscription.
enum SubscriptionCreation {
    /// Registers the handler.
    static func register(in registry: inout OperationRegistry) {
        registry.register(CreateSubscription.self) { input, call in
            let session = try call.requireSession()
            let today = session.today(at: call.now)
            let new = try Checked(input, today: today, now: call.now)
            return try await call.write(input) { connection in
                if let row = try await insertAtOnce(new, call, on: connection) {
                    return .row(
                        row.subscription(digits: try await call.tenant.currencies.table(on: connection), today: today))
                }
                try await insert(new, call, on: connection)
                return .row(
                    try await SubscriptionChanges.answer(
                        new.id, user: session.user, today: today, tenant: call.tenant, on: connection))
            }
        }
    }

    /// A new subscription, as far as it can be checked without the database.
    struct Checked: Sendable {
        /// Its id: the caller's, or a new one.
        let id: UUID
        fileprivate let input: CreateSubscription
        fileprivate let ownPlan: CheckedPrivatePlan?
        fileprivate let start: CalendarDate?
        fileprivate let label: String?
        fileprivate let note: String?
        fileprivate let reminderDays: Int?

        /// Checks the input.
        /// - Throws: `input_invalid`.
        init(_ input: CreateSubscription, today: CalendarDate, now: Instant) throws {
            var faults = InputFaults()
            switch (input.planId, input.plan) {
            case (nil, nil): faults.add("planId", .required, "is needed, or \"plan\" in its place")
            case (_?, _?): faults.add("plan", .conflict, "give either planId or plan")
            default: break
            }
            ownPlan = try input.plan.map { try CheckedPrivatePlan($0, faults: &faults) }
            if input.startDate != nil, input.nextRenewal != nil {
                faults.add("nextRenewal", .conflict, "give either startDate or nextRenewal")
            }
            self.input = input
            start = try faults.check(or: nil) { try input.startDate.map { try SubscriptionInput.start($0) } }
            let fresh = try UUIDv7.make(now: now)
            id = try faults.check(or: fresh) { try input.id.map { try InputID.checked($0) } ?? fresh }
            label = try faults.check(or: nil) { try SubscriptionInput.label(input.label) }
            note = try faults.check(or: nil) { try SubscriptionInput.note(input.note) }
            reminderDays = try faults.check(or: nil) { try SubscriptionInput.reminderDays(input.reminderDays) }
            try faults.finish()
        }

        /// Whether it can be added without a read of its plan before: neither its cost nor its dates are given in terms
        /// of the plan's.
        fileprivate var asksNothingOfPlan: Bool {
            // Another number is no plan's, and none that the column takes.
            guard let plan = input.planId, (1...Int64(UInt32.max)).contains(plan) else { return false }
            return ownPlan == nil && input.fee == nil && input.nextRenewal == nil && input.autoRenew != true
        }
    }

    /// Adds a subscription without a read of its plan before, in a transaction that has the user's scope locked. The
    /// triggers check its values. Other conditions are read together with the answer: two round trips in place of four.
    /// - Returns: the row; nil where the plan has to be looked at first, or where the triggers refuse: ``insert`` can tell why.
    /// - Throws: `id_taken`, `too_many`.
    private static func insertAtOnce(
        _ new: Checked, _ call: Call, on connection: Connection
    ) async throws -> SubscriptionRow? {
        guard new.asksNothingOfPlan, let plan = new.input.planId else { return nil }
        let user = try call.requireSession().user
        let today = try call.requireSession().today(at: call.now)
        let start = new.start ?? today
        do {
            try await insert(new, user: user, plan: plan, start: start, anchor: start, on: connection)
        } catch let error as MariaDBError where error.isSignal {
            return nil
        }
        guard let added = try await SubscriptionQueries.added(new.id, of: user, today: today, on: connection) else {
            throw SubscriptionReading.unknown
        }
        try call.tenant.limits.check(added.count)
        return added.row
    }

    /// Adds a subscription, in a transaction that has the user's scope locked.
    static func insert(_ new: Checked, _ call: Call, on connection: Connection) async throws {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        let input = new.input
        let freeTrial = input.freeTrial ?? false
        let autoRenew = input.autoRenew ?? false
        try await call.tenant.limits.checkSubscriptions(of: session.user, on: connection)
        let plan = try await plan(
            input, own: new.ownPlan, session: session, today: today, call: call, on: connection)
        let period =
            if let end = input.nextRenewal {
                try SubscriptionInput.period(endingOn: end, plan: plan, freeTrial: freeTrial)
            } else {
                try SubscriptionInput.period(startingOn: new.start ?? today, plan: plan, freeTrial: freeTrial)
            }
        _ = try SubscriptionInput.start(period.start, field: input.nextRenewal == nil ? "startDate" : "nextRenewal")
        if autoRenew {
            let passed = try AutoRenewal.checkBehind(period, plan: plan, today: today)
            if passed > 0 {
                try await call.tenant.limits.checkPeriods(of: session.user, adding: passed, on: connection)
                try call.tenant.writes.charge(call, rows: passed)
            }
        }
        let digits = try await call.tenant.currencies.digits(of: plan.today.currency, on: connection) ?? 2
        let ownFee = try input.fee.map {
            try SubscriptionInput.fee($0, currency: plan.today.currency, digits: digits)
        }
        try await insert(
            new, user: session.user, plan: plan.id, start: period.start, anchor: period.anchor, ownFee: ownFee,
            on: connection)
    }

    /// Writes the row.
    /// - Throws: `id_taken`.
    private static func insert(
        _ new: Checked, user: UserID, plan: Int64, start: CalendarDate, anchor: CalendarDate, ownFee: Amount? = nil,
        on connection: Connection
    ) async throws {
        do {
            try await SubscriptionQueries.insert(
                NewSubscription(
                    id: new.id, user: user, plan: plan, start: start, anchor: anchor,
                    freeTrial: new.input.freeTrial ?? false, autoRenew: new.input.autoRenew ?? false, ownFee: ownFee,
                    label: new.label, reminderDays: new.reminderDays, muted: new.input.muted ?? false, note: new.note),
                on: connection)
        } catch let error as MariaDBError where error.isDuplicate {
            throw Problem(.idTaken, "There is a subscription of this id already.")
        }
    }

    /// The plan that is subscribed to: one that the user may see, or a new one of the user's own.
    private static func plan(
        _ input: CreateSubscription, own: CheckedPrivatePlan?, session: Session, today: CalendarDate, call: Call,
        on connection: Connection
    ) async throws -> PlanRow {
        var id = input.planId
        if let plan = own {
            id = try await PrivatePlans.insert(
                plan, owner: session.user, country: session.country, since: input.startDate ?? today, call,
                on: connection)
        }
        guard let id,
            let plan = try await CatalogueQueries.plan(id, user: session.user, today: today, on: connection)
        else { throw Problem.input("planId", .missing, "there is no plan \(input.planId ?? 0)") }
        return plan
    }
}
