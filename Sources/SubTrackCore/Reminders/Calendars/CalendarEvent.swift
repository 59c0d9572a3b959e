import Foundation
import SubTrackAPI

/// A whole day of a calendar (RFC 5545 §3.6.1). It has no time zone.
public struct CalendarEvent: Sendable, Hashable {
    /// The days on which an event comes again.
    public enum Recurrence: String, Sendable, Hashable {
        /// The same day of each year.
        case yearly = "FREQ=YEARLY"
        /// The last day of each February: the day of 29 February in years without one.
        case lastOfFebruary = "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"
    }

    /// The identity. It stays when the day moves, so that a program moves its event and adds none.
    public let uid: String
    /// The revision: the version of the row. It grows with each change of the row.
    public let sequence: Int64
    /// The day; of a recurring event the first one.
    public let day: CalendarDate
    /// The days on which it comes again; nil: it is once.
    public let recurrence: Recurrence?
    /// The title.
    public let summary: String

    /// An event.
    public init(
        uid: String, sequence: Int64, day: CalendarDate, recurrence: Recurrence? = nil, summary: String
    ) {
        self.uid = uid
        self.sequence = sequence
        self.day = day
        self.recurrence = recurrence
        self.summary = summary
    }

    /// The identity of a subscription's event. It names no host (RFC 7986 §5.3): ids are unique without one.
    public static func uid(of subscription: UUID, _ day: SubscriptionDay) -> String {
        "\(subscription.uuidString.lowercased()).\(day.period).\(day.kind.rawValue)"
    }

    /// The identity of the event of a contact's date.
    public static func uid(of contact: UUID, date: UUID) -> String {
        "\(contact.uuidString.lowercased()).\(date.uuidString.lowercased()).date"
    }
}
