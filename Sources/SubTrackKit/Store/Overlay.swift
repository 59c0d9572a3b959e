import Foundation
import SubTrackAPI
import SubTrackCore

/// The server's subscriptions with what waits in the outbox laid over them, in its order: what the server will make of it, as
/// far as it can be told here.
///
/// It is made anew whenever it is read. A change that the server has done already (its answer was lost) changes nothing: a
/// renewal names its period, and all others give the values that there are.
struct Overlay {
    /// A subscription as it stands here.
    struct Entry: Sendable {
        var id: String
        var version: Int64
        var row: StoredSubscription
        /// Whether something of it waits to be sent.
        var isPending = false
        var isDeleted = false
        /// Periods that were ended here.
        var ended: [StoredPeriod] = []
    }

    /// So many periods that have ended by themselves are shown: those of a thousand days or months.
    static let maximumRenewals = 1000

    private(set) var entries: EntryList
    var plans: PlanTable
    /// What the user is, with what waits.
    private(set) var user: StoredUser
    /// Subscriptions that were deleted and can come back.
    private let deleted: [String: StoredSubscription]

    init(
        entries: [Entry], plans: PlanTable, user: StoredUser, deleted: [String: StoredSubscription],
        outbox: [OutboxEntry]
    ) {
        self.entries = EntryList(entries)
        self.plans = plans
        self.user = user
        self.deleted = deleted
        if !outbox.isEmpty { self.entries.index() }
        for entry in outbox { apply(entry) }
    }

    /// Has single subscriptions found at once from now on.
    mutating func index() { entries.index() }

    private mutating func apply(_ waiting: OutboxEntry) {
        let mutation = waiting.mutation
        switch (SyncEntity(rawValue: mutation.entity), PushChanges.Mutation.Op(rawValue: mutation.op)) {
        case (.subscription, .create?): create(mutation, today: waiting.today)
        case (.subscription, .restore?):
            let held = deleted[mutation.id].map { Entry(id: mutation.id, version: 0, row: $0, isDeleted: true) }
            guard var entry = entries[mutation.id] ?? held else { return }
            // While it was deleted nobody said that it went on.
            if entry.isDeleted, entry.row.autoRenew, entry.row.cancelledOn == nil { goOn(&entry, from: waiting.today) }
            entry.isDeleted = false
            entry.isPending = true
            entries[mutation.id] = entry
        case (.subscription, let op?):
            guard var entry = entries[mutation.id], !entry.isDeleted else { return }
            entry.isPending = true
            // What renews by itself is in the period of the day of the change when the server looks at it.
            catchUp(&entry, to: waiting.today)
            change(&entry, op, mutation.fields ?? [:], today: waiting.today)
            entries[mutation.id] = entry
        case (.plan, .update?):
            if let id = Int64(mutation.id), let patch = Self.decode(PrivatePlanPatch.self, mutation.fields ?? [:]) {
                plans.change(id, by: patch, on: waiting.today)
            }
        case (.me, .update?):
            guard let patch = Self.decode(UpdateMe.self, mutation.fields ?? [:]) else { return }
            if patch.userName.isNamed { user.userName = patch.userName.value }
            if let country = patch.country.value { user.country = country }
            if let zone = patch.timeZone.value { user.timeZone = zone }
        default: break
        }
    }

    private mutating func create(_ mutation: PushChanges.Mutation, today: CalendarDate) {
        // It is done already where the row is there.
        guard entries[mutation.id] == nil, let input = Self.decode(CreateSubscription.self, mutation.fields ?? [:])
        else { return }
        let start = input.startDate ?? today
        guard
            let plan = input.planId
                ?? input.plan.map({ plans.add($0, country: user.country, since: start) }),
            let terms = plans.terms(plan)
        else { return }
        let trial = input.freeTrial ?? false
        let state =
            if let end = input.nextRenewal {
                try? BillingState.begin(nextRenewal: end, terms: terms, freeTrial: trial)
            } else {
                try? BillingState.begin(on: start, terms: terms, freeTrial: trial)
            }
        guard let state else { return }
        var row = StoredSubscription(
            planId: plan, label: input.label, startDate: state.start, endDate: state.end, freeTrial: trial,
            anchorDate: state.anchor, anchorCount: state.anchorCount, period: 0, fee: .init(units: 0, digits: 2),
            currency: "", ownFee: input.fee, autoRenew: input.autoRenew ?? false, cancelledOn: nil,
            reminderDays: input.reminderDays, muted: input.muted ?? false, note: input.note)
        price(&row)
        entries[mutation.id] = Entry(id: mutation.id, version: 0, row: row, isPending: true)
    }

    private mutating func change(
        _ entry: inout Entry, _ op: PushChanges.Mutation.Op, _ fields: [String: AnyJSON], today: CalendarDate
    ) {
        switch op {
        case .delete: entry.isDeleted = true
        case .cancel: entry.row.cancelledOn = entry.row.cancelledOn ?? today
        case .resume:
            if entry.row.cancelledOn != nil { goOn(&entry, from: today) }
            entry.row.cancelledOn = nil
        case .renew:
            guard fields["period"] == .integer(Int64(entry.row.period)), entry.row.cancelledOn == nil else { return }
            renew(&entry)
        case .update:
            guard let patch = Self.decode(UpdateSubscription.self, fields, id: entry.id) else { return }
            let former = entry.row
            update(&entry.row, patch, today: today)
            if entry.row.period > former.period {
                entry.ended.append(former.endedPeriod(of: UUID(uuidString: entry.id) ?? UUID()))
            }
        case .create, .restore: break
        }
    }

