import Foundation
import SubTrackAPI
import SubTrackCore

/// A reminder as it stands on this device.
public struct TrackedReminder: Sendable, Hashable, Codable, Identifiable {
    /// The id, which is the service's: kind, subject, day and days ahead, with points between them.
    public var id: String
    /// Its kind.
    public var kind: ReminderKind
    /// The subscription, the date of a contact, or the user.
    public var subjectId: UUID
    /// The day that it is about.
    public var occursOn: CalendarDate
    /// How many days before that day it is due; negative: after it.
    public var leadDays: Int
    /// When it was said, or will be.
    public var at: Instant
    /// The name of the subscription, or of the contact with the word for the day; nil for the week's digest and for debts.
    public var title: String?
    /// The cost of the next period; nil where there is none.
    public var fee: Amount?
    /// ISO 4217; nil where there is no ``fee``.
    public var currency: String?
    /// The last day to cancel; nil where nothing is to be cancelled.
    public var cancelBy: CalendarDate?

    /// The key, whose text is the id.
    public var key: ReminderKey { ReminderKey(subject: subjectId, kind: kind, occursOn: occursOn, lead: leadDays) }

    /// The answers that it takes.
    public var answers: [ReminderAnswer] { kind.answers }

    init(_ key: ReminderKey, at: Instant) {
        id = key.description
        kind = key.kind
        subjectId = key.subject
        occursOn = key.occursOn
        leadDays = key.lead
        self.at = at
    }
}

/// The reminders of a user by the rows of this device.
public struct DeviceReminders: Sendable, Hashable, Codable {
    /// Those that are to be answered, the earliest days first: said by the service, or due by the rules. Each matter is there once.
    public var open: [TrackedReminder]
    /// Those that will be said if nothing changes and nobody answers, the first ones first. An app schedules local notifications
    /// from them. Periods that begin meanwhile have none.
    public var upcoming: [TrackedReminder]
}
