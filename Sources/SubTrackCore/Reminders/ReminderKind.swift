/// The kinds of reminders. The raw values stand in the database.
public enum ReminderKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A subscription renews.
    case renewal
    /// The last day to cancel a subscription.
    case cancelBy = "cancel_by"
    /// A free trial ends.
    case trial
    /// The last day to cancel before a renewal that costs something else or has other terms.
    case price
    /// A cancelled subscription has ended.
    case ended
    /// A subscription is past its end.
    case overdue
    /// A date of a contact.
    case date
    /// Somebody owes.
    case debts
    /// The renewals of a week.
    case digest

    /// Whether it is said again where nobody answers.
    var repeats: Bool {
        switch self {
        case .renewal, .cancelBy, .trial, .price, .overdue: true
        case .ended, .date, .debts, .digest: false
        }
    }

    /// How many days ahead it is said, unless the user wants otherwise. Of ``overdue``: how many days after.
    public var usualLeads: [Int] {
        switch self {
        case .renewal, .cancelBy: [7, 1]
        case .trial: [3, 1]
        case .price: [14, 3]
        case .overdue: [1]
        case .date: [1, 0]
        case .ended, .debts, .digest: [0]
        }
    }
}

/// An answer to a reminder. The raw values stand in the database.
public enum ReminderAnswer: String, Sendable, Hashable, Codable, CaseIterable {
    /// Seen; nothing else changes.
    case keep
    /// The subscription was cancelled.
    case cancel
    /// The subscription was renewed.
    case renew
    /// To be said again on a later day.
    case snooze
    /// Nothing is left to do about it.
    case done
}
