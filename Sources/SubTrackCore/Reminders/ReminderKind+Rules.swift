import SubTrackAPI

extension ReminderKind {
    /// Whether it is said again where nobody answers.
    var repeats: Bool {
        switch self {
        case .renewal, .cancelBy, .trial, .price, .overdue: true
        case .ended, .date, .debts, .digest: false
        }
    }

    /// How many days ahead it is said, unless the user wants otherwise. Of ``overdue``: how many days after.
    public var usualLeads: [Int] { ReminderLeads.kinds.contains(self) ? ReminderLeads.usual[self] : [0] }

    /// For how many days after the day that it is about it is of use.
    public var daysOfUse: Int {
        switch self {
        case .ended: 7
        case .overdue: 60
        case .renewal, .cancelBy, .trial, .price, .date, .debts, .digest: 0
        }
    }

    /// Whether its subject is a subscription.
    public var isOfSubscription: Bool {
        switch self {
        case .renewal, .cancelBy, .trial, .price, .ended, .overdue: true
        case .date, .debts, .digest: false
        }
    }

    /// The answers that it takes.
    public var answers: [ReminderAnswer] {
        switch self {
        case .renewal, .cancelBy, .trial, .price, .overdue: ReminderAnswer.allCases
        case .ended, .date: [.keep, .snooze, .done]
        case .debts, .digest: [.keep, .done]
        }
    }
}

extension ReminderKey {
    /// The days until which a reminder can be put off, for an answer that is given on a day; nil: it is too late.
    public func snoozes(from day: CalendarDate) -> ClosedRange<CalendarDate>? {
        let (first, last) = (day.adding(days: 1), occursOn.adding(days: Self.longestSnooze))
        return first <= last ? first...last : nil
    }

    /// For how many days after the day that it is about a reminder can be put off.
    private static let longestSnooze = 60
}
