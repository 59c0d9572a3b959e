import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackKit

/// Files of other programs.
@Suite("Imports")
struct ImportTests {
    private func taken(
        _ text: String, currency: String? = nil, country: String? = nil
    ) throws -> (report: ImportReport, list: [Subscription]) {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let kit = try Kit(
            .init(
                server: "http://127.0.0.1:9", folder: folder, deviceName: "x", country: country, timeZone: "UTC",
                tokens: MemoryTokenStore(), clock: { Instant("2026-02-10T12:00:00Z") ?? Instant(secondsSince1970: 0) }))
        let report = try kit.importFile(Data(text.utf8), currency: currency)
        return (report, try kit.subscriptions().map(\.subscription))
    }

    @Test("Wallos: names, cycles, signs of currencies, and what is disabled is left out")
    func wallos() throws {
        let (report, list) = try taken(
            """
            {"success": true, "subscriptions": [
              {"Name": "Streaming", "Payment Cycle": "Monthly", "Next Payment": "2026-03-15", "Renewal": "Automatic",
               "Category": "Video", "Payment Method": "Card", "Paid By": "Ada", "Price": "$15.99", "Notes": "with Bob",
               "URL": "https://example.org", "State": "Enabled", "Notifications": "Enabled", "Cancellation Date": null,
               "Active": "Yes"},
              {"Name": "Backup", "Payment Cycle": "Every 3 Months", "Next Payment": "2026-04-01", "Renewal": "Manual",
               "Category": "Cloud", "Price": "€59,99", "Active": "Yes"},
              {"Name": "Old", "Payment Cycle": "Yearly", "Price": "£1,299.00", "Active": "No"},
              {"Name": "", "Payment Cycle": "Monthly", "Price": "$1", "Active": "Yes"},
              {"Name": "Odd", "Payment Cycle": "now and then", "Price": "$1", "Active": "Yes"}
            ]}
            """, country: "US")
        #expect(report.added == ["Streaming", "Backup"])
        #expect(report.faults.count == 3)
        #expect(list.map(\.endDate) == [day("2026-03-15"), day("2026-04-01")])
        #expect(list.map(\.fee) == [amount("15.99"), amount("59.99")])
        #expect(list.map(\.currency) == ["USD", "EUR"])
        #expect(list.map(\.autoRenew) == [true, false])
        #expect(list.map(\.plan.duration) == [.init(value: 1, unit: .month), .init(value: 3, unit: .month)])
        #expect(list.map(\.plan.category) == ["Video", "Cloud"])
        #expect(list.first?.note == "with Bob")
    }

    @Test("SubTrackr: its table and its JSON")
    func subTrackr() throws {
        let table = """
            ID,Name,Category,Cost,Schedule,Status,Payment Method,Account,Start Date,Renewal Date,Cancellation Date,URL,Notes,Usage,Created At
            1,"News, daily",Reading,12.50,Annual,Active,Card,,2025-05-31,2026-05-31,,https://example.org,,High,2025-05-31 10:00:00
            2,Gone,Reading,1.00,Monthly,Cancelled,Card,,2025-05-31,,2025-06-30,,,High,2025-05-31 10:00:00
            """
        // It does not say which currency it is.
        #expect(try taken(table).report.added == [])
        let (report, list) = try taken(table, currency: "CHF")
        #expect(report.added == ["News, daily"])
        #expect(list.map(\.endDate) == [day("2026-05-31")])
        #expect(list.map(\.currency) == ["CHF"])
        #expect(list.map(\.plan.duration.unit) == [.year])
        let (_, others) = try taken(
            """
            {"exported_at": "2026-02-10T10:00:00Z", "total_count": 1, "subscriptions": [{"id": 1, "name": "Cloud", "cost": 9.99,
             "original_currency": "EUR", "schedule": "Quarterly", "status": "Trial", "category_id": 2,
             "category": {"id": 2, "name": "Storage"}, "start_date": "2026-01-31T00:00:00Z",
             "renewal_date": "2026-04-30T00:00:00Z", "cancellation_date": null, "notes": "shared"}]}
            """)
        #expect(others.map(\.plan.fee) == [amount("9.99")])
        #expect(others.map(\.freeTrial) == [true])
        #expect(others.map(\.plan.category) == ["Storage"])
        #expect(others.map(\.endDate) == [day("2026-04-30")])
    }

