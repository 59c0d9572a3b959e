import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What loading snapshots does to a catalogue, on handwritten ones.
@Suite(.tags(.otherServers, .everyDay), .ownTime) struct CatalogImportTests {
    private static let january: KeyValuePairs<String, KeyValuePairs<String, String>> = [
        "US USD": ["basic": "9.99", "standard": "15.49", "mobile": "null"],
        "JP JPY": ["standard": "1490", "premium": "1980.0"],
        "KW KWD": ["basic": "2.499"],
    ]

    @Test func plansGetCountryCurrencyFeeAndDay() async throws {
        try await ImportDatabase.lease { database in
            var seen: [String] = []
            let reports = try await database.load(try .of("2023-01-07", Self.january)) { progress in
                seen.append("\(progress.done)/\(progress.total) \(progress.country ?? "-")")
            }
            #expect(
                reports.map(\.description) == [
                    """
                    2023-01-07.json: 5 plans of Netflix in 3 countries, prices from 2023-01-07: \
                    5 new, 0 changed, 0 unchanged; 1 not sold
                    """
                ])
            #expect(seen == ["0/3 JP", "1/3 KW", "2/3 US", "3/3 -"])
            #expect(
                try await database.rows(
                    """
                    SELECT Country_ID, Plan_name, Fee, Currency_code, Fee_since, Duration_value, Duration_unit, Provider
                    FROM Plan ORDER BY 1, 2
                    """) == [
                        "JP premium 1980.000000 JPY 2023-01-07 1 month Netflix",
                        "JP standard 1490.000000 JPY 2023-01-07 1 month Netflix",
                        "KW basic 2.499000 KWD 2023-01-07 1 month Netflix",
                        "US basic 9.990000 USD 2023-01-07 1 month Netflix",
                        "US standard 15.490000 USD 2023-01-07 1 month Netflix",
                    ])
            #expect(try await database.rows("SELECT Provider, Category FROM Provider") == ["Netflix Video"])
        }
    }

    @Test func loadingAgainTakesNoVersion() async throws {
        try await ImportDatabase.lease { database in
            let snapshot = try PriceSnapshot.of("2023-01-07", Self.january)
            try await database.load(snapshot)
            let versions = try await database.versions()
            let again = try await database.load(snapshot)
            #expect(again.map { [$0.new, $0.changed, $0.unchanged] } == [[0, 0, 5]])
            #expect(try await database.versions() == versions)
        }
    }

    @Test func aDryRunSaysTheSameAndWritesNothing() async throws {
        try await ImportDatabase.lease { database in
            let snapshot = try PriceSnapshot.of("2023-01-07", Self.january)
            let before = try await database.versions()
            let dry = try await database.load(snapshot, isDryRun: true)
            #expect(try await database.versions() == before)
            #expect(try await database.rows("SELECT COUNT(*) FROM Plan") == ["0"])
            #expect(try await database.rows("SELECT COUNT(*) FROM Provider") == ["0"])
            #expect(try await database.load(snapshot) == dry)
        }
    }

    @Test func newerAndOlderFilesFillTheLine() async throws {
        try await ImportDatabase.lease { database in
            try await database.load(try .of("2024-01-01", ["US USD": ["basic": "11.99"]]))
            try await database.load(try .of("2025-01-01", ["US USD": ["basic": "13.99"]]))
            // Between, before all, and with a price that holds already.
            let files = [("2024-06-01", "12.99", 1), ("2023-01-01", "9.99", 1), ("2024-03-01", "11.99", 0)]
            for (day, fee, changed) in files {
                let report = try await database.load(try .of(day, ["US USD": ["basic": fee]]))
                #expect(report.map(\.changed) == [changed])
            }
            #expect(
                try await database.rows("SELECT Effective_on, Fee FROM Price_line ORDER BY 1") == [
                    "2023-01-01 9.990000", "2024-01-01 11.990000", "2024-06-01 12.990000", "2025-01-01 13.990000",
                ])
            #expect(try await database.rows("SELECT Fee_since, Fee FROM Plan") == ["2025-01-01 13.990000"])
        }
    }

    /// Loaded from the newest to the oldest: what was seen before the first known day counts, though it says nothing new.
    @Test func aPriceSeenEarlierKeepsAStillOlderOneFromReachingTooFar() async throws {
        try await ImportDatabase.lease { database in
            for (day, fee) in [("2025-01-01", "9.99"), ("2024-01-01", "9.99"), ("2023-01-01", "7.99")] {
                try await database.load(try .of(day, ["US USD": ["basic": fee]]))
            }
            let line = try #require(try await database.lines()["US basic"])
            #expect(line.price(on: "2023-12-31")?.fee == Decimal(string: "7.99"))
            #expect(line.price(on: "2024-06-01")?.fee == Decimal(string: "9.99"))
        }
    }

    @Test func aChangedCurrencyIsAChangedPrice() async throws {
        try await ImportDatabase.lease { database in
            try await database.load(try .of("2023-01-01", ["HR USD": ["basic": "8"]]))
            let report = try await database.load(try .of("2024-01-01", ["HR EUR": ["basic": "8"]]))
            #expect(report.map(\.changed) == [1])
            #expect(
                try await database.rows("SELECT Effective_on, Fee, Currency_code FROM Price_line ORDER BY 1")
                    == ["2023-01-01 8.000000 USD", "2024-01-01 8.000000 EUR"])
        }
    }

    /// A corrected file of the same day: the day keeps, whether it is past, today or to come.
    @Test func aCorrectedPriceHoldsFromItsOwnDay() async throws {
        try await ImportDatabase.lease { database in
            let today = try await DatabaseDay.today()
            for (country, distance) in [("DE", -400), ("ES", -1), ("FR", 0), ("IE", 1), ("IT", 30)] {
                let day = today.adding(days: distance).description
                try await database.load(try .of(day, ["\(country) EUR": ["basic": "9.99"]]))
                let report = try await database.load(try .of(day, ["\(country) EUR": ["basic": "8.99"]]))
                #expect(report.map(\.changed) == [1])
                let line = try #require(try await database.lines()["\(country) basic"])
                let right = ExpectedLine.Entry(day: day, fee: Decimal(string: "8.99") ?? .nan, currency: "EUR")
                #expect(line.withoutRepetitions == ExpectedLine(entries: [right]))
            }
        }
    }

    /// The price of a day becomes what the file says, and that of no other entry of the line changes.
    @Test func anySequenceOfDaysAndPrices() async throws {
        try await ImportDatabase.lease { database in
            let today = try await DatabaseDay.today()
            let seed = TestSeed.first(of: "days and prices of snapshots")
            var random = SeededGenerator(seed: seed)
            var line = ExpectedLine()
            for step in 0..<150 {
                let day = today.adding(days: Int.random(in: -6...3, using: &random)).description
                let fee = ["7", "8", "9"][Int.random(in: 0..<3, using: &random)]
                let currency = step % 10 == 0 ? "EUR" : "USD"
                try await database.load(try .of(day, ["US \(currency)": ["basic": fee]]))
                let now = try #require(try await database.lines()["US basic"])
                let entry = ExpectedLine.Entry(day: day, fee: Decimal(string: fee) ?? .nan, currency: currency)
                #expect(
                    now.withoutRepetitions == line.with(entry).withoutRepetitions,
                    "\(day) \(fee) \(currency) into \(line.entries), seed \(seed)")
                let versions = try await database.versions()
                try await database.load(try .of(day, ["US \(currency)": ["basic": fee]]))
                #expect(try await database.versions() == versions)
                line = now
            }
        }
    }

    @Test func namesThatAnAdminMadeNicerAreTheSamePlans() async throws {
        try await ImportDatabase.lease { database in
            try await database.database.run(
                """
                INSERT INTO Plan (Provider, Plan_name, Fee, Duration_value, Duration_unit, Country_ID, Fee_since)
                VALUES ('Netflix', 'Standard with ads', 6.99, 1, 'month', 'US', '2022-11-03'),
                       ('Netflix', 'Standard with ads', 69.90, 1, 'year', 'US', '2022-11-03'),
                       ('Testflix', 'Standard with ads', 1.00, 1, 'month', 'US', '2022-11-03')
                """)
            let report = try await database.load(try .of("2025-01-21", ["US USD": ["standard_with_ads": "7.99"]]))
            #expect(report.map { [$0.new, $0.changed] } == [[0, 1]])
            #expect(
                try await database.rows("SELECT Provider, Plan_name, Duration_unit, Fee FROM Plan ORDER BY Plan_ID")
                    == [
                        "Netflix Standard with ads month 7.990000", "Netflix Standard with ads year 69.900000",
                        "Testflix Standard with ads month 1.000000",
                    ])
        }
    }

    @Test func plansThatAreNotSoldAnyMoreAreReportedAndStay() async throws {
        try await ImportDatabase.lease { database in
            try await database.load(try .of("2023-01-07", Self.january))
            try await database.database.run(
                "UPDATE Plan SET Withdrawn_on = '2023-06-01' WHERE Country_ID = 'JP'")
            let report = try #require(
                try await database.load(
                    try .of(
                        "2024-01-01",
                        ["US USD": ["basic": "null", "standard": "15.49"], "JP JPY": ["premium": "2290"]])
                ).first)
            #expect(report.missing == [.init(country: "KW", plan: "basic"), .init(country: "US", plan: "basic")])
            #expect(report.withdrawn == [.init(country: "JP", plan: "premium")])
            #expect(report.description.contains("\n  in the catalogue, not in the file: basic: KW US"))
            #expect(try await database.rows("SELECT COUNT(*) FROM Plan WHERE Withdrawn_on IS NULL") == ["3"])
            // In a file of a day on which they were not known yet they are not missing.
            let older = try await database.load(try .of("2022-01-01", ["US USD": ["standard": "13.99"]]))
            #expect(older.map(\.missing) == [[]])
        }
    }

    @Test func severalFilesAreLoadedByDay() async throws {
        try await ImportDatabase.lease { database in
            let reports = try await database.load(
                try .of("2025-01-01", ["US USD": ["basic": "13.99"]]),
                try .of("2024-01-01", ["US USD": ["basic": "11.99"]]))
            #expect(reports.map(\.effectiveOn.description) == ["2024-01-01", "2025-01-01"])
            #expect(reports.map { [$0.new, $0.changed] } == [[1, 0], [0, 1]])
        }
    }

    /// The database refuses a row in the middle: the countries before are there, that one is not touched, and the rest
    /// comes when it is run again.
    @Test func aFailureInTheMiddleLeavesWholeCountriesAndCanBeFinished() async throws {
        try await ImportDatabase.lease { database in
            try await database.database.run(
                """
                DELIMITER //
                CREATE TRIGGER Refuse BEFORE INSERT ON Plan FOR EACH ROW FOLLOWS Plan_before_insert
                IF NEW.Country_ID = 'KW' AND NEW.Plan_name = 'z' THEN SIGNAL SQLSTATE '45000'; END IF//
                """)
            let snapshot = try PriceSnapshot.of(
                "2024-01-01", ["US USD": ["a": "1"], "KW KWD": ["a": "1", "z": "1"], "JP JPY": ["a": "1"]])
            let failure = await #expect(throws: CatalogueImportFailure.self) { try await database.load(snapshot) }
            #expect(failure?.description.contains("KW: nothing was changed there") == true)
            #expect(failure?.description.contains("1 of 3 countries done") == true)
            #expect(try await database.rows("SELECT Country_ID, Plan_name FROM Plan") == ["JP a"])
            #expect(try await database.versions().contains { $0.hasPrefix("434B57") } == false)

            try await database.database.run("DROP TRIGGER Refuse")
            let report = try await database.load(snapshot)
            #expect(report.map { [$0.new, $0.unchanged] } == [[3, 1]])
        }
    }

    @Test func twoAdminsAtOnce() async throws {
        try await ImportDatabase.lease { database in
            let codes = try await database.rows("SELECT Country_ID FROM Country ORDER BY 1 LIMIT 40")
            let entries = codes.map { code in
                #"{"country_code": "\#(code)", "currency": "USD", "plans": "#
                    + #"[{"name": "a", "price": 1}, {"name": "b", "price": 2}]}"#
            }
            let snapshot = try PriceSnapshot.json("2024-01-01", "[\(entries.joined(separator: ","))]")
            async let one = database.load(snapshot)
            async let other = database.load(snapshot)
            let reports = try await one + other
            #expect(reports.map(\.new).reduce(0, +) == 80)
            #expect(reports.map(\.unchanged).reduce(0, +) == 80)
            #expect(
                try await database.rows("SELECT DISTINCT Ver FROM Scope WHERE HEX(Scope_ID) LIKE '43%00'") == ["2"])
        }
    }

    @Test func aTenantMustBeThereAndPrepared() async throws {
        try await TestDatabase.lease { control in
            try await control.withClient { client in
                let migrator = Migrator(client: client, logger: .init(label: "quiet"))
                try await migrator.migrate(.init(control.name), to: .control)
                let error = await #expect(throws: SettingsError.self) {
                    _ = try await TenantDatabase(finding: "none", control: control.name) { _ in client }
                }
                #expect(error?.description == "there is no tenant \"none\"")
                // A tenant whose database is not there, and one whose database is not complete.
                try await control.run(
                    """
                    INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at)
                    VALUES ('gone', 'no_such_database', '', '2024-01-01'), ('bare', '\(control.name)', '', '2024-01-01')
                    """)
                for tenant in ["gone", "bare"] {
                    await #expect(throws: CatalogueUnprepared.self, "\(tenant)") {
                        _ = try await TenantDatabase(finding: tenant, control: control.name) { _ in client }
                    }
                }
            }
        }
    }
}
