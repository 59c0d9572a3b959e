import MariaDB

/// Former and announced prices of plans, as clients hold them.
struct PriceEntity: SyncedEntity {
    let name = "price"
    let number: EntityNumber = 5

    private static let form = RowForm(
        .integer("planId", "Plan_ID"), .day("effectiveOn", "Effective_on"), .amount("fee", "Fee", currencyAt: 1),
        .text("currency", "Currency_code"))

    /// The tables stand in this order and no other. The optimizer does not know that versions of many scopes stand side
    /// by side.
    func keysByParent(in range: ScopeRange, isShort: Bool, on connection: Connection) async throws -> [KeyPart] {
        var tables: SQL = "Plan p STRAIGHT_JOIN Plan_price x ON x.Plan_ID = p.Plan_ID"
        let condition: SQL
        if range.scope.isUser {
            condition = "p.Owner_ID = \(range.scope.id) AND x.Ver >= \(range.first) AND x.Ver <= \(range.head)"
        } else if range.scope.kind == .catalogue {
            if isShort, try await Self.areFew(in: range, on: connection) {
                tables = "Plan_price x STRAIGHT_JOIN Plan p ON p.Plan_ID = x.Plan_ID"
            }
            condition = """
                x.Ver >= \(range.first) AND x.Ver <= \(range.head) AND p.Country_ID = \(range.scope.key) AND p.Listed = 1
                """
        } else {
            return []
        }
        let id: SQL = "CAST(CONCAT(x.Plan_ID, ' ', x.Effective_on) AS BINARY)"
        return [
            KeyPart(
                select: """
                    SELECT x.Ver AS Ver, \(number.rank) AS Kind, \(id) AS Row_ID, x.Ver AS Row_ver FROM \(tables)
                    WHERE \(condition) AND \(range.isBehind("x.Ver", rank: number.rank, id: id))
                    """, order: "x.Ver")
        ]
    }

    /// Whether so few prices of all scopes have these versions that a catalogue's are found quickest among them. Else
    /// its plans are read. Many users have prices of their own, whose versions are the same small numbers.
    private static func areFew(in range: ScopeRange, on connection: Connection) async throws -> Bool {
        let few = 100
        let found = try await connection.query(
            """
            SELECT COUNT(*) FROM (SELECT 1 FROM Plan_price WHERE Ver >= \(range.first) AND Ver <= \(range.head)
                                  LIMIT \(few)) AS Found
            """)
        return try found.decode(Int.self).first ?? 0 < few
    }

    /// Prices are read by their plans: the same versions are those of other scopes, too.
    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        let versions = keys.map(\.rowVersion)
        guard let first = versions.min(), let last = versions.max() else { return [:] }
        let plans = Set(
            keys.compactMap { Int64(String(decoding: $0.id.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)) })
        let digits = try await tenant.currencies.table(on: connection)
        return try await connection.query(
            """
            SELECT CAST(CONCAT(Plan_ID, ' ', Effective_on) AS BINARY), \(Self.form.columns)
            FROM Plan_price WHERE Plan_ID IN (\(list: Array(plans))) AND Ver >= \(first) AND Ver <= \(last)
            """
        ).byID { try Self.form.json($0, from: 1, digits: digits) }
    }
}
