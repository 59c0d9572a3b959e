import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

/// Netflix's prices of five days in 245 countries, by tompec/netflix-prices (CC BY 4.0, https://www.thomas.io), where they
/// are at hand. They are compared with a second reading by Foundation's decoder.
@Suite(.enabled(if: RealSnapshots.areThere, "the dated price snapshots are not beside the checkout"), .ownTime)
struct RealSnapshotTests {
    @Test func countsAndLinesAreThoseOfTheFilesInAnyDirection() async throws {
        let files = try RealSnapshots.all()
        try await ImportDatabase.lease { database in
            var expected: [String: ExpectedLine] = [:]
            for file in files {
                let report = try #require(try await database.load(file.snapshot).first)
                let counts = file.merge(into: &expected)
                #expect(report.plans == file.offers.count)
                #expect([report.new, report.changed, report.unchanged] == counts, "\(file.day)")
                #expect(report.notSold == file.notSold)
                #expect(try await database.rows("SELECT COUNT(*) FROM Plan") == ["\(expected.count)"])
                // Each price of the file, in its country's currency, is the price of its day.
                let lines = try await database.lines()
                for (plan, entry) in file.offers {
                    let found = try #require(lines[plan]?.price(on: file.day))
                    #expect((found.fee, found.currency) == (entry.fee, entry.currency), "\(file.day) \(plan)")
                }
            }
            #expect(try await database.lines() == expected)

            let versions = try await database.versions()
            for file in files + files.reversed() {
                let report = try #require(try await database.load(file.snapshot).first)
                #expect(report.new == 0 && report.changed == 0)
                #expect(report.unchanged == file.offers.count)
            }
            #expect(try await database.versions() == versions)
            #expect(try await database.lines() == expected)
        }
    }

    @Test func fromTheNewestToTheOldestThePricesAreTheSame() async throws {
        let files = try RealSnapshots.all()
        var expected: [String: ExpectedLine] = [:]
        for file in files { _ = file.merge(into: &expected) }
        try await ImportDatabase.lease { database in
            for file in files.reversed() { try await database.load(file.snapshot) }
            #expect(try await database.lines().mapValues(\.withoutRepetitions) == expected)
        }
    }

    /// Periods from January 2023 on, renewed by SQL: each costs what the files say for its first day.
    @Test func periodsCostWhatHeldOnTheirFirstDay() async throws {
        let files = try RealSnapshots.all()
        var expected: [String: ExpectedLine] = [:]
        for file in files { _ = file.merge(into: &expected) }
        let first = try #require(files.first)
        // Where the currency changed, and some others.
        let moved = expected.filter { Set($0.value.entries.map(\.currency)).count > 1 }.keys.map {
            String($0.prefix(2))
        }
        let countries = Set(moved + ["US", "JP", "CH", "BR"])
        try await ImportDatabase.lease { database in
            for file in files { try await database.load(file.snapshot) }
            let list = countries.sorted().map { "'\($0)'" }.joined(separator: ", ")
            let renewals = 34
            let report = try await database.database.run(
                """
                INSERT INTO `User` (User_ID, Country_ID) VALUES (UNHEX('018CC251F40070008000000000000001'), 'US');
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Auto_renew)
                SELECT UNHEX('018CC251F40070008000000000000001'), Plan_ID, '2023-01-31', TRUE FROM Plan
                WHERE Country_ID IN (\(list))
                    AND EXISTS (SELECT 1 FROM Price_line l WHERE l.Plan_ID = Plan.Plan_ID
                                AND l.Effective_on = '\(first.day)');
                \(String(repeating: "UPDATE Subscription SET Start_date = End_date;\n", count: renewals))
                SELECT p.Country_ID, p.Plan_name, x.Start_date, x.Fee, x.Currency_code FROM (
                    SELECT Plan_ID, Start_date, Fee, Currency_code FROM Subscription_period
                    UNION ALL SELECT Plan_ID, Start_date, Period_fee, Period_currency FROM Subscription
                ) x JOIN Plan p USING (Plan_ID) ORDER BY 1, 2, 3;
                """)
            let rows = report.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            let plans = first.offers.filter { countries.contains(String($0.plan.prefix(2))) }
            #expect(countries.count > 5)
            #expect(rows.count == plans.count * (renewals + 1))
            for row in rows {
                let right = try #require(expected["\(row[0]) \(row[1])"]?.price(on: row[2]))
                #expect((Decimal(string: row[3]) ?? .nan, row[4]) == (right.fee, right.currency), "\(row)")
            }
            // The first and the last day of the month, not drifting.
            #expect(rows.prefix(3).map { $0[2] } == ["2023-01-31", "2023-02-28", "2023-03-31"])
            #expect(rows[renewals][2] == "2025-11-30")
        }
    }
}

/// The snapshots beside the checkout, read by Foundation.
enum RealSnapshots {
    struct File {
        let day: String
        let snapshot: PriceSnapshot
        /// By country and plan, such as `US basic`.
        let offers: [(plan: String, entry: ExpectedLine.Entry)]
        let notSold: Int

        /// Adds the file to lines that older files made.
        /// - Returns: how many plans are new, changed, unchanged.
        func merge(into lines: inout [String: ExpectedLine]) -> [Int] {
            var counts = [0, 0, 0]
            for (plan, entry) in offers {
                guard let last = lines[plan]?.entries.last else {
                    lines[plan] = ExpectedLine(entries: [entry])
                    counts[0] += 1
                    continue
                }
                if last.fee == entry.fee, last.currency == entry.currency {
                    counts[2] += 1
                } else {
                    lines[plan]?.entries.append(entry)
                    counts[1] += 1
                }
            }
            return counts
        }
    }

    private struct Country: Decodable {
        struct Plan: Decodable {
            let name: String
            let price: Decimal?
        }

        let country_code: String
        let currency: String
        let plans: [Plan]
    }

    private static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .appending(path: "../../../../../shared/data/netflix-prices").standardized

    /// Whether the tests can run; where not, that is said.
    static let areThere: Bool = {
        let areThere = FileManager.default.fileExists(atPath: folder.path)
        if !areThere { print("SKIPPED: real price snapshots: \(folder.path) is not there") }
        return areThere
    }()

    static func all() throws -> [File] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        let files = try names.sorted().map(read)
        try #require(files.count >= 5)
        return files
    }

    private static func read(_ name: String) throws -> File {
        let data = try Data(contentsOf: folder.appending(path: name))
        let date = try #require(try PriceSnapshot.day(inFileName: name))
        let countries = try JSONDecoder().decode([Country].self, from: data)
        var offers: [(plan: String, entry: ExpectedLine.Entry)] = []
        var notSold = 0
        for country in countries {
            for plan in country.plans {
                guard let price = plan.price else {
                    notSold += 1
                    continue
                }
                let entry = ExpectedLine.Entry(day: date.description, fee: price, currency: country.currency)
                offers.append(("\(country.country_code) \(plan.name)", entry))
            }
        }
        return File(
            day: date.description, snapshot: PriceSnapshot(name: name, effectiveOn: date, json: data), offers: offers,
            notSold: notSold)
    }
}
