import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import MariaDB

/// Cancelled anywhere, any number of times: nothing leaks, and nothing of one borrower reaches the next.
@Suite(.ownTime) struct CancellationTests {
    @Test(.timeLimit(.minutes(10))) func aCancelledStatementEndsSoonAndItsConnectionIsNotLent() async throws {
        try await Server.withClient({ $0.maximumConnections = 1 }) { client in
            let task = Task {
                // Longer than the test may take.
                try await client.withConnection { try await $0.query("SELECT SLEEP(3600)") }
            }
            try await eventually("it runs") { client.statistics.leased == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let rows = try await client.withConnection(timeout: .seconds(60)) { connection in
                try await connection.query("SELECT 1").decode(Int.self)
            }
            #expect(rows == [1])
        }
    }

    @Test func anAnswerThatComesWithinTheGraceSavesTheConnection() async throws {
        try await Server.withClient {
            $0.maximumConnections = 1
            $0.cancellationGrace = .seconds(60)
        } _: { client in
            let before = try await client.withConnection { try $0.connectionID }
            let task = Task {
                try await client.withConnection { try await $0.query("SELECT SLEEP(0.3)") }
            }
            try await eventually("it runs") { client.statistics.leased == 1 }
            task.cancel()
            _ = await task.result
            let after = try await client.withConnection(timeout: .seconds(60)) { try $0.connectionID }
            #expect(before == after)
        }
    }

    @Test func whoWaitsForAConnectionAndIsCancelledLeavesTheQueue() async throws {
        try await Server.withClient({ $0.maximumConnections = 1 }) { client in
            try await client.withConnection { _ in
                let tasks = (0..<50).map { _ in
                    Task { try await client.withConnection(timeout: .seconds(60)) { _ in } }
                }
                try await eventually("all wait") { client.statistics.waiting == 50 }
                for task in tasks { task.cancel() }
                for task in tasks {
                    await #expect(throws: CancellationError.self) { try await task.value }
                }
                #expect(client.statistics.waiting == 0)
            }
            #expect(client.statistics.idle == 1)
        }
    }

    @Test func aCancelledTransactionIsRolledBack() async throws {
        try await Server.withClient({ $0.maximumConnections = 2 }) { client in
            try await client.withConnection { try await $0.execute("CREATE TABLE t (n INT)") }
            let task = Task {
                try await client.withTransaction { connection in
                    try await connection.execute("INSERT INTO t VALUES (1)")
                    // Cancelled here, from within: nothing after this may be committed.
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            let rows = try await client.withConnection { try await $0.query("SELECT n FROM t").decode(Int.self) }
            #expect(rows.isEmpty)
            #expect(client.statistics.size == client.statistics.idle)
        }
    }

    /// How often each of twenty workers is cancelled: 100,000 times together where there is time for it.
    private static let rounds = ProcessInfo.processInfo.environment["SUBTRACKIT_FAULTS"] == nil ? 50 : 5_000

    /// Many transactions, each cancelled while another of its steps is under way: from waiting for a connection to COMMIT.
    @Test func cancelledThousandsOfTimesTheAccountsAddUp() async throws {
        try await Server.withClient {
            $0.maximumConnections = 8
            $0.cancellationGrace = .milliseconds(50)
        } _: { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (n INT PRIMARY KEY)")
            }
            let dirty = Tally()
            let done = Tally()
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<20 {
                    group.addTask {
                        for round in 0..<CancellationTests.rounds {
                            let number = worker * CancellationTests.rounds + round
                            let isDone = await CancellationTests.runAndCancel(number, client, dirty: dirty)
                            if isDone { done.add() }
                        }
                    }
                }
            }
            #expect(dirty.count == 0)
            let statistics = client.statistics
            #expect(statistics.leased == 0 && statistics.waiting == 0)
            #expect(statistics.idle + statistics.connecting == statistics.size)
            // What was said to be done is there. (What was cancelled may be there too: COMMIT is not interrupted.)
            let count = try await client.withConnection {
                try await $0.query("SELECT COUNT(*) FROM t").decode(Int.self)
            }
            #expect((count.first ?? 0) >= done.count)
            // No session has a transaction open, once the server has noticed which ones were given up.
            try await eventually(within: .seconds(60), "no transaction is open") {
                try await client.withConnection { connection in
                    try await connection.query(
                        """
                        SELECT 1 FROM information_schema.innodb_trx t
                        JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id WHERE p.db = DATABASE()
                        """
                    ).isEmpty
                }
            }
        }
    }

    /// Runs a transaction of six steps and cancels it during one of them; returns whether it was done all the same.
    private static func runAndCancel(_ number: Int, _ client: MariaDBClient, dirty: Tally) async -> Bool {
        let steps = Tally()
        let task = Task {
            defer { for _ in 0..<6 { steps.add() } }
            try await client.withTransaction { connection in
                steps.add()
                let open = try await connection.query("SELECT @@in_transaction, @left")
                let (inTransaction, left) = try open[0].decode((Int, Int?).self)
                if inTransaction != 1 || left != nil { dirty.add() }
                steps.add()
                try await connection.execute("INSERT INTO t VALUES (\(number))")
                steps.add()
                if number % 5 == 0 { try await connection.simpleQuery("SET @left = 1") }
                steps.add()
                _ = try await connection.query("SELECT COUNT(*) FROM t WHERE n = \(number)")
                steps.add()
            }
        }
        while steps.count < number % 6 { await Task.yield() }
        for _ in 0..<(number % 7) { await Task.yield() }
        task.cancel()
        if case .success = await task.result { return true }
        return false
    }

    @Test func aStreamIsCancelledBetweenItsRows() async throws {
        try await Server.withClient({ $0.maximumConnections = 1 }) { client in
            let task = Task {
                try await client.withConnection { connection in
                    for try await row in connection.stream("SELECT seq FROM seq_1_to_100000000") {
                        if try row.decode(Int.self, at: 0) == 10 { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            let rows = try await client.withConnection(timeout: .seconds(60)) { try await $0.query("SELECT 1") }
            #expect(rows.count == 1)
        }
    }
}
