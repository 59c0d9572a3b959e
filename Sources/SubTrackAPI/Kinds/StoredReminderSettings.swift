/// How a user wants to be reminded, as clients hold it. The id of the change is the user's.
///
/// There is no row as long as the usual settings hold: ``usual``.
public struct StoredReminderSettings: EntityRow {
    public static let entity: SyncEntity = "reminderSettings"
    /// The number in the table `Tombstone`.
    public static let number = 9

    /// The time on the user's clock: `09:00`.
    public var remindAt: String
    /// The language of mails: `en`, `de` or `zh`; null: the country's.
    public var language: String?
    /// After how many days an unanswered reminder is said again; null: it is not.
    public var repeatDays: Int?
    /// The day of the week's digest, 1 Monday … 7 Sunday; null: there is none.
    public var weeklyOn: Int?
    /// Whether reminders are sent by mail.
    public var byMail: Bool
    /// How many days ahead each kind is said.
    public var leads: ReminderLeads

    /// Settings with all that is stored.
    public init(
        remindAt: String, language: String?, repeatDays: Int?, weeklyOn: Int?, byMail: Bool, leads: ReminderLeads
    ) {
        self.remindAt = remindAt
        self.language = language
        self.repeatDays = repeatDays
        self.weeklyOn = weeklyOn
        self.byMail = byMail
        self.leads = leads
    }

    /// The settings of a user that has stored none.
    public static let usual = StoredReminderSettings(
        remindAt: "09:00", language: nil, repeatDays: nil, weeklyOn: 1, byMail: true, leads: .usual)
}

/// How many days ahead the kinds of reminders are said, the farthest first. A kind with no days is not said.
public struct ReminderLeads: Codable, Sendable, Hashable {
    /// Days before a renewal.
    public var renewal: [Int]
    /// Days before the last day to cancel.
    public var cancelBy: [Int]
    /// Days before a free trial ends.
    public var trial: [Int]
    /// Days before the last day to cancel ahead of another price or other terms.
    public var price: [Int]
    /// Days before a cancelled subscription ends.
    public var ended: [Int]
    /// Days after the end of a subscription that does not renew by itself; 0 counts as 1.
    public var overdue: [Int]
    /// Days before a date of a contact.
    public var date: [Int]

    /// Days ahead for each kind.
    public init(
        renewal: [Int], cancelBy: [Int], trial: [Int], price: [Int], ended: [Int], overdue: [Int], date: [Int]
    ) {
        self.renewal = renewal
        self.cancelBy = cancelBy
        self.trial = trial
        self.price = price
        self.ended = ended
        self.overdue = overdue
        self.date = date
    }

    /// The days ahead unless the user wants others.
    public static let usual = ReminderLeads(
        renewal: [7, 1], cancelBy: [7, 1], trial: [3, 1], price: [14, 3], ended: [0], overdue: [1], date: [1, 0])

    /// No days ahead for any kind.
    public static let none = ReminderLeads(
        renewal: [], cancelBy: [], trial: [], price: [], ended: [], overdue: [], date: [])

    /// The kinds that have days ahead, each with its list.
    static let lists: [(kind: ReminderKind, days: any WritableKeyPath<ReminderLeads, [Int]> & Sendable)] = [
        (.renewal, \.renewal), (.cancelBy, \.cancelBy), (.trial, \.trial), (.price, \.price), (.ended, \.ended),
        (.overdue, \.overdue), (.date, \.date),
    ]

    /// The days ahead of a kind; none for one that has no leads.
    public subscript(kind: ReminderKind) -> [Int] {
        get { Self.lists.first { $0.kind == kind }.map { self[keyPath: $0.days] } ?? [] }
        set {
            guard let list = Self.lists.first(where: { $0.kind == kind }) else { return }
            self[keyPath: list.days] = newValue
        }
    }

    /// The kinds that have days ahead.
    public static var kinds: [ReminderKind] { lists.map(\.kind) }
}
