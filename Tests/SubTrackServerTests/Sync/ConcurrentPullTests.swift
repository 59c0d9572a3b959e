import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// How many are not done yet.
private final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(from start: Int) { left = Atomic(start) }

    var isOver: Bool { left.load(ordering: .sequentiallyConsistent) <= 0 }

    func countDown() { left.subtract(1, ordering: .sequentiallyConsistent) }
}

/// How often each of two has pulled.
private final class Pulls: Sendable {
    private let first = Atomic<Int>(0)
    private let second = Atomic<Int>(0)

    /// The number of the one who has pulled less.
    var least: Int {
        min(first.load(ordering: .sequentiallyConsistent), second.load(ordering: .sequentiallyConsistent))
    }

    func add(isFirst: Bool) {
        if isFirst {
            first.add(1, ordering: .sequentiallyConsistent)
        } else {
            second.add(1, ordering: .sequentiallyConsistent)
        }
    }
}

@Suite("Pull while others write", .tags(.otherServers), .ownTime)
struct ConcurrentPullTests {
    @Test("Sixteen writers commit in any order, or roll back: no pull misses a row")
    func writers() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let user = ada.user.id
            let patient: @Sendable (inout MariaDBConfiguration) -> Void = {
                $0.maximumConnections = 16
                $0.session.lockWaitTimeout = .seconds(60)
                $0.leaseTimeout = .seconds(60)
            }
            try await service.database.withClient(configure: { patient(&$0) }) { client in
                let left = Countdown(from: 16)
                let pulls = Pulls()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<16 {
                        group.addTask {
                            defer { left.countDown() }
                            var random = SeededGenerator(seed: UInt64(number))
                            for turn in 0..<25 {
                                // Both pull all the way through, however busy the machine is.
                                try await eventually("both have pulled") { pulls.least >= turn / 4 }
                                try await Self.write(client, user: user, plan: plan, turn: turn, &random)
                            }
                        }
                    }
                    for limit in [3, 200] {
                        group.addTask {
                            var copy = SyncCopy()
                            while !left.isOver {
                                try await copy.pullPage(ada, limit: limit, scopes: .user)
                                pulls.add(isFirst: limit == 3)
                            }
                            try await copy.pull(ada, scopes: .user)
                            var fresh = SyncCopy()
                            try await fresh.pull(ada, scopes: .user)
                            #expect(copy.differences(from: fresh) == [], "\(pulls.least) pulls")
                            let stored = try await service.database.run(
                                "SELECT COUNT(*) FROM Subscription WHERE Deleted_at IS NULL")
                            #expect("\(copy.data(.subscription).count)\n" == stored)
                            #expect(pulls.least > 5)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    private struct ChangedMind: Error {}

    /// One transaction that does several things, one after the other, and may think better of it.
    private static func write(
        _ client: MariaDBClient, user: UUID, plan: Int64, turn: Int, _ random: inout SeededGenerator
    ) async throws {
        let steps = (0..<Int.random(in: 1...3, using: &random)).map { _ in random.next() }
        let givesUp = random.next() % 8 == 0
        do {
            try await client.withTransaction(isolation: .readCommitted, retries: 10) { connection in
                for step in steps {
                    switch step % 4 {
                    case 0, 1:
                        _ = try await connection.execute(
                            """
                            INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Label)
                            VALUES (\(user), \(plan), '2026-01-31', \("\(turn)"))
                            """)
                    case 2:
                        _ = try await connection.execute(
                            """
                            UPDATE Subscription SET Start_date = End_date
                            WHERE User_ID = \(user) AND Deleted_at IS NULL AND Period < 9 LIMIT 1
                            """)
                    default:
                        _ = try await connection.execute(
                            """
                            UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP()
                            WHERE User_ID = \(user) AND Label = \("\(turn - 1)") AND Deleted_at IS NULL LIMIT 1
                            """)
                    }
                }
                if givesUp { throw ChangedMind() }
            }
        } catch is ChangedMind {
        } catch let error as MariaDBError where error.isTransient {
            // Hand-typed SQL takes row and scope in the other order: a deadlock ends one of two.
        }
    }
}
