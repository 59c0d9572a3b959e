import Foundation
import SubTrackAPI
import SubTrackCore

/// A subscription as it stands on this device.
public struct TrackedSubscription: Sendable, Hashable, Codable, Identifiable {
    /// The subscription, with everything that depends on the day, as the service would give it.
    public var subscription: Subscription
    /// Whether something of it was changed here and is not sent yet.
    public var isPending: Bool
    /// When it was cancelled.
    public var cancelledOn: CalendarDate?
    /// The user's payment for a period, in the plan's currency; nil: the plan's fee.
    public var ownFee: Amount?

    public var id: UUID { subscription.id }

    /// Its name for people: the label, or provider and plan.
    public var name: String { subscription.label ?? subscription.plan.title }

    /// Whether it is active and past its end.
    public var isOverdue: Bool { subscription.status == .active && subscription.remaining < 0 }

    /// How many days before its end it is due: the user's own days, else the usual seven.
    public var reminderWindow: Int { subscription.reminderDays ?? SubscriptionStanding.usualReminderDays }

    /// Whether it is active, and ends within ``reminderWindow`` or has ended already.
    public var isDue: Bool { subscription.status == .active && subscription.remaining <= reminderWindow }
}

extension Plan {
    /// Its name for people: the provider's, with its own where that says something. A plan of the user's own is called
    /// `Standard` by default.
    public var title: String { nameBesideProvider.map { "\(provider) \($0)" } ?? provider }

    /// The words to show beside the provider's name; nil: none.
    public var nameBesideProvider: String? {
        let isPlain = type == "Standard" || type == name
        if isPlain { return `private` && name == "Standard" ? nil : name }
        return "\(name) \(type)"
    }
}

extension String {
    /// A name without differences of case, spaces and points.
    package var plainName: String {
        lowercased().replacing("+", with: " plus").split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    }
}

extension PlanDuration {
    /// The span in words: `1 month`, `3 months`.
    public var words: String { "\(value) \(unit.rawValue)\(value == 1 ? "" : "s")" }
}

extension Plan {
    /// What is shown for the plan of a subscription that came before it; a pull brings it.
    fileprivate static func notHere(_ row: StoredSubscription) -> Plan {
        Plan(
            id: row.planId, provider: "…", name: "not here yet", type: "Standard", category: "Other", country: "",
            fee: row.fee, currency: row.currency, duration: .init(value: 1, unit: .month), trialDays: nil,
            noticeDays: 0, withdrawn: false, private: false)
    }
}

extension Overlay {
    /// A subscription as people see it on a day. One that renews by itself is in the period of that day.
    func tracked(_ entry: Entry, today: CalendarDate) -> TrackedSubscription? {
        guard let id = UUID(stored: entry.id) else { return nil }
        let row = current(entry.row, today: today)
        let (plan, prices) = (plans[row.planId], plans.line(row.planId))
        // A period is ended by the notice that held when it began.
        let former = plan?.formerTerms.flatMap { row.startDate < $0.until ? $0.noticeDays : nil }
        let standing = SubscriptionStanding(
            endDate: row.endDate, cancelledOn: row.cancelledOn, noticeDays: former ?? plan?.noticeDays ?? 0,
            today: today)
        var next: Subscription.Next?
        if row.cancelledOn == nil, let prices {
            let price = prices.cost(ofPeriodFrom: row.endDate, ownFee: row.ownFee)
            next = .init(
                fee: plans.written(price.fee, price.currency), currency: price.currency, on: row.endDate)
        }
        return TrackedSubscription(
            subscription: Subscription(
                id: id, plan: prices.flatMap { plans.plan(row.planId, prices: $0, today: today) } ?? .notHere(row),
                label: row.label,
                startDate: row.startDate,
                endDate: row.endDate, remaining: standing.remaining, period: row.period, fee: row.fee,
                currency: row.currency, next: next, freeTrial: row.freeTrial, autoRenew: row.autoRenew,
                status: standing.status, cancelBy: standing.cancelBy, reminderDays: row.reminderDays,
                muted: row.muted, note: row.note, version: entry.version),
            isPending: entry.isPending, cancelledOn: row.cancelledOn,
            ownFee: row.ownFee.map { plans.written($0, row.currency) })
    }

    /// A row in the period of a day, where it renews by itself.
    func current(_ row: StoredSubscription, today: CalendarDate) -> StoredSubscription {
        guard row.autoRenew, row.cancelledOn == nil, row.endDate <= today, let terms = plans.terms(row.planId),
            let state = try? row.state.caughtUp(to: today, terms: terms)
        else { return row }
        var row = row
        row.state = state
        price(&row)
        return row
    }
}
