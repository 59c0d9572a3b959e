import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// Real kits against the service, in random histories. A failure names its seed.
///
/// ``HistoryExtent`` says how many there are.
/// `SUBTRACKIT_TEST_SEED` says where they begin, `SUBTRACKIT_HISTORY_STEPS` how long each is.
@Suite("Random histories of kits", .tags(.everyDay), .ownTime)
struct KitHistoryTests {
    private static func number(_ name: String, or standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    /// Histories that run at the same time, and on one service.
    private static let (width, batch) = (4, 30)

    @Test(
        "Offline spells, lost, doubled and reordered requests, ended processes, SQL: all stores are the server's, nothing is lost or doubled"
    )
    func histories() async throws {
        var extent = HistoryExtent(batch: Self.batch, minimum: 30)
        let first = TestSeed.first(of: "histories of kits")
        let steps = Self.number("SUBTRACKIT_HISTORY_STEPS", or: TestStage.faults ? 40 : 16)
        var (count, acknowledged, renewals, judged, diverged) = (0, 0, 0, HistoryLedger.Judged(), 0)
        while let numbers = extent.next() {
            count += numbers.count
            let seeds = numbers.map { first &+ UInt64($0) }
            try await TestService.runAlone(at: "2026-02-10") { service in
                try await service.withoutReference(but: ["US", "DE", "FR"])
                var plans: [Int64] = []
                for country in ["US", "US", "DE", "FR"] { plans.append(try await service.addPlan(country: country)) }
                let catalogue = plans
                try await service.database.withClient(configure: { $0.leaseTimeout = .seconds(60) }) { admin in
                    var played = try await Self.inParallel(seeds) { seed in
                        let user = try await service.newUser(country: seed % 2 == 0 ? "US" : "DE")
                        var history = try KitHistory(seed: seed, service: service, user: user, plans: catalogue)
                        try await history.play(steps: steps, admin)
                        return history
                    }
                    // Nobody changes the catalogue any more: now all of it is to be the same.
                    played = try await Self.inParallel(played) { history in
                        var history = history
                        try await history.check(admin)
                        return history
                    }
                    for history in played {
                        #expect(history.faults == [], "seed \(history.seed)")
                        if !history.faults.isEmpty { diverged += 1 }
                        acknowledged += history.acknowledged
                        renewals += history.renewals
                        judged = judged + history.judged
                    }
                }
            }
        }
        print(
            "\(count) histories of kits from seed \(first) on, \(diverged) with faults; \(acknowledged) changes acknowledged, \(renewals) renewals seen; \(judged.all) "
                + "answers judged, \(judged.merged) merged, \(judged.lost) with something lost, \(judged.refused) "
                + "refused, \(judged.skipped) that cannot be told")
        // A single history, which somebody looks at, may have nothing of a kind.
        guard count >= Self.batch else { return }
        // A third of what short ones come to: the histories must not have become empty.
        #expect(acknowledged > count && judged.all > count && judged.skipped * 10 < judged.all)
        // Most renewals can be counted where they are made, or those that cannot would hide that none can.
        #expect(renewals > count / 4)
        // A floor far below the number of these seeds: the interleaving differs from run to run.
        #expect(judged.merged > count / 60)
        // One history in forty has something lost. Of fewer than these, luck may leave none.
        if count >= 400 { #expect(judged.lost > 0) }
    }

    private static func inParallel<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], _ body: @escaping @Sendable (Input) async throws -> Output
    ) async throws -> [Output] {
        try await withThrowingTaskGroup(of: Output.self) { group in
            var outputs: [Output] = []
            for (index, input) in inputs.enumerated() {
                if index >= width, let output = try await group.next() { outputs.append(output) }
                group.addTask { try await body(input) }
            }
            for try await output in group { outputs.append(output) }
            return outputs
        }
    }
}
