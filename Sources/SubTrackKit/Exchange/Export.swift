import Foundation
import SubTrackAPI

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
    public var subscriptions: [Subscription]

    /// The same as comma-separated values, for tables.
    public var csv: String {
        let names = [
            "name", "plan", "category", "price", "currency", "cycle", "start_date", "next_renewal", "status",
            "auto_renew", "free_trial", "label", "note", "reminder_days",
        ]
        return CSVText.line(names)
            + subscriptions.map { one in
                CSVText.line([
                    one.plan.provider, one.plan.name, one.plan.category, one.fee.description, one.currency,
                    one.plan.duration.words, one.startDate.description,
                    one.endDate.description, one.status.rawValue, one.autoRenew ? "yes" : "no",
                    one.freeTrial ? "yes" : "no", one.label ?? "", one.note ?? "",
                    one.reminderDays.map(String.init) ?? "",
                ])
            }.joined()
    }
}

extension Kit {
    /// All subscriptions, as they stand here.
    public func export() throws -> SubscriptionExport {
        try store.read { database in
            SubscriptionExport(
                day: try today(in: database), subscriptions: try subscriptions(in: database).map(\.subscription))
        }
    }
}
