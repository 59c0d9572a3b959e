import Foundation
import MariaDB
import SubTrackAPI

/// The statements that read rows as clients hold them.
enum StoredRowQueries {
    /// The rows of one kind in a scope, by the bytes of their ids.
    ///
    /// They are read by the versions between which they lie. Periods and prices are read by their owners, for other
    /// scopes have the same versions too.
    /// - Parameters:
    ///   - keys: which ones, in the order of their versions. Others of these versions may come with them.
    ///   - digits: the digits of each currency.
    static func rows(
        of entity: SyncEntity, in scope: SyncScope, keys: [ChangeKey], digits: [String: Int],
        on connection: Connection
    ) async throws -> [[UInt8]: Change.Data] {
        let versions = keys.map(\.rowVersion)
        guard let first = versions.min(), let last = versions.max() else { return [:] }
        let parents = Set(keys.compactMap(\.parent))
        let sql: SQL?
        switch (entity, scope) {
        case (.me, .user(let user)): return try await me(user, on: connection)
        case (.subscription, .user(let user)):
            sql = """
                SELECT \(subscriptionColumns) FROM Subscription
                WHERE User_ID = \(user.uuid) AND Ver >= \(first) AND Ver <= \(last) AND Deleted_at IS NULL
                """
        case (.period, .user):
            sql = """
                SELECT CONCAT(Subscription_ID, CAST(Period AS BINARY)), Subscription_ID, Period, Start_date, End_date, Fee,
                    Currency_code, Free_trial, Plan_ID
                FROM Subscription_period
                WHERE Subscription_ID IN (\(list: Array(parents))) AND Ver >= \(first) AND Ver <= \(last)
                """
        case (.price, .user), (.price, .catalogue):
            let plans = parents.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
            sql = """
                SELECT CAST(CONCAT(Plan_ID, ' ', Effective_on) AS BINARY), Plan_ID, Effective_on, Fee, Currency_code
                FROM Plan_price WHERE Plan_ID IN (\(list: plans)) AND Ver >= \(first) AND Ver <= \(last)
                """
        case (.plan, .user(let user)):
            sql = """
                SELECT \(planColumns)
                FROM Plan p LEFT JOIN Private_provider o ON o.Owner_ID = p.Owner_ID AND o.Provider = p.Provider
                WHERE p.Owner_ID = \(user.uuid) AND p.Ver >= \(first) AND p.Ver <= \(last)
                """
        case (.plan, .catalogue(let country)):
            sql = """
                SELECT \(planColumns)
                FROM Plan p LEFT JOIN Private_provider o ON o.Owner_ID = p.Owner_ID AND o.Provider = p.Provider
                WHERE p.Country_ID = \(country) AND p.Listed = 1 AND p.Ver >= \(first) AND p.Ver <= \(last)
                """
        case (.provider, .reference):
            sql = """
                SELECT CAST(Provider AS BINARY), Category, Website, Cancel_URL FROM Provider
                WHERE Ver >= \(first) AND Ver <= \(last)
                """
        case (.country, .reference):
            sql = """
                SELECT CAST(Country_ID AS BINARY), Country_name, Currency_code FROM Country
                WHERE Ver >= \(first) AND Ver <= \(last)
                """
        case (.currency, .reference):
            sql = """
                SELECT CAST(Currency_code AS BINARY), Currency_name, Minor_digits FROM Currency
                WHERE Ver >= \(first) AND Ver <= \(last)
                """
        default: sql = nil
        }
        guard let sql else { return [:] }
        let rows = try await connection.query(sql)
        var found: [[UInt8]: Change.Data] = [:]
        found.reserveCapacity(rows.count)
        for row in rows {
            found[try row.decode([UInt8].self, at: 0)] = try data(of: entity, row: row, digits: digits)
        }
        return found
    }

    /// One subscription of a user that is there, with its version; nil when there is none.
    static func subscription(
        _ id: UUID, of user: UserID, digits: [String: Int], on connection: Connection
    ) async throws -> (version: Int64, data: Change.Data)? {
        let rows = try await connection.query(
            """
            SELECT \(subscriptionColumns), Ver FROM Subscription
            WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id) AND Deleted_at IS NULL
            """)
        return try rows.first.map { row in
            (try row.decode(Int64.self, at: 16), try data(of: .subscription, row: row, digits: digits))
        }
    }

    /// One plan of a user's own, with its version; nil when there is none.
    static func plan(
        _ id: Int64, of user: UserID, digits: [String: Int], on connection: Connection
    ) async throws -> (version: Int64, data: Change.Data)? {
        let rows = try await connection.query(
            """
            SELECT \(planColumns), p.Ver
            FROM Plan p LEFT JOIN Private_provider o ON o.Owner_ID = p.Owner_ID AND o.Provider = p.Provider
            WHERE p.Plan_ID = \(id) AND p.Owner_ID = \(user.uuid)
            """)
        return try rows.first.map { row in
            (try row.decode(Int64.self, at: 19), try data(of: .plan, row: row, digits: digits))
        }
    }

