import SubTrackAPI

/// How a user wants to be reminded.
public struct ReminderSettings: Sendable, Hashable {
    /// The usual time on the user's clock: nine.
    public static let usualMinute = 9 * 60
    /// The usual day of the digest: Monday.
    public static let usualWeekday = 1

    /// The time on the user's clock, in minutes from midnight.
    public let minute: Int
    /// After how many days an unanswered reminder is said again; nil: it is not.
    public let repeatDays: Int?
    /// The day of the digest and of debts, 1 Monday … 7 Sunday; nil: there is none.
    public let weekday: Int?
    private let leads: [ReminderKind: [Int]]?

    /// Settings as they are stored.
    /// - Parameter leads: the days ahead by kind, all that there are; nil: the usual ones.
    public init(
        minute: Int = usualMinute, repeatDays: Int? = nil, weekday: Int? = usualWeekday,
        leads: [ReminderKind: [Int]]? = nil
    ) {
        self.minute = min(max(minute, 0), 1439)
        self.repeatDays = repeatDays.flatMap { $0 > 0 ? $0 : nil }
        self.weekday = weekday
        self.leads = leads
    }

    /// How many days ahead a kind is said.
    public func leads(of kind: ReminderKind) -> [Int] { leads.map { $0[kind] ?? [] } ?? kind.usualLeads }

    /// The same with a subject's own number of days: it takes the place of those that are not nearer.
    func leads(of kind: ReminderKind, own days: Int?) -> [Int] {
        guard let days else { return leads(of: kind) }
        return [days] + leads(of: kind).filter { $0 < days }
    }
}
