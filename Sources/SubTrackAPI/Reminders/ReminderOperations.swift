import Foundation

/// The reminders that were said to the user.
public struct ListReminders: Operation {
    public static let name = "reminders.list"
    public static let endpoint = Endpoint.get("/v1/reminders")
    public static let access = Access.device
    public static let summary = "Lists the reminders of the last three months, the newest first."

    /// A page of reminders.
    public struct Output: Codable, Sendable, Hashable {
        /// The reminders of this page.
        public var reminders: [Reminder]
        /// The `cursor` for the next page; null on the last.
        public var nextCursor: String?

        /// A page.
        public init(reminders: [Reminder], nextCursor: String?) {
            self.reminders = reminders
            self.nextCursor = nextCursor
        }
    }

    /// True: only those that are still to be answered, each matter once. False, as unless given: all.
    public var open: Bool?
    /// How many at most, 1…200; 50 unless given.
    public var limit: Int?
    /// Where the page begins.
    public var cursor: String?

    /// A page of the reminders.
    public init(open: Bool? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.open = open
        self.limit = limit
        self.cursor = cursor
    }
}

/// The reminders that are to come.
public struct ListUpcomingReminders: Operation {
    public static let name = "reminders.upcoming"
    public static let endpoint = Endpoint.get("/v1/reminders/upcoming")
    public static let access = Access.device
    public static let summary =
        "Tells which reminders will be said, and when, if nothing changes and nobody answers. Periods that begin meanwhile "
        + "have none."

    /// The reminders that are to come.
    public struct Output: Codable, Sendable, Hashable {
        /// The reminders, the first ones first.
        public var reminders: [UpcomingReminder]

        /// The reminders.
        public init(reminders: [UpcomingReminder]) { self.reminders = reminders }
    }

    /// How many days, today included, 1…400; 30 unless given.
    public var days: Int?

    /// The reminders of so many days.
    public init(days: Int? = nil) { self.days = days }
}

/// An answer to a reminder.
public struct AnswerReminder: Operation {
    public static let name = "reminders.answer"
    public static let endpoint = Endpoint.post("/v1/reminders/{id}/answer")
    public static let access = Access.device
    public static let errors = [ErrorCode.statusConflict, .tooMany]
    public static let summary =
        "Answers a reminder, also one that was not said yet; `renew` and `cancel` renew or cancel its subscription."

    /// The reminder and its subscription as they are now.
    public struct Output: Codable, Sendable, Hashable {
        /// The reminder. Its answer is `done` where its matter had changed before.
        public var reminder: Reminder
        /// The subscription; null where the reminder is of something else.
        public var subscription: Subscription?

        /// A reminder and its subscription.
        public init(reminder: Reminder, subscription: Subscription?) {
            self.reminder = reminder
            self.subscription = subscription
        }
    }

    /// The reminder: kind, subject, day and days ahead, with points between them.
    public var id: String
    /// The answer.
    public var answer: ReminderAnswer
    /// With `snooze`, the day on which it is said again: tomorrow at the earliest, 60 days after the reminder's day at the
    /// latest.
    public var until: CalendarDate?
    /// The day on which it was answered, where that was before today; today unless given, and at the latest.
    public var madeOn: CalendarDate?

    /// An answer to a reminder.
    public init(id: String, answer: ReminderAnswer, until: CalendarDate? = nil, madeOn: CalendarDate? = nil) {
        self.id = id
        self.answer = answer
        self.until = until
        self.madeOn = madeOn
    }
}

extension ListReminders: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["limit": .pageLimit, "cursor": .cursor]
}

extension ListUpcomingReminders: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["days": .number(1...400).example("30")]
}

extension AnswerReminder: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["id": .reminderID]
}

extension FieldRule {
    /// A reminder by its id.
    static let reminderID = FieldRule().example("renewal.0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b.2027-03-01.7")
}
