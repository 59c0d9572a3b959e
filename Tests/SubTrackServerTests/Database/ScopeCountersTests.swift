import Foundation
import MariaDB
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Counters that many ask for", .ownTime)
struct ScopeCountersTests {
    private let statements = Statements()

    /// Counts what reads counters.
    private final class Statements: Sendable {
        private let counted = Mutex(0)
        var count: Int { counted.withLock { $0 } }
        func note(_ text: String) { if text.contains("FROM Scope") { counted.withLock { $0 += 1 } } }
    }

    private func run(
        _ body: @Sendable (MariaDBClient, ScopeCounters) async throws -> Void
    ) async throws {
        try await TestService.runAlone { service in
            let statements = statements
            try await service.database.withClient(
                configure: {
                    $0.onStatement = { sql, _ in statements.note(sql.text) }
                    $0.leaseTimeout = .seconds(60)
                }
            ) { client in
                try await body(client, ScopeCounters(client: client, database: service.database.name))
            }
        }
    }

    private func scopes(_ count: Int) -> [ScopeID] { (0..<count).map { _ in ScopeID(uuid: UUID()) } }

    private func raise(_ scope: ScopeID, to version: Int64, floor: Int64 = 0, _ client: MariaDBClient) async throws {
        try await client.withConnection { connection in
            _ = try await connection.execute(
                """
                INSERT INTO Scope (Scope_ID, Ver, Floor_ver) VALUES (\(scope), \(version), \(floor))
                ON DUPLICATE KEY UPDATE Ver = \(version), Floor_ver = \(floor)
                """)
        }
    }

    private final class Asked: Sendable {
        let count = Atomic(0)
    }

    @Test("Each gets what was asked for, in its order, in far fewer statements than questions")
    func manyAtOnce() async throws {
        try await run { client, counters in
            let scopes = scopes(60)
            // Of every third scope there is no row.
            let expected = scopes.indices.map { index in
                index % 3 == 0 ? ScopeCounter() : ScopeCounter(version: Int64(index), floor: Int64(index / 2))
            }
            for (scope, counter) in zip(scopes, expected) where counter.version > 0 {
                try await raise(scope, to: counter.version, floor: counter.floor, client)
            }
            let questions = 2000
            let asked = Asked()
            // Nothing is read until all have asked.
            let isRight = try await client.withConnection { holder in
                _ = try await holder.simpleQuery("LOCK TABLES Scope WRITE")
                return try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<questions {
                        group.addTask {
                            // From one scope to five, some of them twice.
                            let some = (0...number % 5).map { (number * 7 + $0 * (number % 3)) % scopes.count }
                            asked.count.add(1, ordering: .relaxed)
                            return (try? await counters.counters(of: some.map { scopes[$0] }))
                                == some.map { expected[$0] }
                        }
                    }
                    try await eventually("all have asked") { asked.count.load(ordering: .relaxed) == questions }
                    _ = try await holder.simpleQuery("UNLOCK TABLES")
                    return try await group.allSatisfy { $0 }
                }
            }
            #expect(isRight)
            #expect(statements.count < questions / 4)
            #expect(try await counters.counters(of: []).isEmpty)
        }
    }

    @Test("Whoever asks after a commit is told of it, whatever is read at that moment")
    func isNeverBehind() async throws {
        try await run { client, counters in
            let scopes = scopes(12)
            let behind = try await withThrowingTaskGroup(of: Int.self) { group in
                for scope in scopes {
                    group.addTask {
                        var behind = 0
                        for version in 1...Int64(40) {
                            try await raise(scope, to: version, client)
                            if try await counters.versions(of: [scope]) != [version] { behind += 1 }
                        }
                        return behind
                    }
                }
                // Meanwhile others ask all the time, so that there is always a read under way.
                for _ in 0..<12 {
                    group.addTask {
                        for _ in 0..<200 { _ = try await counters.versions(of: scopes) }
                        return 0
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(behind == 0)
        }
    }

    @Test("A read that fails is told to those who asked, and the next one is made again")
    func failure() async throws {
        try await run { client, _ in
            try await client.withConnection { _ = try await $0.execute("RENAME TABLE Scope TO Scope_away") }
            let counters = ScopeCounters(client: client, database: client.configuration.database ?? "")
            #expect(await failures(of: 20, counters) == 20)
            try await client.withConnection { _ = try await $0.execute("RENAME TABLE Scope_away TO Scope") }
            #expect(await failures(of: 20, counters) == 0)
        }
    }

    /// How many of so many questions that are put at the same time fail.
    private func failures(of count: Int, _ counters: ScopeCounters) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask { (try? await counters.versions(of: [.reference])) == nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
    }

    @Test("Where no connection is to be had, all who wait are told at once, however many, and asked for again after")
    func noConnection() async throws {
        try await TestService.run { service in
            // On a busy machine fewer than all have asked by the time that the first one fails: they have more time then.
            for seconds in [1, 4, 16] {
                let failed = try await failures(ofMany: service.database, leaseTimeout: .seconds(seconds))
                // Not those of one read alone, of some hundreds; the client's two loops fail each for itself.
                if failed > 1_200 { return }
            }
            Issue.record("each read finds out for itself that there is no connection")
        }
    }

    /// How many of thousands of questions fail while the only connection is lent.
    private func failures(ofMany database: TestDatabase, leaseTimeout: Duration) async throws -> Int {
        try await database.withClient(
            configure: {
                $0.maximumConnections = 1
                $0.leaseTimeout = leaseTimeout
            }
        ) { client in
            let counters = ScopeCounters(client: client, database: database.name)
            let asked = 4_000
            let failed = try await withThrowingTaskGroup(of: Bool.self) { group in
                try await client.withConnection(database.name) { _ in
                    for _ in 0..<asked {
                        group.addTask { (try? await counters.versions(of: [.reference])) == nil }
                    }
                    // With the first that fails the connection is to be had again, for all that are asked later.
                    let hasFailed = try await group.next()
                    #expect(hasFailed == true)
                }
                return try await group.reduce(into: 1) { $0 += $1 ? 1 : 0 }
            }
            try await eventually("they are asked for again") { await failures(of: 10, counters) == 0 }
            return failed
        }
    }

    @Test("Who gives up takes nobody along")
    func cancelled() async throws {
        try await run { client, counters in
            let scope = scopes(1)[0]
            try await raise(scope, to: 7, client)
            let others = (0..<50).map { _ in Task { try await counters.versions(of: [scope]) } }
            for number in stride(from: 0, to: 50, by: 2) { others[number].cancel() }
            for number in stride(from: 1, to: 50, by: 2) { #expect(try await others[number].value == [7]) }
        }
    }
}
