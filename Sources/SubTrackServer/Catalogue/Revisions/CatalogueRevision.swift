import Foundation
import MariaDB
import SubTrackAPI

/// Revises the catalogue of a tenant by a file: staged, checked by the database, applied country by country.
///
/// The database does the work, by the triggers that an admin's own SQL fires too; this reads files and keeps order. Each run
/// is a revision of its own: two of the same file are not in each other's way, and when one was cut off, the same file goes on
/// where it stopped, for what is applied already changes nothing. What was left behind is thrown away a day later.
public struct CatalogueRevision: Sendable {
    /// How far it is.
    public struct Progress: Sendable {
        /// What is being done.
        public enum Stage: String, Sendable {
            case reading, checking, applying
        }

        /// What is being done.
        public let stage: Stage
        /// How many rows were read, or countries applied.
        public let done: Int
        /// How many countries there are; 0 where that is not known.
        public let total: Int
        /// The country that is next.
        public let country: String?
    }

    /// What a file is taken for.
    public struct Options: Sendable {
        /// The day from which prices hold whose rows name none.
        public var effectiveOn: CalendarDate
        /// Whether it has all plans of its providers in its countries: those that are missing are withdrawn.
        public var isComplete: Bool
        /// Whose plans they are, where the file does not say so.
        public var provider: String?
        /// The category of that provider.
        public var category = "Other"
        /// How many rows a report names.
        public var reportLimit = 1000

        /// What a file is taken for.
        public init(effectiveOn: CalendarDate, isComplete: Bool, provider: String? = nil) {
            self.effectiveOn = effectiveOn
            self.isComplete = isComplete
            self.provider = provider
        }
    }

    private static let isGone = "somebody else threw the revision away meanwhile, or applied it"
    private static let again = "apply the file again"

    /// How many rows a statement stages.
    private static let batch = 500

    private let client: MariaDBClient
    private let database: String

    /// Revisions of a tenant's catalogue.
    public init(_ tenant: TenantDatabase) { self.init(client: tenant.client, database: tenant.name) }

    /// Revisions of the catalogue in a database that is known.
    init(client: MariaDBClient, database: String) {
        self.client = client
        self.database = database
    }

    /// Says what applying a file would do, with all faults of the file. Nothing of the catalogue is changed.
    /// - Throws: ``RevisionFileFaults`` for a file of which no row can be read; `MariaDBError`.
    public func check(
        _ file: RevisionFile, _ options: Options, progress: (Progress) -> Void = { _ in }
    ) async throws -> RevisionReport {
        let name = Self.newName()
        do {
            let (report, _) = try await staged(file, options, as: name, progress: progress)
            try await discard(name)
            return report
        } catch {
            try? await discard(name)
            throw error
        }
    }

    /// Applies a file, each country in a transaction of its own. With a row that is rejected nothing is applied.
    /// - Returns: what was done.
    /// - Throws: ``RevisionFileFaults`` for a file of which no row can be read; ``RevisionRejected`` with the report where rows
    ///   or lines are faulty;
    ///   `MariaDBError`, after which the same file goes on where it stopped.
    public func apply(
        _ file: RevisionFile, _ options: Options, progress: (Progress) -> Void = { _ in }
    ) async throws -> RevisionReport {
        let name = Self.newName()
        let (planned, numbers) = try await staged(file, options, as: name, progress: progress)
        guard planned.rejected == 0 else {
            try await discard(name)
            throw RevisionRejected(report: planned)
        }
        let countries = try await client.withConnection(database) {
            try await RevisionQueries.pendingCountries(of: name, on: $0)
        }
        for (done, country) in countries.enumerated() {
            progress(Progress(stage: .applying, done: done, total: countries.count, country: country))
            let isApplied = try await client.withTransaction(database, isolation: .readCommitted) {
                try await RevisionQueries.apply(country, of: name, isOwn: true, on: $0)
            }
            guard isApplied else { throw file.fault(nil, Self.isGone, remedy: Self.again) }
        }
        progress(Progress(stage: .applying, done: countries.count, total: countries.count, country: nil))
        let report = try await report(of: name, file: file, limit: options.reportLimit)
            .with(RevisionFileFaults(), numbers: numbers)
        try await discard(name)
        return report
    }

    /// Stages and checks a file.
    /// - Returns: the report, and the number that each staged row has in the file.
    private func staged(
        _ file: RevisionFile, _ options: Options, as name: String, progress: (Progress) -> Void
    ) async throws -> (report: RevisionReport, numbers: [Int]) {
        try await client.withTransaction(database, isolation: .readCommitted) {
            try await RevisionQueries.discardAbandoned(prefix: Self.prefix, on: $0)
            try await RevisionQueries.begin(
                name, effectiveOn: options.effectiveOn, isComplete: options.isComplete, on: $0)
        }
        let read: (numbers: [Int], faults: RevisionFileFaults)
        do {
            read = try await stage(file, options, as: name, progress: progress)
        } catch {
            try? await discard(name)
            throw error
        }
        progress(Progress(stage: .checking, done: 0, total: 0, country: nil))
        try await client.withTransaction(database, isolation: .readCommitted) {
            try await RevisionQueries.check(name, on: $0)
        }
        let report = try await report(of: name, file: file, limit: options.reportLimit)
        return (report.with(read.faults, numbers: read.numbers), read.numbers)
    }

    /// Stages the rows that can be read.
    /// - Returns: the number that each of them has in the file, and the faults of the others.
    /// - Throws: ``RevisionFileFaults`` where there is no such row; `MariaDBError`.
    private func stage(
        _ file: RevisionFile, _ options: Options, as name: String, progress: (Progress) -> Void
    ) async throws -> (numbers: [Int], faults: RevisionFileFaults) {
        var rows: [StagedRow] = []
        var numbers: [Int] = []
        var faults = RevisionFileFaults()
        func flush() async throws {
            let batch = rows
            rows.removeAll(keepingCapacity: true)
            try await client.withConnection(database) { try await RevisionQueries.stage(batch, for: name, on: $0) }
            progress(Progress(stage: .reading, done: numbers.count, total: 0, country: nil))
        }
        do {
            try await file.forEachRow(
                provider: options.provider, category: options.category, day: options.effectiveOn
            ) { row in
                rows.append(row)
                numbers.append(row.row)
                if rows.count == Self.batch { try await flush() }
            }
        } catch let found as RevisionFileFaults where !numbers.isEmpty {
            // The other rows are checked all the same: one look at the file tells all of its faults.
            faults = found
        }
        try await flush()
        guard !numbers.isEmpty else {
            throw file.fault(nil, "there is no plan in it", remedy: "write a row for each plan")
        }
        return (numbers, faults)
    }

    private func report(of name: String, file: RevisionFile, limit: Int) async throws -> RevisionReport {
        let report = try await client.withConnection(database) {
            try await RevisionQueries.report(of: name, file: file.name, limit: limit, on: $0)
        }
        guard let report else { throw file.fault(nil, Self.isGone, remedy: Self.again) }
        return report
    }

    private func discard(_ name: String) async throws {
        try await client.withTransaction(database, isolation: .readCommitted) {
            try await RevisionQueries.discard(name, on: $0)
        }
    }

    /// How the names of revisions begin that are made here.
    private static let prefix = "file "

    /// A name that no other run has.
    private static func newName() -> String { prefix + UUID().uuidString.lowercased() }
}

/// A file with rows that cannot be taken. Nothing was applied.
public struct RevisionRejected: Error, CustomStringConvertible {
    /// Which, and why.
    public let report: RevisionReport

    public var description: String { "\(report)" }
}
