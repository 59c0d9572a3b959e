/// What a person must know today.
public struct GetDashboard: Operation {
    public static let name = "dashboard.get"
    public static let endpoint = Endpoint.get("/v1/dashboard")
    public static let access = Access.device
    public static let summary = "Gives the renewals that are due or overdue, what is spent and what was saved."
    public static let errors = [ErrorCode.tooMany]

    /// What active subscriptions cost in one currency.
    public struct Spend: Codable, Sendable, Hashable {
        /// ISO 4217.
        public var currency: String
        /// In a month: a twelfth of a year.
        public var month: Amount
        /// In a year.
        public var year: Amount

        /// The cost in one currency.
        public init(currency: String, month: Amount, year: Amount) {
            self.currency = currency
            self.month = month
            self.year = year
        }
    }

    /// What was not paid because of cancelling in time, in one currency.
    public struct Saving: Codable, Sendable, Hashable {
        /// ISO 4217.
        public var currency: String
        /// What the periods would have cost.
        public var amount: Amount

        /// A saving in one currency.
        public init(currency: String, amount: Amount) {
            self.currency = currency
            self.amount = amount
        }
    }

    /// A dashboard.
    public struct Output: Codable, Sendable, Hashable {
        /// The user's today.
        public var today: CalendarDate
        /// What renews within the days asked for, by days remaining.
        public var upcoming: [Subscription]
        /// What is active and past its end, the longest first.
        public var overdue: [Subscription]
        /// What is spent, by currency.
        public var spend: [Spend]
        /// What was saved, by currency.
        public var saved: [Saving]

        /// A dashboard with all its parts.
        public init(
            today: CalendarDate, upcoming: [Subscription], overdue: [Subscription], spend: [Spend], saved: [Saving]
        ) {
            self.today = today
            self.upcoming = upcoming
            self.overdue = overdue
            self.spend = spend
            self.saved = saved
        }
    }

    /// How many days ahead to look, 0…3660; 7 unless given.
    public var within: Int?

    /// A dashboard that looks so many days ahead.
    public init(within: Int? = nil) { self.within = within }
}

extension GetDashboard: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["within": .number(0...3660).example("7")]
}
