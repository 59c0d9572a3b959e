import MariaDB

/// An entity of the scope that everybody sees, as clients hold it: a table with a version in each row.
struct ReferenceEntity: SyncedEntity {
    let name: String
    let number: EntityNumber
    /// The table.
    let table: SQL
    /// The id in bytes.
    let key: SQL
    /// The columns.
    let form: RowForm

    /// Providers of the catalogue.
    static let provider = ReferenceEntity(
        name: "provider", number: 6, table: "Provider", key: "CAST(Provider AS BINARY)",
        form: RowForm(.text("category", "Category"), .text("website", "Website"), .text("cancelUrl", "Cancel_URL")))

    /// Countries.
    static let country = ReferenceEntity(
        name: "country", number: 7, table: "Country", key: "CAST(Country_ID AS BINARY)",
        form: RowForm(.text("name", "Country_name"), .text("currency", "Currency_code")))

    /// Currencies.
    static let currency = ReferenceEntity(
        name: "currency", number: 8, table: "Currency", key: "CAST(Currency_code AS BINARY)",
        form: RowForm(.text("name", "Currency_name"), .integer("minorDigits", "Minor_digits")))

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard range.scope == .reference else { return [] }
        return [
            KeyPart(
                select: """
                    SELECT Ver, \(number.rank) AS Kind, \(key) AS Row_ID, Ver AS Row_ver FROM \(table)
                    WHERE Ver >= \(range.first) AND Ver <= \(range.head)
                      AND \(range.isBehind("Ver", rank: number.rank, id: key))
                    """)
        ]
    }

    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        let versions = keys.map(\.rowVersion)
        guard scope == .reference, let first = versions.min(), let last = versions.max() else { return [:] }
        return try await connection.query(
            "SELECT \(key), \(form.columns) FROM \(table) WHERE Ver >= \(first) AND Ver <= \(last)"
        ).byID { try form.json($0, from: 1) }
    }
}
