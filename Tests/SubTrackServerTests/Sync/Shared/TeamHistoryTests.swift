import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Clients that know the contract alone share teams, in random histories. A failure names its seed.
///
/// `SUBTRACKIT_HISTORIES` says how many there are, ``TestSeed`` where they begin.
@Suite("Random histories of shared scopes", .ownTime)
struct TeamHistoryTests {
    private static func number(_ name: String, or standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    @Test(
        "Members join, leave and return, offline and by SQL, on two replicas: all copies are the server's, no change is lost or doubled, and nobody is given rows of a team of others"
    )
    func histories() async throws {
        let count = Self.number("SUBTRACKIT_HISTORIES", or: TestStage.full ? 24 : 12)
        let first = TestSeed.first(of: "histories of teams")
        let histories = try await TeamsArea.run { service in
            try await service.runReplica { replica in
                try await service.database.withClient(configure: { $0.leaseTimeout = .seconds(60) }) { admin in
                    try await Self.inLanes(count) { number in
                        var users: [TeamUser] = []
                        for _ in 0..<4 { users.append(TeamUser(try await service.newUser(), service, replica)) }
                        var history = TeamHistory(seed: first &+ UInt64(number), users: users, admin: admin)
                        try await history.play(steps: 60)
                        try await history.finish()
                        return history
                    }
                }
            }
        }
        for history in histories { #expect(history.faults == [], "seed \(history.seed)") }
        let clients = histories.flatMap(\.clients)
        let answered = clients.flatMap(\.answered)
        let refused = answered.count { $0.outcome == "refused" }
        let lost = answered.count { !$0.lost.isEmpty }
        let dropped = clients.map(\.copy.dropped.count).reduce(0, +)
        print(
            "\(count) histories of teams: \(answered.count) changes answered, \(refused) refused, "
                + "\(lost) with something lost; \(dropped) times a team was told as lost")
        // Far below what the same seeds come to: the interleaving differs from run to run.
        // A single history, which somebody looks at, may have nothing of a kind.
        #expect(count < 12 || answered.count > 5 * count && refused > 0 && dropped > count / 12)
    }

    /// Runs histories side by side, as many as the machine can.
    private static func inLanes(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> TeamHistory
    ) async throws -> [TeamHistory] {
        try await withThrowingTaskGroup(of: [TeamHistory].self) { group in
            for lane in 0..<3 {
                group.addTask {
                    var done: [TeamHistory] = []
                    for number in stride(from: lane, to: count, by: 3) { done.append(try await body(number)) }
                    return done
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}
