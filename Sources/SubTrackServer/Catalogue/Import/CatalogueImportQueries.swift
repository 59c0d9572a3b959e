import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements of loading a snapshot.
enum CatalogueImportQueries {
    /// Whether a tenant's database has all tables and triggers. Those of a newer version are welcome.
    static func isPrepared(on connection: Connection) async throws -> Bool {
        let paths = try await connection.query("SELECT Path FROM Migration").decode(String.self)
        let applied = Set<String>(paths)
        return MigrationPlan.tenant.files.allSatisfy { applied.contains($0.path) }
    }

    /// The database's day: what its triggers take for today.
    static func today(on connection: Connection) async throws -> CalendarDate? {
        try await connection.query("SELECT UTC_DATE()").decode(CalendarDate.self).first
    }

    /// What a snapshot with plans of these names is checked against.
    static func reference(names: [String], on connection: Connection) async throws -> CatalogueReference {
        let countries = try await connection.query("SELECT Country_ID FROM Country").decode(String.self)
        let digits = try await connection.query("SELECT Currency_code, Minor_digits FROM Currency")
            .decode((String, Int).self)
        var keys: [String: String] = [:]
        for start in stride(from: 0, to: names.count, by: 100) {
            let chunk = names[start..<min(start + 100, names.count)]
            let selects = chunk.indices.map { index -> SQL in
                let name: SQL = "CAST(\(names[index]) AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_unicode_ci"
                return "SELECT \(index) AS Place, \(nameKey(name)) AS Name_key"
            }
            let rows = try await connection.query(SQL.joined(selects, separator: " UNION ALL "))
            for (index, key) in try rows.decode((Int, String).self) { keys[names[index]] = key }
        }
        return CatalogueReference(
            countries: Set(countries), digits: Dictionary(digits.map { ($0.0, $0.1) }, uniquingKeysWith: { $1 }),
            keys: keys)
    }

    /// What the database's own comparison of names looks at, with `_` as good as a space: the key under which a name of a
    /// file is looked for. Only the database knows its collation.
    private static func nameKey(_ name: SQL) -> SQL { "HEX(WEIGHT_STRING(RTRIM(REPLACE(\(name), '_', ' '))))" }

    /// All plans of a provider in the catalogue with their price lines, by `Plan_ID`.
    /// - Parameter country: one country alone; nil: all.
    static func plans(
        of provider: String, country: String? = nil, on connection: Connection
    ) async throws -> [PlanPrices] {
        var filter: SQL = "p.Provider = \(provider) AND p.Listed = 1"
        if let country { filter += " AND p.Country_ID = \(country)" }
        let rows = try await connection.query(
            """
            SELECT p.Plan_ID, p.Country_ID, p.Plan_name, \(nameKey("p.Plan_name")),
                p.Subscription_type = 'Standard' AND p.Duration_unit = 'month' AND p.Duration_value = 1,
                p.Withdrawn_on, p.Fee_since, p.Fee, p.Currency_code
            FROM Plan p WHERE \(filter) ORDER BY p.Plan_ID
            """)
        var plans = try rows.decode(
            (
                Int64, String, String, String, Bool, CalendarDate?, CalendarDate, Amount, String
            ).self
        ).map { id, country, name, key, isMonthly, withdrawnOn, since, fee, currency in
            PlanPrices(
                id: id, country: country, name: name, key: key, isMonthly: isMonthly, withdrawnOn: withdrawnOn,
                stored: PriceLine.Entry(effectiveOn: since, price: Price(fee: fee, currency: currency)))
        }
        let places = Dictionary(plans.indices.map { (plans[$0].id, $0) }, uniquingKeysWith: { $1 })
        let prices = try await connection.query(
            """
            SELECT x.Plan_ID, x.Effective_on, x.Fee, x.Currency_code
            FROM Plan p JOIN Plan_price x ON x.Plan_ID = p.Plan_ID WHERE \(filter) ORDER BY x.Plan_ID, x.Effective_on
            """)
        for (id, day, fee, currency) in try prices.decode((Int64, CalendarDate, Amount, String).self) {
            guard let place = places[id] else { continue }
            plans[place].others.append(
                PriceLine.Entry(effectiveOn: day, price: Price(fee: fee, currency: currency)))
        }
        return plans
    }

