import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operations that change a subscription.
enum SubscriptionChanges {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry) {
        registry.register(UpdateSubscription.self) { try await change($0.id, $0, $1, update) }
        registry.register(RenewSubscription.self) { try await change($0.id, $0, $1, renew) }
        registry.register(CancelSubscription.self) { try await change($0.id, $0, $1, cancel) }
        registry.register(ResumeSubscription.self) { try await change($0.id, $0, $1, resume) }
        registry.register(RestoreSubscription.self) { try await change($0.id, $0, $1, restore) }
        registry.register(DeleteSubscription.self) { input, call in
            try await call.write(input) { connection in
                try await delete(input, call, on: connection)
                return Reply(Empty())
            }
        }
    }

    /// Changes one subscription in a transaction of its own.
    /// - Parameter change: makes the change; it may throw a problem.
    /// - Returns: the row as it is afterwards.
    private static func change<Definition: SubTrackAPI.Operation>(
        _ id: UUID, _ input: Definition, _ call: Call,
        _ change: @Sendable (Definition, Call, Connection) async throws -> Void
    ) async throws -> Reply<Subscription> where Definition.Output == Subscription {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        return try await call.write(input) { connection in
            try await change(input, call, connection)
            return .row(try await answer(id, user: session.user, today: today, tenant: call.tenant, on: connection))
        }
    }

    /// The row in its right period, if it is there and has the version that the caller knows.
    private static func checked(
        _ id: UUID, _ call: Call, on connection: Connection
    ) async throws -> SubscriptionRow {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        let row = try await current(id, user: session.user, today: today, on: connection)
        guard call.ifMatch.allows(row.version) else {
            let digits = try await call.tenant.currencies.table(on: connection)
            throw Problem.stale(.subscription(row.subscription(digits: digits, today: today)))
        }
        return row
    }

    /// A subscription as its user sees it, inside of a transaction that has the user's scope locked.
    static func answer(
        _ id: UUID, user: UserID, today: CalendarDate, tenant: Tenant, on connection: Connection
    ) async throws -> Subscription {
        let row = try await current(id, user: user, today: today, isChanged: true, on: connection)
        return row.subscription(digits: try await tenant.currencies.table(on: connection), today: today)
    }

    /// A row in its right period, inside of a transaction that has the user's scope locked.
    /// - Parameter isChanged: whether the caller has just made it what it is, and may be refused; what was left alone for
    ///   long is brought up to date in any case.
    @discardableResult
    static func current(
        _ id: UUID, user: UserID, today: CalendarDate, isChanged: Bool = false, on connection: Connection
    ) async throws -> SubscriptionRow {
        var row = try await SubscriptionQueries.subscription(id, of: user, today: today, on: connection)
        if row?.awaitsRenewal(today: today) == true {
            if let row, isChanged { try AutoRenewal.checkBehind(row.state, plan: row.plan, today: today) }
            try await AutoRenewal.catchUp(user, only: id, today: today, on: connection)
            row = try await SubscriptionQueries.subscription(id, of: user, today: today, on: connection)
        }
        guard let row else { throw SubscriptionReading.unknown }
        return row
    }

    // What follows runs in a transaction that has the user's scope locked: of a direct operation, or of a pushed change.

    /// Ends a period and begins the next; nothing when the period that is named has ended already.
    @Sendable static func renew(_ input: RenewSubscription, _ call: Call, on connection: Connection) async throws {
        let row = try await checked(input.id, call, on: connection)
        if let period = input.period {
            guard period <= row.state.number else {
                throw Problem.input("period", .range, "the current period is \(row.state.number)")
            }
            // It has ended already, by another device perhaps: renewing twice would skip a period.
            guard period == row.state.number else { return }
        }
        guard row.cancelledOn == nil else { throw Problem(.statusConflict, "It was cancelled; resume it first.") }
        do throws(BillingError) {
            _ = try row.state.renewed(try BillingTerms(duration: row.plan.duration, trialDays: row.plan.trialDays))
        } catch {
            throw Problem(.statusConflict, "It cannot be renewed: \(error.description).")
        }
        try await SubscriptionQueries.renew(
            row.id, of: try call.requireSession().user, period: row.state.number, on: connection)
    }

    /// Lets it run out.
    @Sendable static func cancel(_ input: CancelSubscription, _ call: Call, on connection: Connection) async throws {
        let session = try call.requireSession()
        let row = try await checked(input.id, call, on: connection)
        guard row.cancelledOn == nil else { return }
        try await SubscriptionQueries.update(
            row.id, of: session.user, set: ["Cancelled_on = \(session.today(at: call.now))"], on: connection)
    }

    /// Takes a cancellation back.
    @Sendable static func resume(_ input: ResumeSubscription, _ call: Call, on connection: Connection) async throws {
        let row = try await checked(input.id, call, on: connection)
        guard row.cancelledOn != nil else { return }
        try await SubscriptionQueries.update(
            row.id, of: try call.requireSession().user, set: ["Cancelled_on = NULL"], on: connection)
    }

    /// Marks it as deleted.
    static func delete(_ input: DeleteSubscription, _ call: Call, on connection: Connection) async throws {
        let row = try await checked(input.id, call, on: connection)
        try await SubscriptionQueries.delete(row.id, of: try call.requireSession().user, on: connection)
    }

    /// Brings it back; nothing when it is there.
    @Sendable static func restore(_ input: RestoreSubscription, _ call: Call, on connection: Connection) async throws {
        let user = try call.requireSession().user
        try await SubscriptionQueries.restore(input.id, of: user, on: connection)
        // It has come back and counts again; what is too much is rolled back.
        try await call.tenant.limits.checkSubscriptions(of: user, adding: 0, on: connection)
        _ = try await checked(input.id, call, on: connection)
    }

    /// Changes the fields that are named.
    @Sendable static func update(_ input: UpdateSubscription, _ call: Call, on connection: Connection) async throws {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        let row = try await checked(input.id, call, on: connection)
        var plan = row.plan
        if let patch = input.plan.value {
            guard plan.owner == session.user.uuid, !input.planId.isNamed else {
                throw Problem.input(
                    "plan", .conflict, "only a plan of your own can be changed; give planId for another")
            }
            try await PrivatePlans.update(
                plan, patch, owner: session.user, today: today, tenant: call.tenant, on: connection)
            if patch.fee.isNamed || patch.currency.isNamed {
                // A period that began on the day from which the fee holds was given the one that is corrected.
                try await RenewalQueries.priceAnew(plan: plan.id, of: session.user, on: connection)
            }
        }
        if let id = input.planId.value {
            guard let other = try await CatalogueQueries.plan(id, user: session.user, today: today, on: connection)
            else { throw Problem.input("planId", .missing, "there is no plan \(id)") }
            plan = other
        } else if input.plan.isNamed,
            let changed = try await CatalogueQueries.plan(plan.id, user: session.user, today: today, on: connection)
        {
            plan = changed
        }
        if row.ownFee != nil, !input.fee.isNamed, plan.today.currency != row.plan.today.currency {
            throw Problem.input(
                "fee", .range,
                "is in \(row.plan.today.currency) and the plan now in \(plan.today.currency); give it anew, or null")
        }
        let digits = try await call.tenant.currencies.digits(of: plan.today.currency, on: connection) ?? 2
        let assignments = try assignments(input, row: row, plan: plan, digits: digits)
        do {
            try await SubscriptionQueries.update(row.id, of: session.user, set: assignments, on: connection)
        } catch let error as MariaDBError where error.isSignal && input.nextRenewal.isNamed {
            // The start that the day of renewal leads to; the caller named only the latter.
            throw ProblemMapping.refusal(error.message, startIs: "nextRenewal")
        }
    }

    /// The columns that a patch writes.
    private static func assignments(
        _ input: UpdateSubscription, row: SubscriptionRow, plan: PlanRow, digits: Int
    ) throws -> [SQL] {
        var faults = InputFaults()
        refuseRemoval(input, faults: &faults)
        let ownFee = try faults.check(or: nil) {
            try input.fee.value.map {
                try SubscriptionInput.fee($0, currency: plan.today.currency, digits: digits)
            }
        }
        let label = try faults.check(or: nil) { try SubscriptionInput.label(input.label.value) }
        let reminderDays = try faults.check(or: nil) { try SubscriptionInput.reminderDays(input.reminderDays.value) }
        let note = try faults.check(or: nil) { try SubscriptionInput.note(input.note.value) }
        if input.startDate.value != nil, input.nextRenewal.value != nil {
            faults.add("nextRenewal", .conflict, "give either startDate or nextRenewal")
        }
        _ = try faults.check(or: nil) { try input.startDate.value.map { try SubscriptionInput.start($0) } }
        try faults.finish()

        var assignments: [SQL] = []
        if plan.id != row.plan.id { assignments.append("Plan_ID = \(plan.id)") }
        let freeTrial = input.freeTrial.value ?? row.state.freeTrial
        if input.freeTrial.isNamed { assignments.append("Free_trial = \(freeTrial)") }
        // A client that sends back what it read corrects nothing: the calendar keeps its anchor.
        let isSame =
            plan.id == row.plan.id && plan.duration == row.plan.duration && freeTrial == row.state.freeTrial
            && (input.startDate.value ?? row.state.start) == row.state.start
            && (input.nextRenewal.value ?? row.state.end) == row.state.end
        if !isSame, let period = try correction(input, plan: plan, freeTrial: freeTrial) {
            // Naming the anchor says that this corrects the period, even where its new start is its old end.
            assignments.append("Start_date = \(period.start)")
            assignments.append("Anchor_date = \(period.anchor)")
            assignments.append("Anchor_count = \(period.anchorCount)")
        }
        if let autoRenew = input.autoRenew.value { assignments.append("Auto_renew = \(autoRenew)") }
        if input.fee.isNamed { assignments.append("Own_fee = \(ownFee)") }
        if input.label.isNamed { assignments.append("Label = \(label)") }
        if input.reminderDays.isNamed { assignments.append("Reminder_days = \(reminderDays)") }
        if input.note.isNamed { assignments.append("Note = \(note)") }
        return assignments
    }

    /// The corrected period, when the patch gives its first day or the day of its renewal.
    private static func correction(
        _ input: UpdateSubscription, plan: PlanRow, freeTrial: Bool
    ) throws -> BillingState? {
        switch (input.startDate.value, input.nextRenewal.value) {
        case (nil, nil): return nil
        case (let start?, _):
            return try SubscriptionInput.period(
                startingOn: try SubscriptionInput.start(start), plan: plan, freeTrial: freeTrial)
        case (nil, let end?):
            let period = try SubscriptionInput.period(endingOn: end, plan: plan, freeTrial: freeTrial)
            _ = try SubscriptionInput.start(period.start, field: "nextRenewal")
            return period
        }
    }

    private static func refuseRemoval(_ input: UpdateSubscription, faults: inout InputFaults) {
        func refuse<Value>(_ field: String, _ patch: Patch<Value>) {
            if case .remove = patch { faults.add(field, .required, "cannot be removed") }
        }
        refuse("planId", input.planId)
        refuse("plan", input.plan)
        refuse("startDate", input.startDate)
        refuse("nextRenewal", input.nextRenewal)
        refuse("freeTrial", input.freeTrial)
        refuse("autoRenew", input.autoRenew)
    }
}
