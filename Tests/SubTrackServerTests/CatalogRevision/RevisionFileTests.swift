import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

/// Reading files of plans and of rates, the broken ones included.
@Suite("Files of plans and rates", .ownTime)
struct RevisionFileTests {
    private func rows(_ text: String, _ format: RevisionFile.Format = .csv, provider: String? = nil) async throws
        -> [String]
    {
        let file = try RevisionFile(name: "plans", format: format, bytes: Array(text.utf8))
        var rows: [String] = []
        try await file.forEachRow(provider: provider, category: "Video", day: day("2026-01-31")) { row in
            let values = zip(StagedRow.columns, row.values).compactMap { name, value in
                value.map { "\(name)=\(String(decoding: $0, as: UTF8.self))" }
            }
            rows.append("\(row.line): \(values.joined(separator: " "))")
        }
        return rows
    }

    /// A line of names with all that are needed.
    private static let head = "Country_ID,Provider,Plan_name,Fee,Duration_value,Duration_unit"
    private static let line = "US,Acme,Basic,1,1,month"

    private func fault(_ text: String, _ format: RevisionFile.Format = .csv) async -> String? {
        do {
            _ = try await rows(text, format)
        } catch {
            return "\(error)"
        }
        return nil
    }

    @Test("CSV: quotes, commas and line feeds in them, CRLF, a byte order mark, an empty line, no line feed at the end")
    func csv() async throws {
        let found = try await rows(
            "\u{FEFF}Country_ID, plan_name ,Fee,provider,duration_value,Duration_unit\r\n"
                + "US,\"a \"\"b\"\", c\",1,,,\r\n\r\nDE,\"x\ny\",2,,,\r\nJP,,3,,,")
        #expect(
            found == [
                "2: Country_ID=US Provider= Plan_name=a \"b\", c Fee=1 Duration_value= Duration_unit=",
                "4: Country_ID=DE Provider= Plan_name=x\ny Fee=2 Duration_value= Duration_unit=",
                "6: Country_ID=JP Provider= Plan_name= Fee=3 Duration_value= Duration_unit=",
            ])
        let old = try await rows("\(Self.head)\rUS,a,b,1,1,month\rDE,\"c\rd\",e,2,1,month\rJP,f,g,3,1,month")
        #expect(old.map { $0.prefix(17) } == ["2: Country_ID=US ", "3: Country_ID=DE ", "5: Country_ID=JP "])
    }

    @Test("What is no table is refused with the line")
    func faults() async throws {
        #expect(await fault("") == "plans: there is nothing in it; name the columns in the first line")
        #expect(
            await fault("\(Self.head)\nUS")?.hasPrefix("plans:2: row 1: 1 field where the first line names 6; ") == true
        )
        #expect(
            await fault("\(Self.head)\n\(Self.line)\n\"2")?.hasPrefix(
                "plans:3: a quote is opened here and never closed; ") == true)
        #expect(
            await fault("\(Self.head),fee\n") == "plans:1: the first line names a column twice: fee; remove one of them"
        )
        #expect(
            await fault("\(Self.head),Colour\n")?.hasPrefix(
                "plans:1: the first line must name columns; this is none: Colour; there are Country_ID, ") == true)
        #expect(
            await fault("Country_ID,Provider,Plan_name,Withdrawn_on,Duration_value\n")
                == "plans:1: the first line does not name Duration_unit; add that column")
        #expect(await fault("{}", .json)?.hasPrefix("plans: it must be a list of plans, is an object; ") == true)
        #expect(await fault("[{\"Fee\": 1},\n{]", .json)?.hasPrefix("plans:2: it is not JSON") == true)
        #expect(
            await fault("[{\"Colour\": 1}]", .json)?.hasPrefix("plans:1: row 1: there is no column Colour; there are ")
                == true)
        #expect(
            await fault("[{\"Fee\": true}]", .json) == "plans:1: row 1: Fee: it is a boolean; write a text or a number")
        #expect(throws: RevisionFileFault.self) { try RevisionFile(name: "plans.xls", bytes: [UInt8]()) }
    }

    @Test(
        "A file that a program for tables wrote in its own way is told by its first line, with the way to one that is read",
        arguments: [
            (Array("Country_ID;Provider\nUS;Acme\n".utf8), "the columns are separated by semicolons"),
            (Array("Country_ID\tProvider\nUS\tAcme\n".utf8), "the columns are separated by tabs"),
            ([0xFF, 0xFE, 0x43, 0x00, 0x6F, 0x00], "the file is text in UTF-16"),
            ([0x43, 0x00, 0x6F, 0x00], "the file is text in UTF-16"),
            ([0x50, 0x4B, 0x03, 0x04, 0x14, 0x00], "the file is an archive, as workbooks are"),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1], "the file is a workbook"),
        ] as [([UInt8], String)])
    func foreign(bytes: [UInt8], reason: String) async throws {
        let file = try RevisionFile(name: "plans.csv", bytes: bytes)
        let found = await #expect(throws: RevisionFileFaults.self) {
            try await file.forEachRow(provider: nil, category: "", day: day("2026-01-31")) { _ in }
        }
        #expect(found?.faults.map(\.line) == [1] && found?.faults.first?.remedy != nil)
        #expect(found?.faults.first?.reason == reason)
        let rates = #expect(throws: RevisionFileFaults.self) { try RateFile(name: "rates.csv", bytes: bytes) }
        #expect(rates?.faults.map(\.line) == [1] && rates?.faults.first?.remedy != nil)
    }

    @Test("All faults of a file are collected, each with its line, up to a limit; rows behind a fault are read")
    func allFaults() async throws {
        let csv =
            await fault(
                "Country,Fee,Providr,Fee,Plan_name,Duration_value,Duration_unit\nUS,1,a,2,b,1,month\nDE\nFR,1\n")?
            .split(separator: "\n").map(String.init) ?? []
        #expect(csv.map { $0.prefix(8) } == ["plans:1:", "plans:1:", "plans:1:", "plans:3:", "plans:4:"], "\(csv)")
        #expect(csv.first?.hasSuffix("this is none: Country; did you mean Country_ID?") == true, "\(csv)")
        #expect(csv.dropFirst().first?.hasSuffix("did you mean Provider?") == true, "\(csv)")
        let json = """
            [{"Fee": 1},
             {"Fee": {"a,]": [1, 2]}}, {"Plan_nam": "\\"["},
             3,
             {"country_code": "DE"}]
            """
        #expect(
            await fault(json, .json) == """
                plans:2: row 2: Fee: it is an object; write a text or a number
                plans:2: row 3: there is no column Plan_nam; did you mean Plan_name?
                plans:3: row 4: it must be an object, is a whole number; write {"Country_ID": …}
                plans:4: row 5: Provider: it does not name the provider; give --provider
                """)
        let sql = """
            INSERT INTO Staged_plan (Fee, Plan_name) VALUES
            (1, 'a'), (1),
            (1, 'b;('), (NOW(), 'c'),
            (1, 2, 3);
            DROP TABLE Plan;
            INSERT INTO Staged_plan (Fee) VALUES ('
            """
        let found = await fault(sql, .sql)?.split(separator: "\n").map { $0.prefix(8) } ?? []
        #expect(found == ["plans:2:", "plans:3:", "plans:4:", "plans:5:", "plans:6:"], "\(found)")

        let lines = [Self.head, Self.line] + Array(repeating: "1,2", count: 1100) + [Self.line]
        let file = try RevisionFile(
            name: "plans", format: .csv, bytes: Array(lines.joined(separator: "\n").utf8))
        var count = 0
        do {
            try await file.forEachRow(provider: nil, category: "", day: day("2026-01-31")) { _ in count += 1 }
            Issue.record("it was taken")
        } catch let faults as RevisionFileFaults {
            #expect(faults.faults.count == 1000 && faults.isCut && count == 1)
        }
        let part = try RevisionFile(
            name: "plans", format: .csv, bytes: Array("\(Self.head)\n\(Self.line)\n1,2\n\(Self.line)\n".utf8))
        var read: [Int] = []
        do {
            try await part.forEachRow(provider: nil, category: "", day: day("2026-01-31")) { read.append($0.row) }
            Issue.record("it was taken")
        } catch let faults as RevisionFileFaults {
            #expect(faults.faults.map(\.row) == [2] && !faults.isCut && read == [1, 3])
        }
    }

    @Test(
        "SQL: rows of INSERT INTO Staged_plan, several to a statement, with comments, quotes and escapes as the client takes them"
    )
    func sql() async throws {
        let text = #"""
            -- a comment; with a semicolon
            INSERT INTO `Staged_plan` (Revision, Country_ID, plan_name, Fee) VALUES
            (@revision, 'US', 'a ''b'' \\ c\'', 1.50), /* two
            lines */ (@revision, "D""E", 0x63C3A9, NULL);
            insert into staged_plan(Fee) values ('x;y') # the end
            """#
        #expect(
            try await rows(text, .sql) == [
                #"3: Country_ID=US Plan_name=a 'b' \ c' Fee=1.50"#, #"4: Country_ID=D"E Plan_name=cé"#, "5: Fee=x;y",
            ])
    }

    @Test(
        "Nothing of a file of SQL is run: anything but rows for Staged_plan is refused, and said",
        arguments: [
            ("DELETE FROM Plan", 1, "something else: delete"),
            ("INSERT INTO Plan (Fee) VALUES (1)", 1, "something else"),
            ("INSERT INTO Staged_plan (Fee) VALUES (1);\nDROP TABLE Plan", 2, "something else: drop"),
            (
                "INSERT INTO Staged_plan (Fee) VALUES ((SELECT Password FROM Account LIMIT 1))", 1,
                "a text, a number or NULL"
            ),
            ("INSERT INTO Staged_plan (Fee) SELECT Password FROM Account", 1, "VALUES must follow"),
            ("INSERT INTO Staged_plan (Fee) VALUES (LOAD_FILE('/etc/passwd'))", 1, "a text, a number or NULL"),
            ("INSERT INTO Staged_plan (Fee) VALUES (1) ON DUPLICATE KEY UPDATE Fee = 2", 1, "a comma or a semicolon"),
            ("INSERT INTO Staged_plan (Fee) VALUES (@@version)", 1, "a text, a number or NULL"),
            ("INSERT INTO Staged_plan (Revision) VALUES ('other')", 1, "@revision"),
            ("INSERT INTO Staged_plan (Fee) VALUES (1, 2)", 1, "as many values"),
            ("INSERT INTO Staged_plan (Fee, fee) VALUES (1, 2)", 1, "named twice"),
            ("INSERT INTO Staged_plan (Password) VALUES (1)", 1, "there is no column Password"),
            ("INSERT INTO Staged_plan (Fee) VALUES /*! (1) */ (2)", 1, "executable comment"),
            ("INSERT INTO Staged_plan (Fee) VALUES\n('1", 2, "never closed"),
            ("INSERT INTO Staged_plan VALUES (1)", 1, "the columns in parentheses"),
            ("INSERT INTO Staged_plan (Fee) VALUES", 1, "the end of the file"),
            ("SET @revision = 'x'", 1, "something else: set"),
        ])
    func foreignSQL(_ text: String, line: Int, reason: String) async {
        let said = await fault(text, .sql)
        #expect(
            said?.hasPrefix("plans:\(line): ") == true && said?.contains(reason) == true, "\(text): \(said ?? "taken")")
    }

    @Test("JSON: members named as the columns, numbers digit for digit; and countries with plans")
    func json() async throws {
        #expect(
            try await rows(#"[{"country_id": "US", "Fee": 17.990, "Trial_days": null, "Duration_value": 1}]"#, .json)
                == ["1: Country_ID=US Fee=17.990 Duration_value=1"])
        // Null says that a plan is sold, a member that is left out says nothing.
        #expect(
            try await rows(#"[{"Country_ID": "US", "Withdrawn_on": null}, {"Country_ID": "US"}]"#, .json)
                == ["1: Country_ID=US Withdrawn_on=", "1: Country_ID=US"])
        let snapshot = #"""
            [{"country_code": "DE", "currency": "EUR", "plans": [{"name": "a", "price": 7.99}, {"name": "b", "price": null}]}]
            """#
        #expect(
            try await rows(snapshot, .json, provider: "N") == [
                "1: Country_ID=DE Provider=N Plan_name=a Fee=7.99 Currency_code=EUR Duration_value=1 Duration_unit=month "
                    + "Withdrawn_on= Category=Video",
                "1: Country_ID=DE Provider=N Plan_name=b Fee=none Currency_code=EUR Duration_value=1 Duration_unit=month "
                    + "Withdrawn_on=2026-01-31 Category=Video",
            ])
        #expect(await fault(snapshot, .json)?.contains("--provider") == true)
    }

    @Test("Rates of the European Central Bank as XML and as CSV, of one day and of several")
    func rates() throws {
        func read(_ text: String) throws -> [String] {
            try RateFile(name: "r", bytes: Array(text.utf8)).rates.map { "\($0.currency) \($0.on) \($0.perEuro)" }
        }
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"><gesmes:subject>Reference rates</gesmes:subject>
            <Cube><Cube time='2026-01-30'><Cube currency='USD' rate='1.0812'/><Cube rate="161.35" currency="JPY" />
            </Cube><Cube time="2026-01-29"><Cube currency='USD' rate='1.08'/></Cube></Cube></gesmes:Envelope>
            """
        #expect(try read(xml) == ["USD 2026-01-30 1.0812", "JPY 2026-01-30 161.35", "USD 2026-01-29 1.08"])
        #expect(
            try read("Date, USD, JPY, \n30 January 2026, 1.0812, 161.35, \n")
                == ["USD 2026-01-30 1.0812", "JPY 2026-01-30 161.35"])
        #expect(try read("Date,USD,CYP,\n2026-01-30,1.0812,N/A,") == ["USD 2026-01-30 1.0812"])
        for text in [
            "", "<html></html>", "Date,USD\n2026-02-30,1", "Date,USD\n2026-01-30,abc", "Date,USD\n2026-01-30,-1",
            "Date,USD\n2026-01-30,0", "Date,usd\n2026-01-30,1", "<Cube currency='USD' rate='1'/>",
            "<Cube time='today'/>", "a,b\n1,2",
        ] {
            #expect(throws: RevisionFileFaults.self, "\(text)") { try read(text) }
        }
    }

    @Test("All faults of a file of rates are told at once, each with its line and its currency")
    func rateFaults() {
        func faults(_ text: String) -> [String] {
            let found = #expect(throws: RevisionFileFaults.self) { try RateFile(name: "r", bytes: Array(text.utf8)) }
            return found?.faults.map(\.description) ?? []
        }
        let text = """
            Date,USD,jpy,EUR,
            2026-01-30,x,1,1,
            2026-02-30,-1,1,2,
            2026-01-29,1.08,1,N/A,,5
            2026-01-29,1.08,,,
            2026-01-29,1.09,,,
            """
        #expect(
            faults(text) == [
                "r:1: no code of a currency: jpy; write a code such as USD",
                "r:2: USD: no rate above 0 such as 1.0812: x; write digits and at most one point",
                "r:3: no day from 1970-01-02 to 2999-12-31: 2026-02-30; write a day such as 2026-01-30",
                "r:3: USD: no rate above 0 such as 1.0812: -1; write digits and at most one point",
                "r:3: EUR: rates are for one euro, which costs 1; remove it",
                "r:4: 6 fields where the first line names 5; remove the commas too many; decimals have a point",
                "r:6: USD: 2026-01-29 has two rates: 1.08 and 1.09; remove one of them",
            ])
        let xml = "<Cube currency='USD' rate='1'/>\n<Cube time='today'>\n<Cube currency='USD' rate='0'/></Cube>"
        #expect(faults(xml).map { $0.prefix(5) } == ["r:1: ", "r:2: ", "r:3: "])
    }

    @Test("A file of rates that was cut off is refused, wherever it was cut between its first and its last rate")
    func cutRates() throws {
        func fault(_ text: some StringProtocol) -> RevisionFileFault? {
            let found = #expect(throws: RevisionFileFaults.self, "\(text)") {
                try RateFile(name: "r", bytes: Array(text.utf8))
            }
            return found?.faults.last
        }
        let xml = """
            <gesmes:Envelope><!-- <Cube> --><gesmes:subject>Rates</gesmes:subject>
            <Cube><Cube time='2026-01-30'>
            <Cube currency='USD' rate='1.0812'/>
            <Cube currency='JPY' rate='161.35'/>
            </Cube></Cube></gesmes:Envelope>
            """
        #expect(try RateFile(name: "r", bytes: Array(xml.utf8)).rates.count == 2)
        for length in stride(from: xml.utf8.count - 1, to: 100, by: -1) {
            #expect(fault(xml.prefix(length)) != nil)
        }
        let cut = fault(xml.split(separator: "\n").prefix(3).joined(separator: "\n"))
        #expect(cut?.line == 3)
        #expect(cut?.reason == "it ends in the middle: <Cube> of line 2 is never closed")
        let csv = "Date,USD,JPY\n2026-01-30,1.0812,161.35\n2026-01-29,1.08"
        #expect(fault(csv)?.reason == "it ends in the middle: 2 fields where the first line names 3")
        let short = fault(csv + "\n")
        #expect(short?.line == 3)
        #expect(short?.reason == "2 fields where the first line names 3")
        // The comma at the end of the bank's lines names no column.
        let bank = "Date, USD, \n30 January 2026, 1.0812"
        #expect(fault(bank)?.reason.hasPrefix("it ends in the middle") == true)
        #expect(try RateFile(name: "r", bytes: Array((bank + "\n").utf8)).rates.count == 1)
    }

    @Test("A rate that is too large is told with the bound, and a day behind tomorrow by its name")
    func rateBounds() throws {
        func faults(_ text: String) -> [String] {
            let found = #expect(throws: RevisionFileFaults.self) {
                try RateFile(name: "r", bytes: Array(text.utf8), today: day("2026-01-30"))
            }
            return found?.faults.map(\.reason) ?? []
        }
        #expect(faults("Date,USD\n2026-01-30,99999999999999") == ["larger than 99999999999: 99999999999999"])
        #expect(faults("Date,USD\n2026-01-30,99999999999.5") == ["larger than 99999999999: 99999999999.5"])
        #expect(faults("Date,USD\n2026-02-01,1") == ["the day is in the future: 2026-02-01"])
        let tomorrow = Array("Date,USD\n2026-01-31,99999999999".utf8)
        #expect(try RateFile(name: "r", bytes: tomorrow, today: day("2026-01-30")).rates.count == 1)
    }

    @Test("Whatever is done to the bytes of a file, it is read or refused: nothing traps")
    func mutated() async throws {
        let texts = [
            "Country_ID,Fee\r\nUS,\"1\"\"2\"\n", "[{\"Fee\": 1, \"Plan_name\": \"a\"}]",
            "<Cube time='2026-01-30'><Cube currency='USD' rate='1'/>",
            "INSERT INTO Staged_plan (Revision, Fee) VALUES (@revision, 'a\\'b'), (@revision, 0x6162);",
        ]
        var random = SeededGenerator(seed: 7)
        for index in 0..<(TestStage.full ? 6_000 : 2_000) {
            var bytes = Array(texts[index % texts.count].utf8)
            for _ in 0..<3 {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] =
                    [UInt8(ascii: "\""), UInt8(ascii: ","), 0, 0xFF, UInt8(ascii: "'"), UInt8(ascii: "=")]
                    .randomElement(using: &random) ?? 0
            }
            _ = try? RateFile(name: "r", bytes: bytes)
            for format in RevisionFile.Format.allCases {
                let file = try RevisionFile(name: "x", format: format, bytes: bytes)
                try? await file.forEachRow(provider: "N", category: "", day: day("2026-01-31")) { _ in }
            }
        }
    }
}
