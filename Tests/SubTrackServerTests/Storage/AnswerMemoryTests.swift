import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Answers made of many rows with long notes and of plans with many prices. The service is a process of its own, so that its
/// memory is its own.
@Suite(
    "Memory of large answers",
    .enabled(if: TestStage.full, "script/test --full: measures the memory of a process"), .serialized, .ownTime)
struct AnswerMemoryTests {
    /// Runs the service on a test's database.
    private func serve(_ service: TestService, _ body: (ServiceProcess, String) async throws -> Void) async throws {
        let url =
            "mysql://\(service.database.user)@localhost/\(service.control.name)?socket="
            + APIClient.encoded(service.database.socketPath)
        try await ServiceProcess.withFolder { folder in
            let arguments = ["serve", "--database-url", url, "--http-listen", "127.0.0.1:0"]
            try await ServiceProcess.run(arguments, in: folder) { process in
                try await body(process, try await process.becomesReady().baseURL)
            }
        }
    }

    /// Gives a user subscriptions whose notes have a thousand characters of four bytes.
    private func fill(
        _ user: TestUser, _ subscriptions: Int, deleted: Int = 0, plan: Int64, on service: TestService
    ) async throws {
        try await service.fill(
            user.user.id, .init(subscriptions: subscriptions, periods: 0, plans: 0, deleted: deleted, answers: 0),
            plan: plan)
        _ = try await service.database.run(
            "UPDATE Subscription SET Note = REPEAT(_utf8mb4 X'F09F9880', 1000) WHERE User_ID = \(hex(user.user.id))")
    }

    /// Gives a plan former prices.
    private func addPrices(_ count: Int, to plan: Int64, on service: TestService) async throws {
        _ = try await service.database.run(
            """
            INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code)
            SELECT \(plan), '2010-01-01' + INTERVAL seq DAY, seq, 'USD' FROM seq_1_to_\(count)
            """)
    }

    /// How many MiB more than before a body takes at the most.
    private func growth(of process: ServiceProcess, _ body: () async throws -> Void) async throws -> Int {
        process.forgetHighestMemory()
        let before = try #require(process.residentMiB)
        try await body()
        return try #require(process.highestMiB) - before
    }

    @Test("Deleted subscriptions to one plan with many prices are exported, and each note is read once")
    func export() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan(since: "2020-01-01")
            try await addPrices(500, to: plan, on: service)
            var ada = try await service.newUser()
            try await fill(ada, 1, deleted: 100, plan: plan, on: service)
            try await serve(service) { process, base in
                ada.client.baseURL = base
                let user = ada
                // With a note for each price these are 200 MB.
                let grown = try await growth(of: process) {
                    let all = try await user.call(ExportMe())
                    #expect(all.deleted.count == 100 && all.deleted.allSatisfy { $0.subscription.note?.count == 1000 })
                }
                #expect(grown <= 40, "\(grown) MiB")
            }
        }
    }

    @Test(
        "A dashboard of thousands of subscriptions with notes sums all, shows those that are due, and reads no price twice"
    )
    func dashboard() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan(fee: "2.00", since: "2020-01-01")
            try await addPrices(8, to: plan, on: service)
            var ada = try await service.newUser()
            try await fill(ada, 4000, plan: plan, on: service)
            let id = hex(ada.user.id)
            // Three pages of them are due, more of them than are written on the loop.
            for _ in 0..<4 {
                _ = try await service.database.run(
                    """
                    UPDATE Subscription SET Start_date = '2999-06-01', Anchor_date = '2999-06-01'
                    WHERE User_ID = \(id) AND Start_date < '2999-01-01' ORDER BY Subscription_ID LIMIT 1000
                    """)
            }
            _ = try await service.database.run(
                """
                UPDATE Subscription SET Start_date = UTC_DATE(), Anchor_date = UTC_DATE(), Reminder_days = 40
                WHERE User_ID = \(id) ORDER BY Subscription_ID LIMIT 700
                """)
            try await serve(service) { process, base in
                ada.client.baseURL = base
                let user = ada
                let grown = try await growth(of: process) {
                    for _ in 0..<3 {
                        let shown = try await user.call(GetDashboard())
                        #expect(shown.upcoming.count == 700 && shown.overdue.isEmpty)
                        #expect(Set(shown.upcoming.map(\.id)).count == 700)
                        #expect(shown.upcoming.allSatisfy { $0.note?.count == 1000 && $0.label != nil })
                        #expect(shown.spend.map(\.month.description) == ["8000.00"])
                    }
                }
                // All rows, each with each of its prices, are 160 MB; those that are shown are 3 MB.
                #expect(grown <= 60, "\(grown) MiB")
            }
        }
    }
}
