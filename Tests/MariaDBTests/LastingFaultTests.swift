import Logging
import SubTrackTestSupport
import Testing

@testable import MariaDB

@Suite("Faults that last, in the log")
struct LastingFaultTests {
    @Test("One is said at once, then at intervals that double up to an hour, and once when it ends")
    func intervals() {
        let start = ContinuousClock.now
        var fault = LastingFault()
        #expect(fault.end(at: start) == nil, "nothing was wrong")
        var said: [Int] = []
        for second in 0..<30_000 where fault.isToBeSaid("away", at: start + .seconds(second)) { said.append(second) }
        let hourly = stride(from: 7_410, to: 30_000, by: 3_600)
        #expect(said == [0, 30, 90, 210, 450, 930, 1_890, 3_810] + hourly)
        #expect(fault.end(at: start + .seconds(30_000)) == .seconds(30_000))
        #expect(fault.end(at: start + .seconds(30_001)) == nil)
        let again = start + .seconds(40_000)
        #expect(fault.isToBeSaid("away", at: again))
        #expect(!fault.isToBeSaid("away", at: again + .seconds(29)))
        #expect(fault.isToBeSaid("full", at: again + .seconds(29)), "another fault is said at once")
        #expect(!fault.isToBeSaid("away", at: again + .seconds(29)), "the first one is known")
    }

    @Test("A server that is away is logged once by the pool, however many ask")
    func pool() async throws {
        let log = RecordedLog()
        var configuration = MariaDBConfiguration(endpoint: .unix(path: "/nonexistent/socket"), user: "nobody")
        configuration.leaseTimeout = .milliseconds(400)
        let client = MariaDBClient(configuration: configuration, logger: log.logger("pool"))
        for _ in 1...4 {
            let error = await #expect(throws: MariaDBError.self) { try await client.withConnection { _ in } }
            #expect(error?.isReported == true)
        }
        await client.shutdown()
        let lines = log.lines.filter { $0.message == "no connection" }
        #expect(lines.count == 1 && lines.first?.metadata["database"] == "/nonexistent/socket", "\(lines)")
    }
}

@Suite("Descriptions of errors")
struct ErrorDescriptionTests {
    @Test("Names of databases, tables and accounts are shown; values that a server quotes are not")
    func names() {
        func text(_ code: UInt32, _ message: String) -> String {
            "\(MariaDBError(kind: .server, code: code, sqlState: "42000", message: message))"
        }
        #expect(text(1049, "Unknown database 'shop'").hasSuffix("Unknown database 'shop'"))
        #expect(text(1146, "Table 'shop.Plan' doesn't exist").hasSuffix("Table 'shop.Plan' doesn't exist"))
        #expect(text(1044, "Access denied for user 'a'@'%' to database 'shop'").hasSuffix("'a'@'%' to database 'shop'"))
        let duplicate = text(1062, "Duplicate entry 'ada@example.org' for key 'Account_email'")
        #expect(!duplicate.contains("ada@example.org"))
    }
}
