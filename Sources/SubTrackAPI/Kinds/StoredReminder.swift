import Foundation

/// A reminder that was said, as clients hold it. Its id is that of its key, ``ReminderKey/id``.
///
/// The service adds a row for each reminder that it says. A device that has said one adds it with its answer. Where the service was first,
/// the answer comes to that row, unless it has one.
public struct StoredReminder: DeclaredRow {
    public static let declaration = EntityDeclaration(
        "reminder", number: 11, table: "Reminder", limit: 100_000, restorableDays: 30, twin: .completed,
        fields: [
            .id("subjectId").immutable, .text("kind", 1...20).immutable, .day("occursOn").immutable,
            .integer("leadDays", -60...365).immutable, .day("snoozedUntil").optional.group("answer"),
            .text("answer", 1...20).optional,
        ])

    /// The subscription, the date of a contact, or the user.
    public var subjectId: UUID
    /// The kind.
    public var kind: ReminderKind
    /// The day that it is about.
    public var occursOn: CalendarDate
    /// How many days before that day it was due, -60…365; negative: after it.
    public var leadDays: Int
    /// The day on which a snoozed one is due again; null: on the next one of its days ahead.
    public var snoozedUntil: CalendarDate?
    /// The answer; null: nobody has answered.
    public var answer: ReminderAnswer?

    /// A reminder.
    public init(
        subjectId: UUID, kind: ReminderKind, occursOn: CalendarDate, leadDays: Int, snoozedUntil: CalendarDate? = nil,
        answer: ReminderAnswer? = nil
    ) {
        self.subjectId = subjectId
        self.kind = kind
        self.occursOn = occursOn
        self.leadDays = leadDays
        self.snoozedUntil = snoozedUntil
        self.answer = answer
    }

    /// Its key.
    public var key: ReminderKey { .init(subject: subjectId, kind: kind, occursOn: occursOn, lead: leadDays) }
}
