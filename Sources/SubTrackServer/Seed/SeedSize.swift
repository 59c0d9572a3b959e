import SubTrackAPI

/// The amount and the seed of made-up data. The same size gives the same rows on every machine.
public struct SeedSize: Sendable, Hashable {
    /// How many people.
    public var users: Int
    /// How many plans of the catalogue.
    public var plans: Int
    /// How many subscriptions, over all people.
    public var subscriptions: Int
    /// The seed of the rows: another number gives other people.
    public var seed: UInt32
    /// The day that the data take for today.
    public var today: CalendarDate

    /// The greatest numbers that can be asked for.
    public static let greatest = (users: 10_000_000, plans: 100_000, subscriptions: 100_000_000)

    /// A size; ``SeedWork`` refuses an impossible one.
    public init(users: Int, plans: Int, subscriptions: Int, seed: UInt32, today: CalendarDate) {
        self.users = users
        self.plans = plans
        self.subscriptions = subscriptions
        self.seed = seed
        self.today = today
    }
}

/// The result of a run of the seed.
public struct SeedReport: Sendable, Codable, Hashable {
    /// The tenant.
    public let tenant: String
    /// The seed of the rows.
    public let seed: UInt32
    /// The day that the data take for today.
    public let today: CalendarDate
    /// How many people there are.
    public let users: Int
    /// How many plans of the catalogue.
    public let plans: Int
    /// How many plans of people's own.
    public let privatePlans: Int
    /// How many subscriptions.
    public let subscriptions: Int
    /// Whether anything was added; not when the same was there already.
    public let isAdded: Bool
}
