import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import MariaDB

#if canImport(Glibc)
    import Glibc
#endif

@Suite(.ownTime) struct StreamTests {
    @Test func rowsComeInOrderAndAllOfThem() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                var expected = 0
                let sql: SQL = "SELECT seq, REPEAT('x', seq % 300), IF(seq % 7 = 0, NULL, seq) FROM seq_0_to_50000"
                for try await row in connection.stream(sql) {
                    let (number, text, third) = try row.decode((Int, String, Int?).self)
                    if number != expected || text.utf8.count != number % 300
                        || third != (number % 7 == 0 ? nil : number)
                    {
                        Issue.record("row \(expected) is wrong")
                        return
                    }
                    expected += 1
                }
                #expect(expected == 50_001)
            }
        }
    }

    #if os(Linux)
        /// In a process of its own: other tests use memory too.
        @Test(.enabled(if: TestStage.full, "script/test --full: measures memory")) func memoryStaysFlat() async throws {
            let path = try await PrivateServer.shared.socketPath
            await #expect(processExitsWith: .success) { [path = path as String] in
                func resident() throws -> Int {
                    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
                    return (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
                }
                let configuration = Server.configuration(path, user: "root", database: "mysql")
                try await Server.withClient(of: configuration) { client in
                    try await client.withConnection { connection in
                        var bytes = 0
                        var first: Int?
                        var highest = 0
                        for try await row in connection.stream("SELECT seq, REPEAT('x', 1000) FROM seq_1_to_300000") {
                            bytes += try row.decode(String.self, at: 1).utf8.count
                            guard bytes % 10_000_000 == 0 else { continue }
                            // After the first rows all that is needed has been allocated.
                            let now = try resident()
                            if first == nil { first = now }
                            highest = max(highest, now)
                        }
                        #expect(bytes == 300_000_000)
                        #expect(highest - (first ?? 0) < 8_000_000, "grew by \((highest - (first ?? 0)) / 1_000) kB")
                    }
                }
            }
        }
    #endif

    @Test func aStreamThatIsLeftEarlyLeavesTheConnectionUsable() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                for try await row in connection.stream("SELECT seq, REPEAT('x', 500) FROM seq_1_to_20000") {
                    if try row.decode(Int.self, at: 0) == 3 { break }
                }
                #expect(try await connection.query("SELECT 5").decode(Int.self) == [5])
            }
            // Left at the end of the lease: the connection is closed rather than read to its end.
            try await client.withConnection { connection in
                var iterator = connection.stream("SELECT seq, REPEAT('x', 500) FROM seq_1_to_20000").makeAsyncIterator()
                _ = try await iterator.next()
            }
            #expect(try await client.withConnection { try await $0.query("SELECT 6").decode(Int.self) } == [6])
            #expect(client.statistics.leased == 0)
        }
    }

    @Test func nothingElseRunsWhileAStreamIsRead() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                var iterator = connection.stream("SELECT seq FROM seq_1_to_100000").makeAsyncIterator()
                _ = try await iterator.next()
                let error = await mariaDBError { try await connection.query("SELECT 1") }
                #expect(error?.kind == .invalidStatement)
                var count = 1
                while try await iterator.next() != nil { count += 1 }
                #expect(count == 100_000)
                #expect(try await connection.query("SELECT 1").decode(Int.self) == [1])
            }
        }
    }

    @Test func aStreamCannotOutliveItsLease() async throws {
        try await Server.withClient { client in
            var escaped = try await client.withConnection { connection in
                var iterator = connection.stream("SELECT seq, REPEAT('x', 500) FROM seq_1_to_20000").makeAsyncIterator()
                _ = try await iterator.next()
                return iterator
            }
            await #expect(throws: MariaDBError.self) {
                while try await escaped.next() != nil {}
            }
        }
    }

    @Test func anErrorInTheMiddleEndsTheStream() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                var count = 0
                let error = await mariaDBError {
                    let sql: SQL = "SELECT seq, IF(seq > 5000, (SELECT 1 UNION SELECT 2), 0) FROM seq_1_to_100000"
                    for try await _ in connection.stream(sql) { count += 1 }
                }
                #expect(error?.code == 1242)
                #expect(count <= 5_000)
                let one = try await connection.query("SELECT 1").decode(Int.self)
                #expect(one == [1])
            }
        }
    }

    @Test func statementsWithoutRowsStreamNothing() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                for try await _ in connection.stream("DO 1") { Issue.record("a row from nowhere") }
                for try await _ in connection.stream("SELECT 1 FROM DUAL WHERE FALSE") { Issue.record("a row") }
            }
        }
    }
}
