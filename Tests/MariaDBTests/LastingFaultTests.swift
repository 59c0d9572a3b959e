import Logging
import SubTrackTestSupport
import TestTraits
import Testing

@testable import MariaDB

@Suite("Faults that last, in the log", .ownTime)
struct LastingFaultTests {
    @Test("One is said at once, then at intervals that double up to an hour, and once when it ends")
    func intervals() {
        let start = ContinuousClock.now
        var fault = LastingFault()
        let nothing = fault.end(at: start)
        #expect(nothing == nil, "nothing was wrong")
        var said: [Int] = []
        for second in 0..<30_000 where fault.isToBeSaid("away", at: start + .seconds(second)) { said.append(second) }
        let hourly = stride(from: 7_410, to: 30_000, by: 3_600)
        #expect(said == [0, 30, 90, 210, 450, 930, 1_890, 3_810] + hourly)
        let (lasted, over) = (fault.end(at: start + .seconds(30_000)), fault.end(at: start + .seconds(30_001)))
        #expect(lasted == .seconds(30_000) && over == nil)
        let again = start + .seconds(40_000)
        let steps = [("away", 0, true), ("away", 29, false), ("full", 29, true), ("away", 29, false)]
        for (text, second, isLogged) in steps {
            let isSaid = fault.isToBeSaid(text, at: again + .seconds(second))
            #expect(
                isSaid == isLogged, "\(text) after \(second) s: another fault is said at once, the first one is known")
        }
    }

    @Test("A server that is away is logged once by the pool, however many ask")
    func pool() async throws {
        let log = RecordedLog()
        let configuration = MariaDBConfiguration(endpoint: .unix(path: "/nonexistent/socket"), user: "nobody")
        let client = MariaDBClient(configuration: configuration, logger: log.logger("pool"))
        let began = ContinuousClock.now
        for number in 1...4 {
            // The first attempt fails in this time on a busy machine, too; its fault is known from then on.
            let patience: Duration = number == 1 ? .seconds(5) : .milliseconds(400)
            let error = await #expect(throws: MariaDBError.self) {
                try await client.withConnection(timeout: patience) { _ in }
            }
            #expect(error?.isReported == true)
        }
        await client.shutdown()
        let lines = log.lines.filter { $0.message == "no connection" }
        // It is said again after half a minute, which a busy machine may take.
        let isLong = began.duration(to: .now) >= .seconds(30)
        #expect(lines.count == 1 || isLong && lines.count > 1, "\(lines)")
        #expect(lines.first?.metadata["database"] == "/nonexistent/socket", "\(lines)")
    }
}

@Suite("Descriptions of errors", .ownTime)
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
