import Foundation
import MariaDB
import SubTrackTestSupport
import TestTraits
import Testing

/// Who waits while a revision of the catalogue is applied, and what two do who apply or delete at once.
@Suite("Locks of revisions", .tags(.otherMariaDB), .ownTime)
struct RevisionLockTests {
    /// What a revision does with all plans of a country, as the text of its rows.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case prices, corrected, terms, withdrawn, missing, few, many

        var testDescription: String { rawValue }

        /// The staged rows, of the plans that are there.
        var rows: SQL {
            let columns: SQL =
                "Revision, Country_ID, Provider, Plan_name, Fee, Fee_since, Notice_days, Withdrawn_on, Duration_value, Duration_unit"
            return switch self {
            case .prices:
                "\(columns)) SELECT 'next', 'US', Provider, Plan_name, '6', '', '', '', '1', 'month' FROM Plan WHERE Provider = 'Acme'"
            case .corrected:
                "\(columns)) SELECT 'next', 'US', Provider, Plan_name, '6', '2024-01-01', '', '', '1', 'month' FROM Plan WHERE Provider = 'Acme'"
            case .terms:
                "\(columns)) SELECT 'next', 'US', Provider, Plan_name, '5', '', '14', '', '1', 'month' FROM Plan WHERE Provider = 'Acme'"
            case .withdrawn:
                "\(columns)) SELECT 'next', 'US', Provider, Plan_name, '', '', '', '2024-03-01', '1', 'month' FROM Plan WHERE Provider = 'Acme'"
            case .missing: "\(columns)) VALUES ('next', 'US', 'Acme', 'Other', '5', '', '', '', '1', 'month')"
            case .few:
                "\(columns)) SELECT 'next', 'US', Provider, CONCAT(Plan_name, ' new'), '5', '', '', '', '1', 'month' FROM Plan WHERE Provider = 'Acme'"
            case .many:
                """
                \(columns)) SELECT 'next', 'US', p.Provider, CONCAT(p.Plan_name, ' ', q.Plan_name), '5', '', '', '', '1', 'month'
                FROM Plan p JOIN Plan q ON q.Plan_ID % 100 < 21 AND q.Provider = 'Acme' WHERE p.Provider = 'Acme'
                """
            }
        }
    }

    @Test(
        "while a country is applied, nobody who subscribes, renews, changes or adds a plan waits, on MariaDB",
        arguments: Kind.allCases)
    func nobodyWaitsOnMariaDB(_ kind: Kind) async throws { try await checkNobodyWaits(.mariaDB, kind) }

    @Test("while a country is applied, nobody waits, on MySQL", .mySQL, .repeated, arguments: Kind.allCases)
    func nobodyWaitsOnMySQL(_ kind: Kind) async throws { try await checkNobodyWaits(.mySQL, kind) }

    @Test("new plans that wait for a provider keep no number from anybody, on MariaDB", arguments: [Kind.few, .many])
    func numbersOnMariaDB(_ kind: Kind) async throws { try await checkNumbers(.mariaDB, kind) }

    @Test(
        "new plans that wait for a provider keep no number from anybody, on MySQL", .mySQL, .repeated,
        arguments: [Kind.few, .many])
    func numbersOnMySQL(_ kind: Kind) async throws { try await checkNumbers(.mySQL, kind) }

    @Test("a plan is deleted or subscribed to, never both, on MariaDB")
    func deletionOnMariaDB() async throws { try await checkDeletion(.mariaDB) }

    @Test("a plan is deleted or subscribed to, never both, on MySQL", .mySQL, .repeated)
    func deletionOnMySQL() async throws { try await checkDeletion(.mySQL) }

    @Test("who is killed in the middle of a country leaves nothing of it, and it is applied the next time, on MariaDB")
    func killedOnMariaDB() async throws { try await checkKilled(.mariaDB) }

    @Test("who is killed in the middle of a country leaves nothing of it, on MySQL", .mySQL, .repeated)
    func killedOnMySQL() async throws { try await checkKilled(.mySQL) }

    @Test("two who apply the same country at the same moment come one after the other, on MariaDB")
    func twoAdminsOnMariaDB() async throws { try await checkTwoAdmins(.mariaDB) }

    @Test("two who apply the same country at the same moment come one after the other, on MySQL", .mySQL, .repeated)
    func twoAdminsOnMySQL() async throws { try await checkTwoAdmins(.mySQL) }

    /// A busy machine may take seconds to open a connection: that is not the wait that is looked for.
    private static let patient: @Sendable (inout MariaDBConfiguration) -> Void = { $0.leaseTimeout = .seconds(60) }

    /// What the statements of somebody are who uses the service: a subscription to a plan that is being changed first.
    private static let people: [SQL] = [
        """
        INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
        SELECT 0x01900000000070008000000000000001, MAX(Plan_ID), '2024-02-01' FROM Plan
        WHERE Provider = 'Acme' AND Plan_name = 'Plan 77'
        """,
        "UPDATE Subscription SET Start_date = End_date",
        "UPDATE Subscription SET Plan_ID = (SELECT Plan_ID FROM Plan WHERE Provider = 'Acme' AND Plan_name = 'Plan 20')",
        """
        INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID)
        VALUES ('Acme', 'mine', 1, 'US', 1, 'month', 0x01900000000070008000000000000001)
        """,
        "INSERT INTO `User` (User_ID, Country_ID) VALUES (UNHEX(LEFT(SHA2(UUID(), 256), 32)), 'US')",
    ]

    private func checkNobodyWaits(_ server: TestServer, _ kind: Kind) async throws {
        try await server.leaseTenant { database in
            try await database.withClient(configure: Self.patient) { client in
                try await prepare(kind, database, client)
                try await client.withTransaction(isolation: .readCommitted, retries: 0) { admin in
                    try await apply("next", on: admin)
                    // Not committed: whoever had to wait would get 1205 after a second.
                    try await client.withTransaction(isolation: .readCommitted, retries: 0) { person in
                        _ = try await person.execute("SET SESSION innodb_lock_wait_timeout = 1")
                        for statement in Self.people {
                            await #expect(throws: Never.self, "\(kind): \(statement)") {
                                _ = try await person.execute(statement)
                            }
                        }
                    }
                    #expect(admin.isInTransaction)
                }
                let changed: SQL =
                    switch kind {
                    case .prices, .corrected: "SELECT COUNT(DISTINCT Plan_ID) FROM Price_line WHERE Fee = 6"
                    case .terms: "SELECT COUNT(*) FROM Plan WHERE Notice_days = 14"
                    case .withdrawn, .missing: "SELECT COUNT(*) FROM Plan WHERE Withdrawn_on = '2024-03-01'"
                    case .few: "SELECT COUNT(*) FROM Plan WHERE Plan_name LIKE 'Plan % new'"
                    case .many: "SELECT COUNT(*) DIV 21 FROM Plan WHERE Plan_name LIKE 'Plan % Plan %'"
                    }
                let count = try await client.withConnection { try await $0.query(changed).decode(Int.self) }
                #expect(count == [100])
            }
        }
    }

    private func checkNumbers(_ server: TestServer, _ kind: Kind) async throws {
        try await server.leaseTenant { database in
            try await database.withClient(configure: Self.patient) { client in
                try await prepare(kind, database, client)
                // The last row is of a provider that somebody is just changing.
                try await database.run(
                    """
                    INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit)
                    VALUES ('next', 'US', 'Netflix', 'Last', '5', '1', 'month');
                    SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
                    UPDATE Revision SET Checked_at = UTC_TIMESTAMP() WHERE Revision = 'next';
                    """)
                let applied = try await client.withTransaction(isolation: .readCommitted, retries: 0) { other in
                    _ = try await other.execute("UPDATE Provider SET Website = 'x' WHERE Provider = 'Netflix'")
                    return try await waits(in: database) {
                        try await client.withTransaction(isolation: .readCommitted) { try await apply("next", on: $0) }
                    } meanwhile: {
                        await #expect(throws: Never.self) {
                            try await client.withTransaction(isolation: .readCommitted, retries: 0) { person in
                                _ = try await person.execute("SET SESSION innodb_lock_wait_timeout = 1")
                                _ = try await person.execute(Self.people[3])
                            }
                        }
                    }
                }
                try await applied.value
                #expect(
                    try await database.run("SELECT COUNT(*) FROM Plan WHERE Plan_name IN ('mine', 'Last')") == "2\n")
            }
        }
    }

    private func checkKilled(_ server: TestServer) async throws {
        try await server.leaseTenant { database in
            try await database.withClient(configure: Self.patient) { client in
                try await prepare(.prices, database, client)
                // Prices are written before new plans, which wait for their provider.
                try await database.run(
                    """
                    INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit)
                    VALUES ('next', 'US', 'Netflix', 'Last', '5', '1', 'month');
                    SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
                    UPDATE Revision SET Checked_at = UTC_TIMESTAMP() WHERE Revision = 'next';
                    """)
                let picture = """
                    SELECT COUNT(*), MAX(Ver) FROM Plan; SELECT COUNT(*), MAX(Ver) FROM Plan_price;
                    SELECT HEX(Scope_ID), Ver FROM Scope ORDER BY 1; SELECT COUNT(Applied_at) FROM Revision_country;
                    SELECT COUNT(*) FROM Revision_run;
                    """
                let before = try await database.run(picture)
                let applied = try await client.withTransaction(isolation: .readCommitted, retries: 0) { other in
                    _ = try await other.query("SELECT Provider FROM Provider WHERE Provider = 'Netflix' FOR UPDATE")
                        .decode(String.self)
                    return try await waits(in: database) {
                        try await client.withTransaction(isolation: .readCommitted, retries: 0) {
                            try await apply("next", on: $0)
                        }
                    } meanwhile: {
                        var id: String?
                        try await eventually("it is told who waits") {
                            id = await waiting(in: database).first
                            return id != nil
                        }
                        try await database.run("KILL \(id ?? "")")
                    }
                }
                await #expect(throws: MariaDBError.self) { try await applied.value }
                try await eventually("what it had done is rolled back") { try await database.run(picture) == before }
                try await client.withTransaction(isolation: .readCommitted) { try await apply("next", on: $0) }
                #expect(
                    try await database.run(
                        "SELECT COUNT(*) FROM Plan_price WHERE Fee = 6; SELECT COUNT(Applied_at) FROM Revision_country")
                        == "100\n1\n")
            }
        }
    }

    private func checkDeletion(_ server: TestServer) async throws {
        let subscribe: SQL = """
            INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
            VALUES (0x01900000000070008000000000000001, 2, '2027-01-31')
            """
        let cases: [(SQL, SQL, String, left: String)] = [
            (subscribe, "DELETE FROM Plan WHERE Plan_ID = 2", "Plan.Plan_ID: it is in use", "1 1"),
            ("DELETE FROM Plan WHERE Plan_ID = 2", subscribe, "Subscription.Plan_ID: there is no such plan: 2", "0 0"),
            (
                "UPDATE Subscription SET Plan_ID = 2 WHERE Plan_ID = 3", "DELETE FROM Plan WHERE Plan_ID = 2",
                "Plan.Plan_ID: it is in use", "1 1"
            ),
            (
                "DELETE FROM Plan WHERE Plan_ID = 2", "UPDATE Subscription SET Plan_ID = 2 WHERE Plan_ID = 3",
                "Subscription.Plan_ID: there is no such plan: 2", "0 0"
            ),
        ]
        for (first, second, problem, left) in cases {
            for level in [MariaDBConfiguration.Isolation.readCommitted, .repeatableRead] {
                try await server.leaseTenant { database in
                    try await database.run(
                        """
                        INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
                        VALUES (0x01900000000070008000000000000002, 3, '2027-01-31')
                        """)
                    try await database.withClient(configure: Self.patient) { client in
                        let late = try await client.withTransaction(isolation: level, retries: 0) { early in
                            _ = try await early.execute(first)
                            return try await waits(in: database) {
                                try await client.withTransaction(isolation: level, retries: 0) { late in
                                    try await waitLong(late)
                                    _ = try await late.execute(second)
                                }
                            }
                        }
                        let error = await #expect(throws: MariaDBError.self, "\(level): \(second)") {
                            try await late.value
                        }
                        #expect(
                            error?.message.contains(problem) == true,
                            "\(level): \(second): \(String(describing: error))")
                        let counts = try await database.run(
                            """
                            SELECT (SELECT COUNT(*) FROM Plan WHERE Plan_ID = 2),
                                (SELECT COUNT(*) FROM Subscription WHERE Plan_ID = 2)
                            """)
                        #expect(counts.split(whereSeparator: \.isWhitespace).joined(separator: " ") == left)
                    }
                }
            }
        }
    }

    private func checkTwoAdmins(_ server: TestServer) async throws {
        try await server.leaseTenant { database in
            try await database.withClient(configure: Self.patient) { client in
                func stage(_ name: String, _ fee: Int, _ day: String) -> String {
                    """
                    INSERT INTO Revision (Revision, Effective_on) VALUES ('\(name)', '\(day)');
                    INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit) VALUES
                        ('\(name)', 'US', 'Acme', 'Basic', '\(fee)', '1', 'month'), ('\(name)', 'US', 'Acme', '\(name)', '1', '1', 'month');
                    UPDATE Revision SET Checked_at = UTC_TIMESTAMP() WHERE Revision = '\(name)';
                    """
                }
                // Both were checked while there was no plan of this provider.
                try await database.run(
                    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;" + stage("one", 5, "2024-01-01")
                        + stage("other", 6, "2024-02-01"))
                let both = try await client.withTransaction(isolation: .readCommitted, retries: 0) { third in
                    _ = try await third.query(
                        "SELECT Ver FROM Scope WHERE Scope_ID = CAST('CUS' AS BINARY(16)) FOR UPDATE"
                    )
                    .decode(Int.self)
                    return try await waits(2, in: database) {
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            for name in ["one", "other"] {
                                group.addTask {
                                    try await client.withTransaction(isolation: .readCommitted, retries: 0) {
                                        try await apply(name, on: $0)
                                    }
                                }
                            }
                            try await group.waitForAll()
                        }
                    }
                }
                try await both.value
                #expect(
                    try await database.run(
                        "SELECT Plan_name FROM Plan WHERE Provider = 'Acme' ORDER BY 1; SELECT SUM(New_plans) FROM Revision_country"
                    )
                        == "Basic\none\nother\n3\n")
                // Whoever came first: of the later day the price is the other's.
                #expect(
                    try await database.run(
                        """
                        SELECT l.Fee FROM Price_line l JOIN Plan p ON p.Plan_ID = l.Plan_ID
                        WHERE p.Plan_name = 'Basic' AND p.Provider = 'Acme' AND Effective_on = '2024-02-01'
                        """) == "6.000000\n")
                let versions = try await database.run(
                    """
                    SELECT COUNT(*) = COUNT(DISTINCT Ver) FROM (
                        SELECT Ver FROM Plan WHERE Country_ID = 'US'
                        UNION ALL SELECT x.Ver FROM Plan_price x JOIN Plan p ON p.Plan_ID = x.Plan_ID WHERE p.Country_ID = 'US') v
                    """)
                #expect(versions == "1\n")
            }
        }
    }

    /// Makes a hundred plans, and a checked revision that does something with them.
    private func prepare(_ kind: Kind, _ database: TestDatabase, _ client: MariaDBClient) async throws {
        let plans = (1...100).map { "('US', 'Acme', 'Plan \($0)', 5, '2024-01-01', 1, 'month')" }
        try await database.run(
            """
            INSERT INTO Plan (Country_ID, Provider, Plan_name, Fee, Fee_since, Duration_value, Duration_unit)
            VALUES \(plans.joined(separator: ","));
            INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
            SELECT 0x01900000000070008000000000000001, Plan_ID, '2024-01-31' FROM Plan WHERE Provider = 'Acme' AND Plan_name = 'Plan 1';
            INSERT INTO Revision (Revision, Effective_on, Is_complete) VALUES ('next', '2024-03-01', \(kind == .missing));
            """)
        try await client.withTransaction(isolation: .readCommitted) { connection in
            _ = try await connection.execute("INSERT INTO Staged_plan (\(kind.rows)")
            _ = try await connection.execute("UPDATE Revision SET Checked_at = UTC_TIMESTAMP() WHERE Revision = 'next'")
        }
    }

    /// Lets this session wait for as long as it takes until a test has seen it wait.
    private func waitLong(_ connection: Connection) async throws {
        _ = try await connection.execute("SET SESSION innodb_lock_wait_timeout = 120")
    }

    private func apply(_ revision: String, on connection: Connection) async throws {
        try await waitLong(connection)
        let result = try await connection.execute(
            "UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = \(revision) AND Country_ID = 'US'"
        )
        #expect(result.affectedRows == 1)
    }

    /// Starts something that has to wait for a lock.
    /// - Returns: it, when so many transactions wait, and after what is done meanwhile.
    private func waits(
        _ count: Int = 1, in database: TestDatabase, _ body: @escaping @Sendable () async throws -> Void,
        meanwhile: () async throws -> Void = {}
    ) async throws -> Task<Void, any Error> {
        let task = Task { try await body() }
        do {
            try await eventually("\(count) wait for a lock") { await waiting(in: database).count == count }
            try await meanwhile()
        } catch {
            task.cancel()
            throw error
        }
        return task
    }

    /// The connections of a database that wait for a lock of a row, as far as the server tells: the status of InnoDB leaves some
    /// out on MySQL, and `information_schema.INNODB_TRX` is made anew only when nobody has looked for a tenth of a second (MySQL
    /// manual, "InnoDB INFORMATION_SCHEMA Transaction and Locking Information"), while several tests look all the time.
    private func waiting(in database: TestDatabase) async -> [String] {
        let rows = try? await database.run(
            "SELECT VERSION(); SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE(); SHOW ENGINE INNODB STATUS"
        )
        let lines = (rows ?? "").split(separator: "\n")
        let isMariaDB = lines.first?.contains("MariaDB") ?? true
        let connections = Set(lines.dropFirst().prefix { $0.allSatisfy(\.isNumber) }.map(String.init))
        let status = lines.dropFirst(1 + connections.count).joined(separator: "\n")
        var waiting = Set(
            status.components(separatedBy: "---TRANSACTION ").dropFirst()
                .filter { $0.contains("LOCK WAIT") }
                .compactMap { $0.firstMatch(of: #/thread id (\d+)/#).map { String($0.1) } }
                .filter { connections.contains($0) })
        guard !isMariaDB else { return waiting.sorted() }
        // None where it is not told: MySQL refuses to while any transaction of the server has bytes in its text that are not UTF-8.
        let transactions = try? await database.run(
            """
            SELECT p.ID FROM information_schema.INNODB_TRX t
            JOIN information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id
            WHERE t.trx_state = 'LOCK WAIT' AND p.DB = DATABASE()
            """)
        waiting.formUnion((transactions ?? "").split(separator: "\n").map(String.init))
        return waiting.sorted()
    }
}
