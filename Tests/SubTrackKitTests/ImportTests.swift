import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit

/// Files of other programs.
@Suite("Imports", .tags(.everyDay), .ownTime)
struct ImportTests {
    @Test("Wallos: names, cycles, signs of currencies, and disabled ones are kept as cancelled")
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
              {"Name": "Old", "Payment Cycle": "Yearly", "Next Payment": "2025-06-01", "Renewal": "Automatic",
               "Price": "£1,299.00", "State": "Disabled", "Active": "No"},
              {"Name": "Leaving", "Payment Cycle": "Monthly", "Next Payment": "2026-04-02", "Price": "$5", "Active": "Yes",
               "Cancellation Date": "2026-03-01"},
              {"Name": "", "Payment Cycle": "Monthly", "Price": "$1", "Active": "Yes"},
              {"Name": "Odd", "Payment Cycle": "now and then", "Price": "$1", "Active": "Yes"}
            ]}
            """, country: "US")
        #expect(report.added == ["Streaming", "Backup", "Old", "Leaving"])
        #expect(report.faults.count == 2)
        #expect(list.map(\.plan.provider) == ["Old", "Streaming", "Backup", "Leaving"])
        #expect(
            list.map(\.endDate) == [day("2025-06-01"), day("2026-03-15"), day("2026-04-01"), day("2026-04-02")])
        #expect(list.map(\.status) == [.ended, .active, .active, .active])
        #expect(list.map(\.fee) == [amount("1299.00"), amount("15.99"), amount("59.99"), amount("5.00")])
        #expect(list.map(\.currency) == ["GBP", "USD", "EUR", "USD"])
        #expect(list.map(\.autoRenew) == [true, true, false, false])
        #expect(list[1].plan.duration == .init(value: 1, unit: .month))
        #expect(list[2].plan.duration == .init(value: 3, unit: .month))
        #expect(list.map(\.plan.category) == ["Other", "Video", "Cloud", "Other"])
        #expect(list[1].note == "with Bob")
        // To Wallos that is a day on which to be told, not one on which it was cancelled.
        #expect(report.remarks.contains { $0.contains("Leaving") && $0.contains("2026-03-01") })
    }

    /// Two entries as the API of Wallos gives them: a number for the unit of the cycle, how many of them, and one for the currency.
    private static func api(_ currencies: [Int]) -> String {
        """
        {"success": true, "title": "subscriptions", "subscriptions": [
          {"id": 1, "name": "Backup", "price": 10.00, "currency_id": \(currencies[0]), "start_date": "2025-12-15",
           "next_payment": "2026-03-15", "cycle": 3, "frequency": 3, "auto_renew": 1, "notes": "", "category_id": 1,
           "notify": 1, "inactive": 0, "notify_days_before": 10, "cancellation_date": "", "category_name": "Cloud"},
          {"id": 2, "name": "News", "price": 4.5, "currency_id": \(currencies[1]), "start_date": "2025-02-01",
           "next_payment": "2026-03-01", "cycle": 2, "frequency": 1, "auto_renew": 0, "notes": "x", "category_id": 2,
           "notify": 0, "inactive": 1, "notify_days_before": 3, "cancellation_date": null, "category_name": "Reading"},
          {"id": 3, "name": "Odd", "price": 1, "currency_id": \(currencies[0]), "next_payment": "2026-03-01", "cycle": 7,
           "frequency": 1, "inactive": 0}
        ], "notes": []}
        """
    }

    @Test(
        "The API of Wallos: numbers for cycles and states; numbers for currencies are asked for where there are several"
    )
    func wallosAPI() throws {
        let (report, list) = try taken(Self.api([1, 1]), currency: "EUR")
        #expect(report.added == ["Backup", "News"] && report.faults.count == 1)
        #expect(report.faults.first?.contains("cycle 7 with frequency 1") == true)
        #expect(list.map(\.plan.provider) == ["News", "Backup"])
        #expect(list.map(\.plan.duration) == [.init(value: 1, unit: .week), .init(value: 3, unit: .month)])
        #expect(list.map(\.status) == [.cancelled, .active] && list.map(\.autoRenew) == [false, true])
        #expect(list.map(\.reminderDays) == [nil, 10] && list.map(\.plan.category) == ["Reading", "Cloud"])
        #expect(list.map(\.startDate) == [day("2026-02-22"), day("2025-12-15")])
        let unsure = try taken(Self.api([1, 2]), currency: "EUR").report
        #expect(unsure.added == [] && unsure.faults.contains { $0.contains("--currency 2=USD") })
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let kit = try Kit(
            .init(
                server: "http://127.0.0.1:9", folder: folder, deviceName: "x", timeZone: "UTC",
                tokens: MemoryTokenStore(), clock: { Instant("2026-02-10T12:00:00Z") ?? Instant(secondsSince1970: 0) }))
        let told = try kit.importFile(Data(Self.api([1, 2]).utf8), numbered: ["1": "EUR", "2": "USD"])
        #expect(told.added == ["Backup", "News"])
        #expect(try Set(kit.subscriptions().map(\.subscription.currency)) == ["EUR", "USD"])
    }

    @Test(
        "A row with provider, plan, price, currency and cycle of one plan of the catalogue gets it; others get one of their own"
    )
    func catalogue() throws {
        func plan(
            _ id: Int64, _ name: String, _ fee: String, type: String = "Standard", unit: PlanDuration.Unit = .month
        ) -> Plan {
            Plan(
                id: id, provider: "Film+ Box", name: name, type: type, category: "Video", country: "US",
                fee: amount(fee),
                currency: "USD", duration: .init(value: unit == .year ? 1 : 1, unit: unit), trialDays: nil,
                noticeDays: 0,
                withdrawn: false, private: false)
        }
        let match = CatalogueMatch([
            plan(1, "Basic", "5.00"), plan(2, "Premium", "9.00"), plan(3, "Premium", "9.00", type: "Student"),
            plan(4, "Basic", "50.00", unit: .year), plan(5, "Large", "7.00"), plan(6, "Wide", "7.00"),
        ])
        func found(
            _ provider: String, _ name: String?, _ fee: String,
            _ duration: PlanDuration = .init(value: 1, unit: .month),
            currency: String = "USD"
        ) -> [Int64] {
            let row = PrivatePlan(
                provider: provider, name: name ?? "Standard", fee: amount(fee), currency: currency, duration: duration)
            return switch match.match(row, namesPlan: name != nil) {
            case .none: []
            case .one(let plan): [plan.id]
            case .several(let plans): plans.map(\.id)
            }
        }
        #expect(found("film plus box", "basic", "5") == [1] && found("Film+ Box Basic", nil, "5.00") == [1])
        #expect(found("Film+ Box", nil, "5.00") == [1])
        #expect(found("Film+ Box", "Basic", "5.50") == [] && found("Film+ Box", "Basic", "5", currency: "EUR") == [])
        #expect(found("Film+ Box", "Premium", "9") == [2, 3] && found("Film+ Box", "Premium Student", "9") == [3])
        #expect(found("Film+ Box", "Basic", "50", .init(value: 12, unit: .month)) == [4])
        #expect(found("Film+ Box", nil, "7") == [5, 6] && found("Film+ Box", "Other", "7") == [])
        #expect(found("Box", nil, "5") == [])
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
        #expect(report.added == ["News, daily", "Gone"])
        #expect(list.map(\.endDate) == [day("2025-06-30"), day("2026-05-31")])
        #expect(list.map(\.status) == [.ended, .active])
        #expect(list.map(\.currency) == ["CHF", "CHF"])
        #expect(list.map(\.plan.duration.unit) == [.month, .year])
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
}
