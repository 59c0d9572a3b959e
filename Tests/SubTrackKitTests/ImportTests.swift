import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackKit

/// Files of other programs.
@Suite("Imports")
struct ImportTests {
    private func taken(
        _ text: String, currency: String? = nil
    ) throws -> (report: ImportReport, list: [Subscription]) {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let kit = try Kit(
            .init(
                server: "http://127.0.0.1:9", folder: folder, deviceName: "x", timeZone: "UTC",
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
            """)
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
            ("12", "12"), ("0,5", "0.5"),
        ])
    func numbers(_ text: String, _ expected: String) {
        #expect(ImportedRow.amount(text) == amount(expected))
    }

    @Test("Tables with other separators, quotes and ends of lines")
    func tables() throws {
        #expect(
            CSVText.rows("\u{FEFF}a;b\r\n\"x;\"\"y\"\"\";2\n\n\"two\nlines\";3")
                == [["a", "b"], ["x;\"y\"", "2"], ["two\nlines", "3"]])
        let (report, list) = try taken(
            "name\tprice\tcurrency\tcycle\tstart_date\nGym\t29.90\tEUR\t2 weeks\t2026-02-01\n")
        #expect(report.added == ["Gym"])
        #expect(list.map(\.endDate) == [day("2026-02-15")])
    }

    @Test(
        "A file of no known form adds nothing and says so",
        arguments: ["", "hello", "{}", "[1, 2]", "{\"a\": [}", "null"])
    func nonsense(_ text: String) throws {
        do {
            let (report, list) = try taken(text)
            #expect(report.added.isEmpty && list.isEmpty)
        } catch let error as KitError {
            guard case .invalid = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
