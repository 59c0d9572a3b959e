import Foundation
import MariaDB

/// Plans of catalogues and of users' own, as clients hold them.
struct PlanEntity: SyncedEntity {
    let name = "plan"
    let number: EntityNumber = 4

    /// In the statement `p` is the plan and `o` its owner's provider.
    static let form = RowForm(
        .text("provider", "p.Provider"), .text("name", "p.Plan_name"), .text("type", "p.Subscription_type"),
        .text("category", "o.Category"), .text("country", "p.Country_ID"), .amount("fee", "p.Fee", currencyAt: 1),
        .text("currency", "p.Currency_code"), .day("feeSince", "p.Fee_since"),
        .object("duration", .integer("value", "p.Duration_value"), .text("unit", "p.Duration_unit")),
        .integer("trialDays", "p.Trial_days"), .integer("noticeDays", "p.Notice_days"),
        .object(
            "formerTerms", .day("until", "p.Terms_since"),
            .object("duration", .integer("value", "p.Former_duration_value"), .text("unit", "p.Former_duration_unit")),
            .integer("noticeDays", "p.Former_notice_days")),
        .day("withdrawnOn", "p.Withdrawn_on"), .flag("private", "p.Owner_ID IS NOT NULL"))

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard let condition = Self.condition(range.scope) else { return [] }
        return [
            KeyPart(
                select: """
                    SELECT Ver, \(number.rank) AS Kind, CAST(Plan_ID AS BINARY) AS Row_ID, Ver AS Row_ver FROM Plan
                    WHERE \(condition) AND Ver >= \(range.first) AND Ver <= \(range.head)
                      AND \(range.isBehind("Ver", rank: number.rank, id: "CAST(Plan_ID AS BINARY)"))
                    """)
        ]
    }

    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        let versions = keys.map(\.rowVersion)
        guard let condition = Self.condition(scope, plan: "p."), let first = versions.min(), let last = versions.max()
        else { return [:] }
        let digits = try await tenant.currencies.table(on: connection)
        return try await connection.query(
            """
            SELECT CAST(p.Plan_ID AS BINARY), \(Self.form.columns)
            FROM Plan p LEFT JOIN Private_provider o ON o.Owner_ID = p.Owner_ID AND o.Provider = p.Provider
            WHERE \(condition) AND p.Ver >= \(first) AND p.Ver <= \(last)
            """
        ).byID { try Self.form.json($0, from: 1, digits: digits) }
    }

    /// Returns the condition for the plans of a scope; nil for a scope without plans.
    /// - Parameter plan: the prefix of the columns of plans.
    private static func condition(_ scope: SyncScope, plan: SQL = "") -> SQL? {
        if scope.isUser { return "\(plan)Owner_ID = \(scope.id)" }
        if scope.kind == .catalogue { return "\(plan)Country_ID = \(scope.key) AND \(plan)Listed = 1" }
        return nil
    }
}
