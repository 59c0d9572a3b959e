import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit

/// Files that bring subscriptions to another account, and rows that are left out.
@Suite("Exports and imports", .ownTime)
struct ExchangeTests {
    /// An id in place of those that each account has for itself.
    private static let anID = UUID()

    /// The subscriptions of a kit by label, without that which each account has for itself: ids, versions, numbers of periods.
    private static func told(_ kit: Kit) throws -> [ExportedSubscription] {
        try kit.export().subscriptions.map { exported in
            var told = exported
            told.subscription.id = anID
            told.subscription.version = 0
            told.subscription.period = 0
            told.cancelledOn = nil
            if told.subscription.plan.private { told.subscription.plan.id = 0 }
            return told
        }.sorted { ($0.subscription.label ?? "") < ($1.subscription.label ?? "") }
    }

    private static func ownPlan(
        _ provider: String, _ fee: String, _ duration: PlanDuration = .init(value: 1, unit: .month),
        trialDays: Int? = nil, noticeDays: Int? = nil
    ) -> PrivatePlan {
        PrivatePlan(
            provider: provider, name: "Off-peak", type: "Family", category: "Sport", fee: amount(fee), currency: "EUR",
            duration: duration, trialDays: trialDays, noticeDays: noticeDays)
    }

    /// Subscriptions with everything that a subscription can have.
    private static func fill(_ kit: Kit, plan: Int64, student: Int64) throws {
        try kit.add(CreateSubscription(planId: plan, startDate: day("2026-01-31"), autoRenew: true))
        try kit.add(
            CreateSubscription(
                planId: student, startDate: day("2026-02-01"), fee: amount("4.00"), label: "Study", reminderDays: 14,
                muted: true))
        try kit.add(CreateSubscription(planId: plan, startDate: day("2026-02-01"), freeTrial: true, label: "Trial"))
        try kit.add(
            CreateSubscription(
                plan: ownPlan("Gym", "20.00", trialDays: 30), startDate: day("2026-02-01"), freeTrial: true,
                fee: amount("12.50"), label: "Own trial"))
        try kit.add(
            CreateSubscription(
                plan: ownPlan("Gym", "200.00", .init(value: 1, unit: .year), noticeDays: 28),
                startDate: day("2025-05-05"), autoRenew: true, label: "=SUM(1)", reminderDays: 0,
                note: "two\nlines, \"quoted\"; 'so'"))
        try kit.add(
            CreateSubscription(
                plan: ownPlan("Paper", "7.90", .init(value: 2, unit: .week)), nextRenewal: day("2026-02-20"),
                fee: amount("7.90"), label: "'=x", note: "-5"))
        try kit.add(CreateSubscription(planId: plan, nextRenewal: day("2026-03-31"), label: "Clamped"))
        let leaving = try kit.add(
            CreateSubscription(planId: plan, startDate: day("2026-02-01"), autoRenew: true, label: "Leaving"))
        let ended = try kit.add(
            CreateSubscription(plan: ownPlan("Old", "3.00"), startDate: day("2025-10-05"), label: "Ended"))
        for id in [leaving, ended] { try kit.cancel(id) }
    }

