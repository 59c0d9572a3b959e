import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements of the dashboard beside those on subscriptions and prices.
enum DashboardQueries {
    /// The terms that some plans had before they changed last; nothing for those whose terms never did.
    static func formerTerms(
        of plans: [Int64], on connection: Connection
    ) async throws -> [Int64: PlanOutlook.Former] {
        guard !plans.isEmpty else { return [:] }
        let rows = try await connection.query(
            """
            SELECT Plan_ID, Terms_since, Former_duration_value, Former_duration_unit, Former_notice_days
            FROM Plan WHERE Plan_ID IN (\(list: plans)) AND Terms_since IS NOT NULL
            """)
        var former: [Int64: PlanOutlook.Former] = [:]
        for (plan, since, value, unit, notice) in try rows.decode(
            (Int64, CalendarDate, Int, PlanDuration.Unit, Int).self)
        {
            former[plan] = PlanOutlook.Former(
                until: since,
                terms: PlanTerms(duration: PlanDuration(value: value, unit: unit), noticeDays: notice))
        }
        return former
    }

    /// The newest rates of some currencies that are not after a day, by code.
    static func rates(
        of currencies: [String], on day: CalendarDate, connection: Connection
    ) async throws -> [GetDashboard.Total.Rate] {
        let rows = try await connection.query(
            """
            SELECT e.Currency_code, e.Per_euro, e.Rated_on FROM Exchange_rate e
            WHERE e.Currency_code IN (\(list: currencies)) AND e.Rated_on = (
                SELECT MAX(x.Rated_on) FROM Exchange_rate x
                WHERE x.Currency_code = e.Currency_code AND x.Rated_on <= \(day))
            ORDER BY e.Currency_code
            """)
        return try rows.decode((String, Amount, CalendarDate).self).map { currency, rate, on in
            GetDashboard.Total.Rate(currency: currency, perEuro: rate, on: on)
        }
    }
}
