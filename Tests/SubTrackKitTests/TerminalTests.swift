import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackKit
@testable import enum subtrack.ImportTable
@testable import enum subtrack.PlanTableLines
@testable import enum subtrack.SpendingLines
@testable import enum subtrack.SubscriptionTable
@testable import struct subtrack.Show
@testable import struct subtrack.Table
@testable import struct subtrack.Terminal
@testable import struct subtrack.WatchFrame

/// What a terminal shows.
@Suite("Terminals", .tags(.everyDay), .ownTime)
struct TerminalTests {
    @Test(
        "Widths of texts are the columns that they take",
        arguments: [
            ("", 0), ("Netflix", 7), ("Café", 4), ("Cafe\u{301}", 4), ("日本", 4), ("한국", 4), ("ＡＢ", 4), ("❤️", 2),
            ("❤", 1),
            ("☀️☀️", 4), ("😀", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("1️⃣", 2), ("🌡", 1), ("🌡️", 2), ("a\u{200B}b", 2), ("「」", 4),
            ("…", 1),
        ])
    func widths(_ text: String, _ expected: Int) {
        #expect(Terminal.columns(text) == expected)
    }

    @Test("Lines of a table end at the same column, whatever is in them, and never beyond the terminal's")
    func tables() {
        let names = ["Netflix", "日本語のテレビ放送", "❤️❤️❤️❤️❤️❤️❤️", "👨‍👩‍👧 Familie und Freunde", "Cafe\u{301}"]
        for width in 20...60 {
            let terminal = Terminal(width: width, hasColours: false)
            var table = Table(columns: [
                .init(title: "NAME", minimum: 4), .init(title: "FEE", isNumber: true), .init(title: "NOTE", minimum: 3),
            ])
            table.rows = names.map { [.init($0), .init("9.99"), .init($0)] }
            let lines = table.lines(on: terminal)
            #expect(lines.allSatisfy { Terminal.columns($0) <= width }, "\(width)")
            let places = lines.map { line in
                line.range(of: "9.99").map { Terminal.columns(String(line[..<$0.lowerBound])) }
            }
            #expect(Set(places.dropFirst()).count == 1, "\(width)")
        }
    }

    @Test("Where there is no room for all columns some are left out whole, and nothing is wider than the terminal")
    func narrowTables() {
        var table = Table(columns: [
            .init(title: "NAME", minimum: 4), .init(title: "PLAN", minimum: 4, rank: 2),
            .init(title: "FEE", isNumber: true), .init(title: "DAY", rank: 1),
        ])
        table.rows = [[.init("Netflix"), .init("Premium"), .init("24.99 USD"), .init("2026-12-22")]]
        func shown(_ width: Int?) -> [String] { table.lines(on: Terminal(width: width, hasColours: false)) }
        #expect(shown(39).last == "Netflix  Premium  24.99 USD  2026-12-22")
        #expect(shown(35).last == "Netf…  Prem…  24.99 USD  2026-12-22")
        #expect(shown(30) == ["NAME           FEE  DAY", "Netflix  24.99 USD  2026-12-22"])
        #expect(shown(20) == ["NAME           FEE", "Netflix  24.99 USD"])
        for width in 1...40 { #expect(shown(width).allSatisfy { Terminal.columns($0) <= max(width, 4) }, "\(width)") }
        #expect(shown(nil) == shown(80))
    }

    @Test("What a watching terminal told of a conflict is still there when the list is drawn again")
    func keepsReports() {
        let terminal = Terminal(width: 40, hasColours: false)
        var frame = WatchFrame()
        frame.tell(["Changed elsewhere first: note"])
        frame.status = "in step, 3 received"
        frame.list = []
        let lines = frame.lines(on: terminal)
        #expect(lines.suffix(2) == ["Changed elsewhere first: note", "in step, 3 received"])
        for number in 0..<20 { frame.tell(["\u{1B}[2J\(number) \(String(repeating: "x", count: 60))"]) }
        let later = frame.lines(on: terminal)
        #expect(
            later.count == lines.count + 7 && later.allSatisfy { Terminal.columns($0) <= 40 && !$0.contains("\u{1B}") })
    }

    @Test(
        "What a watching terminal shows is no longer than the terminal: those that end first, and how many more there are"
    )
    func fitsTheHeight() throws {
        var frame = WatchFrame()
        frame.list = try (0..<30).map { number in
            let json = """
                {"subscription":{"id":"\(UUID().uuidString)","plan":{"id":1,"provider":"Gym \(number)","name":"Standard",\
                "type":"Standard","category":"Other","country":"US","fee":"1.00","currency":"USD",\
                "duration":{"value":1,"unit":"month"},"trialDays":null,"noticeDays":0,"withdrawn":false,"private":true},\
                "label":null,"startDate":"2026-01-01","endDate":"2026-02-01","remaining":1,"period":0,"fee":"1.00",\
                "currency":"USD","next":null,"freeTrial":false,"autoRenew":false,"status":"active","cancelBy":"2026-02-01",\
                "reminderDays":null,"note":null,"version":1},"isPending":false}
                """
            return try JSONDecoder().decode(TrackedSubscription.self, from: Data(json.utf8))
        }
        frame.tell(["Changed elsewhere first: note"])
        frame.status = "in step"
        for height in 1...40 {
            let lines = frame.lines(on: Terminal(width: 80, height: height, hasColours: false))
            #expect(lines.count == min(height, 34) && lines.last == "in step")
            guard (6..<34).contains(height) else { continue }
            #expect(lines[1].hasPrefix("Gym 0 ") && lines.contains("… and \(30 - (height - 5)) more"), "\(height)")
        }
    }

    /// A subscription with a plan of the catalogue, or one of the user's own.
    private func tracked(
        _ provider: String, _ plan: String = "Standard", isOwn: Bool = false, currency: String = "USD"
    ) throws -> TrackedSubscription {
        let json = """
            {"subscription":{"id":"\(UUID().uuidString)","plan":{"id":1,"provider":"\(provider)","name":"\(plan)",\
            "type":"Standard","category":"Other","country":"US","fee":"17.99","currency":"\(currency)",\
            "duration":{"value":1,"unit":"month"},"trialDays":null,"noticeDays":0,"withdrawn":false,"private":\(isOwn)},\
            "label":null,"startDate":"2026-01-31","endDate":"2026-02-28","remaining":18,"period":0,"fee":"17.99",\
            "currency":"\(currency)","next":null,"freeTrial":false,"autoRenew":true,"status":"active","cancelBy":"2026-02-28",\
            "reminderDays":null,"note":null,"version":1},"isPending":false}
            """
        return try JSONDecoder().decode(TrackedSubscription.self, from: Data(json.utf8))
    }

    @Test(
        "Rows of one provider differ on a terminal of any width, by their plans, and by their ids where all else is the same"
    )
    func rowsDiffer() throws {
        let list = [
            try tracked("Netflix", "Standard"), try tracked("Netflix", "Standard with ads"),
            try tracked("Mobile", "SIM"), try tracked("Mobile", "SIM"), try tracked("Gym", isOwn: true),
        ]
        for width in [32, 40, 60, 80, 120, nil] {
            let lines = SubscriptionTable.lines(list, on: Terminal(width: width, hasColours: false))
            #expect(Set(lines).count == lines.count, "\(lines.joined(separator: "\n"))")
            #expect(lines.allSatisfy { Terminal.columns($0) <= width ?? .max })
            #expect(lines.last?.contains("Standard") == false)
        }
    }

    /// Subscriptions with all that a list can show of them: labels, reminders, changes to come, every standing.
    private func rich() throws -> [TrackedSubscription] {
        func one(_ provider: String, _ change: (inout TrackedSubscription) -> Void) throws -> TrackedSubscription {
            var one = try tracked(provider, "Standard with ads and more")
            one.subscription.fee = amount("123456.78")
            change(&one)
            return one
        }
        return [
            try one("Streaming of films") { $0.subscription.reminderDays = 30 },
            try one("Streaming of films") {
                $0.subscription.label = "Everything that the children listen to"
                $0.subscription.plan.duration = .init(value: 2, unit: .month)
                $0.isPending = true
            },
            try one("Gym") {
                $0.subscription.next = .init(fee: amount("234567.89"), currency: "USD", on: day("2026-02-28"))
            },
            try one("Newspaper") {
                $0.subscription.status = .cancelled
                $0.isPending = true
            },
        ]
    }

    @Test(
        "Names are shortened first, then columns are left out: period, amount and day are whole",
        arguments: [60, 80, 120])
    func importantColumns(_ width: Int) throws {
        let terminal = Terminal(width: width, hasColours: false)
        let lines = SubscriptionTable.lines(try rich(), on: terminal)
        #expect(lines.allSatisfy { Terminal.columns($0) <= width }, "\(lines.joined(separator: "\n"))")
        for line in lines.dropFirst() {
            #expect(line.contains("123456.78") && line.contains("USD") && line.contains("2026-02-28"), "\(line)")
            #expect(line.contains(/\/( (2 )?month|2?m )/), "\(line)")
        }
        #expect(lines[3].contains("123456.78 → 234567.89 USD"))
        var usual = [try tracked("Netflix", "Standard with ads"), try tracked("Streaming of films")]
        usual[0].subscription.reminderDays = 30
        usual[1].subscription.remaining = -1
        let common = SubscriptionTable.lines(usual, on: terminal)
        #expect(width < 80 || common[0].contains("PLAN") && common[1].contains("30 days"), "\(common)")

        let plans = PlanTableLines.lines(try rich().map(\.subscription.plan), on: terminal)
        #expect(plans.dropFirst().allSatisfy { $0.contains("17.99 USD") && $0.contains("month") }, "\(plans)")
        let entries = try rich().map { ImportReport.Entry(subscription: $0.subscription, isOfCatalogue: true) }
        let imported = ImportTable.lines(entries, on: terminal)
        #expect(
            imported.dropFirst().allSatisfy {
                $0.contains("123456.78 USD") && $0.contains("month") && $0.contains("2026-02-28")
            }, "\(imported)")
    }

