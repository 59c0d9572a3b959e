import Foundation
import SubTrackAPI

/// A whole day of a calendar (RFC 5545 §3.6.1). A whole day has no time zone.
public struct CalendarEvent: Sendable, Hashable {
    /// The days on which an event comes again.
    public enum Recurrence: String, Sendable, Hashable {
        /// The same day of each year.
        case yearly = "FREQ=YEARLY"
        /// The last day of each February: the day of 29 February in years without one.
        case lastOfFebruary = "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"
    }

    /// The identity. It stays when the day moves, so that a calendar moves its event and adds none.
    public let uid: String
    /// The revision. It grows with each change.
    public let sequence: Int64
    /// The day; of a recurring event the first one.
    public let day: CalendarDate
    /// nil: the event is once.
    public let recurrence: Recurrence?
    /// The title.
    public let summary: String
    /// The alarms, in minutes from the day's midnight; negative before it.
    public let alarms: [Int]

    /// An event.
    public init(
        uid: String, sequence: Int64, day: CalendarDate, recurrence: Recurrence? = nil, summary: String,
        alarms: [Int] = []
    ) {
        self.uid = uid
        self.sequence = sequence
        self.day = day
        self.recurrence = recurrence
        self.summary = summary
        self.alarms = alarms
    }

    /// The identity of a subscription's event.
    /// - Parameters:
    ///   - subscription: the subscription's id.
    ///   - host: the host of the tenant, as RFC 5545 §3.8.4.7 wants it.
    public static func uid(of subscription: UUID, _ day: SubscriptionDay, host: String) -> String {
        "\(subscription.uuidString.lowercased()).\(day.period).\(day.kind.rawValue)@\(host)"
    }

    /// The identity of the event of a contact's date.
    public static func uid(of contact: UUID, date: UUID, host: String) -> String {
        "\(contact.uuidString.lowercased()).\(date.uuidString.lowercased()).date@\(host)"
    }
}

extension ReminderSettings {
    /// The alarms of reminders, in minutes from the midnight of their day: at the user's hour, some days ahead.
    public func alarms(_ leads: [Int]) -> [Int] { leads.map { minute - $0 * 1440 } }
}