    private static let subscriptionColumns: SQL =
        """
        CAST(Subscription_ID AS BINARY), Plan_ID, Label, Start_date, End_date, Free_trial, Anchor_date, Anchor_count,
        Period, Period_fee, Period_currency, Own_fee, Auto_renew, Cancelled_on, Reminder_days, Note
        """

    private static let planColumns: SQL =
        """
        CAST(p.Plan_ID AS BINARY), p.Provider, p.Plan_name, p.Subscription_type, o.Category, p.Country_ID, p.Fee,
        p.Currency_code, p.Fee_since, p.Duration_value, p.Duration_unit, p.Trial_days, p.Notice_days, p.Withdrawn_on,
        p.Owner_ID IS NOT NULL, p.Terms_since, p.Former_duration_value, p.Former_duration_unit, p.Former_notice_days
        """

    private static func me(_ user: UserID, on connection: Connection) async throws -> [[UInt8]: Change.Data] {
        guard let row = try await UserQueries.user(user, on: connection) else { return [:] }
        return [ScopeID.user(user).bytes: data(row)]
    }

    /// A user as clients hold it.
    static func data(_ user: User) -> Change.Data {
        .me(
            StoredUser(
                userName: user.userName, country: user.country, timeZone: user.timeZone, accounts: user.accounts))
    }

    private static func formerTerms(_ row: Row) throws -> StoredTerms? {
        guard let until = try row.decode(CalendarDate?.self, at: 15) else { return nil }
        return StoredTerms(
            until: until,
            duration: PlanDuration(
                value: try row.decode(Int.self, at: 16), unit: try row.decode(PlanDuration.Unit.self, at: 17)),
            noticeDays: try row.decode(Int.self, at: 18))
    }

    private static func data(of entity: SyncEntity, row: Row, digits: [String: Int]) throws -> Change.Data {
        func fee(_ column: Int, in currency: String) throws -> Amount {
            try row.decode(Amount.self, at: column).written(in: currency, digits: digits)
        }
        func text(_ column: Int) throws -> String { try row.decode(String.self, at: column) }
        switch entity {
        case .subscription:
            let currency = try text(10)
            return .subscription(
                StoredSubscription(
                    planId: try row.decode(Int64.self, at: 1), label: try row.decode(String?.self, at: 2),
                    startDate: try row.decode(CalendarDate.self, at: 3),
                    endDate: try row.decode(CalendarDate.self, at: 4), freeTrial: try row.decode(Bool.self, at: 5),
                    anchorDate: try row.decode(CalendarDate.self, at: 6),
                    anchorCount: try row.decode(Int.self, at: 7), period: try row.decode(Int.self, at: 8),
                    fee: try fee(9, in: currency), currency: currency,
                    ownFee: try row.decode(Amount?.self, at: 11)?.written(in: currency, digits: digits),
                    autoRenew: try row.decode(Bool.self, at: 12),
                    cancelledOn: try row.decode(CalendarDate?.self, at: 13),
                    reminderDays: try row.decode(Int?.self, at: 14), note: try row.decode(String?.self, at: 15)))
        case .period:
            let currency = try text(6)
            return .period(
                StoredPeriod(
                    subscriptionId: try row.decode(UUID.self, at: 1), number: try row.decode(Int.self, at: 2),
                    startDate: try row.decode(CalendarDate.self, at: 3),
                    endDate: try row.decode(CalendarDate.self, at: 4), fee: try fee(5, in: currency),
                    currency: currency, freeTrial: try row.decode(Bool.self, at: 7),
                    planId: try row.decode(Int64.self, at: 8)))
        case .plan:
            let currency = try text(7)
            return .plan(
                StoredPlan(
                    provider: try text(1), name: try text(2), type: try text(3),
                    category: try row.decode(String?.self, at: 4), country: try text(5), fee: try fee(6, in: currency),
                    currency: currency, feeSince: try row.decode(CalendarDate.self, at: 8),
                    duration: PlanDuration(
                        value: try row.decode(Int.self, at: 9), unit: try row.decode(PlanDuration.Unit.self, at: 10)),
                    trialDays: try row.decode(Int?.self, at: 11), noticeDays: try row.decode(Int.self, at: 12),
                    formerTerms: try formerTerms(row), withdrawnOn: try row.decode(CalendarDate?.self, at: 13),
                    private: try row.decode(Bool.self, at: 14))
            )
        case .price:
            let currency = try text(4)
            return .price(
                StoredPrice(
                    planId: try row.decode(Int64.self, at: 1), effectiveOn: try row.decode(CalendarDate.self, at: 2),
                    fee: try fee(3, in: currency), currency: currency))
        case .provider:
            return .provider(
                StoredProvider(
                    category: try text(1), website: try row.decode(String?.self, at: 2),
                    cancelUrl: try row.decode(String?.self, at: 3)))
        case .country: return .country(StoredCountry(name: try text(1), currency: try text(2)))
        case .currency:
            return .currency(StoredCurrency(name: try text(1), minorDigits: try row.decode(Int.self, at: 2)))
        case .me: throw Problem(.internalError, "A user is read together with the accounts.")
        }
    }
}
