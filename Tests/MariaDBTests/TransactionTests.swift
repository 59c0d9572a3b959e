import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import MariaDB

@Suite(.ownTime) struct TransactionTests {
    private func withTable(
        _ configure: (inout MariaDBConfiguration) -> Void = { _ in }, _ body: (MariaDBClient) async throws -> Void
    ) async throws {
        try await Server.withClient(configure) { client in
            try await client.withConnection { connection in
                try await connection.execute(
                    "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, CHECK (n < 1000)) ENGINE = InnoDB")
                try await connection.execute("INSERT INTO t VALUES (1, 0), (2, 0)")
            }
            try await body(client)
        }
    }

    private func values(_ client: MariaDBClient) async throws -> [Int] {
        try await client.withConnection { try await $0.query("SELECT n FROM t ORDER BY id").decode(Int.self) }
    }

    @Test func whatReturnsIsCommittedAndWhatThrowsIsNot() async throws {
        struct Refusal: Error {}
        try await withTable { client in
            let result = try await client.withTransaction { connection in
                try await connection.execute("UPDATE t SET n = 1")
                return connection.isInTransaction
            }
            #expect(result)
            await #expect(throws: Refusal.self) {
                try await client.withTransaction { connection in
                    try await connection.execute("UPDATE t SET n = 2")
                    throw Refusal()
                }
            }
            let now = try await values(client)
            #expect(now == [1, 1])
        }
    }

    @Test func aTransactionLeftOpenNeverReachesTheNextBorrower() async throws {
        try await withTable({ $0.maximumConnections = 1 }) { client in
            for text in ["START TRANSACTION", "BEGIN", "SET autocommit = 0"] {
                try await client.withConnection { connection in
                    try await connection.simpleQuery(SQL(unsafeText: text))
                    try await connection.execute("UPDATE t SET n = n + 100")
                }
                try await client.withConnection { connection in
                    #expect(!connection.isInTransaction)
                    let (mode, rows) = (
                        try await connection.query("SELECT @@autocommit").decode(Int.self),
                        try await connection.query("SELECT n FROM t").decode(Int.self)
                    )
                    #expect(mode == [1] && rows == [0, 0], "after \(text)")
                }
            }
        }
    }

    @Test func whatASessionWasToldIsForgotten() async throws {
        try await withTable({ $0.maximumConnections = 1 }) { client in
            try await client.withConnection { connection in
                try await connection.simpleQuery("SET sql_mode = '', time_zone = '+05:00', @x = 1")
                try await connection.simpleQuery("SET NAMES latin1")
                try await connection.simpleQuery("CREATE TEMPORARY TABLE tt (n INT)")
                try await connection.simpleQuery("LOCK TABLES t WRITE")
                try await connection.simpleQuery("UNLOCK TABLES")
                try await connection.simpleQuery("USE mysql")
            }
            try await client.withConnection { connection in
                let row = try await connection.query(
                    "SELECT @@sql_mode, @@time_zone, @x, DATABASE(), @@character_set_client, @@max_statement_time"
                ).decode((String, String, Int?, String, String, Double).self)
                #expect(row.first?.0.contains("STRICT_ALL_TABLES") == true)
                #expect(row.first?.1 == "+00:00")
                #expect(row.first?.2 == nil)
                #expect(row.first?.3 == client.configuration.database)
                #expect(row.first?.4 == "utf8mb4")
                #expect(row.first?.5 == 30)
                let error = await mariaDBError { try await connection.query("SELECT * FROM tt") }
                #expect(error?.code == 1146)
            }
        }
    }

    @Test func aDeadlockRunsTheWholeClosureAgain() async throws {
        try await withTable { client in
            let runs = Tally()
            let meeting = Meeting()
            @Sendable func move(_ first: Int, _ second: Int) async throws {
                let mine = Tally()
                try await client.withTransaction { connection in
                    runs.add()
                    try await connection.execute("UPDATE t SET n = n + 1 WHERE id = \(first)")
                    // Both hold one row before either asks for the other's.
                    if mine.add() == 1 { await meeting.arrive() }
                    try await connection.execute("UPDATE t SET n = n + 1 WHERE id = \(second)")
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await move(1, 2) }
                group.addTask { try await move(2, 1) }
                try await group.waitForAll()
            }
            #expect(runs.count == 3)
            let now = try await values(client)
            #expect(now == [2, 2])
        }
    }

    @Test func aDeadlockThatTheClosureSwallowsIsNotCommittedInPieces() async throws {
        try await withTable { client in
            let meeting = Meeting()
            @Sendable func move(_ first: Int, _ second: Int) async throws {
                let mine = Tally()
                try await client.withTransaction { connection in
                    try await connection.execute("UPDATE t SET n = n + 1 WHERE id = \(first)")
                    if mine.add() == 1 { await meeting.arrive() }
                    _ = await mariaDBError {
                        try await connection.execute("UPDATE t SET n = n + 1 WHERE id = \(second)")
                    }
                    _ = await mariaDBError {
                        try await connection.execute("UPDATE t SET n = n + 100 WHERE id = \(first)")
                    }
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await move(1, 2) }
                group.addTask { try await move(2, 1) }
                try await group.waitForAll()
            }
            // Each did all of its three updates, once.
            let now = try await values(client)
            #expect(now == [102, 102])
        }
    }

    @Test func aLockThatIsNotHadInTimeIsTriedAgainAfterARollback() async throws {
        try await withTable({ $0.session.lockWaitTimeout = .seconds(1) }) { client in
            let runs = Tally()
            let seen = Mutex<[Int]>([])
            try await client.withConnection { holder in
                try await holder.simpleQuery("START TRANSACTION")
                try await holder.execute("UPDATE t SET n = 7 WHERE id = 2")
                try await client.withTransaction { connection in
                    let run = runs.add()
                    let before = try await connection.query("SELECT n FROM t WHERE id = 1").decode(Int.self)
                    seen.withLock { $0 += before }
                    try await connection.execute("UPDATE t SET n = n + 1 WHERE id = 1")
                    if run == 2 { try await holder.simpleQuery("COMMIT") }
                    try await connection.execute("UPDATE t SET n = n + 1 WHERE id = 2")
                }
            }
            #expect(runs.count == 2)
            // The first run's half was undone.
            #expect(seen.withLock { $0 } == [0, 0])
            let now = try await values(client)
            #expect(now == [1, 8])
        }
    }

    @Test func afterThreeRepetitionsTheErrorIsTheCallers() async throws {
        try await withTable({ $0.session.lockWaitTimeout = .seconds(1) }) { client in
            let runs = Tally()
            try await client.withConnection { holder in
                try await holder.simpleQuery("START TRANSACTION")
                try await holder.execute("UPDATE t SET n = 7 WHERE id = 2")
                let error = await mariaDBError {
                    try await client.withTransaction(retries: 1) { connection in
                        runs.add()
                        try await connection.execute("UPDATE t SET n = 1 WHERE id = 2")
                    }
                }
                #expect(error?.code == 1205 && error?.isTransient == true)
            }
            #expect(runs.count == 2)
        }
    }

    @Test func aRefusedRowIsNeverTriedAgain() async throws {
        try await withTable { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE child (t INT, FOREIGN KEY (t) REFERENCES t (id))")
                try await connection.simpleQuery(
                    """
                    CREATE TRIGGER no_13 BEFORE INSERT ON t FOR EACH ROW
                    IF NEW.n = 13 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'n: not 13'; END IF
                    """)
            }
            let refused: [(SQL, @Sendable (MariaDBError) -> Bool)] = [
                ("INSERT INTO t VALUES (1, 1)", { $0.isDuplicate }),
                ("INSERT INTO child VALUES (99)", { $0.isForeignKeyViolation }),
                ("INSERT INTO t VALUES (3, 1000)", { $0.isCheckViolation }),
                ("INSERT INTO t VALUES (3, 13)", { $0.isSignal && $0.message == "n: not 13" }),
            ]
            for (statement, isExpected) in refused {
                let runs = Tally()
                let error = await mariaDBError {
                    try await client.withTransaction { connection in
                        runs.add()
                        try await connection.execute(statement)
                    }
                }
                #expect(error.map(isExpected) == true, "\(statement): \(String(describing: error))")
                #expect(error?.isTransient == false)
                #expect(runs.count == 1)
            }
        }
    }

    @Test func aSnapshotStaysAsItWas() async throws {
        try await withTable { client in
            try await client.withTransaction(isolation: .repeatableRead, isReadOnly: true) { reader in
                let before = try await reader.query("SELECT n FROM t WHERE id = 1").decode(Int.self)
                try await client.withTransaction { writer in try await writer.execute("UPDATE t SET n = 5") }
                let after = try await reader.query("SELECT n FROM t WHERE id = 1").decode(Int.self)
                #expect(before == [0] && after == [0])
                let error = await mariaDBError { try await reader.execute("UPDATE t SET n = 6") }
                #expect(error?.code == 1792)
            }
            // The next transaction is READ COMMITTED again.
            try await client.withTransaction { reader in
                _ = try await reader.query("SELECT n FROM t")
                try await client.withTransaction { writer in try await writer.execute("UPDATE t SET n = 8") }
                let after = try await reader.query("SELECT n FROM t WHERE id = 1").decode(Int.self)
                #expect(after == [8])
            }
        }
    }

    @Test func aCommitWhoseAnswerIsLostIsUnknownAndNotTriedAgain() async throws {
        try await withTable { client in
            guard case .unix(let path) = client.configuration.endpoint else { return }
            try await Proxy.run(to: path) { proxy in
                var configuration = client.configuration
                configuration.endpoint = .unix(path: proxy.path)
                let runs = Tally()
                try await Server.withClient(of: configuration) { throughProxy in
                    // COM_QUERY and its text.
                    proxy.dropAnswer(to: "\u{3}COMMIT")
                    let error = await mariaDBError {
                        try await throughProxy.withTransaction { connection in
                            runs.add()
                            try await connection.execute("UPDATE t SET n = n + 1")
                        }
                    }
                    #expect(error?.kind == .outcomeUnknown)
                    #expect(error?.isTransient == false)
                    #expect(runs.count == 1)
                    #expect(throughProxy.statistics.leased == 0)
                    // It did happen: the server had the COMMIT.
                    let now = try await values(client)
                    #expect(now == [1, 1])
                }
            }
        }
    }

    @Test func aServerThatBecameReadOnlyIsLeftAndAskedOnceMore() async throws {
        try await PrivateServer.own { server in
            var configuration = Server.configuration(server.socketPath, user: "writer")
            configuration.maximumConnections = 3
            var admin = configuration
            admin.user = "root"
            try await Server.withClient(of: admin) { admin in
                try await admin.withConnection { connection in
                    try await connection.execute("CREATE DATABASE d")
                    try await connection.execute("CREATE TABLE d.t (n INT)")
                    // Without READ_ONLY ADMIN, which root has.
                    try await connection.simpleQuery("CREATE USER writer")
                    try await connection.simpleQuery("GRANT SELECT, INSERT ON d.* TO writer")
                    try await connection.simpleQuery("SET GLOBAL read_only = 1")
                }
                try await Server.withClient(of: configuration) { writer in
                    let runs = Tally()
                    let connections = Mutex<Set<UInt>>([])
                    try await writer.withTransaction { connection in
                        let id = try connection.connectionID
                        connections.withLock { _ = $0.insert(id) }
                        if runs.add() == 2 {
                            try await admin.withConnection { try await $0.simpleQuery("SET GLOBAL read_only = 0") }
                        }
                        try await connection.execute("INSERT INTO d.t VALUES (1)")
                    }
                    #expect(runs.count == 2)
                    #expect(connections.withLock { $0.count } == 2)
                    // A single statement too is moved to a new connection; refused there, the error is the caller's.
                    try await admin.withConnection { try await $0.simpleQuery("SET GLOBAL read_only = 1") }
                    let error = await mariaDBError {
                        try await writer.withConnection { try await $0.execute("INSERT INTO d.t VALUES (2)") }
                    }
                    #expect(error?.isReadOnlyServer == true)
                    #expect(writer.statistics.leased == 0)
                }
            }
        }
    }

    @Test("A trigger that signals the code of a read-only server refuses its statement; the connection stays")
    func signalledCode() async throws {
        try await TestDatabase.lease { database in
            try await database.run(
                """
                CREATE TABLE t (a INT);
                CREATE TRIGGER Fence_insert_t BEFORE INSERT ON t FOR EACH ROW
                SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1290, MESSAGE_TEXT = 'This database is closed'
                """)
            try await database.withClient { client in
                let runs = Tally()
                let before = try await client.withConnection { try $0.connectionID }
                let error = await mariaDBError {
                    try await client.withTransaction { connection in
                        _ = runs.add()
                        try await connection.execute("INSERT INTO t VALUES (1)")
                    }
                }
                #expect(error?.code == 1290 && error?.isReadOnlyServer == false)
                #expect(runs.count == 1, "no other server would take it")
                #expect(try await client.withConnection { try $0.connectionID } == before)
            }
        }
    }
}

/// Where two tasks wait for each other.
actor Meeting {
    private var waiting: CheckedContinuation<Void, Never>?

    func arrive() async {
        if let other = waiting {
            waiting = nil
            other.resume()
        } else {
            await withCheckedContinuation { waiting = $0 }
        }
    }
}
