import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit

/// Files that say too little, or what makes no sense.
@Suite("Imports of faulty files", .ownTime)
struct ImportFaultTests {
    @Test(
        "Numbers as people in several countries write them",
        arguments: [
            ("$15.99", "15.99"), ("15,99 €", "15.99"), ("1.299,00 €", "1299.00"), ("1,299.00", "1299.00"),
            ("1,299,000", "1299000"), ("0,500", "0.5"), ("1234,567", "1234.567"), ("1.299", "1.299"),
            ("12", "12"), ("0,5", "0.5"), ("1 299,00", "1299.00"), ("1'299.5", "1299.5"), ("1.299.000,5", "1299000.5"),
        ])
    func numbers(_ text: String, _ expected: String) {
        #expect(ImportedRow.written(text, digits: 2) == .amount(amount(expected)))
    }

    @Test(
        "A separator with three digits behind it is guessed for no currency that has both amounts",
        arguments: [
            ("1,500", 2, nil), ("1,299", 2, nil), ("$1,500", 2, nil), ("1.500", 2, nil), ("1,500", 3, nil),
            ("1.500", 3, "1.5"), ("1,500", 0, "1500"), ("12,000", 0, "12000"),
        ] as [(String, Int, String?)])
    func ambiguous(_ text: String, _ digits: Int, _ expected: String?) {
        let written = ImportedRow.written(text, digits: digits)
        if let expected {
            #expect(written == .amount(amount(expected)))
        } else {
            #expect(written.fault(of: text)?.contains(" may be 1") == true, "\(written)")
        }
    }

    @Test(
        "What is no single number is none",
        arguments: ["", "free", "-5", "(5)", "9,99,99", "5 or 6", "12 34", "1.2.3,4,5"])
    func noNumbers(_ text: String) {
        #expect(ImportedRow.written(text, digits: 2) == .none)
    }

    @Test(
        "Each value that cannot be read is named with its line and the file's own name of its column, all of a row at once"
    )
    func badValues() throws {
        let (report, list) = try taken(
            """
            name,price,currency,cycle,next_renewal,start_date,State,Auto Renew,reminder_days,free_trial,notify,prize
            Bogus,9,USD,month,2026-03-15,,bogus,maybe,x,perhaps,,
            Far,9,USD,month,2026-03-15,,active,yes,400,,often,7
            Comma,"1,500",USD,month,2026-03-15,,,,,,,
            Ended,9,USD,month,,2024-01-05,ended,,,,,
            Over,9,USD,month,2025-12-05,2025-11-05,expired,no,3,no,1,
            Left,9,USD,month,,,paused,,,,,
            """, country: "US")
        #expect(report.added == ["Over", "Left"])
        #expect(list.map(\.status) == [.ended, .cancelled] && list[0].endDate == day("2025-12-05"))
        #expect(
            report.faults == [
                "line 2, Bogus: State: \"bogus\" is no status: write active, trial, cancelled, paused or ended; "
                    + "free_trial: \"perhaps\" is neither yes nor no; Auto Renew: \"maybe\" is neither yes nor no; "
                    + "reminder_days: \"x\" is no number of days from 0 to 365",
                "line 3, Far: notify: \"often\" is neither yes nor no",
                "line 4, Comma: price: \"1,500\" may be 1500 or 1.50; write 1500 or 1.50",
                "line 5, Ended: State: \"ended\" needs the day on which it ended, in next_renewal or cancelled_on",
            ], "\(report.faults)")
        #expect(report.remarks.contains("line 7, Left: the file does not say until when it lasts: 2026-02-10 is taken"))
        #expect(report.remarks.contains("not read: the column \"prize\""), "\(report.remarks)")
    }

    @Test("A changed export of this program is told with the place of the change")
    func changedExport() throws {
        let text = #"{"format":"subtrack","version":1,"day":"2026-01-01","subscriptions":[{"id":7}]}"#
        #expect {
            _ = try taken(text)
        } throws: { error in
            "\(error)".contains("no export of this program any more: entry 1, id")
        }
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
                tokens: MemoryTokenStore(), clock: { Instant("2026-02-10T12:00:00Z") ?? Instant(secondsSince1970: 0) }))
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
}
