import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// A user who has as much as a user may have; the service is a process of its own, so that its memory is its own.
@Suite("A user at all limits", .enabled(if: TestStage.faults, "script/test --faults"), .serialized, .ownTime)
struct FullSizeTests {
    /// Runs a body, and says how long it took.
    /// - Returns: how many MiB more than before the process had at the most, by the system's count.
    private func measured(
        _ name: String, _ process: ServiceProcess, _ body: () async throws -> Void
    ) async throws -> Int {
        process.forgetHighestMemory()
        let before = try #require(process.residentMiB)
        let start = ContinuousClock.now
        try await body()
        let time = ContinuousClock.now - start
        let grown = try #require(process.highestMiB) - before
        print("\(name): \(time), \(grown) MiB more than \(before) MiB")
        return grown
    }

    /// Calls as another user until something is so.
    /// - Returns: the longest wait for a list and a change.
    private func longestWait(
        of user: TestUser, until what: String, _ condition: () async throws -> Bool
    ) async throws -> Duration {
        var longest = Duration.zero
        try await eventually(within: .seconds(300), what) {
            let start = ContinuousClock.now
            _ = try await user.call(ListSubscriptions())
            try await user.call(UpdateMe(userName: .set("Bob")))
            longest = max(longest, ContinuousClock.now - start)
            return try await condition()
        }
        print("another user waited \(longest) at the most, until \(what)")
        return longest
    }

    /// Runs the service on a test's database.
    private func serve(
        _ service: TestService, in folder: URL, _ body: (ServiceProcess, String) async throws -> Void
    ) async throws {
        let url =
            "mysql://\(service.database.user)@localhost/\(service.control.name)?socket="
            + APIClient.encoded(service.database.socketPath)
        let arguments = ["serve", "--database-url", url, "--http-listen", "127.0.0.1:0"]
        try await ServiceProcess.run(arguments, in: folder) { process in
            try await body(process, try await process.becomesReady().baseURL)
        }
    }

    @Test("Everything can be read, changed, exported and deleted, in constant memory; others are served meanwhile")
    func all() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                var (ada, bob) = (try await service.newUser(), try await service.newUser())
                try await ada.register("ada@example.org")
                try await bob.call(CreateSubscription(planId: try await service.addPlan(since: "2010-01-01")))
                let own = try await ada.call(
                    CreateSubscription(
                        plan: PrivatePlan(
                            provider: "Own", name: "All", fee: amount("10"), currency: "USD",
                            duration: .init(value: 1, unit: .month))))
                // Each plan has a provider of its own, and all subscriptions have one plan.
                try await service.fill(
                    ada.user.id,
                    .init(
                        subscriptions: 9_999, periods: 5, plans: 9_999, providers: 9_999, prices: 4, deleted: 0,
                        answers: 20_000), plan: own.plan.id)
                let periods = try await service.number("SELECT COUNT(*) FROM Subscription_period")
                #expect(periods > 30_000)
                try await serve(service, in: folder) { process, base in
                    ada.client.baseURL = base
                    bob.client.baseURL = base
                    for _ in 0..<20 { _ = try await bob.call(ListSubscriptions()) }
                    _ = try await bob.call(ExportMe())
                    var size = 0
                    let export = try await measured("two exports", process) {
                        for _ in 0..<2 { size = try await ada.client.response(to: ExportMe()).body.count }
                    }
                    #expect(export <= 20 && size > 10 << 20, "\(size) bytes")
                    _ = try await measured("list, dashboard, periods", process) {
                        _ = try await ada.call(ListSubscriptions(limit: 200))
                        _ = try await ada.call(GetDashboard())
                        _ = try await ada.call(ListPeriods(id: own.id))
                    }
                    var copy = SyncCopy()
                    _ = try await measured("a first pull", process) { try await copy.pull(ada, limit: 1000) }
                    #expect(copy.data(.period).count == periods && copy.data(.subscription).count == 10_000)
                    let change = try await measured("a fee that all subscriptions have", process) {
                        try await ada.call(
                            UpdateSubscription(id: own.id, plan: .set(PrivatePlanPatch(fee: .set(amount("12"))))))
                    }
                    #expect(change <= 20)
                    let deletion = try await measured("deletion", process) {
                        try await ada.call(DeleteMe(currentPassword: goodPassword))
                    }
                    #expect(deletion <= 20)
                    #expect(try await ada.refusal(of: GetMe()).code == .userDeleted)
                    let removal = try await measured("removal of some", process) {
                        _ = try await longestWait(of: bob, until: "half of the subscriptions are left") {
                            try await service.number("SELECT COUNT(*) FROM Subscription") < 5_000
                        }
                    }
                    #expect(removal <= 20)
                    // In the middle of a batch.
                    process.signal(SIGKILL)
                    _ = try await process.exit()
                }
                try await serve(service, in: folder) { process, base in
                    bob.client.baseURL = base
                    let removal = try await measured("removal of the rest", process) {
                        _ = try await longestWait(of: bob, until: "nothing is left") {
                            try await service.number("SELECT COUNT(*) FROM Erasure") == 0
                        }
                    }
                    #expect(removal <= 20)
                }
                #expect(try await service.number("SELECT COUNT(*) FROM Subscription") == 1)
                #expect(try await service.number("SELECT COUNT(*) FROM Plan") == 1)
                for table in ["Idempotency", "Private_provider", "Subscription_period"] {
                    #expect(try await service.number("SELECT COUNT(*) FROM \(table)") == 0, "\(table)")
                }
            }
        }
    }

    @Test("Two users who have all that one may have, together, become one; others are served meanwhile")
    func merge() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                let plan = try await service.addPlan(since: "2010-01-01")
                let ada = try await service.newUser()
                var (phone, bob) = (try await service.newUser(), try await service.newUser())
                try await ada.register("ada@example.org")
                let half = StoredAmount(
                    subscriptions: 5_000, periods: 4, plans: 5_000, providers: 5_000, prices: 4, deleted: 0,
                    answers: 20_000)
                for user in [ada, phone] { try await service.fill(user.user.id, half, plan: plan) }
                _ = try await service.database.run(
                    """
                    UPDATE Subscription SET Label = CONCAT('phone ', Label) WHERE User_ID = \(hex(phone.user.id));
                    UPDATE Plan SET Plan_name = CONCAT('phone ', Plan_name) WHERE Owner_ID = \(hex(phone.user.id))
                    """)
                try await serve(service, in: folder) { process, base in
                    phone.client.baseURL = base
                    bob.client.baseURL = base
                    let (signing, other) = (phone, bob)
                    let merge = Task {
                        try await signing.call(CreateSession(email: "ada@example.org", password: goodPassword))
                    }
                    _ = try await longestWait(of: other, until: "they are one") {
                        try await service.number(
                            "SELECT COUNT(*) FROM `User` WHERE User_ID = \(hex(signing.user.id))") == 0
                    }
                    #expect(try await merge.value.merged.moved == 5_000)
                }
                let id = hex(ada.user.id)
                #expect(try await service.number("SELECT COUNT(*) FROM Subscription WHERE User_ID = \(id)") == 10_000)
                #expect(try await service.number("SELECT COUNT(*) FROM Plan WHERE Owner_ID = \(id)") == 10_000)
                let kept = try await service.number("SELECT COUNT(*) FROM Idempotency")
                #expect((15_000...20_000).contains(kept), "\(kept)")
            }
        }
    }
}
