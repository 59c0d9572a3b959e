import Foundation
import Logging
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

/// A tenant's database of a test, with countries and currencies and no plan, and what the tests ask of it by the plain
/// client, as an admin does.
struct ImportDatabase {
    let database: TestDatabase
    let client: MariaDBClient

    /// Lends a migrated database.
    static func lease(_ body: (ImportDatabase) async throws -> Void) async throws {
        var isDone = false
        do {
            try await TestDatabase.lease { database in
                try await database.withClient { client in
                    let logger = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
                    let migrator = Migrator(client: client, logger: logger)
                    try await migrator.migrate(try Identifier(database.name), to: .tenant)
                }
                try await database.withClient { client in
                    try await body(ImportDatabase(database: database, client: client))
                }
                isDone = true
            }
        } catch let failure as CommandFailure where isDone && failure.output.contains("ERROR 1010") {
            // MariaDB 10.11, when several make triggers at once, may leave a backup of a trigger's file (.TRG-) behind,
            // and then cannot remove the folder. It goes with the server.
        }
    }

    /// Loads snapshots of Netflix.
    @discardableResult
    func load(
        _ snapshots: PriceSnapshot..., isDryRun: Bool = false, progress: (CatalogueImport.Progress) -> Void = { _ in }
    ) async throws -> [ImportReport] {
        try await CatalogueImport(client: client, database: database.name, provider: "Netflix", category: "Video")
            .run(snapshots, isDryRun: isDryRun, progress: progress)
    }

    /// Loads snapshots that must be refused.
    func faults(of snapshots: PriceSnapshot...) async throws -> [String] {
        do {
            _ = try await CatalogueImport(
                client: client, database: database.name, provider: "Netflix", category: "Video"
            ).run(snapshots)
        } catch let error as SnapshotFaults {
            return error.faults.map(\.description)
        }
        return []
    }

    /// The rows that a statement gives, each with blanks between its columns.
    func rows(_ statement: String) async throws -> [String] {
        try await database.run(statement).split(separator: "\n").map { String($0.replacing("\t", with: " ")) }
    }

    /// Everything that a version was ever taken for.
    func versions() async throws -> [String] {
        try await rows("SELECT HEX(Scope_ID), Ver FROM Scope WHERE Ver > 0 ORDER BY 1")
    }

    /// All price lines, by country and plan.
    func lines() async throws -> [String: ExpectedLine] {
        let text = try await database.run(
            """
            SELECT p.Country_ID, p.Plan_name, l.Effective_on, l.Fee, l.Currency_code
            FROM Price_line l JOIN Plan p USING (Plan_ID) ORDER BY 1, 2, 3
            """)
        var lines: [String: ExpectedLine] = [:]
        for row in text.split(separator: "\n") {
            let columns = row.split(separator: "\t").map(String.init)
            lines["\(columns[0]) \(columns[1])", default: ExpectedLine()].entries.append(
                .init(day: columns[2], fee: Decimal(string: columns[3]) ?? .nan, currency: columns[4]))
        }
        return lines
    }
}

/// A price line as a test computes it, with none of the code under test.
struct ExpectedLine: Equatable {
    struct Entry: Equatable {
        var day: String
        var fee: Decimal
        var currency: String
    }

    /// By day; days as text are in the order of days.
    var entries: [Entry] = []

    /// The line without entries that say what held already.
    var withoutRepetitions: ExpectedLine {
        var result = ExpectedLine()
        for entry in entries
        where result.entries.last.map({ ($0.fee, $0.currency) != (entry.fee, entry.currency) }) ?? true {
            result.entries.append(entry)
        }
        return result
    }

    /// The line with a price that is seen on a day.
    func with(_ entry: Entry) -> ExpectedLine {
        ExpectedLine(entries: (entries.filter { $0.day != entry.day } + [entry]).sorted { $0.day < $1.day })
    }

    /// The price of a day; before the first day it is the first.
    func price(on day: String) -> Entry? { entries.last { $0.day <= day } ?? entries.first }
}

extension PriceSnapshot {
    /// A snapshot in short: `["US USD": ["basic": "9.99", "mobile": "null"]]`.
    static func of(_ day: String, _ countries: KeyValuePairs<String, KeyValuePairs<String, String>>) throws -> Self {
        let entries = countries.map { place, plans in
            let parts = place.split(separator: " ")
            let list = plans.map { #"{"name": "\#($0)", "price": \#($1)}"# }.joined(separator: ", ")
            return #"{"country_code": "\#(parts[0])", "currency": "\#(parts[1])", "plans": [\#(list)]}"#
        }
        return try json(day, "[" + entries.joined(separator: ",\n") + "]")
    }

    static func json(_ day: String, _ text: String) throws -> Self {
        let date = try #require(CalendarDate(day))
        return PriceSnapshot(name: "\(day).json", effectiveOn: date, json: text.utf8)
    }
}
