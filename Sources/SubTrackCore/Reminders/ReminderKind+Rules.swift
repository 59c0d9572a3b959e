import SubTrackAPI

extension ReminderKind {
    /// Whether it is said again where nobody answers.
    var repeats: Bool {
        switch self {
        case .renewal, .cancelBy, .trial, .price, .overdue: true
        case .ended, .date, .digest: false
        }
    }

    /// Whether a user may choose how many days ahead it is said.
    var hasLeads: Bool { self != .digest }

    /// How many days ahead it is said, unless the user wants otherwise. Of ``overdue``: how many days after.
    public var usualLeads: [Int] {
        switch self {
        case .renewal, .cancelBy: [7, 1]
        case .trial: [3, 1]
        case .price: [14, 3]
        case .date: [1, 0]
        case .overdue: [1]
        case .ended, .digest: [0]
        }
    }

    /// For how many days after the day that it is about it is of use.
    public var daysOfUse: Int {
        switch self {
        case .ended: 7
        case .overdue: 60
        case .renewal, .cancelBy, .trial, .price, .date, .digest: 0
        }
    }

    /// Whether its subject is a subscription.
    public var isOfSubscription: Bool {
        switch self {
        case .renewal, .cancelBy, .trial, .price, .ended, .overdue: true
        case .date, .digest: false
        }
    }

    /// The answers that it takes.
    public var answers: [ReminderAnswer] {
        switch self {
        case .renewal, .cancelBy, .trial, .price, .overdue: ReminderAnswer.allCases
        case .ended, .date: [.keep, .snooze, .done]
        case .digest: [.keep, .done]
        }
    }
}

extension ReminderKey {
    /// The last day on which the reminder is of use.
    public var lastUse: CalendarDate { occursOn.adding(days: kind.daysOfUse) }

    /// The days until which a reminder can be put off, for an answer that is given on a day; nil: it is too late. On a day
    /// after its last use it would be silent.
    public func snoozes(from day: CalendarDate) -> ClosedRange<CalendarDate>? {
        let first = day.adding(days: 1)
        return first <= lastUse ? first...lastUse : nil
    }
}
