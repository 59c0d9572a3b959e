import MariaDB
import SubTrackAPI

/// Loads rates of currencies into a tenant.
public struct RateImport: Sendable {
    /// What was done.
    public struct Report: Sendable, Equatable, Encodable {
        /// The newest day in the file.
        public let on: CalendarDate
        /// Rates that were added or differ now.
        public let changed: Int
        /// Rates that were there already.
        public let unchanged: Int
        /// Currencies of the file that the database does not know; their rates were left out.
        public let unknown: [String]
    }

    private let client: MariaDBClient
    private let database: String

    /// The rates of a tenant.
    public init(_ tenant: TenantDatabase) { self.init(client: tenant.client, database: tenant.name) }

    /// The rates in a database that is known.
    init(client: MariaDBClient, database: String) {
        self.client = client
        self.database = database
    }

    /// Loads the rates of a file, all or none. Loading them again changes nothing.
    /// - Parameter skipsUnknown: leaves out the rates of currencies that the database does not know, in place of refusing the file.
    /// - Throws: ``RevisionFileFaults`` with the file's faults and each unknown currency, and nothing was changed; `MariaDBError`.
    public func run(_ file: RateFile, skipsUnknown: Bool = false) async throws -> Report {
        try await client.withTransaction(database, isolation: .readCommitted) { connection in
            let known = Set(try await RateQueries.currencies(on: connection))
            let unknown = Set(file.lines.keys).subtracting(known)
            try Self.faults(of: skipsUnknown ? [] : unknown, in: file).check()
            let rates = file.rates.filter { known.contains($0.currency) }
            var changed = 0
            for start in stride(from: 0, to: rates.count, by: 500) {
                let batch = rates[start..<min(start + 500, rates.count)]
                let before = try await RateQueries.rates(of: Array(batch), on: connection)
                let new = batch.filter { rate in !before.contains { $0 == rate } }
                try await RateQueries.store(new, on: connection)
                changed += new.count
            }
            return Report(
                on: file.rates.map(\.on).max() ?? CalendarDate.range.lowerBound, changed: changed,
                unchanged: rates.count - changed,
                unknown: unknown.sorted())
        }
    }

    /// The faults of the file and one for each unknown currency, in the order of the file.
    private static func faults(of unknown: Set<String>, in file: RateFile) -> RevisionFileFaults {
        let currencies = unknown.sorted().map { currency in
            RevisionFileFault(
                file: file.name, line: file.lines[currency], column: currency,
                reason: "there is no such currency: \(currency)",
                remedy: "add it to the table Currency, or leave its rates out by --skip-unknown")
        }
        // Swift's sort keeps the order of faults on one line.
        return RevisionFileFaults((file.faults + currencies).sorted { ($0.line ?? 0) < ($1.line ?? 0) })
    }
}

/// The statements on rates.
enum RateQueries {
    /// The codes of all currencies.
    static func currencies(on connection: Connection) async throws -> [String] {
        try await connection.query("SELECT Currency_code FROM Currency").decode(String.self)
    }

    /// Which of some rates are there, as they are there.
    static func rates(of rates: [RateFile.Rate], on connection: Connection) async throws -> [RateFile.Rate] {
        let keys = rates.map { rate -> SQL in "(\(rate.currency), \(rate.on))" }
        return try await connection.query(
            """
            SELECT Currency_code, Rated_on, Per_euro FROM Exchange_rate
            WHERE (Currency_code, Rated_on) IN (\(SQL.joined(keys)))
            """
        ).decode((String, CalendarDate, Amount).self).map {
            RateFile.Rate(currency: $0.0, on: $0.1, perEuro: $0.2)
        }
    }

    /// Adds rates, or corrects those of the same days.
    static func store(_ rates: [RateFile.Rate], on connection: Connection) async throws {
        guard !rates.isEmpty else { return }
        let values = rates.map { rate -> SQL in "(\(rate.currency), \(rate.on), \(rate.perEuro))" }
        try await connection.execute(
            """
            INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES \(SQL.joined(values))
            ON DUPLICATE KEY UPDATE Per_euro = VALUES(Per_euro)
            """)
    }
}
