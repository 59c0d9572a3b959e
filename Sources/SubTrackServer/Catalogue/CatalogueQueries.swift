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

    /// A page of providers by name, and one more.
    static func providers(
        country: String?, category: String?, search: String?, today: CalendarDate, page: PageRequest,
        on connection: Connection
    ) async throws -> [ListProviders.Provider] {
        var plans: SQL = "p.Provider = r.Provider AND p.Listed = 1"
        plans += " AND (p.Withdrawn_on IS NULL OR p.Withdrawn_on > \(today))"
        if let country { plans += " AND p.Country_ID = \(country)" }
        var filter: SQL = "TRUE"
        if country != nil { filter += " AND EXISTS (SELECT 1 FROM Plan p WHERE \(plans))" }
        if let category { filter += " AND r.Category = \(category)" }
        if let search { filter += " AND LOCATE(\(search), r.Provider) > 0" }
        if let after = page.after { filter += " AND r.Provider > \(after[0])" }
        let rows = try await connection.query(
            """
            SELECT r.Provider, r.Category, r.Website, r.Cancel_URL, (SELECT COUNT(*) FROM Plan p WHERE \(plans))
            FROM Provider r WHERE \(filter) ORDER BY r.Provider LIMIT \(page.limit + 1)
            """)
        return try rows.decode((String, String, String?, String?, Int).self).map { row in
            ListProviders.Provider(
                name: row.0, category: row.1, website: row.2, cancelUrl: row.3, planCount: row.4)
        }
    }

    /// A page of the plans of a country, by name, then duration; with a user, that user's own plans too; and one more.
    static func plans(
        country: String, owner: UserID?, provider: String?, search: String?, today: CalendarDate, page: PageRequest,
        on connection: Connection
    ) async throws -> [PlanRow] {
        var filter: SQL = "(p.Withdrawn_on IS NULL OR p.Withdrawn_on > \(today))"
        if let provider { filter += " AND p.Provider = \(provider)" }
        if let search { filter += " AND (LOCATE(\(search), p.Plan_name) > 0 OR LOCATE(\(search), p.Provider) > 0)" }
        if let after = page.after {
            let unit = Int(after[1]) ?? 0
            let value = Int(after[2]) ?? 0
            let id = Int64(after[3]) ?? 0
            filter += " AND (p.Plan_name, p.Duration_unit + 0, p.Duration_value, p.Plan_ID) > "
            filter += "(\(after[0]), \(unit), \(value), \(id))"
        }
        func select(_ whose: SQL) async throws -> [PlanRow] {
            try await PricedRows.decode(atLeast: page.limit + 1, today: today) { rows in
                try await connection.query(
                    """
                    SELECT STRAIGHT_JOIN \(PlanRow.columns) FROM Plan p \(PlanRow.joins)
                    WHERE \(whose) AND \(filter)
                    ORDER BY p.Plan_name, p.Duration_unit, p.Duration_value, p.Plan_ID LIMIT \(rows)
                    """)
            }
        }
        let listed: SQL = "p.Country_ID = \(country) AND p.Listed = 1"
        let rows = try await select(listed)
        guard let owner else { return rows }
        let own = try await select("p.Owner_ID = \(owner.uuid)")
        guard !own.isEmpty else { return rows }
        // Two lists in the database's order are merged in the database's order, which Swift does not know.
        let ids = (rows + own).map(\.id)
        let order = try await connection.query(
            """
            SELECT p.Plan_ID FROM Plan p WHERE p.Plan_ID IN (\(list: ids))
            ORDER BY p.Plan_name, p.Duration_unit, p.Duration_value, p.Plan_ID LIMIT \(page.limit + 1)
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

    /// All prices of some plans, by plan and day.
    static func prices(
        of plans: [Int64], on connection: Connection
    ) async throws -> [Int64: [PriceLine.Entry]] {
        guard !plans.isEmpty else { return [:] }
        let rows = try await connection.query(
            """
            SELECT Plan_ID, Effective_on, Fee, Currency_code FROM Price_line WHERE Plan_ID IN (\(list: plans))
            ORDER BY Plan_ID, Effective_on
            """)
        var lines: [Int64: [PriceLine.Entry]] = [:]
        for (plan, day, fee, currency) in try rows.decode((Int64, CalendarDate, Amount, String).self) {
            lines[plan, default: []].append(
                PriceLine.Entry(effectiveOn: day, price: Price(fee: fee, currency: currency)))
        }
        return lines
    }
}
