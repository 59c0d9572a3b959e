import MariaDB

extension CatalogueQueries {
    /// The pages on which one cancels at providers, by the provider's name in small letters.
    static func cancelURLs(of providers: [String], on connection: Connection) async throws -> [String: String] {
        guard !providers.isEmpty else { return [:] }
        let rows = try await connection.query(
            """
            SELECT Provider, Cancel_URL FROM Provider
            WHERE Provider IN (\(list: providers.filledUp())) AND Cancel_URL IS NOT NULL
            """
        ).decode((String, String).self)
        return Dictionary(rows.map { ($0.0.lowercased(), $0.1) }) { first, _ in first }
    }
}
