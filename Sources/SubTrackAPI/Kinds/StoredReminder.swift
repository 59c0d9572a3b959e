import Foundation

/// A reminder as clients hold it, with its answer. The id of the change is that of its ``ReminderKey``.
///
/// It goes ``daysKept`` days after the day that it is about. No change tells of that: clients drop it by the same rule.
public struct StoredReminder: EntityRow {
    public static let entity: SyncEntity = "reminder"
    /// The number in the table `Tombstone`.
    public static let number = 11
    /// How many days a reminder is kept after the day that it is about.
    public static let daysKept = 90

    /// Its kind.
    public var kind: ReminderKind
    /// The subscription, the date of a contact, or the user.
    public var subjectId: UUID
    /// The day that it is about.
    public var occursOn: CalendarDate
    /// How many days before that day it was due; negative: after it.
    public var leadDays: Int
    /// When it was said.
    public var firedAt: Instant
    /// The answer; null: nobody has answered.
    public var answer: ReminderAnswer?
    /// When it was answered.
    public var answeredAt: Instant?
    /// The day on which a snoozed one is said again.
    public var snoozedUntil: CalendarDate?

    /// A reminder with all that is stored.
    public init(
        kind: ReminderKind, subjectId: UUID, occursOn: CalendarDate, leadDays: Int, firedAt: Instant,
        answer: ReminderAnswer? = nil, answeredAt: Instant? = nil, snoozedUntil: CalendarDate? = nil
    ) {
        self.kind = kind
        self.subjectId = subjectId
        self.occursOn = occursOn
        self.leadDays = leadDays
        self.firedAt = firedAt
        self.answer = answer
        self.answeredAt = answeredAt
        self.snoozedUntil = snoozedUntil
    }

    /// The key, whose text is the id.
    public var key: ReminderKey {
        ReminderKey(subject: subjectId, kind: kind, occursOn: occursOn, lead: leadDays)
    }
}
