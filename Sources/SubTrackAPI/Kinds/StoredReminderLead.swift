/// A number of days ahead at which a kind of reminder is said, as clients hold it. The rows of a kind take the place of all its
/// usual days.
public struct StoredReminderLead: DeclaredRow {
    public static let declaration = EntityDeclaration(
        "reminderLead", number: 13, table: "Reminder_lead", limit: 100, restorableDays: 30,
        fields: [.text("kind", 1...20).immutable, .integer("days", 0...365).optional])

    /// The kind.
    public var kind: ReminderKind
    /// How many days ahead, 0…365. Of ``ReminderKind/overdue``: how many days after. Null adds no day: a kind that has this row alone
    /// is never said.
    public var days: Int?

    /// A number of days ahead of a kind.
    public init(kind: ReminderKind, days: Int?) {
        self.kind = kind
        self.days = days
    }
}
