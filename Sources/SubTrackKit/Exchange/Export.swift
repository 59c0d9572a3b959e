import Foundation
import SubTrackAPI

/// A subscription of an export: as the service gives it, and beside that what an import needs.
public struct ExportedSubscription: Codable, Sendable, Hashable {
    /// The subscription on the day of the export.
    public var subscription: Subscription
    /// The user's payment for a period, in the plan's currency; nil: the plan's fee.
    public var ownFee: Amount?
    /// The day of its cancellation.
    public var cancelledOn: CalendarDate?

    private enum Member: String, CodingKey { case ownFee, cancelledOn }

    /// A subscription with all that an import needs.
    public init(subscription: Subscription, ownFee: Amount?, cancelledOn: CalendarDate?) {
        self.subscription = subscription
        self.ownFee = ownFee
        self.cancelledOn = cancelledOn
    }

    /// Takes the members of a subscription, with or without those that stand beside.
    public init(from decoder: any Decoder) throws {
        let subscription = try Subscription(from: decoder)
        let members = try decoder.container(keyedBy: Member.self)
        var ownFee = try members.decodeIfPresent(Amount.self, forKey: .ownFee)
        // `me.export` and the files of older versions do not say it.
        if !members.contains(.ownFee) { ownFee = Self.likelyOwnFee(of: subscription) }
        self.init(
            subscription: subscription, ownFee: ownFee,
            cancelledOn: try members.decodeIfPresent(CalendarDate.self, forKey: .cancelledOn))
    }

    public func encode(to encoder: any Encoder) throws {
        try subscription.encode(to: encoder)
        var members = encoder.container(keyedBy: Member.self)
        // Null is written as well: it tells that the plan's fee is paid.
        try members.encode(ownFee, forKey: .ownFee)
        try members.encode(cancelledOn, forKey: .cancelledOn)
    }

    /// The own fee as far as the prices tell it. An own fee stays the same from period to period, and a price may differ from the
    /// plan's because the plan's has changed since.
    private static func likelyOwnFee(of one: Subscription) -> Amount? {
        if one.freeTrial {
            guard let next = one.next, next.currency == one.plan.currency, next.fee != one.plan.fee else { return nil }
            return next.fee
        }
        guard one.currency == one.plan.currency, one.fee != one.plan.fee else { return nil }
        if let next = one.next, next.fee != one.fee { return nil }
        return one.fee
    }

    /// Its values in the order of ``SubscriptionExport/columns``.
    fileprivate var fields: [String] {
        let (one, plan) = (subscription, subscription.plan)
        let fee: Amount = ownFee ?? plan.fee
        let listed: String = ownFee == nil ? "" : plan.fee.description
        let first: [String] = [
            plan.provider, plan.name, plan.category, fee.description, plan.currency, plan.duration.words,
            one.startDate.description, one.endDate.description, one.status.rawValue,
        ]
        let second: [String] = [
            one.autoRenew ? "yes" : "no", one.freeTrial ? "yes" : "no", one.label ?? "", one.note ?? "",
            Self.text(one.reminderDays), one.muted ? "yes" : "no",
        ]
        let third: [String] = [
            plan.type, plan.private ? "own" : "catalog", plan.country, listed, Self.text(plan.trialDays),
            Self.text(plan.noticeDays), cancelledOn?.description ?? "",
        ]
        return first + second + third
    }

    private static func text(_ number: Int?) -> String {
        guard let number else { return "" }
        return String(number)
    }
}

/// All subscriptions of a device, as they can be kept in a file and imported again.
public struct SubscriptionExport: Codable, Sendable, Hashable {
    /// What kind of file it is, in ``format``.
    static let format = "subtrack"
    /// The form of the files that this version writes.
    static let version = 1

    /// `subtrack`: what kind of file it is.
    public var format = Self.format
    /// The form of the file.
    public var version = Self.version
    /// The day on which it was made.
    public var day: CalendarDate
    /// The subscriptions by end date.
    public var subscriptions: [ExportedSubscription]

    /// The names of the columns. `price` is the cost of a period: the own fee, else the plan's fee, which follows a trial. `plan_price` is
    /// the plan's fee beside an own fee.
    static let columns = [
        "name", "plan", "category", "price", "currency", "cycle", "start_date", "next_renewal", "status", "auto_renew",
        "free_trial", "label", "note", "reminder_days", "muted", "plan_type", "plan_source", "country",
        "plan_price", "trial_days", "notice_days", "cancelled_on",
    ]

    /// The same as comma-separated values, for tables.
    public var csv: String { CSVText.line(Self.columns) + subscriptions.map { CSVText.line($0.fields) }.joined() }
}

extension Kit {
    /// All subscriptions, as they stand here.
    public func export() throws -> SubscriptionExport {
        try store.read { database in
            let all = try subscriptions(in: database).map { one in
                ExportedSubscription(
                    subscription: one.subscription, ownFee: one.ownFee, cancelledOn: one.cancelledOn)
            }
            return SubscriptionExport(day: try today(in: database), subscriptions: all)
        }
    }
}
