import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements on countries, providers and plans.
enum CatalogueQueries {
    /// A page of countries by name, and one more.
    static func countries(_ page: PageRequest, on connection: Connection) async throws -> [ListCountries.Country] {
        var filter: SQL = ""
        if let after = page.after { filter = "WHERE Country_name > \(after[0])" }
        let rows = try await connection.query(
            """
            SELECT Country_ID, Country_name, Currency_code FROM Country \(filter)
            ORDER BY Country_name LIMIT \(page.limit + 1)
            """)
        return try rows.decode((String, String, String).self).map { id, name, currency in
            ListCountries.Country(id: id, name: name, currency: currency)
        }
    }

    /// Whether there is a country of this code.
    static func hasCountry(_ code: String, on connection: Connection) async throws -> Bool {
        try await connection.query("SELECT COUNT(*) FROM Country WHERE Country_ID = \(code)").decode(Int.self) == [1]
    }

    /// A provider in a list, and whether it is a user's own.
    typealias ListedProvider = (provider: ListProviders.Provider, isOwn: Bool)

    /// A page of providers by name, and one more; with a user, that user's own too, each after the public one of its name.
    /// - Parameter after: the last provider of the page before.
    static func providers(
        country: String?, owner: UserID?, category: String?, search: String?, today: CalendarDate,
        after: (name: String, isOwn: Bool)?, limit: Int, on connection: Connection
    ) async throws -> [ListedProvider] {
        var sold: SQL = "(p.Withdrawn_on IS NULL OR p.Withdrawn_on > \(today))"
        if let country { sold += " AND p.Country_ID = \(country)" }
        let plans: SQL = "p.Provider = r.Provider AND p.Listed = 1 AND \(sold)"
        var filter: SQL = "TRUE"
        if country != nil { filter += " AND EXISTS (SELECT 1 FROM Plan p WHERE \(plans))" }
        if let category { filter += " AND r.Category = \(category)" }
        if let search { filter += " AND LOCATE(\(search), r.Provider) > 0" }
        if let after { filter += " AND r.Provider > \(after.name)" }
        let listed: SQL =
            """
            SELECT r.Provider AS Name, r.Category AS Category, r.Website AS Website, r.Cancel_URL AS Cancel_URL,
                   (SELECT COUNT(*) FROM Plan p WHERE \(plans)) AS Plans, FALSE AS Own
            FROM Provider r WHERE \(filter) ORDER BY r.Provider LIMIT \(limit)
            """
        guard let owner else { return try await decodeProviders(listed, on: connection) }

        // A user's own are told apart by their bytes, and are the user's in whatever country. The index is named, for that of
        // the owner alone reads all of the user's plans for each provider.
        let ownPlans: SQL =
            """
            Plan p FORCE INDEX (Plan_own_provider) WHERE p.Owner_ID = \(owner.uuid) AND p.Own_provider = r.Provider
            AND (p.Withdrawn_on IS NULL OR p.Withdrawn_on > \(today))
            """
        var own: SQL = "r.Owner_ID = \(owner.uuid) AND EXISTS (SELECT 1 FROM \(ownPlans))"
        if let category { own += " AND r.Category = \(category)" }
        if let search { own += " AND LOCATE(\(search), r.Provider COLLATE utf8mb4_unicode_ci) > 0" }
        if let after {
            own += " AND (r.Provider COLLATE utf8mb4_unicode_ci > \(after.name)"
            own += " OR r.Provider COLLATE utf8mb4_unicode_ci = \(after.name)"
            own += after.isOwn ? " AND r.Provider > \(after.name))" : ")"
        }
        return try await decodeProviders(
            """
            SELECT Name, Category, Website, Cancel_URL, Plans, Own FROM (
                (\(listed))
                UNION ALL
                (SELECT r.Provider COLLATE utf8mb4_unicode_ci, r.Category, NULL, NULL,
                        (SELECT COUNT(*) FROM \(ownPlans)), TRUE
                 FROM Private_provider r WHERE \(own)
                 ORDER BY r.Provider COLLATE utf8mb4_unicode_ci, r.Provider LIMIT \(limit))
            ) x
            ORDER BY Name COLLATE utf8mb4_unicode_ci, Own, Name COLLATE utf8mb4_bin LIMIT \(limit)
            """, on: connection)
    }

    private static func decodeProviders(_ sql: SQL, on connection: Connection) async throws -> [ListedProvider] {
        try await connection.query(sql).decode((String, String, String?, String?, Int, Bool).self).map { row in
            (
                ListProviders.Provider(
                    name: row.0, category: row.1, website: row.2, cancelUrl: row.3, planCount: row.4), row.5
            )
        }
    }

    /// The place of a plan in the order of a list: name, unit (1 day … 4 year) and value of its duration, id.
    typealias PlanPlace = (name: String, unit: Int, value: Int, id: Int64)

