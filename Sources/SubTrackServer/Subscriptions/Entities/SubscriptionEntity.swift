import MariaDB
import SubTrackAPI

/// Subscriptions, as clients hold them.
struct SubscriptionEntity: SyncedEntity {
    let name = "subscription"
    let number: EntityNumber = 2

    func text(ofID id: [UInt8]) -> String { ChangeKey.uuid(id) }

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard range.scope.isUser else { return [] }
        return [
            KeyPart(
                select: """
                    SELECT Ver, \(number.rank) AS Kind, Subscription_ID AS Row_ID, Ver AS Row_ver FROM Subscription
                    WHERE User_ID = \(range.scope.id) AND Ver >= \(range.first) AND Ver <= \(range.head)
                      AND Deleted_at IS NULL AND \(range.isBehind("Ver", rank: number.rank, id: "Subscription_ID"))
                    """)
        ]
    }

    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        let versions = keys.map(\.rowVersion)
        guard scope.isUser, let first = versions.min(), let last = versions.max() else { return [:] }
        let digits = try await tenant.currencies.table(on: connection)
        return try await connection.query(
            """
            SELECT CAST(Subscription_ID AS BINARY), \(Self.form.columns) FROM Subscription
            WHERE User_ID = \(scope.id) AND Ver >= \(first) AND Ver <= \(last) AND Deleted_at IS NULL
            """
        ).byID { try Self.form.json($0, from: 1, digits: digits) }
    }
}

/// The preparation that moves automatically renewing subscriptions into the period of the user's day.
struct RenewalPreparation: UserPreparation {
    func isDue(
        for user: UserID, after version: Int64?, today: CalendarDate, on connection: Connection
    ) async throws -> Bool {
        guard let version else {
            return try await !SubscriptionQueries.awaitingRenewal(of: user, today: today, on: connection).isEmpty
        }
        return try await SubscriptionQueries.awaitsRenewal(of: user, after: version, today: today, on: connection)
    }

    func prepare(_ tenant: Tenant, user: UserID, today: CalendarDate) async throws {
        try await AutoRenewal.catchUp(tenant, user: user, today: today)
    }
}
