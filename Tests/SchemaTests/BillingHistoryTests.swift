import SubTrackTestSupport
import TestTraits
import Testing

/// Whether the triggers and the rules that clients compute with agree, on random histories.
@Suite("Billing histories", .ownTime)
struct BillingHistoryTests {
    /// The same in each run, unless the environment says otherwise; a failure tells which.
    static let seeds = TestSeed.some(3, of: "billing histories")

    @Test("on MariaDB", arguments: seeds.prefix(TestStage.full ? 3 : 1))
    func mariaDB(_ seed: UInt64) async throws {
        try await check(seed, on: .mariaDB)
    }

    @Test("on MySQL", .mySQL, arguments: seeds.prefix(TestStage.full ? 3 : 1))
    func mySQL(_ seed: UInt64) async throws {
        try await check(seed, on: .mySQL)
    }

    private func check(_ seed: UInt64, on server: TestServer) async throws {
        let history = try BillingHistory(seed: seed, histories: 300)
        #expect(history.steps.count > 2_000)
        let file = CaseFile(name: "seed \(seed)", steps: history.steps)
        try await server.leaseTenant { database in
            let outcomes = try await CaseRun(file, session: .strict, on: database).outcomes
            var told = 0
            for (index, (step, outcome)) in zip(file.steps, outcomes).enumerated() {
                guard let complaint = step.complaint(about: outcome), told < 3 else { continue }
                told += 1
                // What was done to this subscription before says most.
                let before = file.steps[max(0, index - 30)...index].map(\.statement).joined(separator: "\n")
                Issue.record("seed \(seed): \(complaint)\nafter:\n\(before)")
            }
            try await DerivedFacts.check(in: database)
        }
    }
}
