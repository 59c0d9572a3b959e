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
}
