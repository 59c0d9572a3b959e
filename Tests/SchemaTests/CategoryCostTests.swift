import SubTrackTestSupport
import Testing

/// The work of a category that a user gives a provider of their own: a user may have 10,000 plans of it.
@Suite("Costs of a category")
struct CategoryCostTests {
    @Test("plans take their versions together, on MariaDB")
    func onMariaDB() async throws { try await check(.mariaDB) }

    @Test("plans take their versions together, on MySQL", .mySQL)
    func onMySQL() async throws { try await check(.mySQL) }

    private func check(_ server: TestServer) async throws {
        let plans = 500
        let lines = try await server.leaseTenant { database in
            try await database.run(
                """
                SET @u = 0x01900000000070008000000000000001;
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID)
                WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < \(plans))
                SELECT 'Aunt Mary', CONCAT('Lesson ', i), 30, 'US', 1, 'week', @u FROM n;
                SHOW SESSION STATUS LIKE 'Handler_read_key';
                UPDATE Private_provider SET Category = 'Music' WHERE Owner_ID = @u AND Provider = 'Aunt Mary';
                SHOW SESSION STATUS LIKE 'Handler_read_key';
                SELECT 'versions', COUNT(DISTINCT p.Ver), MAX(p.Ver) = MAX(s.Ver) AND MIN(p.Ver) = MAX(s.Ver) - \(plans - 1)
                FROM Plan p JOIN Scope s ON s.Scope_ID = p.Owner_ID WHERE p.Owner_ID = @u;
                """)
        }.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        #expect(lines.last == ["versions", "\(plans)", "1"])
        let reads = lines.filter { $0.first == "Handler_read_key" }.compactMap { $0.last.flatMap { Int($0) } }
        try #require(reads.count == 2)
        // One or two for each plan. To look at each, and to count the scope by one for each, takes three or four.
        #expect(reads[1] - reads[0] < plans * 5 / 2, "\(reads)")
    }
}
