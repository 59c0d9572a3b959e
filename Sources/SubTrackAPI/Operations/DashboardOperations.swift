/// The dashboard of a user today.
public struct GetDashboard: Operation {
    public static let name = "dashboard.get"
    public static let endpoint = Endpoint.get("/v1/dashboard")
    public static let access = Access.device
    public static let summary = "Gives due and overdue renewals, spending and savings."
    public static let errors = [ErrorCode.tooMany]

    /// The cost of active subscriptions in one currency.
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

    /// Savings by cancelling in time, in one currency.
    public struct Saving: Codable, Sendable, Hashable {
        /// ISO 4217.
        public var currency: String
        /// The cost that the periods would have had.
        public var amount: Amount

        /// A saving in one currency.
        public init(currency: String, amount: Amount) {
            self.currency = currency
            self.amount = amount
        }
    }

    /// Spending in one currency. It is made of ``Output/spend``, each converted by the newest rate not after today.
    public struct Total: Codable, Sendable, Hashable {
        /// A rate that was used.
        public struct Rate: Codable, Sendable, Hashable {
            /// ISO 4217.
            public var currency: String
            /// Units of it for one euro.
            public var perEuro: Amount
            /// The day of the rate.
            public var on: CalendarDate

            /// A rate of a day.
            public init(currency: String, perEuro: Amount, on: CalendarDate) {
                self.currency = currency
                self.perEuro = perEuro
                self.on = on
            }
        }

        /// ISO 4217.
        public var currency: String
        /// In a month; null when a rate is missing: a part would look like the whole.
        public var month: Amount?
        /// In a year; null likewise.
        public var year: Amount?
        /// The rates that were used, by currency. The euro has none.
        public var rates: [Rate]
        /// The currencies for which there is no rate.
        public var missing: [String]

        /// A total with its rates.
        public init(currency: String, month: Amount?, year: Amount?, rates: [Rate], missing: [String]) {
            self.currency = currency
            self.month = month
            self.year = year
            self.rates = rates
            self.missing = missing
        }
    }

    /// A dashboard.
    public struct Output: Codable, Sendable, Hashable {
        /// The user's today.
        public var today: CalendarDate
        /// Renewals within the days asked for, or within each subscription's reminder days, by days remaining.
        public var upcoming: [Subscription]
        /// Active subscriptions past their end, the longest first.
        public var overdue: [Subscription]
        /// Spending by currency.
        public var spend: [Spend]
        /// Savings by currency.
        public var saved: [Saving]
        /// Changes for active subscriptions, by day: prices, terms, plans that are withdrawn.
        public var notices: [Notice]
        /// Spending in the requested currency; null when none was given.
        public var total: Total?

        /// A dashboard with all its parts.
        public init(
            today: CalendarDate, upcoming: [Subscription], overdue: [Subscription], spend: [Spend], saved: [Saving],
            notices: [Notice] = [], total: Total? = nil
        ) {
            self.today = today
            self.upcoming = upcoming
            self.overdue = overdue
            self.spend = spend
            self.saved = saved
            self.notices = notices
            self.total = total
        }
    }

    /// How many days ahead to look, 0…3660; unless given, the reminder days of each subscription, 7 where it has none.
    public var within: Int?
    /// A currency (ISO 4217) in which all that is spent is summed; none unless given.
    public var currency: String?

    /// A dashboard that looks so many days ahead, with a total in a currency.
    public init(within: Int? = nil, currency: String? = nil) {
        self.within = within
        self.currency = currency
    }
}

extension GetDashboard: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "within": .number(0...3660).example("7"), "currency": .currency,
    ]
}