    @Test("An export as JSON and as CSV gives an empty account equal subscriptions")
    func roundTrip() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let name = UniqueName.next("Filmbox")
            let plan = try await service.addPlan("Premium", provider: name, fee: "9.00", trialDays: 14, noticeDays: 3)
            let student = try await service.addPlan("Premium", provider: name, fee: "5.00", type: "Student")
            let one = try service.device()
            try await one.kit.sync()
            try Self.fill(one.kit, plan: plan, student: student)
            try await one.kit.sync()
            let expected = try Self.told(one.kit)
            try #require(expected.count == 9)
            #expect(Set(expected.compactMap(\.ownFee)) == [amount("4.00"), amount("12.50"), amount("7.90")])
            let export = try one.kit.export()
            for (form, file) in [
                ("JSON", try JSONEncoder().encode(export)), ("CSV", Data(export.csv.utf8)),
                ("CSV of a spreadsheet", Data("\u{FEFF}\(export.csv)".utf8)),
            ] {
                let other = try service.device()
                try await other.kit.sync()
                let report = try other.kit.importFile(file)
                #expect(report.faults == [] && report.remarks == [] && report.leftOut == [], "\(form)")
                try await other.kit.sync()
                #expect(try other.kit.reports().isEmpty)
                let told = try Self.told(other.kit)
                #expect(told.count == expected.count)
                for (told, expected) in zip(told, expected) { #expect(told == expected, "\(form)") }
                let again = try other.kit.importFile(file)
                #expect(again.added == [] && again.known == 9 && again.leftOut.count == 9, "\(form)")
                #expect(try one.kit.importFile(file, isTrial: true).known == 9, "\(form)")
            }
        }
    }

    @Test("The file that the web app saves is imported with plans and own fees")
    func userExport() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let name = UniqueName.next("Filmbox")
            let plan = try await service.addPlan("Premium", provider: name, fee: "9.00")
            let (one, other) = (try service.device(), try service.device())
            for kit in [one.kit, other.kit] { try await kit.sync() }
            try one.kit.add(
                CreateSubscription(planId: plan, startDate: day("2026-02-01"), fee: amount("6.00"), label: "Films"))
            try await one.kit.sync()
            let answer = try await service.client(of: one).call(ExportMe())
            #expect(try other.kit.importFile(JSONEncoder().encode(answer)).added == ["Films"])
            let held = try #require(try other.kit.subscriptions().first)
            #expect(held.subscription.plan.id == plan && held.ownFee == amount("6.00"))
        }
    }

    @Test("A row of another plan, price, period or label of the same provider is added, and a row left out is named")
    func differentRows() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let kit = try Kit(
            .init(
                server: "http://127.0.0.1:9", folder: folder, deviceName: "x", timeZone: "UTC",
                tokens: MemoryTokenStore(), clock: { Instant("2026-02-10T12:00:00Z") ?? Instant(secondsSince1970: 0) }))
        let head = "name,plan,price,currency,cycle,label\n"
        let first = "Filmbox,Basic,9.99,EUR,month,\n"
        #expect(try kit.importFile(Data((head + first).utf8)).added == ["Filmbox"])
        let file = Data(
            """
            \(head)\(first)Filmbox,Premium,9.99,EUR,month,
            Filmbox,Basic,12.99,EUR,month,
            Filmbox,Basic,9.99,EUR,year,
            Filmbox,Basic,9.99,EUR,month,Mum
            Filmbox,,9.99,EUR,month,

            """.utf8)
        for isTrial in [true, false] {
            let report = try kit.importFile(file, isTrial: isTrial)
            #expect(report.added.count == 5 && report.known == 1 && report.faults == [])
            let left = try #require(report.leftOut.first)
            #expect(report.leftOut.count == 1 && left.place == "line 2" && left.name == "Filmbox")
            #expect(left.reason.hasPrefix("is here already: Filmbox Basic, 9.99 EUR each 1 month, renews 2026-03-10"))
        }
        let again = try kit.importFile(file)
        #expect(again.added == [] && again.leftOut.map(\.place) == (2...7).map { "line \($0)" })
    }

    @Test("The terminal names the rows that it leaves out, and says why nothing was added")
    func terminal() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let name = UniqueName.next("Filmbox")
            try await service.addPlan("Standard", provider: name, fee: "5.00")
            try await service.addPlan("Premium", provider: name, fee: "9.00")
            let folder = try PrivateServer.temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let home = TerminalHome(home: folder.appendingPathComponent("home"), server: service.client.baseURL)
            #expect(
                try await home.run("import", "-", input: "name,price,cycle\n\(name),5,month\n").contains("Added 1."))
            // Neither row names its plan: the price tells which one it is.
            let file = "name,price,cycle\n\(name),9,month\n\(name),5,month\n"
            let reason = "is here already: \(name) Standard, 5.00 USD each 1 month"
            let json = try await home.run("import", "-", "--json", "--dry-run", input: file)
            for words in ["\"leftOut\"", "\"line 3\"", reason] {
                #expect(json.contains(words), "\(words) is in \(json)")
            }
            let tried = try await home.run("import", "-", "--dry-run", input: file)
            let done = try await home.run("import", "-", input: file)
            #expect(tried.contains("Would add 1, 1 was here already.") && done.contains("Added 1, 1 was here already."))
            for said in [tried, done] { #expect(said.contains("Left out: line 3, \(name): \(reason)"), "\(said)") }
            for (file, words) in [
                ("", "the file is empty; nothing was added"), ("\n \n", "the file is empty; nothing was added"),
                ("name,price\n", "nothing was added: the file has no rows"),
                ("name,price\nx,free\n", "nothing was added: 1 row cannot be taken"),
            ] {
                do {
                    Issue.record("\(try await home.run("import", "-", input: file)) is no success")
                } catch let failure as CommandFailure {
                    #expect("\(failure)".contains("65") && failure.output.contains(words), "\(failure)")
                }
            }
        }
    }

    @Test(
        "A field comes back from a table as it was",
        arguments: [
            "=SUM(A1)", "'=x", "''-y", "-5", "+1 555", "@home", "'plain'", "\u{301}abc", "\"\u{301}\"", "a\r\nb",
            "a\rb", "a;b\tc,d", "\u{2028}",
        ])
    func fields(_ text: String) {
        let lines = CSVText.lines(CSVText.line(["name", "note", "end"]) + CSVText.line(["x", text, "y"]))
        #expect(lines.map(\.fields) == [["name", "note", "end"], ["x", text, "y"]])
    }

    @Test("A fee that differs from the plan's because the price has changed is not taken for the user's own")
    func likelyOwnFee() throws {
        func read(_ fee: String, next: String, ofPlan listed: String) throws -> Amount? {
            let text = """
                {"id": "\(Self.anID)", "plan": {"id": 1, "provider": "x", "name": "x", "type": "Standard", "category": "Other",
                 "country": "US", "fee": "\(listed)", "currency": "USD", "duration": {"value": 1, "unit": "month"},
                 "noticeDays": 0, "withdrawn": false, "private": false}, "startDate": "2026-02-01", "endDate": "2026-03-01",
                 "remaining": 1, "period": 0, "fee": "\(fee)", "currency": "USD",
                 "next": {"fee": "\(next)", "currency": "USD", "on": "2026-03-01"}, "freeTrial": false, "autoRenew": true,
                 "status": "active", "cancelBy": "2026-03-01", "version": 1}
                """
            return try JSONDecoder().decode(ExportedSubscription.self, from: Data(text.utf8)).ownFee
        }
        #expect(try read("9.00", next: "9.00", ofPlan: "9.00") == nil)
        #expect(try read("6.00", next: "6.00", ofPlan: "9.00") == amount("6.00"))
        #expect(try read("9.00", next: "10.00", ofPlan: "10.00") == nil)
    }
}
