import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Providers of a user's own plans", .ownTime)
struct OwnProviderTests {
    @Test("A list of 300 own providers reads a few rows for each, and the plans of one of them are found by an index")
    func reads() async throws {
        let recorder = StatementRecorder()
        try await TestService.runAlone(configure: { $0.onStatement = { sql, _ in recorder.note(sql) } }) { service in
            let ada = try await service.newUser()
            try await service.database.run(
                """
                INSERT INTO Plan (Owner_ID, Provider, Plan_name, Subscription_type, Fee, Currency_code, Duration_value,
                                  Duration_unit, Country_ID)
                WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                SELECT \(hex(ada.user.id)), CONCAT('Gym ', i), 'Mornings', 'Standard', 1, 'USD', 1, 'month', 'US' FROM n;
                INSERT INTO Plan (Owner_ID, Provider, Plan_name, Subscription_type, Fee, Currency_code, Duration_value,
                                  Duration_unit, Country_ID)
                VALUES (\(hex(ada.user.id)), 'Gym 7', 'Evenings', 'Standard', 1, 'USD', 1, 'month', 'US');
                ANALYZE TABLE Plan, Private_provider
                """)
            var counts: [String: Int] = [:]
            try await forEachPage { cursor in
                let page = try await ada.call(ListProviders(limit: 100, cursor: cursor))
                for provider in page.providers { counts[provider.name] = provider.planCount }
                return page.nextCursor
            }
            #expect(counts.count == 300 && counts["Gym 7"] == 2 && counts["Gym 8"] == 1)
            #expect(
                try await ada.call(ListPlans(provider: "Gym 7")).plans.map(\.name) == ["Evenings", "Mornings"])

            let lists = recorder.all.filter { $0.key.contains("FROM Private_provider r") }
            let plans = recorder.all.filter { $0.key.contains("p.Own_provider = ?") && lists[$0.key] == nil }
            #expect(lists.count == 2 && !plans.isEmpty, "the first page, those behind it, and the plans")
            try await service.database.withClient { client in
                try await client.withConnection(service.database.name) { connection in
                    // Where each provider reads all of the plans, there are 90,000 rows.
                    for sql in lists.values {
                        let reads = try await Self.reads(of: sql, on: connection)
                        #expect(reads < 9_000)
                    }
                    for sql in plans.values {
                        let reads = try await Self.reads(of: sql, on: connection)
                        #expect(reads < 200)
                    }
                }
            }
        }
    }

    private static func reads(of sql: SQL, on connection: Connection) async throws -> Int {
        let before = try await Explained.reads(on: connection)
        _ = try await connection.query(sql)
        // The look itself reads the status variables.
        return try await Explained.reads(on: connection) - before
    }
}
