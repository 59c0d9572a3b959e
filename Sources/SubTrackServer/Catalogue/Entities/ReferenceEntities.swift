import MariaDB

/// Providers of the catalogue, as clients hold them.
struct ProviderEntity: ReferenceEntity {
    let name = "provider"
    let number: EntityNumber = 6
    let table: SQL = "Provider"
    let key: SQL = "CAST(Provider AS BINARY)"
    let form = RowForm(.text("category", "Category"), .text("website", "Website"), .text("cancelUrl", "Cancel_URL"))
}

/// Countries, as clients hold them.
struct CountryEntity: ReferenceEntity {
    let name = "country"
    let number: EntityNumber = 7
    let table: SQL = "Country"
    let key: SQL = "CAST(Country_ID AS BINARY)"
    let form = RowForm(.text("name", "Country_name"), .text("currency", "Currency_code"))
}

/// Currencies, as clients hold them.
struct CurrencyEntity: ReferenceEntity {
    let name = "currency"
    let number: EntityNumber = 8
    let table: SQL = "Currency"
    let key: SQL = "CAST(Currency_code AS BINARY)"
    let form = RowForm(.text("name", "Currency_name"), .integer("minorDigits", "Minor_digits"))
}

/// An entity of the scope that everybody sees: a table with a version in each row.
protocol ReferenceEntity: SyncedEntity {
    /// The table.
    var table: SQL { get }
    /// The id in bytes.
    var key: SQL { get }
    /// The columns.
    var form: RowForm { get }
}

extension ReferenceEntity {
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
