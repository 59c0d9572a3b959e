import Foundation

/// A reminder as operations answer it: the row that clients hold, with its id and version.
public struct Reminder: Codable, Sendable, Hashable {
    /// The reminder's id: kind, subject, day and days ahead, with points between them.
    public var id: String
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
    /// The version in the user's scope.
    public var version: Int64

    /// A row with its version.
    public init(_ row: StoredReminder, version: Int64) {
        id = row.key.description
        kind = row.kind
        subjectId = row.subjectId
        occursOn = row.occursOn
        leadDays = row.leadDays
        firedAt = row.firedAt
        answer = row.answer
        answeredAt = row.answeredAt
        snoozedUntil = row.snoozedUntil
        self.version = version
    }

    /// The row that clients hold.
    public var row: StoredReminder {
        StoredReminder(
            kind: kind, subjectId: subjectId, occursOn: occursOn, leadDays: leadDays, firedAt: firedAt, answer: answer,
            answeredAt: answeredAt, snoozedUntil: snoozedUntil)
    }
}

/// A reminder that will be said, and when.
public struct UpcomingReminder: Codable, Sendable, Hashable {
    /// The id under which it can be answered already.
    public var id: String
    /// Its kind.
    public var kind: ReminderKind
    /// The subscription, the date of a contact, or the user.
    public var subjectId: UUID
    /// The day that it is about.
    public var occursOn: CalendarDate
    /// How many days before that day it is due; negative: after it.
    public var leadDays: Int
    /// When it will be said.
    public var at: Instant

    /// A reminder with the time at which it will be said.
    public init(_ key: ReminderKey, at: Instant) {
        id = key.description
        kind = key.kind
        subjectId = key.subject
        occursOn = key.occursOn
        leadDays = key.lead
        self.at = at
    }
}