    /// Subscriptions as many people have them: a trial that becomes dear, one that is renewed by hand, one that runs out.
    private func usual() throws -> [TrackedSubscription] {
        var list = [
            try tracked("Netflix", "Standard with ads"), try tracked("Spotify", "Premium Family"),
            try tracked("Gym", isOwn: true), try tracked("Newspaper", "Daily"),
        ]
        list[0].subscription.freeTrial = true
        list[0].subscription.fee = amount("0.00")
        list[0].subscription.next = .init(fee: amount("17.99"), currency: "USD", on: day("2026-02-28"))
        list[0].subscription.remaining = 5
        list[1].subscription.label = "Music"
        list[1].subscription.reminderDays = 10
        list[2].subscription.autoRenew = false
        list[2].subscription.remaining = -2
        list[2].isPending = true
        list[3].subscription.status = .cancelled
        list[3].subscription.plan.duration = .init(value: 2, unit: .month)
        return list
    }

    @Test(
        "A narrow list leaves out the days first, then plans and reminders, and never a trial or a cancellation",
        arguments: [60, 80, 100, 120])
    func worthOfColumns(_ width: Int) throws {
        let terminal = Terminal(width: width, hasColours: false)
        let lines = SubscriptionTable.lines(try usual(), on: terminal)
        #expect(lines.allSatisfy { Terminal.columns($0) <= width }, "\(lines.joined(separator: "\n"))")
        #expect(lines.dropFirst().allSatisfy { $0.contains("17.99") && $0.contains("2026-02-28") }, "\(lines)")
        let states = ["due, trial, auto", "auto", "overdue ↑", "runs out"]
        #expect(zip(lines.dropFirst(), states).allSatisfy { $0.contains($1) }, "\(lines.joined(separator: "\n"))")
        let titles = lines[0]
        #expect(titles.contains("REMIND") == (width >= 80) && titles.contains("PLAN") == (width >= 100), "\(titles)")
        #expect(titles.contains("DAYS") == (width >= 100), "\(titles)")

        // Two plans of one provider come before the reminder.
        var alike = [try tracked("Netflix", "Standard"), try tracked("Netflix", "Standard with ads")]
        alike[0].subscription.reminderDays = 30
        alike[1].subscription.freeTrial = true
        alike[1].subscription.remaining = 5
        let apart = SubscriptionTable.lines(alike, on: terminal)
        #expect(apart.allSatisfy { Terminal.columns($0) <= width }, "\(apart.joined(separator: "\n"))")
        #expect(
            apart[1].contains(width > 60 ? "Standard" : "dard") && apart[1].contains("auto")
                && apart[2].contains("due, trial"))
        #expect(apart[0].contains("PLAN") == (width >= 80) && apart[0].contains("DAYS") == (width >= 100))
    }

    @Test("The state stays at 60 columns beside a fee of 11 digits")
    func stateBesideLargeFee() throws {
        var list = [try tracked("Streaming of films and more", "Standard with ads"), try tracked("Gym", isOwn: true)]
        for index in list.indices {
            list[index].subscription.fee = amount("12345678901.00")
            list[index].subscription.next = .init(
                fee: amount("12345678901.00"), currency: "USD", on: day("2026-02-28"))
        }
        list[0].subscription.freeTrial = true
        list[0].subscription.remaining = 5
        let lines = SubscriptionTable.lines(list, on: Terminal(width: 60, hasColours: false))
        #expect(lines.allSatisfy { Terminal.columns($0) <= 60 })
        #expect(
            lines[1].contains("due, trial, auto") && lines[1].contains("12345678901.00 USD  /m  2026-02-28"), "\(lines)"
        )
        #expect(lines[2].contains("auto") && lines[2].contains("Gym"), "\(lines)")
    }

    @Test("A number is never cut, however narrow the terminal is")
    func wholeNumbers() throws {
        let whole: Set<String> = [
            "123456.78", "234567.89", "2026-01-31", "2026-02-28", "18", "30", "2", "1", "3", "4", "17.99", "/2m",
        ]
        for width in 1...120 {
            let terminal = Terminal(width: width, hasColours: false)
            let lines =
                SubscriptionTable.lines(try rich(), on: terminal)
                + PlanTableLines.lines(try rich().map(\.subscription.plan), on: terminal)
            for word in lines.flatMap({ $0.split(separator: " ") }) where word.contains(where: \.isNumber) {
                #expect(whole.contains(String(word)), "\(width): \(word)")
            }
        }
    }

    @Test("Spending is wrapped between words, and never within an amount")
    func spendingWraps() {
        let spend = ["USD", "EUR"].map { currency in
            GetDashboard.Spend(currency: currency, month: amount("1234.56"), year: amount("14814.72"))
        }
        for width in [20, 24, 40, 80] {
            let lines = SpendingLines.lines(spend, total: nil, on: Terminal(width: width, hasColours: false))
            #expect(lines.allSatisfy { Terminal.columns($0) <= width }, "\(lines)")
            for amount in ["1234.56 USD", "14814.72 USD", "1234.56 EUR", "14814.72 EUR"] {
                #expect(lines.contains { $0.contains(amount) }, "\(width): \(lines)")
            }
        }
    }

    @Test("A history that is cut says so, and --all shows it")
    func longHistory() throws {
        var one = try tracked("Netflix")
        one.subscription.period = 29
        let periods = (0..<30).map { number in
            Period(
                number: number, startDate: day("2020-01-01"), endDate: day("2020-02-01"), fee: amount("1.00"),
                currency: "USD", freeTrial: false)
        }
        let json = """
            {"tracked":\(String(decoding: try JSONEncoder().encode(one), as: UTF8.self)),"prices":[],\
            "periods":\(String(decoding: try JSONEncoder().encode(periods), as: UTF8.self))}
            """
        let details = try JSONDecoder().decode(Kit.Details.self, from: Data(json.utf8))
        let terminal = Terminal(width: 80, hasColours: false)
        let cut = Show.lines(details, on: terminal)
        #expect(
            cut.last?.hasPrefix("… and 6 earlier periods: subtrack show ") == true
                && cut.last?.hasSuffix(" --all") == true)
        let all = Show.lines(details, all: true, on: terminal)
        #expect(all.count == cut.count + 5 && all.last?.contains("2020-01-01") == true)
    }

    @Test("A price is announced until its day, and only where it is another one")
    func announced() throws {
        func shown(_ prices: [(String, String)]) throws -> [String] {
            let prices = prices.map { GetPlan.Price(effectiveOn: day($0.0), fee: amount($0.1), currency: "USD") }
            let json = """
                {"tracked":\(String(decoding: try JSONEncoder().encode(tracked("Netflix")), as: UTF8.self)),"periods":[],\
                "prices":\(String(decoding: try JSONEncoder().encode(prices), as: UTF8.self))}
                """
            let details = try JSONDecoder().decode(Kit.Details.self, from: Data(json.utf8))
            return Show.lines(details, on: Terminal(width: 60, hasColours: false)).filter { $0.contains("announced") }
        }
        // Today is 10 February.
        #expect(try shown([("2020-01-01", "17.99"), ("2026-02-10", "18.99")]) == [])
        #expect(try shown([("2020-01-01", "17.99"), ("2026-02-11", "17.99")]) == [])
        #expect(
            try shown([("2020-01-01", "17.99"), ("2026-02-11", "18.99")]) == [
                "announced    18.99 USD from 2026-02-11 on"
            ])
    }

    @Test("What others wrote gives a terminal no commands")
    func cleans() {
        #expect(Terminal.clean("a\u{1B}[2Jb\u{202E}c\rd\u{9B}e") == "a [2Jb c d e")
    }
}
