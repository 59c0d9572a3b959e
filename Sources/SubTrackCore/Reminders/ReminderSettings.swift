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
    private let leads: [ReminderKind: [Int]]

    /// Settings as they are stored.
    /// - Parameter leads: the days ahead by kind. A kind without any has its usual ones.
    public init(
        minute: Int = usualMinute, repeatDays: Int? = nil, weekday: Int? = usualWeekday,
        leads: [ReminderKind: [Int]] = [:]
    ) {
        self.minute = min(max(minute, 0), 1439)
        self.repeatDays = repeatDays.flatMap { $0 > 0 ? $0 : nil }
        self.weekday = weekday
        self.leads = leads
    }

    /// How many days ahead a kind is said.
    public func leads(of kind: ReminderKind) -> [Int] { leads[kind] ?? kind.usualLeads }

    /// The same with a subject's own number of days: it takes the place of those that are not nearer.
    func leads(of kind: ReminderKind, own days: Int?) -> [Int] {
        guard let days else { return leads(of: kind) }
        return [days] + leads(of: kind).filter { $0 < days }
    }
}

extension ReminderSettings {
    /// The settings of a user's rows.
    /// - Parameter setting: nil: the usual ones.
    public init(_ setting: StoredReminderSetting?, leads: [StoredReminderLead]) {
        let setting = setting ?? StoredReminderSetting()
        self.init(
            minute: Self.minute(setting.remindAt) ?? Self.usualMinute, repeatDays: setting.repeatDays,
            weekday: setting.weeklyOn,
            leads: Dictionary(grouping: leads, by: \.kind).mapValues { $0.compactMap(\.days) })
    }

    /// The minutes from midnight of a time such as `09:30`; nil for another text.
    static func minute(_ time: String) -> Int? {
        let digits = time.utf8.map { Int($0) - 48 }
        guard digits.count == 5, time.utf8.dropFirst(2).first == UInt8(ascii: ":"),
            [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) })
        else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[3] * 10 + digits[4])
        return hour < 24 && minute < 60 ? hour * 60 + minute : nil
    }
}
