import Foundation
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import MariaDB

/// The pool over real connections.
@Suite(.ownTime) struct PoolTests {
    /// Two databases on one server.
    private func withDatabases(
        _ configure: (inout MariaDBConfiguration) -> Void,
        _ body: (MariaDBClient, _ first: String, _ second: String) async throws -> Void
    ) async throws {
        try await TestDatabase.lease { first in
            try await TestDatabase.lease { second in
                try await first.withClient(configure: {
                    $0.leaseTimeout = .seconds(60)
                    configure(&$0)
                }) { client in
                    try await body(client, first.name, second.name)
                }
            }
        }
    }

    @Test func aLeaseIsOnTheDatabaseThatItNames() async throws {
        try await withDatabases({ $0.maximumConnections = 2 }) { client, first, second in
            for database in [first, second] {
                try await client.withConnection(database) { connection in
                    try await connection.execute("CREATE TABLE t (name TEXT)")
                    try await connection.execute("INSERT INTO t VALUES (\(database))")
                }
            }
            // Statements are prepared for a database: the same text on another one means another table.
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<400 {
                    let database = number % 3 == 0 ? first : second
                    group.addTask {
                        try await client.withConnection(database, timeout: .seconds(60)) { connection in
                            let rows = try await connection.query("SELECT name, DATABASE() FROM t")
                            let (name, current) = try rows[0].decode((String, String).self)
                            return name == database && current == database && connection.database == database
                        }
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
            #expect(client.statistics.size <= 2)
        }
    }

    @Test func aDatabaseThatWasDroppedAndMadeAnewIsFoundAgain() async throws {
        try await TestDatabase.lease { admin in
            try await withDatabases({ $0.maximumConnections = 1 }) { client, first, second in
                func ask(_ database: String, _ statement: SQL) async throws -> [String?] {
                    try await client.withConnection(database) { try await $0.query(statement) }.decode(String?.self)
                }
                _ = try await ask(first, "SELECT 'known'")
                _ = try await ask(second, "SELECT 'the session is here'")
                _ = try await admin.run("DROP DATABASE `\(second)`")
                // The server goes to the first one for it, and finds no way back.
                #expect(try await ask(first, "SELECT 'known'") == ["known"])
                _ = try await admin.run("CREATE DATABASE `\(second)`")
                #expect(try await ask(second, "SELECT DATABASE()") == [second])
            }
        }
    }

    @Test func aDatabaseThatIsNotThereIsTheAskersErrorAlone() async throws {
        try await withDatabases({ $0.maximumConnections = 1 }) { client, first, _ in
            for _ in 0..<3 {
                let error = await mariaDBError {
                    try await client.withConnection("no_such_database") { try await $0.query("SELECT 1") }
                }
                #expect(error?.code == 1049)
                let rows = try await client.withConnection(first) { try await $0.query("SELECT DATABASE()") }
                #expect(try rows.decode(String.self) == [first])
            }
            #expect(client.statistics.size == 1)
        }
    }

    @Test func aLeaseWithoutDatabaseHasNone() async throws {
        try await withDatabases({
            $0.maximumConnections = 1
            $0.database = nil
        }) { client, first, _ in
            for _ in 0..<3 {
                _ = try await client.withConnection(first) { try await $0.query("SELECT 1") }
                let none = try await client.withConnection { try await $0.query("SELECT DATABASE()") }
                #expect(none[0][0].isNull)
            }
        }
    }

    @Test func oneDatabaseCannotKeepAnotherWaiting() async throws {
        try await withDatabases({
            $0.maximumConnections = 4
            $0.leaseTimeout = .seconds(60)
        }) { client, greedy, modest in
            _ = try await client.withConnection(modest) { try await $0.query("SELECT 1") }
            let done = Tally()
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        try await client.withConnection(greedy) { _ in await gate.pass() }
                        done.add()
                    }
                }
                try await eventually("the greedy one has its share") {
                    client.statistics.leased == 3 && client.statistics.waiting == 57
                }
                // Behind 57 others that give nothing back, first come first served, it would never be served.
                for _ in 0..<10 {
                    _ = try await client.withConnection(modest) { try await $0.query("SELECT 1") }
                }
                #expect(done.count == 0)
                await gate.open()
                try await group.waitForAll()
            }
            #expect(done.count == 60)
        }
    }

    @Test(.timeLimit(.minutes(10))) func whoFindsNoConnectionFreeIsToldInTime() async throws {
        try await Server.withClient({
            $0.maximumConnections = 1
            // Longer than the test may take: the wait that is given counts.
            $0.leaseTimeout = .seconds(3_600)
        }) { client in
            try await client.withConnection { _ in
                let start = ContinuousClock.now
                let error = await mariaDBError { try await client.withConnection(timeout: .milliseconds(200)) { _ in } }
                let waited = ContinuousClock.now - start
                #expect(error?.kind == .poolTimeout)
                #expect(waited >= .milliseconds(200))
            }
        }
    }

    @Test func manyTasksShareFewConnections() async throws {
        try await Server.withClient {
            $0.maximumConnections = 3
            $0.leaseTimeout = .seconds(60)
        } _: { client in
            let ids = Collected<UInt>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<2_000 {
                    group.addTask {
                        try await client.withConnection { connection in
                            let id = try connection.connectionID
                            ids.insert(id)
                            let rows = try await connection.query("SELECT \(number), CONNECTION_ID()")
                            let (echoed, server) = try rows[0].decode((Int, UInt).self)
                            if echoed != number || server != id { Issue.record("\(number) got the answer of another") }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(ids.count <= 3)
            #expect(
                client.statistics
                    == PoolStatistics(
                        size: client.statistics.size, idle: client.statistics.size, leased: 0, connecting: 0, waiting: 0
                    ))
        }
    }

    @Test func handlersMayRunOnTheLoopItself() async throws {
        try await Server.withClient({ $0.maximumConnections = 4 }) { client in
            let executor = client.configuration.loops.next().loop.taskExecutor
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<1_000 {
                    group.addTask(executorPreference: executor) {
                        try await client.withTransaction(timeout: .seconds(60)) { connection in
                            try await connection.query("SELECT \(number)").decode(Int.self) == [number]
                        }
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test func aRequestThatBeginsHasItsTurnAmongAnswersThatAreReady() async throws {
        let lane = try DatabaseLoopGroup(count: 1).lanes[0]
        let order = Mutex<[String]>([])
        let (isHeld, isHandedIn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                lane.loop.call {
                    for number in 1...3 { lane.loop.call { order.withLock { $0.append("answer \(number)") } } }
                    isHeld.signal()
                    isHandedIn.wait()
                }
                isHeld.wait()
                lane.start { _ in
                    order.withLock { $0.append("request") }
                    lane.loop.call { continuation.resume() }
                }
                isHandedIn.signal()
            }
        }
        // In turn with the answers, not behind all of them.
        #expect(order.withLock { $0 }.prefix(2).contains("request"))
    }

    @Test func whoeverYieldsOnALoopGoesOnBehindWhatIsReady() async throws {
        let lane = try DatabaseLoopGroup(count: 1).lanes[0]
        let order = await lane.run { lane in
            var order = ["first"]
            let other = PendingValue<String>(on: lane.loop)
            let seen = Mutex<[String]>([])
            for number in 1...3 { lane.loop.call { seen.withLock { $0.append("ready \(number)") } } }
            lane.start { _ in
                seen.withLock { $0.append("task") }
                other.resume(with: .success("value"))
            }
            await lane.yield()
            order += seen.withLock { $0 } + [lane.loop.isOnLoop ? "on the loop" : "elsewhere"]
            order.append((try? await other.value()) ?? "")
            return order
        }
        #expect(order == ["first", "ready 1", "ready 2", "ready 3", "task", "on the loop", "value"])
    }

    @Test func whatBeginsOnALoopGetsAConnectionOfThatLoopAndComesBackToIt() async throws {
        let loops = try DatabaseLoopGroup(count: 3)
        try await Server.withClient({
            $0.maximumConnections = 9
            $0.minimumIdleConnections = 9
            $0.loops = loops
        }) { client in
            // All connections are made, three on each loop.
            let arrived = Tally()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<9 {
                    group.addTask {
                        try await client.withConnection { connection in
                            _ = try await connection.query("SELECT 1")
                            arrived.add()
                            try await eventually(within: .seconds(60), "all are lent") { arrived.count == 9 }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for number in 0..<30 {
                let lane = loops.lanes[number % 3]
                let isRight = try await lane.run { _ in
                    try await client.withConnection { connection in
                        let isOwn = try connection.session().loop === lane.loop
                        let answer = try await connection.query("SELECT \(number)").decode(Int.self)
                        return isOwn && answer == [number] && lane.loop.isOnLoop
                    }
                }
                #expect(isRight)
                // Where nobody waits for it, as for a request: handed in from a thread that is none of Swift's.
                let places = await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        lane.start { _ in
                            let begin = lane.loop.isOnLoop
                            _ = try? await client.withConnection { try await $0.query("SELECT \(number)") }
                            continuation.resume(returning: [begin, lane.loop.isOnLoop])
                        }
                    }
                }
                #expect(places == [true, true])
            }
        }
    }

    @Test func afterShutdownNothingIsLentAndNothingStaysOpen() async throws {
        try await Server.withClient { client in
            let task = Task { await client.run() }
            try await client.withConnection { _ = try await $0.query("SELECT 1") }
            task.cancel()
            await task.value
            #expect(client.statistics.size == 0)
            let error = await mariaDBError { try await client.withConnection { _ in } }
            #expect(error?.kind == .shutDown)
        }
    }

    @Test func shutdownWaitsForWhatIsLent() async throws {
        try await Server.withClient { client in
            let running = Tally()
            let task = Task {
                try await client.withConnection { connection in
                    running.add()
                    return try await connection.query("SELECT SLEEP(0.3), 5")[0].decode(Int.self, at: 1)
                }
            }
            try await eventually("it runs") { running.count == 1 }
            await client.shutdown()
            #expect(try await task.value == 5)
            #expect(client.statistics.size == 0)
        }
    }
}

/// Holds tasks until it is opened.
private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func open() {
        isOpen = true
        for task in waiting { task.resume() }
        waiting = []
    }
}
