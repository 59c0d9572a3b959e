import Foundation
import SubTrackSQL
import SubTrackTestSupport
import TestTraits
import Testing

/// The plain client in the ways in which admins have it: another character set, files to load, dumps.
@Suite("Plain client", .tags(.otherMariaDB), .ownTime)
struct ClientTests {
    @Test("a client that speaks latin1, on MariaDB")
    func latin1OnMariaDB() async throws { try await checkLatin1(.mariaDB) }

    @Test("a client that speaks latin1, on MySQL", .mySQL, .repeated)
    func latin1OnMySQL() async throws { try await checkLatin1(.mySQL) }

    @Test("LOAD DATA, on MariaDB")
    func loadDataOnMariaDB() async throws { try await checkLoadData(.mariaDB) }

    @Test("LOAD DATA, on MySQL", .mySQL, .repeated)
    func loadDataOnMySQL() async throws { try await checkLoadData(.mySQL) }

    /// Under `LC_ALL=C` the client takes what it reads for latin1, unless a file says otherwise.
    private func checkLatin1(_ server: TestServer) async throws {
        let data = ["reference/currencies.sql", "reference/countries.sql", "catalog/demo.sql"]
            .compactMap { SQLFiles.file($0) }
        #expect(data.count == 3)
        try await server.lease { database in
            for file in Schema.tenantFiles + data + data {
                try await Command.run(
                    "mariadb",
                    [
                        "--no-defaults", "--socket=\(database.socketPath)", "--user=\(database.user)", "--batch",
                        "--default-character-set=latin1", database.name,
                    ], environment: ["LC_ALL": "C", "LANG": "C"], input: file.text)
            }
            let output = try await database.run(
                """
                SELECT Country_name FROM Country WHERE Country_ID = 'AX';
                SELECT DISTINCT Provider, Plan_name FROM Plan WHERE Plan_name = '大会员' AND Duration_value = 1;
                SELECT COUNT(DISTINCT Plan_ID) >= 150, COUNT(DISTINCT Country_ID) >= 10 FROM Plan;
                SELECT COUNT(*) >= 40 FROM Provider;
                SELECT COUNT(*) = (SELECT MAX(Ver) FROM Scope WHERE Scope_ID = CAST('reference' AS BINARY(16)))
                FROM (SELECT Ver FROM Currency UNION ALL SELECT Ver FROM Country UNION ALL SELECT Ver FROM Provider) x;
                """)
            // The last: loading it all again took no version.
            #expect(output == "Åland Islands\nBilibili\t大会员\n1\t1\n1\n1\n")
            try await DerivedFacts.check(in: database)
        }
    }

    /// `LOAD DATA LOCAL` goes on after most errors and does not tell; what a trigger refuses stops it.
    private func checkLoadData(_ server: TestServer) async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        func load(_ lines: [String], _ statement: String, into database: TestDatabase) async throws -> String {
            let file = folder.appending(path: "rows.tsv").path
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
            return try await database.run(
                "LOAD DATA LOCAL INFILE '\(file)' INTO TABLE " + statement, arguments: ["--local-infile=1"])
        }
        let columns = "Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)"
        try await server.leaseTenant { database in
            _ = try await load(
                ["Hulu\tAds\t9.99\tUS\t1\tmonth", "Netflix\tStandard\t1.00\tUS\t1\tmonth"], columns, into: database)
            let after = try await database.run(
                """
                SELECT Plan_name, Fee, Currency_code FROM Plan WHERE Provider = 'Hulu';
                SELECT Fee FROM Plan WHERE Plan_ID = 1;
                SELECT MAX(p.Ver) = s.Ver FROM Plan p JOIN Scope s ON s.Scope_ID = CAST('CUS' AS BINARY(16))
                WHERE Country_ID = 'US' GROUP BY s.Ver;
                """)
            // The duplicate is left out in silence: it changed nothing and took no version.
            #expect(after == "Ads\t9.990000\tUSD\n15.490000\n1\n")

            for (row, message) in [
                ("Hulu\tLive\t1.999\tUS\t1\tmonth", "Plan.Fee: USD has 2 digits (Live): 1.999"),
                ("Hulu\tLive\t-5\tUS\t1\tmonth", "Plan.Fee: not between 0 and 99999999999 (Live): -5"),
                ("Hulu\tLive\t5\tUS\t1\tmonths", "Plan.Duration_unit: not day, week, month or year (Live)"),
                ("Hulu\tLive\t5\tQQ\t1\tmonth", "Plan.Country_ID: there is no such country: QQ"),
            ] {
                await #expect(throws: CommandFailure.self) {
                    do {
                        _ = try await load(["Hulu\tNew\t1\tUS\t1\tmonth", row], columns, into: database)
                    } catch let failure as CommandFailure {
                        #expect(failure.output.contains(message))
                        throw failure
                    }
                }
            }
            let none = try await database.run("SELECT COUNT(*) FROM Plan WHERE Plan_name IN ('New', 'Live')")
            #expect(none == "0\n")