    /// Makes a provider unless it is there.
    /// - Parameter category: that of a new one; one that is there keeps its own.
    static func addProvider(_ provider: String, category: String, on connection: Connection) async throws {
        try await lock(.reference, on: connection)
        let known = try await connection.query("SELECT Provider FROM Provider WHERE Provider = \(provider)")
            .decode(String.self)
        guard known.isEmpty else { return }
        try await connection.execute("INSERT INTO Provider (Provider, Category) VALUES (\(provider), \(category))")
    }

    /// Locks a scope that may not exist yet.
    static func lock(_ scope: ScopeID, on connection: Connection) async throws {
        try await connection.execute(
            "INSERT INTO Scope (Scope_ID, Ver) VALUES (\(scope), 0) ON DUPLICATE KEY UPDATE Ver = Ver")
    }

    /// Inserts plans of a country by the month, with prices that hold from a day on.
    static func add(
        _ plans: [(name: String, price: Price)], of provider: String, in country: String, since day: CalendarDate,
        on connection: Connection
    ) async throws {
        // A statement of at most so many rows: each number of rows is another prepared statement.
        for start in stride(from: 0, to: plans.count, by: 20) {
            let rows = plans[start..<min(start + 20, plans.count)].map { plan -> SQL in
                "(\(provider), \(plan.name), \(plan.price.fee), \(plan.price.currency), \(country), 1, 'month', \(day))"
            }
            try await connection.execute(
                """
                INSERT INTO Plan
                    (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit, Fee_since)
                VALUES \(SQL.joined(rows))
                """)
        }
    }

    /// Makes a price hold on a day.
    static func set(
        _ price: Price, on day: CalendarDate, of plan: PlanPrices, by change: PriceChange, today: CalendarDate,
        on connection: Connection
    ) async throws {
        switch change {
        case .none: break
        case .replace: try await store(price, since: day, of: plan.id, on: connection)
        case .insert:
            try await connection.execute(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code)
                VALUES (\(plan.id), \(day), \(price.fee), \(price.currency))
                """)
        case .correct: try await correct(price, on: day, of: plan.id, on: connection)
        case .correctStored:
            // For a price in Plan the same day means "no day given, so from today": in the past the price has to move on
            // by a day, and what it left behind is then corrected.
            guard day < today else { return try await store(price, since: day, of: plan.id, on: connection) }
            let next = day.adding(days: 1)
            try await store(price, since: next, of: plan.id, on: connection)
            try await correct(price, on: day, of: plan.id, on: connection)
            // If the day after had a price of its own, it was overwritten.
            if let other = plan.others.first(where: { $0.effectiveOn == next }), other.price != price {
                var moved = plan
                moved.stored = PriceLine.Entry(effectiveOn: next, price: price)
                moved.others.removeAll { $0.effectiveOn == next }
                try await set(other.price, on: next, of: moved, by: .correctStored, today: today, on: connection)
            }
        }
    }

    private static func store(
        _ price: Price, since day: CalendarDate, of plan: Int64, on connection: Connection
    ) async throws {
        try await connection.execute(
            """
            UPDATE Plan SET Fee = \(price.fee), Currency_code = \(price.currency), Fee_since = \(day)
            WHERE Plan_ID = \(plan)
            """)
    }

    private static func correct(
        _ price: Price, on day: CalendarDate, of plan: Int64, on connection: Connection
    ) async throws {
        try await connection.execute(
            """
            UPDATE Plan_price SET Fee = \(price.fee), Currency_code = \(price.currency)
            WHERE Plan_ID = \(plan) AND Effective_on = \(day)
            """)
    }
}
