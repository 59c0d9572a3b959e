import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit

/// Dates and states of what is imported, of what the client itself exported too.
@Suite("Imported dates", .ownTime)
struct ImportDateTests {
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
        #expect(try other.importFile(JSONEncoder().encode(one.export())).added == ["Gym"])
        let id = try #require(try other.subscriptions().first?.id)
        try other.renew(id)
        #expect(try other.subscriptions().map(\.subscription.endDate) == [day("2026-03-31")])
    }

    @Test("An export keeps cancelled subscriptions, running and ended ones, with their dates")
    func cancelledExport() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        func kit(_ name: String) throws -> Kit {
            try Kit(
                .init(
                    server: "http://127.0.0.1:9", folder: folder.appendingPathComponent(name), deviceName: "x",
                    timeZone: "UTC", tokens: MemoryTokenStore(),
                    clock: { Instant("2026-02-10T12:00:00Z") ?? Instant(secondsSince1970: 0) }))
        }
        let (one, other, third) = (try kit("one"), try kit("other"), try kit("third"))
        let plan = PrivatePlan(
            provider: "Gym", name: "Standard", fee: amount("20"), currency: "USD",
            duration: .init(value: 1, unit: .month))
        let running = try one.add(
            CreateSubscription(plan: plan, startDate: day("2026-01-31"), autoRenew: true, label: "a"))
        let ended = try one.add(
            CreateSubscription(plan: plan, startDate: day("2025-10-05"), label: "b", reminderDays: 3))
        for id in [running, ended] { try one.cancel(id) }
        try one.add(CreateSubscription(plan: plan, startDate: day("2026-02-01"), label: "c"))
        let report = try other.importFile(JSONEncoder().encode(one.export()))
        #expect(Set(report.added) == ["a", "b", "c"] && report.entries.count == 3 && report.faults == [])
        func all(_ kit: Kit) throws -> [[String]] {
            try kit.subscriptions().map {
                let one = $0.subscription
                return [
                    one.label ?? "", one.status.rawValue, one.startDate.description, one.endDate.description,
                    "\(one.autoRenew)", "\(one.reminderDays ?? -1)",
                ]
            }
        }
        #expect(try all(other) == all(one))
        #expect(try third.importFile(Data(one.export().csv.utf8)).faults == [])
        #expect(try all(third) == all(one))
        #expect(try other.importFile(JSONEncoder().encode(one.export())).known == 3)
    }

    @Test(
        "An import through the service: plans of the catalogue, cancelled subscriptions, the country's currency"
    )
    func onService() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let name = UniqueName.next("Filmbox")
            let plan = try await service.addPlan("Premium", provider: name, fee: "9.00")
            for number in 1...2 { try await service.addPlan("Family \(number)", provider: name, fee: "12.00") }
            let folder = try PrivateServer.temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let home = TerminalHome(home: folder.appendingPathComponent("home"), server: service.client.baseURL)
            let file = """
                name,price,cycle,next_renewal,status
                \(name),9,month,2026-02-20,active
                \(name),12,month,2026-02-21,active
                Old,5,month,2025-05-05,cancelled

                """
            let tried = try await home.run("import", "-", "--dry-run", input: file)
            for words in ["Would add 3", "(catalogue)", "(your own)", "2026-01-20", "2026-02-20", "9.00 USD", "ended"] {
                #expect(tried.contains(words), "\(words) is in \(tried)")
            }
            #expect(
                tried.contains("several plans of the catalogue")
                    && tried.contains("3 entries do not say the currency: USD"))
            #expect(try await home.run("list", "--all").contains("Nothing yet"))
            #expect(try await home.run("import", "-", input: file).contains("Added 3"))
            #expect(try await home.run("import", "-", input: file).contains("Added 0, 3 were here already"))
            let held = try await home.kit().client.call(ListSubscriptions()).subscriptions
            #expect(Set(held.map(\.status)) == [.active, .ended] && held.count == 3)
            #expect(held.contains { $0.plan.id == plan } && held.filter(\.plan.private).count == 2)
            // Nothing was added, for no row could be taken.
            for (file, words) in [("name,price\nx,free\n", "1 could not be taken"), ("name,price\n", "Added 0")] {
                do {
                    Issue.record("\(try await home.run("import", "-", input: file)) is no success")
                } catch let failure as CommandFailure {
                    #expect("\(failure)".contains("65") && failure.output.contains(words), "\(failure)")
                }
            }
        }
    }
}
