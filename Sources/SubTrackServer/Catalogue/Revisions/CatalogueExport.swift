import MariaDB
import SubTrackAPI

/// Writes the catalogue of a tenant in a form that can be applied again: a row for each price of each plan.
public struct CatalogueExport: Sendable {
    private let client: MariaDBClient
    private let database: String

    /// The catalogue of a tenant.
    public init(_ tenant: TenantDatabase) { self.init(client: tenant.client, database: tenant.name) }

    /// The catalogue in a database that is known.
    init(client: MariaDBClient, database: String) {
        self.client = client
        self.database = database
    }

    /// Writes all plans, or those of one country, as they are in one moment. It is not tried twice: what was written stays.
    /// - Parameters:
    ///   - format: how they are written.
    ///   - country: ISO 3166-1 alpha-2; nil: all.
    ///   - write: gets the text piece by piece.
    /// - Returns: how many rows were written.
    /// - Throws: errors of the database and of `write`.
    @discardableResult
    public func run(
        _ format: RevisionFile.Format, country: String? = nil, write: (String) throws -> Void
    ) async throws -> Int {
        try await client.withTransaction(database, isolation: .repeatableRead, isReadOnly: true, retries: 0) {
            connection in
            let digits = try await RevisionQueries.digits(on: connection)
            var writer = ExportWriter(format: format)
            try write(writer.head)
            var count = 0
            for try await row in RevisionQueries.export(country: country, on: connection) {
                try write(writer.text(of: RevisionQueries.exported(row, digits: digits)))
                count += 1
            }
            try write(writer.foot)
            return count
        }
    }
}

/// Writes rows of a catalogue.
private struct ExportWriter {
    /// How many rows an INSERT has.
    private static let batch = 500

    let format: RevisionFile.Format
    private var count = 0

    init(format: RevisionFile.Format) { self.format = format }

    var head: String {
        switch format {
        case .csv: StagedRow.columns.joined(separator: ",") + "\n"
        case .json: "["
        case .sql: ""
        }
    }

    var foot: String {
        switch format {
        case .csv: ""
        case .json: "\n]\n"
        case .sql: count == 0 ? "" : ";\n"
        }
    }

    mutating func text(of values: [String?]) -> String {
        defer { count += 1 }
        switch format {
        case .csv: return values.map { Self.csv($0 ?? "") }.joined(separator: ",") + "\n"
        case .json:
            var json = JSONWriter()
            json.write(
                .object(
                    zip(StagedRow.columns, values).map { name, value in
                        JSONValue.Member(name: name, value: value.map { .string($0) } ?? .null)
                    }))
            return (count == 0 ? "\n" : ",\n") + String(decoding: json.bytes, as: UTF8.self)
        case .sql:
            let list = values.enumerated().map { place, value in
                // NULL would leave a plan withdrawn that is so elsewhere.
                value.map(Self.sql) ?? (place == StagedRow.endPlace ? "''" : "NULL")
            }.joined(separator: ", ")
            let isFirst = count.isMultiple(of: Self.batch)
            let head =
                (count == 0 ? "" : ";\n")
                + "INSERT INTO Staged_plan (Revision, \(StagedRow.columns.joined(separator: ", "))) VALUES\n"
            return "\(isFirst ? head : ",\n")(@revision, \(list))"
        }
    }

    private static func csv(_ text: String) -> String {
        guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }

    private static func sql(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "''"))'"
    }
}
