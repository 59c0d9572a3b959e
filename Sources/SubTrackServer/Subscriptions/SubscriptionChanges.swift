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

    /// The row in the period of the day on which a change was made, if it has the version that the caller knows.
    /// - Parameters:
    ///   - isTakenBack: whether the change alters periods that renewed by themselves after that day. These are taken back, and
    ///     renew again by the change. A subscription that a user has ended since renews no more: its periods stay.
    ///   - isCancelling: whether the change ends the subscription, so that nothing is to follow.
    private static func checked(
        _ id: UUID, madeOn: CalendarDate? = nil, isTakenBack: Bool = false, isCancelling: Bool = false, _ call: Call,
        on connection: Connection
    ) async throws -> SubscriptionRow {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        let day = try day(madeOn, call)
        let row = try await current(id, user: session.user, today: day, limits: call.tenant.limits, on: connection)
        guard call.ifMatch.allows(row.version) else {
            let digits = try await call.tenant.currencies.table(on: connection)
            throw Problem.stale(.subscription(row.subscription(digits: digits, today: today)))
        }
        guard isTakenBack, row.state.start > day, isCancelling || (row.autoRenew && row.cancelledOn == nil),
            let period = try await AutoRenewal.takeBack(
                session.user, id, after: day, since: call.knownVersion(of: row.version), isFollowed: !isCancelling,
                on: connection)
        else { return row }
        try call.tenant.writes.charge(call, rows: row.state.number - period)
        // Each period that is taken back has left a tombstone.
        try await call.tenant.limits.boundTombstones(of: session.user, on: connection)
        return try await current(id, user: session.user, today: day, limits: call.tenant.limits, on: connection)
    }

    /// The user's day on which a change was made: today unless it says so, and never a day to come.
    static func day(_ madeOn: CalendarDate?, _ call: Call) throws -> CalendarDate {
        let today = try call.requireSession().today(at: call.now)
        return min(madeOn ?? today, today)
    }

    /// The day on which something was undone: today unless it says so, and today where it says a day before that was done.
    private static func day(
        _ madeOn: CalendarDate?, after done: CalendarDate?, _ call: Call
    ) throws -> CalendarDate {
        let day = try day(madeOn, call)
        guard let done, day < done else { return day }
        return try call.requireSession().today(at: call.now)
    }

    /// Brings a subscription to the day on which a pushed change of it was made, before anybody compares versions.
    static func settle(
        _ id: UUID, madeOn: CalendarDate?, isTakenBack: Bool, isCancelling: Bool = false, _ call: Call,
        on connection: Connection
    ) async throws {
        _ = try await checked(
            id, madeOn: madeOn, isTakenBack: isTakenBack, isCancelling: isCancelling, call, on: connection)
    }

    /// Brings all of a user's subscriptions to a plan to the day on which a change of that plan was made. Its fee and
    /// duration hold for later renewals, and for nothing before.
    static func settle(
        plan: Int64, madeOn: CalendarDate?, _ call: Call, on connection: Connection
    ) async throws {
        // A condition of the request is one on the row that it names.
        let part = call.forPart()
        for id in try await RenewalQueries.subscriptions(
            to: plan, of: try call.requireSession().user, notOn: try day(madeOn, call), on: connection)
        {
            try await settle(id, madeOn: madeOn, isTakenBack: true, part, on: connection)
        }
    }

    /// Gives periods the fee that was corrected: one that began on the day from which it holds was given the one before.
    static func priceAnew(
        plan: Int64, _ patch: PrivatePlanPatch, _ call: Call, on connection: Connection
    ) async throws {
        guard patch.fee.isNamed || patch.currency.isNamed else { return }
        let count = try await RenewalQueries.priceAnew(
            plan: plan, of: try call.requireSession().user, on: connection)
        try call.tenant.writes.charge(call, rows: count)
    }

    /// A subscription as its user sees it, inside of a transaction that has the user's scope locked.
    static func answer(
        _ id: UUID, user: UserID, today: CalendarDate, tenant: Tenant, on connection: Connection
    ) async throws -> Subscription {
        let row = try await current(
            id, user: user, today: today, limits: tenant.limits, isChanged: true, on: connection)
        return row.subscription(digits: try await tenant.currencies.table(on: connection), today: today)
    }

    /// A row in its right period, inside of a transaction that has the user's scope locked.
    /// - Parameter isChanged: whether the caller has just changed it, and may be refused. An untouched row is brought
    ///   up to date in any case.
    @discardableResult
    static func current(
        _ id: UUID, user: UserID, today: CalendarDate, limits: UserLimits, isChanged: Bool = false,
        on connection: Connection
    ) async throws -> SubscriptionRow {
        var row = try await SubscriptionQueries.subscription(id, of: user, today: today, on: connection)
        if row?.awaitsRenewal(today: today) == true {
            if let row, isChanged { try AutoRenewal.checkBehind(row.state, plan: row.plan, today: today) }
            try await AutoRenewal.catchUp(user, only: id, today: today, limits: limits, on: connection)
            row = try await SubscriptionQueries.subscription(id, of: user, today: today, on: connection)
        }
        guard let row else { throw SubscriptionReading.unknown }
        return row
    }

    // The functions below run in a transaction that has the user's scope locked: of a direct operation, or of a pushed
    // change.

    /// Ends a period and begins the next; nothing when the period that is named has ended already.
    @Sendable static func renew(_ input: RenewSubscription, _ call: Call, on connection: Connection) async throws {
        let user = try call.requireSession().user
        let row = try await checked(input.id, madeOn: input.madeOn, call, on: connection)
        if input.period == nil,
            let begun = try await RenewalQueries.firstAutomatic(
                row.id, of: user, after: try day(input.madeOn, call), on: connection)
        {
            // It was made before that period began by itself: it was this one that was renewed, and is confirmed.
            return try await RenewalQueries.confirm(
                period: begun, isCurrent: begun == row.state.number, row.id, of: user, on: connection)
        }
        if let period = input.period {
            guard period <= row.state.number else {
                throw Problem.input("period", .range, "the current period is \(row.state.number)")
            }
            // It has ended already, by another device perhaps: renewing twice would skip a period.
            guard period == row.state.number else {
                // But a person said so: a period that began then is not taken back for a late cancellation.
                return try await RenewalQueries.confirm(
                    period: period + 1, isCurrent: period + 1 == row.state.number, row.id, of: user, on: connection)
            }
        }
        guard row.cancelledOn == nil else { throw Problem(.statusConflict, "It was cancelled; resume it first.") }
        do throws(BillingError) {
            _ = try row.state.renewed(try BillingTerms(duration: row.plan.duration, trialDays: row.plan.trialDays))
        } catch {
            throw Problem(.statusConflict, "It cannot be renewed: \(error.description).")
        }
        try await call.tenant.limits.checkPeriods(of: user, adding: 1, on: connection)
        try await SubscriptionQueries.renew(row.id, of: user, period: row.state.number, on: connection)
    }

    /// Lets it run out, at the end of the period in which that was decided.
    @Sendable static func cancel(_ input: CancelSubscription, _ call: Call, on connection: Connection) async throws {
        let session = try call.requireSession()
        let row = try await checked(
            input.id, madeOn: input.madeOn, isTakenBack: true, isCancelling: true, call, on: connection)
        // Where the period was begun by somebody after that day, it is this one that runs out.
        let day = min(max(try day(input.madeOn, call), row.state.start), session.today(at: call.now))
        // Of two cancellations the earlier one counts, whichever comes first.
        if let cancelledOn = row.cancelledOn, cancelledOn <= day { return }
        try await SubscriptionQueries.update(
            row.id, of: session.user, set: ["Cancelled_on = \(day)"], on: connection)
    }

    /// Takes a cancellation back. One that has run out begins a period on that day: nobody paid for the time between.
    @Sendable static func resume(_ input: ResumeSubscription, _ call: Call, on connection: Connection) async throws {
        let row = try await checked(input.id, madeOn: input.madeOn, call, on: connection)
        guard row.cancelledOn != nil else { return }
        let session = try call.requireSession()
        // Ver = 0: whether it has run out is judged by the user's day, not by the database's.
        var assignments: [SQL] = ["Cancelled_on = NULL", "Ver = 0"]
        if let start = try startOfGoingOn(row, on: try day(input.madeOn, after: row.cancelledOn, call)) {
            assignments += ["Start_date = \(start)", "Free_trial = FALSE"]
        }
        if row.state.end <= session.today(at: call.now) {
            // Its period has ended, and is recorded when it goes on.
            try await call.tenant.limits.checkPeriods(of: session.user, adding: 1, on: connection)
        }
        try await SubscriptionQueries.update(row.id, of: session.user, set: assignments, on: connection)
    }

    /// The first day of the period that a subscription begins when it goes on after its end; nil where that has not passed.
    /// - Throws: `status_conflict` where there can be no such period.
    private static func startOfGoingOn(_ row: SubscriptionRow, on day: CalendarDate) throws -> CalendarDate? {
        do throws(BillingError) {
            let next = try row.state.goingOn(
                from: day, terms: try BillingTerms(duration: row.plan.duration, trialDays: row.plan.trialDays))
            return next.number == row.state.number ? nil : next.start
        } catch {
            throw Problem(.statusConflict, "It cannot go on: \(error.description).")
        }
    }

    /// Marks it as deleted.
    static func delete(_ input: DeleteSubscription, _ call: Call, on connection: Connection) async throws {
        let row = try await checked(input.id, madeOn: input.madeOn, isTakenBack: true, call, on: connection)
        let user = try call.requireSession().user
        try await SubscriptionQueries.delete(row.id, of: user, on: connection)
        try await call.tenant.limits.boundTombstones(of: user, on: connection)
    }

    /// Brings it back; nothing when it is there. One that renews by itself does so from then on: while it was deleted nobody
    /// said that it went on.
    @Sendable static func restore(_ input: RestoreSubscription, _ call: Call, on connection: Connection) async throws {
        let user = try call.requireSession().user
        let made = try day(input.madeOn, call)
        if let found = try await SubscriptionQueries.deleted(input.id, of: user, today: made, on: connection) {
            let row = found.row
            // A device that was offline may have deleted and restored it on days before both arrive, one soon after the other.
            let yesterday = call.now.date(secondsFromUTC: 0).adding(days: -1)
            let arrivesWithIt = call.isPushed && found.on >= yesterday
            let day = try day(input.madeOn, after: arrivesWithIt ? nil : found.on, call)
            let start =
                row.autoRenew && row.cancelledOn == nil ? try startOfGoingOn(row, on: day) : nil
            if start != nil { try await call.tenant.limits.checkPeriods(of: user, adding: 1, on: connection) }
            try await SubscriptionQueries.restore(input.id, of: user, beginningOn: start, on: connection)
        }
        // It has come back and counts again; beyond the limit it is rolled back.
        try await call.tenant.limits.checkSubscriptions(of: user, adding: 0, on: connection)
        _ = try await checked(input.id, madeOn: input.madeOn, call, on: connection)
    }

    /// Changes the fields that are named.
    @Sendable static func update(_ input: UpdateSubscription, _ call: Call, on connection: Connection) async throws {
        let session = try call.requireSession()
        // A change of a plan holds from the day on which it was made.
        let today = try day(input.madeOn, call)
        let row = try await checked(
            input.id, madeOn: input.madeOn, isTakenBack: input.movesPeriods, call, on: connection)
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
            try await PrivatePlans.update(
                plan, patch, owner: session.user, today: today, tenant: call.tenant, on: connection)
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
            throw ProblemMapping.refusal(error.message, startIs: "nextRenewal")
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

extension UpdateSubscription {
    /// Whether the change alters later periods. A label, a note and a reminder do not.
    var movesPeriods: Bool {
        planId.isNamed || plan.value?.movesPeriods == true || startDate.isNamed || nextRenewal.isNamed
            || freeTrial.isNamed || autoRenew.isNamed || fee.isNamed
    }
}

extension PrivatePlanPatch {
    /// Whether it changes the length or the cost of periods.
    var movesPeriods: Bool { fee.isNamed || currency.isNamed || duration.isNamed || trialDays.isNamed }
}
