import Foundation

/// How a user wants to be reminded.
public struct ReminderSetting: Codable, Sendable, Hashable, Versioned {
    /// The row's id.
    public var id: UUID
    /// The time on the user's clock, `00:00` to `23:59`.
    public var remindAt: String
    /// The language of mails: `en`, `de` or `zh`; null: that of the user's country.
    public var language: String?
    /// After how many days an unanswered reminder is said again, 1…30; null: it is not.
    public var repeatDays: Int?
    /// The day of the week's digest, 1 Monday … 7 Sunday; null: there is none.
    public var weeklyOn: Int?
    /// Whether reminders are sent by mail.
    public var byMail: Bool
    /// The address that a mail server has refused for good; null: none. No reminder goes there until it is null.
    public var mailRefused: String?
    /// The row's version.
    public var version: Int64
}

/// A number of days ahead at which a kind of reminder is said.
public struct ReminderLead: Codable, Sendable, Hashable, Versioned {
    /// The row's id.
    public var id: UUID
    /// The kind.
    public var kind: ReminderKind
    /// How many days ahead, 0…365; null adds no day.
    public var days: Int?
    /// The row's version.
    public var version: Int64
}

/// A reminder that was said.
public struct Reminder: Codable, Sendable, Hashable, Versioned {
    /// The row's id.
    public var id: UUID
    /// The subscription, the date of a contact, or the user.
    public var subjectId: UUID
    /// The kind.
    public var kind: ReminderKind
    /// The day that it is about.
    public var occursOn: CalendarDate
    /// How many days before that day it was due, -60…365; negative: after it.
    public var leadDays: Int
    /// The day on which a snoozed one is due again.
    public var snoozedUntil: CalendarDate?
    /// The answer; null: nobody has answered.
    public var answer: ReminderAnswer?
    /// The row's version.
    public var version: Int64
}
