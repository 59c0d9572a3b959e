import MariaDB
import SubTrackAPI
import SubTrackCore

/// Loads snapshots of a provider's prices into the catalogue of a tenant.
///
/// All snapshots are checked before anything is written; one fault in any of them and nothing is. Then they are applied
/// by day, country by country, each country in a transaction of its own: users wait for none of them for long, and
/// a country is loaded whole or not at all. What was cut off in the middle is finished by running it again: what is
/// loaded already changes nothing and takes no version.
public struct CatalogueImport: Sendable {
    /// How much of a snapshot is done.
    public struct Progress: Sendable {
        /// The snapshot's file.
        public let file: String
        /// The country that is about to be done; nil at the end.
        public let country: String?
        /// How many of the countries are done.
        public let done: Int
        /// How many countries there are.
        public let total: Int
    }

    private let client: MariaDBClient
    private let database: String
    private let provider: String
    private let category: String

    /// An import into the database of a tenant.
    /// - Parameters:
    ///   - provider: whose plans they are; made if it is not there.
    ///   - category: the category of a provider that is made.
    /// - Throws: `SettingsError` when a name cannot be used.
    public init(_ tenant: TenantDatabase, provider: String, category: String) throws {
        try self.init(client: tenant.client, database: tenant.name, provider: provider, category: category)
    }

    /// An import into a database that is known.
    init(client: MariaDBClient, database: String, provider: String, category: String) throws {
        self.client = client
        self.database = database
        self.provider = try Self.checked(provider, "provider's name", maximum: 100)
        self.category = try Self.checked(category, "category", maximum: 50)
    }

    private static func checked(_ text: String, _ what: String, maximum: Int) throws -> String {
        do {
            return try InputText.required(text, field: what, maximum: maximum)
        } catch {
            throw SettingsError("the \(what) \((error as? Problem)?.errors?.first?.message ?? "cannot be used")")
        }
    }

    /// Checks and applies snapshots, the oldest first.
    /// - Parameters:
    ///   - isDryRun: only says what would be done. Each snapshot is then compared with the catalogue as it is now.
    ///   - progress: is told of each country.
    /// - Returns: what was done, snapshot by snapshot, in the order in which they were applied.
    /// - Throws: ``SnapshotFaults`` when anything is wrong in any of them, and nothing was written;
    ///   ``CatalogueImportFailure`` when the database failed, which says how far it got.
    public func run(
        _ snapshots: [PriceSnapshot], isDryRun: Bool = false, progress: (Progress) -> Void = { _ in }
    ) async throws -> [ImportReport] {
        let names = Set(snapshots.flatMap(\.countries).flatMap(\.names)).sorted()
        let reference = try await client.withConnection(database) { connection in
            try await CatalogueImportQueries.reference(names: names, on: connection)
        }
        let faults = snapshots.flatMap { $0.faults(against: reference) }
        guard faults.isEmpty else { throw SnapshotFaults(faults: faults) }
        if !isDryRun, snapshots.contains(where: { $0.offerCount > 0 }) {
            try await client.withTransaction(database, isolation: .readCommitted) { connection in
                try await CatalogueImportQueries.addProvider(provider, category: category, on: connection)
            }
        }
        // The order of two of one day is the caller's: Swift's sort keeps it.
        var reports: [ImportReport] = []
        for snapshot in snapshots.sorted(by: { $0.effectiveOn < $1.effectiveOn }) {
            reports.append(
                try await apply(snapshot, keys: reference.keys, isDryRun: isDryRun, progress: progress))
        }
        return reports
    }

    private func apply(
        _ snapshot: PriceSnapshot, keys: [String: String], isDryRun: Bool, progress: (Progress) -> Void
    ) async throws -> ImportReport {
        // One view of all plans and prices, without a lock: it tells which countries have anything to do at all.
        let planned = try await client.withTransaction(database, isolation: .repeatableRead, isReadOnly: true) {
            try await difference(snapshot, keys: keys, on: $0)
        }
        var report = ImportReport(snapshot, provider: provider, difference: planned)
        let total = planned.countries.count
        for (done, country) in planned.countries.enumerated() {
            progress(Progress(file: snapshot.name, country: country.code, done: done, total: total))
            guard !isDryRun, !country.isEmpty else {
                report.count(country)
                continue
            }
            do {
                report.count(try await apply(snapshot, in: country.code, keys: keys))
            } catch let error as MariaDBError {
                throw CatalogueImportFailure(
                    file: snapshot.name, country: country.code, done: done, total: total, cause: error)
            }
        }
        progress(Progress(file: snapshot.name, country: nil, done: total, total: total))
        return report
    }

    /// Applies one country, whole or not at all.
    /// - Returns: what was done, which may be less than was planned: another admin may have been at work.
    private func apply(
        _ snapshot: PriceSnapshot, in country: String, keys: [String: String]
    ) async throws -> SnapshotDifference.Country {
        let part = snapshot.limited(to: country)
        let day = snapshot.effectiveOn
        return try await client.withTransaction(database, isolation: .readCommitted) { connection in
            // Nobody else changes the catalogue of this country from here on: the triggers take the same lock.
            try await CatalogueImportQueries.lock(.country(country), on: connection)
            guard let today = try await CatalogueImportQueries.today(on: connection),
                let found = try await difference(part, keys: keys, country: country, on: connection).countries.first
            else { return SnapshotDifference.Country(code: country) }
            try await CatalogueImportQueries.add(
                found.new, of: provider, in: country, since: day, on: connection)
            for (plan, price, change) in found.changed {
                try await CatalogueImportQueries.set(
                    price, on: day, of: plan, by: change, today: today, on: connection)
            }
            // The triggers had the last word. What the database says now must be what the snapshot says.
            let after = try await difference(part, keys: keys, country: country, on: connection)
            guard after.countries.allSatisfy(\.isEmpty) else {
                throw CatalogueImportFailure(
                    file: snapshot.name, country: country, done: nil, total: snapshot.countries.count, cause: nil)
            }
            return found
        }
    }

    private func difference(
        _ snapshot: PriceSnapshot, keys: [String: String], country: String? = nil, on connection: Connection
    ) async throws -> SnapshotDifference {
        let plans = try await CatalogueImportQueries.plans(of: provider, country: country, on: connection)
        let today = try await CatalogueImportQueries.today(on: connection) ?? snapshot.effectiveOn
        return SnapshotDifference(snapshot, plans: plans, keys: keys, today: today)
    }
}

/// The database failed in the middle of loading a snapshot.
public struct CatalogueImportFailure: Error, CustomStringConvertible {
    let file: String
    let country: String
    /// How many countries were done before; nil when that is not known.
    let done: Int?
    let total: Int
    /// What the database said; nil when it took the prices and has others now.
    let cause: MariaDBError?

    public var description: String {
        let reason = cause.map { "\($0)" } ?? "the catalogue does not have the file's prices after it took them"
        let progress = done.map { "\($0) of \(total.counted("country", "countries")) done before it. " } ?? ""
        return "\(file): \(country): nothing was changed there: \(reason). \(progress)"
            + "Run it again: what is loaded stays and is not loaded twice."
    }
}

/// The database has not been brought to what this version needs.
public struct CatalogueUnprepared: Error, CustomStringConvertible {
    public let description = "the database is not prepared for this version; run subtrackd migrate"
}