    @Test(
        "Numbers as people in several countries write them",
        arguments: [
            ("$15.99", "15.99"), ("15,99 €", "15.99"), ("1.299,00 €", "1299.00"), ("1,299.00", "1299.00"),
            ("1,299", "1299"),
            ("12", "12"), ("0,5", "0.5"), ("1 299,00", "1299.00"), ("1'299.5", "1299.5"), ("1.299.000,5", "1299000.5"),
        ])
    func numbers(_ text: String, _ expected: String) {
        #expect(ImportedRow.amount(text) == amount(expected))
    }

    @Test(
        "What is no single number is none",
        arguments: ["", "free", "-5", "(5)", "9,99,99", "5 or 6", "12 34", "1.2.3,4,5"])
    func noNumbers(_ text: String) {
        #expect(ImportedRow.amount(text) == nil)
    }

    @Test("Tables with other separators, quotes and ends of lines")
    func tables() throws {
        #expect(
            CSVText.lines("\u{FEFF}a;b\r\n\"x;\"\"y\"\"\";2\n\n\"two\nlines\";3")
                == [
                    .init(number: 1, fields: ["a", "b"]), .init(number: 2, fields: ["x;\"y\"", "2"]),
                    .init(number: 4, fields: ["two\nlines", "3"]),
                ])
        let (report, list) = try taken(
            "name\tprice\tcurrency\tcycle\tstart_date\nGym\t29.90\tEUR\t2 weeks\t2026-02-01\n")
        #expect(report.added == ["Gym"])
        #expect(list.map(\.endDate) == [day("2026-02-15")])
    }

    @Test(
        "A file of no known form adds nothing and says so",
        arguments: ["", "hello", "{}", "{\"a\": [}", "null", "{\"subscriptions\": 3}"])
    func nonsense(_ text: String) throws {
        #expect {
            _ = try taken(text)
        } throws: { error in
            guard case KitError.invalid("", let message) = error else { return false }
            return message.hasPrefix("the file ")
        }
        #expect(try taken("[1, {\"name\": \"x\"}]").report.faults.count == 2)
    }

    @Test(
        "An export of a newer version, and one that was changed, are told and not taken for another program's file",
        arguments: [
            (#"{"format":"subtrack","version":2,"subscriptions":[{"name":"x","price":"1 USD"}]}"#, "newer version"),
            (#"{"format":"subtrack","version":1,"subscriptions":[{"name":"x","price":"1 USD"}]}"#, "was changed"),
        ])
    func oddExports(_ text: String, _ expected: String) throws {
        #expect {
            _ = try taken(text)
        } throws: { error in
            "\(error)".contains(expected)
        }
    }

    @Test("A file that is too large is not read")
    func tooLarge() throws {
        let text = "name,price\n" + String(repeating: "x", count: Kit.maximumImport)
        #expect {
            _ = try taken(text)
        } throws: { error in
            "\(error)".contains("larger than 32 MiB")
        }
    }

    @Test("A row that cannot be read is told with its line, and all others are added")
    func badRows() throws {
        let (report, list) = try taken(
            """
            name,price,currency,cycle,next_renewal,note
            Good,9.99,USD,month,2026-03-15,first

            Odd day,9.99,USD,month,03/15/2026,
            "Two
            lines",9.99,USD,month,2026-03-15,
            Odd amount,5 or 6,USD,month,2026-03-15,
            Negative,-5,USD,month,2026-03-15,
            Odd money,9.99,dollars,month,2026-03-15,
            Too long,9.99,USD,month,2026-03-15,\(String(repeating: "x", count: 1001))
            Much,9.99,USD,month,2026-03-15,,and more
            Late,9.99,USD,month,0999-01-01,
            Also good,1,EUR,2 weeks,2026-02-20T10:00:00Z,last
            Open,1,EUR,month,2026-02-20,"never closed
            Lost,1,EUR,month,2026-02-20,
            """)
        #expect(report.added == ["Good", "Also good"])
        #expect(Set(list.map(\.plan.provider)) == ["Good", "Also good"])
        let places = report.faults.map { $0.split(separator: ",").first.map(String.init) ?? "" }
        #expect(places == [4, 5, 7, 8, 9, 10, 11, 12, 14].map { "line \($0)" })
        #expect(report.faults[0].contains("\"03/15/2026\" is no day such as 2026-01-31"))
        #expect(report.faults[4].contains("\"dollars\" is no currency"))
        #expect(report.faults.last?.contains("never closed") == true)
    }

    @Test("Two like contracts stay two, and are known when the file comes again")
    func likeContracts() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let kit = try Kit(
            .init(
                server: "http://127.0.0.1:9", folder: folder, deviceName: "x", timeZone: "UTC",
                tokens: MemoryTokenStore()))
        let file = Data("name,price,currency,cycle\nSIM,10,EUR,month\nSIM,10,EUR,month\n".utf8)
        #expect(try kit.importFile(file, isTrial: true).added == ["SIM", "SIM"])
        #expect(try kit.subscriptions().isEmpty)
        #expect(try kit.importFile(file).added == ["SIM", "SIM"])
        let again = try kit.importFile(file)
        #expect(again.added.isEmpty && again.known == 2)
        let more = try kit.importFile(
            Data("name,price,currency,cycle\nSIM,10,EUR,month\nSIM,10,EUR,month\nSIM,10,EUR,month\n".utf8))
        #expect(more.known == 2 && more.added == ["SIM"])
    }

    @Test(
        "A sign means the currency that it has, the country's where several have it, and none where that cannot be told",
        arguments: [
            ("R$ 9", nil, "US", "BRL"), ("9 US$", nil, "CA", "USD"), ("$9", nil, "CA", "CAD"), ("$9", nil, "DE", nil),
            ("$9", "AUD", "DE", "AUD"), ("$9", "EUR", "DE", nil), ("9 kr.", nil, "NO", "NOK"), ("9 kr", nil, "US", nil),
            ("¥900", nil, "JP", "JPY"), ("$9 CAD", nil, "US", "CAD"), ("9,00 zł", nil, "PL", "PLN"),
            ("CHF 9", nil, "US", "CHF"), ("9 Quatloos", "USD", "US", nil), ("9", "USD", "US", "USD"),
            ("9", nil, "US", nil),
        ])
    func currencies(_ price: String, _ standard: String?, _ country: String, _ expected: String?) throws {
        let (report, list) = try taken(
            "name;price;cycle\nAny;\(price);month\n", currency: standard, country: country)
        #expect(list.map(\.currency) == (expected.map { [$0] } ?? []))
        #expect(report.faults.count == (expected == nil ? 1 : 0))
    }

    @Test("The 31st stays the 31st, and what began years ago is in its present period")
    func monthEnds() throws {
        let (report, list) = try taken(
            """
            name,price,currency,cycle,start_date,next_renewal
            A,1,EUR,month,2025-01-31,2026-02-28
            B,1,EUR,month,2025-12-31,2026-04-30
            C,1,EUR,month,2019-10-31,
            D,1,EUR,month,2025-01-15,2026-02-28
            E,1,EUR,2 years,2024-02-29,
            """)
        #expect(report.faults == [])
        let held = Dictionary(uniqueKeysWithValues: list.map { ($0.plan.provider, $0) })
        #expect(held["A"]?.startDate == day("2026-01-31") && held["A"]?.endDate == day("2026-02-28"))
        #expect(held["B"]?.endDate == day("2026-04-30"))
        #expect(held["C"]?.startDate == day("2026-01-31") && held["C"]?.endDate == day("2026-02-28"))
        #expect(held["D"]?.endDate == day("2026-02-28"))
        #expect(held["E"]?.endDate == day("2026-02-28"))
    }

    @Test("An export that is imported keeps the day of the month of what ends in February")
    func ownExport() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        func kit(_ name: String) throws -> Kit {
            try Kit(
                .init(
                    server: "http://127.0.0.1:9", folder: folder.appendingPathComponent(name), deviceName: "x",
                    timeZone: "UTC", tokens: MemoryTokenStore(),
                    clock: { Instant("2026-02-10T12:00:00Z") ?? Instant(secondsSince1970: 0) }))
        }
        let (one, other) = (try kit("one"), try kit("other"))
        try one.add(
            CreateSubscription(
                plan: PrivatePlan(
                    provider: "Gym", name: "Standard", fee: amount("20"), currency: "USD",
                    duration: .init(value: 1, unit: .month)), startDate: day("2026-01-31"), autoRenew: true))
        #expect(try other.importFile(JSONEncoder().encode(one.export())).added == ["Gym Standard"])
        let id = try #require(try other.subscriptions().first?.id)
        try other.renew(id)
        #expect(try other.subscriptions().map(\.subscription.endDate) == [day("2026-03-31")])
    }
}