    /// Brings what renews by itself into the period of a day, and keeps the periods that have ended.
    private func catchUp(_ entry: inout Entry, to today: CalendarDate) {
        guard entry.row.autoRenew, entry.row.cancelledOn == nil, entry.row.endDate <= today,
            let terms = plans.terms(entry.row.planId)
        else { return }
        let id = UUID(uuidString: entry.id) ?? UUID()
        for state in (try? entry.row.state.renewals(upTo: today, terms: terms, limit: Self.maximumRenewals)) ?? [] {
            entry.ended.append(entry.row.endedPeriod(of: id))
            entry.row.state = state
            price(&entry.row)
        }
        entry.row = current(entry.row, today: today)
    }

    /// Begins a period on a day, where the one so far has ended before.
    private func goOn(_ entry: inout Entry, from day: CalendarDate) {
        guard let terms = plans.terms(entry.row.planId),
            let next = try? entry.row.state.goingOn(from: day, terms: terms),
            next.number > entry.row.period
        else { return }
        entry.ended.append(entry.row.endedPeriod(of: UUID(uuidString: entry.id) ?? UUID()))
        entry.row.state = next
        price(&entry.row)
    }

    /// Ends the current period and begins the next.
    mutating func renew(_ entry: inout Entry) {
        guard let terms = plans.terms(entry.row.planId), let next = try? entry.row.state.renewed(terms) else { return }
        entry.ended.append(entry.row.endedPeriod(of: UUID(uuidString: entry.id) ?? UUID()))
        entry.row.state = next
        price(&entry.row)
    }

    /// In the order of the database's triggers: start, else plan, else trial.
    private mutating func update(_ row: inout StoredSubscription, _ patch: UpdateSubscription, today: CalendarDate) {
        if let change = patch.plan.value { plans.change(row.planId, by: change, on: today) }
        let former = row
        if let plan = patch.planId.value { row.planId = plan }
        if patch.fee.isNamed { row.ownFee = patch.fee.value }
        if let terms = plans.terms(row.planId) {
            let trial = patch.freeTrial.value ?? row.freeTrial
            let state: BillingState? =
                if let start = patch.startDate.value, start != row.startDate {
                    try? row.state.corrected(start: start, terms: terms, freeTrial: trial, lastEnd: nil)
                } else if let end = patch.nextRenewal.value, end != row.endDate {
                    try? row.state.corrected(nextRenewal: end, terms: terms, freeTrial: trial, lastEnd: nil)
                } else if patch.autoRenew.value == true, !row.autoRenew, row.cancelledOn == nil, row.endDate < today {
                    // It renews by itself from now on.
                    try? row.state.goingOn(from: today, terms: terms)
                } else if row.planId != former.planId {
                    try? row.state.changedPlan(to: terms, freeTrial: trial)
                } else {
                    try? row.state.changedTrial(to: trial, terms: terms)
                }
            if let state { row.state = state }
        }
        if row.period > former.period, row.endDate >= today { row.cancelledOn = nil }
        if row != former || patch.plan.isNamed { price(&row) }
        if let auto = patch.autoRenew.value { row.autoRenew = auto }
        if patch.label.isNamed { row.label = patch.label.value }
        if patch.reminderDays.isNamed { row.reminderDays = patch.reminderDays.value }
        if let muted = patch.muted.value { row.muted = muted }
        if patch.note.isNamed { row.note = patch.note.value }
    }

    /// What its period costs by what is known here; what the service said stays where the plan has not come yet.
    func price(_ row: inout StoredSubscription) {
        guard let line = plans.line(row.planId) else { return }
        let cost = line.cost(ofPeriodFrom: row.startDate, ownFee: row.ownFee, freeTrial: row.freeTrial)
        row.fee = plans.written(cost.fee, cost.currency)
        row.currency = cost.currency
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ fields: [String: AnyJSON], id: String? = nil
    ) -> Value? {
        var fields = fields
        if let id { fields["id"] = .string(id) }
        return try? JSONDecoder().decode(type, from: JSONEncoder().encode(AnyJSON.object(fields)))
    }
}

extension StoredSubscription {
    /// Where it stands in its billing calendar.
    var state: BillingState {
        get {
            BillingState(
                start: startDate, end: endDate, anchor: anchorDate, anchorCount: anchorCount, number: period,
                freeTrial: freeTrial)
        }
        set {
            startDate = newValue.start
            endDate = newValue.end
            anchorDate = newValue.anchor
            anchorCount = newValue.anchorCount
            period = newValue.number
            freeTrial = newValue.freeTrial
        }
    }

    /// Its current period, as it is kept when it has ended.
    func endedPeriod(of id: UUID) -> StoredPeriod {
        StoredPeriod(
            subscriptionId: id, number: period, startDate: startDate, endDate: endDate, fee: fee, currency: currency,
            freeTrial: freeTrial, planId: planId)
    }
}

extension StoredPlan {
    /// Changes what a patch names.
    mutating func apply(_ patch: PrivatePlanPatch) {
        if let value = patch.provider.value { provider = value }
        if let value = patch.name.value { name = value }
        if let value = patch.type.value { type = value }
        if let value = patch.category.value { category = value }
        if let value = patch.fee.value { fee = value.rescaled(toDigits: fee.digits) ?? value }
        if let value = patch.currency.value { currency = value }
        if let value = patch.duration.value { duration = value }
        if patch.trialDays.isNamed { trialDays = patch.trialDays.value }
        if let value = patch.noticeDays.value { noticeDays = value }
    }
}