    /// A page of the plans of a country, by name, then duration; with a user, that user's own plans too; and one more.
    static func plans(
        country: String, owner: UserID?, provider: String?, search: String?, today: CalendarDate, after: PlanPlace?,
        limit: Int, on connection: Connection
    ) async throws -> [PlanRow] {
        var filter: SQL = "(p.Withdrawn_on IS NULL OR p.Withdrawn_on > \(today))"
        if let search { filter += " AND (LOCATE(\(search), p.Plan_name) > 0 OR LOCATE(\(search), p.Provider) > 0)" }
        if let after {
            filter += " AND (p.Plan_name, p.Duration_unit + 0, p.Duration_value, p.Plan_ID) > "
            filter += "(\(after.name), \(after.unit), \(after.value), \(after.id))"
        }
        func select(_ whose: SQL, by index: SQL = "") async throws -> [PlanRow] {
            try await PricedRows.decode(atLeast: limit, today: today, on: connection) { rows, join in
                try await connection.query(
                    """
                    SELECT STRAIGHT_JOIN \(PlanRow.columns(join)) FROM Plan p \(index) \(PlanRow.joins(join))
                    WHERE \(whose) AND \(filter)
                    ORDER BY p.Plan_name, p.Duration_unit, p.Duration_value, p.Plan_ID LIMIT \(rows)
                    """)
            }
        }
        var listed: SQL = "p.Country_ID = \(country) AND p.Listed = 1"
        if let provider { listed += " AND p.Provider = \(provider)" }
        let rows = try await select(listed)
        guard let owner else { return rows }
        var owned: SQL = "p.Owner_ID = \(owner.uuid)"
        // Told apart by their bytes: for the column's collation any two emoji are one.
        if let provider { owned += " AND p.Own_provider = \(provider)" }
        let own = try await select(owned, by: provider == nil ? "" : "FORCE INDEX (Plan_own_provider)")
        guard !own.isEmpty else { return rows }
        // Two lists in the database's order are merged in the database's order, which Swift does not know.
        let ids = (rows + own).map(\.id)
        let order = try await connection.query(
            """
            SELECT p.Plan_ID FROM Plan p WHERE p.Plan_ID IN (\(list: ids))
            ORDER BY p.Plan_name, p.Duration_unit, p.Duration_value, p.Plan_ID LIMIT \(limit)
            """
        ).decode(Int64.self)
        let byID = Dictionary((rows + own).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { byID[$0] }
    }

    /// One plan; nil when there is none that this user may see.
    static func plan(
        _ id: Int64, user: UserID?, today: CalendarDate, on connection: Connection
    ) async throws -> PlanRow? {
        let rows = try await connection.query(
            """
            SELECT STRAIGHT_JOIN \(PlanRow.columns) FROM Plan p \(PlanRow.joins) WHERE p.Plan_ID = \(id)
            """)
        return try PricedRows.decode(rows, as: PlanRow.self, today: today)
            .first { $0.owner == nil || $0.owner == user?.uuid }
    }

    /// The numbers of all plans of a user's own, in their order.
    static func ownPlans(of user: UserID, on connection: Connection) async throws -> [Int64] {
        try await connection.query("SELECT Plan_ID FROM Plan WHERE Owner_ID = \(user.uuid) ORDER BY Plan_ID")
            .decode(Int64.self)
    }

    /// Some plans, by number.
    static func plans(_ ids: [Int64], today: CalendarDate, on connection: Connection) async throws -> [PlanRow] {
        let rows = try await connection.query(
            """
            SELECT STRAIGHT_JOIN \(PlanRow.columns(.apart)) FROM Plan p \(PlanRow.joins(.apart))
            WHERE p.Plan_ID IN (\(list: ids)) ORDER BY p.Plan_ID
            """)
        return try await PricedRows.decodeApart(rows, today: today, on: connection)
    }

    /// All prices of some plans, by plan and day: what the view `Price_line` shows, which MariaDB would build whole first.
    static func prices(
        of plans: [Int64], on connection: Connection
    ) async throws -> [Int64: [PriceLine.Entry]] {
        var lines: [Int64: [PriceLine.Entry]] = [:]
        // A user has ten thousand plans, of six prices each: all at once would hold a loop of the database.
        for start in stride(from: 0, to: plans.count, by: pricedAtOnce) {
            let page = Array(plans[start..<min(start + pricedAtOnce, plans.count)])
            lines.merge(try await prices(ofPage: page, on: connection)) { $0 + $1 }
        }
        return lines
    }

    /// The prices of so many plans are read at once: some milliseconds of work for a loop.
    static let pricedAtOnce = 500

    private static func prices(
        ofPage plans: [Int64], on connection: Connection
    ) async throws -> [Int64: [PriceLine.Entry]] {
        let rows = try await connection.query(
            """
            SELECT Plan_ID, Fee_since AS Effective_on, Fee, Currency_code FROM Plan WHERE Plan_ID IN (\(list: plans))
            UNION ALL
            SELECT Plan_ID, Effective_on, Fee, Currency_code FROM Plan_price WHERE Plan_ID IN (\(list: plans))
            ORDER BY Plan_ID, Effective_on
            """)
        var lines: [Int64: [PriceLine.Entry]] = [:]
        for (plan, day, fee, currency) in try rows.decode((Int64, CalendarDate, Amount, String).self) {
            lines[plan, default: []].append(
                PriceLine.Entry(effectiveOn: day, price: Price(fee: fee, currency: currency)))
        }
        return lines
    }

    /// The price lines of some plans.
    static func lines(of plans: [Int64], on connection: Connection) async throws -> [Int64: PriceLine] {
        try await prices(of: plans, on: connection).compactMapValues(PriceLine.init)
    }
}
