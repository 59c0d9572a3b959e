import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

extension SubscriptionChanges {
    /// Changes the fields that are named.
    @Sendable static func update(
        _ input: UpdateSubscription, _ call: Call, found: SubscriptionRow?, on connection: Connection
    ) async throws {
        let session = try call.requireSession()
        // A change of a plan holds from the day on which it was made.
        let today = try day(input.madeOn, call)
        let row = try await checked(
            input.id, madeOn: input.madeOn, isTakenBack: input.movesPeriods, call, found: found, on: connection)
        var plan = row.plan
        if let patch = input.plan.value {
            guard plan.owner == session.user.uuid, !input.planId.isNamed else {
                throw Problem.input(
                    "plan", .conflict, "only a plan of your own can be changed; give planId for another")
            }
            if patch.movesPeriods {
                var call = call
                call.baseVersion = call.knownVersion(of: row.version)
                try await settle(plan: plan.id, madeOn: input.madeOn, call, on: connection)
            }
            try await PrivatePlans.update(plan, patch, owner: session.user, today: today, call, on: connection)
            try await priceAnew(plan: plan.id, patch, call, on: connection)
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
        // Without a version that it was based on, nothing tells when somebody else had stopped the renewals.
        let goesOn = call.baseVersion == nil ? session.today(at: call.now) : today
        let assignments = try assignments(input, row: row, plan: plan, digits: digits, day: goesOn)
        let limits = call.tenant.limits
        // A correction, and one that goes on by itself after its end, may begin a period.
        let mayRecord = input.startDate.isNamed || input.nextRenewal.isNamed || input.autoRenew.value == true
        let room = mayRecord ? try await limits.roomForPeriods(of: session.user, on: connection) : 0
        do {
            try await SubscriptionQueries.update(row.id, of: session.user, set: assignments, on: connection)
            // A start behind the end leaves the current period behind, which is recorded.
            if mayRecord, room <= 0, try await limits.roomForPeriods(of: session.user, on: connection) < room {
                throw limits.tooManyPeriods
            }
            if mayRecord { try await checkRoom(row.id, call, on: connection) }
        } catch let error as MariaDBError where error.isSignal && input.nextRenewal.isNamed {
            // The start that the day of renewal leads to; the caller named only the latter.
            throw ProblemMapping.refusal(
                error.message, ColumnFields(SubscriptionsArea.fields(startingBy: "nextRenewal")))
        }
    }

    /// Refuses a change by which a subscription has more periods behind it than the user may still have.
    private static func checkRoom(_ id: UUID, _ call: Call, on connection: Connection) async throws {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        guard let row = try await SubscriptionQueries.subscription(id, of: session.user, today: today, on: connection),
            row.awaitsRenewal(today: today)
        else { return }
        let passed = try AutoRenewal.checkBehind(row.state, plan: row.plan, today: today)
        try await call.tenant.limits.checkPeriods(of: session.user, adding: passed, on: connection)
        try call.tenant.writes.charge(call, rows: passed)
    }

    /// The columns that a patch writes.
    private static func assignments(
        _ input: UpdateSubscription, row: SubscriptionRow, plan: PlanRow, digits: Int, day: CalendarDate
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
        // A client that sends back the values that it read corrects nothing: the calendar keeps its anchor.
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
        if input.autoRenew.value == true, !row.autoRenew {
            // Whether its period has ended is judged by the user's day, not by the database's.
            assignments.append("Ver = 0")
            // It renews by itself from now on; the time that nobody renewed was not paid. A correction gives the start.
            let isCorrected = !isSame && (input.startDate.isNamed || input.nextRenewal.isNamed)
            if row.cancelledOn == nil, !isCorrected, let start = try startOfGoingOn(row, on: day) {
                assignments += ["Start_date = \(start)", "Free_trial = FALSE"]
            }
        }
        if input.fee.isNamed { assignments.append("Own_fee = \(ownFee)") }
        if input.label.isNamed { assignments.append("Label = \(label)") }
        if input.reminderDays.isNamed { assignments.append("Reminder_days = \(reminderDays)") }
        if let muted = input.muted.value { assignments.append("Muted = \(muted)") }
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
        refuse("muted", input.muted)
    }
}

extension UpdateSubscription {
    /// Whether the change alters later periods. A label, a note and reminders do not.
    var movesPeriods: Bool {
        planId.isNamed || plan.value?.movesPeriods == true || startDate.isNamed || nextRenewal.isNamed
            || freeTrial.isNamed || autoRenew.isNamed || fee.isNamed
    }
}

extension PrivatePlanPatch {
    /// Whether it changes the length or the cost of periods.
    var movesPeriods: Bool { fee.isNamed || currency.isNamed || duration.isNamed || trialDays.isNamed }
}
