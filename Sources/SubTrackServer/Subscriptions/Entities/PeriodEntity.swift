import MariaDB

/// Periods that have ended, as clients hold them. They come behind their subscription.
struct PeriodEntity: SyncedEntity {
    let name = "period"
    let number: EntityNumber = 3

    private static let form = RowForm(
        .id("subscriptionId", "Subscription_ID"), .integer("number", "Period"), .day("startDate", "Start_date"),
        .day("endDate", "End_date"), .amount("fee", "Fee", currencyAt: 1), .text("currency", "Currency_code"),
        .flag("freeTrial", "Free_trial"), .integer("planId", "Plan_ID"))

    /// The id of the subscription, a space and the number.
    func text(ofID id: [UInt8]) -> String {
        ChangeKey.uuid(id.prefix(16)) + " " + String(decoding: id.dropFirst(16), as: UTF8.self)
    }

    /// A period's version is never above its subscription's, so that the periods of a page's subscriptions are enough.
    /// Periods that the client has had before are left out.
    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard range.scope.isUser else { return [] }
        let id: SQL = "CONCAT(x.Subscription_ID, CAST(x.Period AS BINARY))"
        var subscriptions: SQL = """
            SELECT Ver, Subscription_ID FROM Subscription
            WHERE User_ID = \(range.scope.id) AND Ver >= \(range.first) AND Ver <= \(range.head) AND Deleted_at IS NULL
            """
        if let limit { subscriptions += " ORDER BY Ver LIMIT \(limit)" }
        return [
            KeyPart(
                select: """
                    SELECT s.Ver AS Ver, \(number.rank) AS Kind, \(id) AS Row_ID, x.Ver AS Row_ver
                    FROM (\(subscriptions)) AS s
                        STRAIGHT_JOIN Subscription_period x ON x.Subscription_ID = s.Subscription_ID
                    WHERE x.Ver > \(range.position.since ?? range.position.version)
                      AND \(range.isBehind("s.Ver", rank: number.rank, id: id))
                    """, order: "s.Ver, Row_ID")
        ]
    }

    /// Periods are read by their subscriptions: the same versions are those of other scopes, too.
    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        let versions = keys.map(\.rowVersion)
        guard scope.isUser, let first = versions.min(), let last = versions.max() else { return [:] }
        let subscriptions = Array(Set(keys.map { Array($0.id.prefix(16)) }))
        let digits = try await tenant.currencies.table(on: connection)
        return try await connection.query(
            """
            SELECT CONCAT(Subscription_ID, CAST(Period AS BINARY)), \(Self.form.columns) FROM Subscription_period
            WHERE Subscription_ID IN (\(list: subscriptions)) AND Ver >= \(first) AND Ver <= \(last)
            """
        ).byID { try Self.form.json($0, from: 1, digits: digits) }
    }
}
