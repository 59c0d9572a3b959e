import GRDB
import SubTrackAPI
import SubTrackCore

/// The plans that some subscriptions need, with their prices, categories and the digits of currencies.
struct PlanTable: Sendable {
    private(set) var plans: [Int64: StoredPlan] = [:]
    private var prices: [Int64: [PriceLine.Entry]] = [:]
    private var categories: [String: String] = [:]
    let digits: CurrencyDigits
    /// The next number of a plan that was made here and has none yet: below zero.
    private var provisional: Int64 = -1

    /// Reads plans by their numbers.
    init(_ ids: Set<Int64>, in database: Database) throws {
        digits = try CurrencyDigits(in: database)
        plans.reserveCapacity(ids.count)
        // One bound value, however many they are: a statement with a thousand takes longer to parse than its rows to read.
        if !ids.isEmpty { try read("[\(ids.map(String.init).joined(separator: ","))]", in: database) }
    }

    /// - Parameter ids: the numbers as JSON.
    private mutating func read(_ ids: String, in database: Database) throws {
        try database.eachRow(
            """
            SELECT p.id, CASE WHEN NOT p.private THEN (SELECT r.category FROM provider r WHERE r.id = p.provider) END,
                \(StoredPlan.selection("p"))
            FROM plan p WHERE p.id IN (SELECT value FROM json_each(?))
            """, [ids]
        ) { reader in
            let (id, category) = (try reader.integer(), try reader.optionalText())
            let plan = try StoredPlan(&reader)
            self.plans[id] = plan
            if let category { categories[plan.provider] = category }
        }
        try database.eachRow(
            """
            SELECT \(StoredPrice.selection("x")) FROM price x
            WHERE x.parent IN (SELECT value FROM json_each(?))
            """, [ids]
        ) { reader in
            let price = try StoredPrice(&reader)
            self.prices[price.planId, default: []].append(
                .init(effectiveOn: price.effectiveOn, price: Price(fee: price.fee, currency: price.currency)))
        }
    }

    subscript(id: Int64) -> StoredPlan? { plans[id] }

    /// Changes a plan of the user's own. Another fee holds from the day of the change on: what began before it costs what it did.
    mutating func change(_ id: Int64, by patch: PrivatePlanPatch, on today: CalendarDate) {
        guard var plan = plans[id], plan.private else { return }
        let former = PriceLine.Entry(effectiveOn: plan.feeSince, price: Price(fee: plan.fee, currency: plan.currency))
        plan.apply(patch)
        if plan.feeSince < today, former.price != Price(fee: plan.fee, currency: plan.currency) {
            prices[id, default: []].append(former)
            plan.feeSince = today
        }
        plans[id] = plan
    }

    /// Takes in a plan that was made here and is not known to the server.
    /// - Returns: the number by which it is known meanwhile.
    mutating func add(_ plan: PrivatePlan, country: String, since: CalendarDate) -> Int64 {
        defer { provisional -= 1 }
        plans[provisional] = StoredPlan(plan, country: country, digits: digits[plan.currency], since: since)
        return provisional
    }

    /// All prices of a plan; nil where it has not come yet.
    func line(_ id: Int64) -> PriceLine? {
        guard let plan = plans[id] else { return nil }
        let stored = PriceLine.Entry(
            effectiveOn: plan.feeSince, price: Price(fee: plan.fee, currency: plan.currency))
        return PriceLine((prices[id] ?? []) + [stored]) ?? PriceLine(always: stored.price)
    }

    /// What a plan says of the length of its periods; nil where it has not come yet.
    func terms(_ id: Int64) -> BillingTerms? {
        plans[id].flatMap { try? BillingTerms(duration: $0.duration, trialDays: $0.trialDays) }
    }

    /// The plan as people see it on a day; nil where it has not come yet.
    func plan(_ id: Int64, today: CalendarDate) -> Plan? { line(id).flatMap { plan(id, prices: $0, today: today) } }

    /// The plan as people see it on a day.
    /// - Parameter prices: all prices of the plan.
    func plan(_ id: Int64, prices: PriceLine, today: CalendarDate) -> Plan? {
        guard let plan = plans[id] else { return nil }
        let price = prices.price(on: today)
        return Plan(
            id: id, provider: plan.provider, name: plan.name, type: plan.type,
            category: plan.category ?? categories[plan.provider] ?? "Other", country: plan.country, fee: price.fee,
            currency: price.currency, duration: plan.duration, trialDays: plan.trialDays, noticeDays: plan.noticeDays,
            withdrawn: plan.withdrawnOn.map { $0 <= today } ?? false, private: plan.private)
    }

    /// An amount with the digits of its currency.
    func written(_ amount: Amount, _ currency: String) -> Amount {
        amount.rescaled(toDigits: digits[currency]) ?? amount
    }
}

extension PrivatePlan {
    /// What a user would give for a plan of the user's own, to have it as it is stored.
    init(_ plan: StoredPlan) {
        self.init(
            provider: plan.provider, name: plan.name, type: plan.type, category: plan.category, fee: plan.fee,
            currency: plan.currency, duration: plan.duration, trialDays: plan.trialDays, noticeDays: plan.noticeDays)
    }
}

extension StoredPlan {
    /// A plan of the user's own, as the service will have it.
    /// - Parameters:
    ///   - country: the user's.
    ///   - digits: how many digits its currency has.
    ///   - since: the first day of its fee.
    init(_ plan: PrivatePlan, country: String, digits: Int, since: CalendarDate) {
        self.init(
            provider: plan.provider, name: plan.name, type: plan.type ?? "Standard", category: plan.category ?? "Other",
            country: country, fee: plan.fee.rescaled(toDigits: digits) ?? plan.fee, currency: plan.currency,
            feeSince: since, duration: plan.duration, trialDays: plan.trialDays, noticeDays: plan.noticeDays ?? 0,
            withdrawnOn: nil, private: true)
    }
}
