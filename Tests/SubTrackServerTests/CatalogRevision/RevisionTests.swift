import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Revising the catalogue by files.
@Suite("Revisions of the catalogue", .ownTime)
struct RevisionTests {
    private static let head =
        "Country_ID,Provider,Plan_name,Fee,Duration_value,Duration_unit,Notice_days,Withdrawn_on\n"

    private func file(_ rows: String, name: String = "plans.csv") throws -> RevisionFile {
        try RevisionFile(name: name, bytes: Array((Self.head + rows).utf8))
    }

    private func options(_ effectiveOn: String, complete: Bool = true) -> CatalogueRevision.Options {
        .init(effectiveOn: day(effectiveOn), isComplete: complete)
    }

    private func counts(_ report: RevisionReport) -> [Int] {
        [report.new, report.changedPrice, report.changedTerms, report.withdrawn, report.unchanged, report.rejected]
    }

    private static let first = """
        US,Acme,Basic,9.99,1,month,,
        US,Acme,Premium,19.99,1,month,,
        DE,Acme,Basic,8.99,1,month,,
        """

    @Test("A file is checked without a trace, applied, and changes nothing when it is applied again")
    func applied() async throws {
        try await ImportDatabase.lease { database in
            let work = CatalogueRevision(client: database.client, database: database.database.name)
            let before = try await database.versions()
            let checked = try await work.check(try file(Self.first), options("2024-01-01"))
            #expect(counts(checked) == [3, 0, 0, 0, 0, 0] && checked.applied == 0)
            #expect(try await database.versions() == before)
            var seen: [String] = []
            let done = try await work.apply(try file(Self.first), options("2024-01-01")) { progress in
                seen.append("\(progress.stage) \(progress.done)/\(progress.total) \(progress.country ?? "-")")
            }
            #expect(counts(done) == [3, 0, 0, 0, 0, 0] && done.applied == 2)
            #expect(
                seen == ["reading 3/0 -", "checking 0/0 -", "applying 0/2 DE", "applying 1/2 US", "applying 2/2 -"])
            let versions = try await database.versions()
            #expect(counts(try await work.apply(try file(Self.first), options("2024-01-01"))) == [0, 0, 0, 0, 3, 0])
            #expect(try await database.versions() == versions)

            let second = """
                US,Acme,Basic,10.99,1,month,7,
                DE,Acme,Basic,8.99,1,month,,2024-06-01
                """
            let report = try await work.apply(try file(second), options("2024-03-01"))
            #expect(counts(report) == [0, 1, 1, 2, 0, 0])
            #expect(
                report.description == """
                    plans.csv: 2 countries, prices from 2024-03-01: 0 new, 1 changed price, 1 changed terms, \
                    2 withdrawn, 0 unchanged, 0 rejected
                    """)
            #expect(
                report.details == [
                    "plans.csv:3: withdrawn: DE, Acme, Basic: withdrawn on 2024-06-01",
                    "plans.csv:2: price, terms: US, Acme, Basic: 9.99 USD -> 10.99 USD from 2024-03-01; notice 0 -> 7 days",
                    "plans.csv: withdrawn: US, Acme, Premium: not in the file; withdrawn on 2024-03-01",
                ])
            #expect(
                try await database.rows(
                    "SELECT Country_ID, Plan_name, Notice_days, Withdrawn_on FROM Plan ORDER BY Plan_ID") == [
                        "DE Basic 0 2024-06-01", "US Basic 7 NULL", "US Premium 0 2024-03-01",
                    ])
            #expect(try await database.rows("SELECT COUNT(*) FROM Revision") == ["0"])
            #expect(try await database.rows("SELECT COUNT(*) FROM Staged_plan") == ["0"])
        }
    }

    @Test(
        "What is exported can be applied elsewhere, in any form, and there is nothing left to change",
        arguments: RevisionFile.Format.allCases)
    func exported(_ format: RevisionFile.Format) async throws {
        try await ImportDatabase.lease { source in
            try await source.database.run(
                """
                INSERT INTO Provider (Provider, Category) VALUES ('A, "b" \\\\ ''c''', 'Books');
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Fee_since, Trial_days,
                    Notice_days, Withdrawn_on)
                VALUES ('A, "b" \\\\ ''c''', '黃金 🎬', 1990, 'JP', 3, 'month', '2024-01-01', 7, 14, NULL),
                       ('Acme', 'Old', 2.5, 'KW', 1, 'year', '2020-01-01', NULL, 0, '2025-01-01');
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '2022-01-01', 1490), (1, '2099-01-01', 2490);
                """)
            var text = ""
            let count = try await CatalogueExport(client: source.client, database: source.database.name)
                .run(format) { text += $0 }
            #expect(count == 4)
            let plans = """
                SELECT p.Provider, v.Category, Plan_name, Subscription_type, p.Country_ID, Duration_value, Duration_unit, Trial_days,
                    Notice_days, Withdrawn_on, l.Effective_on, l.Fee, l.Currency_code
                FROM Plan p JOIN Provider v ON v.Provider = p.Provider JOIN Price_line l ON l.Plan_ID = p.Plan_ID
                ORDER BY p.Country_ID, p.Plan_name, l.Effective_on
                """
            let right = try await source.rows(plans)
            let bytes = Array(text.utf8)
            try await ImportDatabase.lease { target in
                let work = CatalogueRevision(client: target.client, database: target.database.name)
                let file = try RevisionFile(name: "all", format: format, bytes: bytes)
                #expect(counts(try await work.apply(file, options("2098-01-01"))) == [2, 0, 0, 0, 0, 0])
                #expect(try await target.rows(plans) == right)
                #expect(counts(try await work.apply(file, options("2098-01-01"))) == [0, 0, 0, 0, 4, 0])
            }
        }
    }

    @Test(
        "A file without the column of withdrawals leaves a plan withdrawn, and says so; an empty field sells it again")
    func absentColumn() async throws {
        try await ImportDatabase.lease { database in
            let work = CatalogueRevision(client: database.client, database: database.database.name)
            let withdrawn = "SELECT Plan_name, Withdrawn_on FROM Plan WHERE Country_ID = 'US' ORDER BY 1"
            _ = try await work.apply(try file(Self.first), options("2024-01-01"))
            _ = try await work.apply(
                try file("US,Acme,Basic,,1,month,,2024-02-01\n"), options("2024-02-01", complete: false))
            let silent = try RevisionFile(
                name: "plans.csv",
                bytes: Array(
                    """
                    Country_ID,Provider,Plan_name,Fee,Duration_value,Duration_unit
                    US,Acme,Basic,9.99,1,month
                    US,Acme,Premium,19.99,1,month

                    """.utf8))
            let report = try await work.apply(silent, options("2024-03-01"))
            #expect(counts(report) == [0, 0, 0, 0, 2, 0])
            #expect(
                report.details == [
                    "plans.csv:2: unchanged: US, Acme, Basic: it stays withdrawn on 2024-02-01; "
                        + "an empty Withdrawn_on sells it again"
                ])
            #expect(report.rows.map(\.staysWithdrawn) == [true])
            #expect(try await database.rows(withdrawn) == ["Basic 2024-02-01", "Premium NULL"])
            let sold = try await work.apply(
                try file("US,Acme,Basic,9.99,1,month,,\n"), options("2024-04-01", complete: false))
            #expect(sold.details == ["plans.csv:2: terms: US, Acme, Basic: sold again"])
            #expect(try await database.rows(withdrawn) == ["Basic NULL", "Premium NULL"])
        }
    }

    @Test(
        "An export sells plans again that are withdrawn elsewhere, in any form", arguments: RevisionFile.Format.allCases
    )
    func exportSells(_ format: RevisionFile.Format) async throws {
        try await ImportDatabase.lease { database in
            let work = CatalogueRevision(client: database.client, database: database.database.name)
            _ = try await work.apply(try file(Self.first), options("2024-01-01"))
            var text = ""
            try await CatalogueExport(client: database.client, database: database.database.name).run(format) {
                text += $0
            }
            try await database.database.run("UPDATE Plan SET Withdrawn_on = '2023-06-01' WHERE Country_ID = 'US'")
            let exported = try RevisionFile(name: "all", format: format, bytes: Array(text.utf8))
            _ = try await work.apply(exported, options("2024-01-01", complete: false))
            #expect(try await database.rows("SELECT COUNT(*) FROM Plan WHERE Withdrawn_on IS NOT NULL") == ["0"])
        }
    }

    @Test("A withdrawal of a plan that is not there is rejected; one of a snapshot is not")
    func absentPlan() async throws {
        try await ImportDatabase.lease { database in
            let work = CatalogueRevision(client: database.client, database: database.database.name)
            _ = try await work.apply(try file(Self.first), options("2024-01-01"))
            let misspelled = try file("US,Acme,Basik,,1,month,,2024-02-01\nUS,Acme,Premium,,1,month,,2024-02-01\n")
            let rejected = await #expect(throws: RevisionRejected.self) {
                _ = try await work.apply(misspelled, options("2024-02-01", complete: false))
            }
            let fault = try #require(rejected?.report.faults.first)
            #expect(rejected?.report.faults.count == 1 && fault.line == 2 && fault.column == "Plan_name")
            #expect(fault.reason == "there is no such plan to withdraw: Basik")
            #expect(try await database.rows("SELECT COUNT(*) FROM Plan WHERE Withdrawn_on IS NOT NULL") == ["0"])
            let snapshot = try RevisionFile(
                name: "2024-02-01.json",
                bytes: Array(
                    #"""
                    [{"country_code": "US", "currency": "USD",
                      "plans": [{"name": "Basik", "price": null}, {"name": "Basic", "price": null}]}]
                    """#.utf8))
            var named = options("2024-02-01", complete: false)
            named.provider = "Acme"
            #expect(counts(try await work.apply(snapshot, named)) == [0, 0, 0, 1, 1, 0])
            #expect(
                try await database.rows("SELECT Plan_name FROM Plan WHERE Withdrawn_on = '2024-02-01'") == ["Basic"])
        }
    }

    @Test("A broken row in the middle, a wrong encoding, a plan twice: all are said, and nothing is applied")
    func rejected() async throws {
        try await ImportDatabase.lease { database in
            let work = CatalogueRevision(client: database.client, database: database.database.name)
            let bytes =
                Array(
                    (Self.head + Self.first
                        + "\nUS,Acme,Broken,1,99,month,,\nUS,Acme,Bad,x,1,month,,\nQQ,Acme,Far,1,1,month,,\nUS,Acme,Basic,8,1,month,,\nUS,Acme,caf")
                        .utf8)
                + [0xE9] + Array(",1,1,month,,\n".utf8)
            let file = try RevisionFile(name: "plans.csv", bytes: bytes)
            let before = try await database.versions()
            let twice =
                "the plan is there 2 times for one day, first in line 2: Basic; delete all but one, or give each a Fee_since"
            let rejected = await #expect(throws: RevisionRejected.self) {
                _ = try await work.apply(file, options("2024-01-01"))
            }
            #expect(
                rejected?.report.details.prefix(5) == [
                    "plans.csv:2: row 1: US, Acme, Basic: Plan_name: \(twice)",
                    "plans.csv:6: row 5: US, Acme, Bad: Fee: no amount from 0 to 99999999999 such as 17.99: x; write digits and at most one point",
                    "plans.csv:7: row 6: Acme, Far: Country_ID: there is no such country: QQ; write a code of ISO 3166-1 such as US",
                    "plans.csv:8: row 7: US, Acme, Basic: Plan_name: \(twice)",
                    "plans.csv:9: row 8: US, Acme: Plan_name: not text in UTF-8 without control characters: café; save the file as UTF-8, without control characters",
                ])
            #expect(try await database.versions() == before)
            #expect(try await database.rows("SELECT COUNT(*) FROM Plan") == ["0"])
            #expect(try await database.rows("SELECT COUNT(*) FROM Revision") == ["0"])
        }
    }

    @Test("A line that cannot be read hides no rejected row: all are told by line, each with its place and remedy")
    func allFaults() async throws {
        try await ImportDatabase.lease { database in
            let work = CatalogueRevision(client: database.client, database: database.database.name)
            let rows = """
                US,Acme,Basic,9.99,1,month,,
                US,Acme
                JP,Acme,Basic,x,1,month,,
                DE,Acme,Bad,1,0,month,,
                US,Acme,Basic,9.99,1,month,,,
                AT,Acme,Basic,8.99,1,month,,
                """
            let report = try await work.check(try file(rows), options("2024-01-01"))
            #expect(report.faults.map(\.line) == [3, 4, 5, 6] && report.faults.map(\.row) == [2, 3, 4, 5])
            #expect(report.faults.map(\.column) == [nil, "Fee", "Duration_value", nil])
            #expect(report.faults.map(\.plan) == [nil, "JP, Acme, Basic", "DE, Acme, Bad", nil])
            #expect(report.faults.allSatisfy { $0.remedy != nil } && !report.isCut)
            #expect(
                report.faults.dropFirst().first?.reason == "no amount from 0 to 99999999999 such as 17.99: x",
                "\(report.faults)")
            #expect(counts(report) == [2, 0, 0, 0, 0, 4])
            let rejected = await #expect(throws: RevisionRejected.self) {
                _ = try await work.apply(try file(rows), options("2024-01-01"))
            }
            #expect(rejected?.report.faults == report.faults)
            #expect(try await database.rows("SELECT COUNT(*) FROM Plan") == ["0"])
            #expect(try await database.rows("SELECT COUNT(*) FROM Staged_plan") == ["0"])
            // Not a row can be read.
            let none = await #expect(throws: RevisionFileFaults.self) {
                _ = try await work.check(try file("US,Acme\nDE\n"), options("2024-01-01"))
            }
            #expect(none?.faults.map(\.line) == [2, 3])
            #expect(try await database.rows("SELECT COUNT(*) FROM Revision") == ["0"])
        }
    }

    @Test("The database fails in the middle: whole countries are there, and the same file goes on")
    func resumed() async throws {
        try await ImportDatabase.lease { database in
            let work = CatalogueRevision(client: database.client, database: database.database.name)
            let rows = (0..<30).map { "\(["DE", "JP", "US"][$0 % 3]),Acme,Plan \($0),5,1,month,," }.joined(
                separator: "\n")
            try await database.database.run(
                """
                DELIMITER //
                CREATE TRIGGER Refuse BEFORE INSERT ON Plan FOR EACH ROW FOLLOWS Plan_before_insert
                IF NEW.Country_ID = 'JP' AND NEW.Plan_name = 'Plan 16' THEN SIGNAL SQLSTATE '45000'; END IF//
                """)
            await #expect(throws: MariaDBError.self) { _ = try await work.apply(try file(rows), options("2024-01-01")) }
            let there = "SELECT Country_ID, COUNT(*) FROM Plan GROUP BY Country_ID ORDER BY 1"
            #expect(try await database.rows(there) == ["DE 10"])
            try await database.database.run("DROP TRIGGER Refuse")
            #expect(counts(try await work.apply(try file(rows), options("2024-01-01"))) == [20, 0, 0, 0, 10, 0])
            #expect(try await database.rows(there) == ["DE 10", "JP 10", "US 10"])
        }
    }

    @Test("Two admins at once with files of their own: both are applied, each plan is there once")
    func twoAdmins() async throws {
        try await ImportDatabase.lease { database in
            let codes = try await database.rows("SELECT Country_ID FROM Country ORDER BY 1 LIMIT 30")
            func rows(_ fee: Int) -> String {
                codes.flatMap { code in (0..<5).map { "\(code),Acme,Plan \($0),\(fee),1,month,," } }.joined(
                    separator: "\n")
            }
            let work = CatalogueRevision(client: database.client, database: database.database.name)
            async let one = work.apply(try file(rows(5)), options("2024-01-01"))
            async let other = work.apply(try file(rows(6)), options("2024-02-01"))
            _ = try await (one, other)
            #expect(try await database.rows("SELECT COUNT(*) FROM Plan") == ["150"])
            let prices = try await database.rows(
                "SELECT DISTINCT Effective_on, Fee FROM Price_line WHERE Effective_on = '2024-02-01'")
            #expect(prices == ["2024-02-01 6.000000"])
        }
    }

    @Test(
        "Two runs of the same file at once, one that withdraws what is missing and one that does not: neither takes the other's"
    )
    func sameFileTwice() async throws {
        try await ImportDatabase.lease { database in
            let work = CatalogueRevision(client: database.client, database: database.database.name)
            _ = try await work.apply(try file(Self.first), options("2024-01-01"))
            let part = "US,Acme,Basic,10.99,1,month,,\n"
            // The second begins, and is over, while the first is between its check and its first country.
            async let other = work.apply(try file(part), options("2024-03-01", complete: false))
            let checked = try await work.check(try file(part), options("2024-03-01", complete: true))
            let applied = try await other
            #expect(counts(applied)[3] == 0 && applied.applied == 1)
            #expect(counts(checked)[3] == 1 && checked.applied == 0)
            #expect(try await database.rows("SELECT COUNT(*) FROM Plan WHERE Withdrawn_on IS NOT NULL") == ["0"])
            #expect(try await database.rows("SELECT COUNT(*) FROM Revision") == ["0"])
        }
    }

    @Test("What a run left that was cut off is thrown away a day later; a revision that somebody made is not")
    func abandoned() async throws {
        try await ImportDatabase.lease { database in
            try await database.database.run(
                """
                INSERT INTO Revision (Revision, Created_at) VALUES
                    ('file old', UTC_TIMESTAMP() - INTERVAL 2 DAY), ('file new', UTC_TIMESTAMP() - INTERVAL 2 HOUR),
                    ('spring', UTC_TIMESTAMP() - INTERVAL 9 DAY);
                INSERT INTO Staged_plan (Revision, Plan_name) VALUES ('file old', 'a'), ('file new', 'b'), ('spring', 'c');
                """)
            let work = CatalogueRevision(client: database.client, database: database.database.name)
            _ = try await work.check(try file(Self.first), options("2024-01-01"))
            #expect(try await database.rows("SELECT Revision FROM Revision ORDER BY 1") == ["file new", "spring"])
            #expect(try await database.rows("SELECT Plan_name FROM Staged_plan ORDER BY 1") == ["b", "c"])
        }
    }

    @Test("Rates are loaded once and corrected; a file with an unknown currency is refused unless it is to be skipped")
    func rates() async throws {
        try await ImportDatabase.lease { database in
            let work = RateImport(client: database.client, database: database.database.name)
            func load(_ text: String) async throws -> RateImport.Report {
                try await work.run(try RateFile(name: "r", bytes: Array(text.utf8)), skipsUnknown: true)
            }
            let text = "Date,USD,JPY,XXA\n2026-01-29,1.08,160,2\n2026-01-30,1.0812,161.35,2\n"
            let strict = try RateFile(name: "r", bytes: Array(text.utf8))
            let refused = await #expect(throws: RevisionFileFaults.self) { _ = try await work.run(strict) }
            #expect(
                refused?.description
                    == "r:2: XXA: there is no such currency: XXA; add it to the table Currency, or leave its rates out by --skip-unknown"
            )
            #expect(try await database.rows("SELECT COUNT(*) FROM Exchange_rate") == ["0"])
            let first = try await load(text)
            #expect(first == .init(on: day("2026-01-30"), changed: 4, unchanged: 0, unknown: ["XXA"]))
            let again = try await load(text)
            #expect(again == .init(on: day("2026-01-30"), changed: 0, unchanged: 4, unknown: ["XXA"]))
            let corrected = try await load("Date,USD\n2026-01-30,1.09\n")
            #expect(corrected.changed == 1)
            let rows = try await database.rows("SELECT * FROM Exchange_rate ORDER BY 1, 2")
            #expect(
                rows == [
                    "JPY 2026-01-29 160.000000", "JPY 2026-01-30 161.350000", "USD 2026-01-29 1.080000",
                    "USD 2026-01-30 1.090000",
                ])
        }
    }
}
