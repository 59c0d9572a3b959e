/// The kinds of reminders.
public enum ReminderKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A subscription renews.
    case renewal
    /// The last day to cancel a subscription.
    case cancelBy
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
    /// The renewals of a week.
    case digest

    /// The number in the id of a reminder. It is never used for another kind.
    var number: UInt8 {
        switch self {
        case .renewal: 1
        case .cancelBy: 2
        case .trial: 3
        case .price: 4
        case .ended: 5
        case .overdue: 6
        case .date: 7
        case .digest: 8
        }
    }
}

/// An answer to a reminder.
public enum ReminderAnswer: String, Sendable, Hashable, Codable, CaseIterable {
    /// Seen; nothing else changes.
    case keep
    /// The subscription was cancelled.
    case cancel
    /// The subscription was renewed.
    case renew
    /// To be said again on a later day.
    case snooze
    /// The matter of the reminder is done.
    case done
}
