/// All countries, by name.
public struct ListCountries: Operation {
    public static let name = "countries.list"
    public static let endpoint = Endpoint.get("/v1/countries")
    public static let access = Access.public
    public static let summary = "Lists the countries and their currencies, by name."

    /// A country.
    public struct Country: Codable, Sendable, Hashable {
        /// ISO 3166-1 alpha-2.
        public var id: String
        /// Its English short name.
        public var name: String
        /// ISO 4217 code of its currency.
        public var currency: String

        /// A country with its fields.
        public init(id: String, name: String, currency: String) {
            self.id = id
            self.name = name
            self.currency = currency
        }
    }

    /// A page of countries.
    public struct Output: Codable, Sendable, Hashable {
        /// The countries of this page.
        public var countries: [Country]
        /// The `cursor` for the next page; null on the last.
        public var nextCursor: String?

        /// A page.
        public init(countries: [Country], nextCursor: String?) {
            self.countries = countries
            self.nextCursor = nextCursor
        }
    }

    /// How many at most, 1…200; 50 unless given.
    public var limit: Int?
    /// Where the page begins.
    public var cursor: String?

    /// A page of the countries.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// A provider of plans.
public struct ListProviders: Operation {
    public static let name = "providers.list"
    public static let endpoint = Endpoint.get("/v1/providers")
    public static let access = Access.public
    public static let summary =
        "Lists providers, by name, with how many plans each sells; with a token, the user's own too."

    /// A provider.
    public struct Provider: Codable, Sendable, Hashable {
        /// Its name.
        public var name: String
        /// Its category.
        public var category: String
        /// Its site.
        public var website: String?
        /// Where to cancel.
        public var cancelUrl: String?
        /// How many plans it sells, in the country asked for.
        public var planCount: Int

        /// A provider with its fields.
        public init(name: String, category: String, website: String?, cancelUrl: String?, planCount: Int) {
            self.name = name
            self.category = category
            self.website = website
            self.cancelUrl = cancelUrl
            self.planCount = planCount
        }
    }

    /// A page of providers.
    public struct Output: Codable, Sendable, Hashable {
        /// The providers of this page.
        public var providers: [Provider]
        /// The `cursor` for the next page; null on the last.
        public var nextCursor: String?

        /// A page.
        public init(providers: [Provider], nextCursor: String?) {
            self.providers = providers
            self.nextCursor = nextCursor
        }
    }

    /// Only those that sell in this country; the user's, with a token, unless given.
    public var country: String?
    /// Only those of this category.
    public var category: String?
    /// Only those whose name has this text in it.
    public var search: String?
    /// How many at most, 1…200; 50 unless given.
    public var limit: Int?
    /// Where the page begins.
    public var cursor: String?

    /// A page of the providers.
    public init(
        country: String? = nil, category: String? = nil, search: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.country = country
        self.category = category
        self.search = search
        self.limit = limit
        self.cursor = cursor
    }
}

/// A plan that is sold in a country.
public struct ListPlans: Operation {
    public static let name = "plans.list"
    public static let endpoint = Endpoint.get("/v1/plans")
    public static let access = Access.public
    public static let summary =
        "Lists the plans sold in a country, by name, then duration; with a token, the user's own too."

    /// A page of plans.
    public struct Output: Codable, Sendable, Hashable {
        /// The plans of this page.
        public var plans: [Plan]
        /// The `cursor` for the next page; null on the last.
        public var nextCursor: String?

        /// A page.
        public init(plans: [Plan], nextCursor: String?) {
            self.plans = plans
            self.nextCursor = nextCursor
        }
    }

    /// The country, ISO 3166-1 alpha-2; needed without a token, else the user's unless given.
    public var country: String?
    /// Only plans of this provider.
    public var provider: String?
    /// Only plans whose name or provider has this text in it.
    public var search: String?
    /// How many at most, 1…200; 50 unless given.
    public var limit: Int?
    /// Where the page begins.
    public var cursor: String?

    /// A page of the plans.
    public init(
        country: String? = nil, provider: String? = nil, search: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.country = country
        self.provider = provider
        self.search = search
        self.limit = limit
        self.cursor = cursor
    }
}

/// One plan with all its prices.
public struct GetPlan: Operation {
    public static let name = "plans.get"
    public static let endpoint = Endpoint.get("/v1/plans/{id}")
    public static let access = Access.public
    public static let summary = "Gives a plan with its prices, past, present and announced."

    /// A price and the day from which it holds.
    public struct Price: Codable, Sendable, Hashable {
        /// The first day on which it holds.
        public var effectiveOn: CalendarDate
        /// The fee of a period that begins on that day or later.
        public var fee: Amount
        /// ISO 4217.
        public var currency: String

        /// A price with its fields.
        public init(effectiveOn: CalendarDate, fee: Amount, currency: String) {
            self.effectiveOn = effectiveOn
            self.fee = fee
            self.currency = currency
        }
    }

    /// A plan and its prices, side by side in one JSON object.
    public struct Output: Codable, Sendable, Hashable {
        /// The plan.
        public var plan: Plan
        /// Its prices, by day.
        public var prices: [Price]

        /// A plan with its prices.
        public init(plan: Plan, prices: [Price]) {
            self.plan = plan
            self.prices = prices
        }

        private enum CodingKeys: String, CodingKey { case prices }

        public init(from decoder: any Decoder) throws {
            plan = try Plan(from: decoder)
            prices = try decoder.container(keyedBy: CodingKeys.self).decode([Price].self, forKey: .prices)
        }

        public func encode(to encoder: any Encoder) throws {
            try plan.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(prices, forKey: .prices)
        }
    }

    /// The plan's number.
    public var id: Int64

    /// The plan of this number.
    public init(id: Int64) { self.id = id }
}

extension ListCountries: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["limit": .pageLimit, "cursor": .cursor]
}

extension ListProviders: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "country": .country, "category": .text(0...50).example("Video"), "search": .text(0...100), "limit": .pageLimit,
        "cursor": .cursor,
    ]
}

extension ListPlans: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "country": .country, "provider": .text(0...100).example("Netflix"), "search": .text(0...100),
        "limit": .pageLimit, "cursor": .cursor,
    ]
}

extension GetPlan.Output: FlattensTypes {
    public static var flattened: [any Codable.Type] { [Plan.self] }
}

extension GetPlan: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["id": .anyRowNumber]
}