            // By a table of text, everything shows.
            _ = try await load(
                ["Hulu\tLive\tabc", "Hulu\tMore\t5,99", "Hulu\tMost\t6.99"], "Staged (Provider, Plan_name, Fee)",
                into: try await staged(database))
            let bad = try await database.run(
                """
                SELECT Plan_name FROM Staged WHERE Fee NOT REGEXP '^[0-9]+([.][0-9]+)?$' ORDER BY Plan_name;
                DELETE FROM Staged WHERE Fee NOT REGEXP '^[0-9]+([.][0-9]+)?$';
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
                SELECT Provider, Plan_name, Fee, 'US', 1, 'month' FROM Staged;
                SELECT Plan_name, Fee FROM Plan WHERE Provider = 'Hulu' ORDER BY Plan_name;
                """)
            #expect(bad == "Live\nMore\nAds\t9.990000\nMost\t6.990000\n")
            try await DerivedFacts.check(in: database)
        }
    }

    private func staged(_ database: TestDatabase) async throws -> TestDatabase {
        try await database.run(
            """
            CREATE TABLE Staged (Provider VARCHAR(100), Plan_name VARCHAR(100), Fee VARCHAR(30))
            DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
            """)
        return database
    }

    @Test("a dump, read into another database, has rows, versions and triggers")
    func dump() async throws {
        try await TestServer.mariaDB.leaseTenant { database in
            try await database.run(
                """
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Note)
                VALUES (0x01900000000070008000000000000001, 1, '2027-01-31', 'é 🎬');
                UPDATE Subscription SET Start_date = End_date;
                """)
            let dump = try await Command.run(
                "mariadb-dump",
                [
                    "--no-defaults", "--socket=\(database.socketPath)", "--user=\(database.user)",
                    "--single-transaction", "--skip-lock-tables", "--hex-blob", database.name,
                ])
            let rows = """
                SELECT HEX(Subscription_ID), Start_date, End_date, Note, Ver, Ver_notes FROM Subscription;
                SELECT HEX(Subscription_ID), Period, Fee, Ver FROM Subscription_period;
                SELECT Plan_ID, Fee, Ver, Listed FROM Plan; SELECT HEX(Scope_ID), Ver FROM Scope; SELECT * FROM Provider;
                """
            let before = try await database.run(rows)
            try await TestServer.mariaDB.lease(prepare: { try await $0.run(dump) }) { restored in
                #expect(try await restored.run(rows) == before)
                let renewed = try await restored.run(
                    """
                    UPDATE Subscription_text SET Start_date = End_date WHERE Provider = 'Netflix';
                    SELECT Start_date, End_date, Ver FROM Subscription;
                    """)
                #expect(renewed == "2027-03-31\t2027-04-30\t4\n")
                try await DerivedFacts.check(in: restored)
            }
        }
    }
}
