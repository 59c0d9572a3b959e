import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What pulls cost, in rows that the database reads: figures that do not depend on the machine.
@Suite("What a pull reads", .ownTime)
struct LongPullTests {
    /// How many rows the database reads for some queries.
    private func reads(_ statements: [SQL], _ service: TestService) async throws -> Int {
        try await service.database.withClient { client in
            try await client.withConnection(service.database.name) { connection in
                var sum = 0
                for sql in statements {
                    let before = try await Explained.reads(on: connection)
                    let overhead = try await Explained.reads(on: connection) - before
                    let start = try await Explained.reads(on: connection)
                    _ = try await connection.query(sql)
                    sum += try await Explained.reads(on: connection) - start - overhead
                }
                return sum
            }
        }
    }

    /// What was read since the last time, without locks.
    private func selects(_ recorder: RequestStatements) -> [SQL] {
        recorder.take().filter { $0.text.hasPrefix("SELECT") && !$0.text.contains("FOR UPDATE") }
    }

    private func run(_ body: (TestService, RequestStatements, Int64) async throws -> Void) async throws {
        let recorder = RequestStatements()
        try await TestService.runAlone(configure: { $0.onStatement = { sql, _ in recorder.note(sql) } }) { service in
            try await body(service, recorder, try await service.addPlan())
        }
    }

    private func add(
        _ count: Int, periods: Int, plan: Int64, to user: TestUser, _ service: TestService
    ) async throws {
        let hex = user.user.id.uuidString.replacing("-", with: "")
        // Statements of a thousand recursions at the most.
        for first in stride(from: 0, to: count, by: 400) {
            try await service.database.run(
                """
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
                WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < \(min(400, count - first)))
                SELECT UNHEX('\(hex)'), \(plan), '2024-01-01' FROM n;
                """)
        }
        for _ in 0..<periods {
            try await service.database.run(
                "UPDATE Subscription SET Start_date = End_date WHERE User_ID = UNHEX('\(hex)')")
        }
    }

    @Test("A first pull in many pages reads in proportion to the rows, not to their square")
    func firstPull() async throws {
        try await run { service, recorder, plan in
            var figures: [Int] = []
            for count in [500, 2000] {
                let ada = try await service.newUser()
                try await add(count, periods: 2, plan: plan, to: ada, service)
                _ = recorder.take()
                var copy = SyncCopy()
                try await copy.pull(ada, limit: 500, scopes: .user)
                #expect(copy.data(.subscription).count == count && copy.data(.period).count == 2 * count)
                figures.append(try await reads(selects(recorder), service))
            }
            print("rows read for a first pull of 1500 and of 6000 changes: \(figures)")
            #expect(figures[1] < 6 * figures[0])
            #expect(figures[1] < 25 * 6000)
        }
    }

    @Test("One change among many costs what it costs among few; nothing new is one statement by key")
    func oneChange() async throws {
        try await run { service, recorder, plan in
            // Others have rows of the same versions, prices of their own among them.
            for number in 0..<30 {
                let other = try await service.newUser(country: number % 2 == 0 ? "US" : "DE")
                let own = try await other.call(
                    CreateSubscription(
                        plan: PrivatePlan(
                            provider: "Gym", name: "Plan", fee: amount("20"), currency: "USD",
                            duration: PlanDuration(value: 1, unit: .month))))
                try await service.database.run(
                    """
                    INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
                    WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 40)
                    SELECT \(own.plan.id), '2099-01-01' + INTERVAL i DAY, 3 FROM n
                    """)
            }
            var figures: [Int] = []
            for count in [20, 2000] {
                let ada = try await service.newUser()
                try await add(count, periods: 1, plan: plan, to: ada, service)
                var copy = SyncCopy()
                try await copy.pull(ada)
                _ = recorder.take()
                try await copy.pull(ada)
                let nothing = selects(recorder)
                #expect(nothing.count == 1 && nothing.first?.text.contains("FROM Scope WHERE Scope_ID IN") == true)
                #expect(try await reads(nothing, service) <= 4)
                let id = try #require(copy.data(.subscription).keys.first).replacing("-", with: "")
                try await service.database.run(
                    "UPDATE Subscription SET Note = 'x' WHERE Subscription_ID = UNHEX('\(id)')")
                #expect(try await copy.pull(ada) == 1)
                figures.append(try await reads(selects(recorder), service))
            }
            let ada = try await service.newUser()
            var copy = SyncCopy()
            try await copy.pull(ada)
            _ = recorder.take()
            try await service.database.run(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2099-01-01', 3)")
            #expect(try await copy.pull(ada) == 1 && copy.data(.price).count == 1)
            let price = try await reads(selects(recorder), service)
            print("rows read for one price, beside 1200 of other people: \(price)")
            #expect(price < 200)
            print("rows read for one change among 20 and among 2000: \(figures)")
            #expect(figures[1] * 5 <= figures[0] * 6 + 5)
        }
    }
}
