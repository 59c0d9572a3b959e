import Foundation
import TestTraits
import Testing

@testable import MariaDB

/// Statements: what reaches the server as text and what as values.
@Suite(.ownTime) struct StatementTests {
    /// Strings that try to leave their place.
    static let hostile: [String] = [
        "'", "''", "\"", "`", "\\", "\\'", "' OR '1'='1", "'; DROP TABLE t; --", "1; DELETE FROM t", "/*", "*/", "--",
        "#",
        "\0", "\n", "\r\n", "\u{1A}", "\u{BF}\u{27}", "%", "_", "?", "??", ":x", "${x}", "\\x00",
        "') UNION SELECT 1 -- ",
        "admin'/*", "' AND SLEEP(5) AND 'x'='x", "\u{2019}", "\u{FF07}", "𝟏' OR 1", "\u{202E}'", "a\u{0300}'", "NULL",
        "0x27", "CHAR(39)", "@@version", "LOAD_FILE('/etc/passwd')", "INTO OUTFILE '/tmp/x'", "\u{10FFFF}",
    ]

    @Test func hostileTextIsNothingButData() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (n INT PRIMARY KEY, s TEXT COLLATE utf8mb4_bin)")
                for (index, text) in StatementTests.hostile.enumerated() {
                    try await connection.execute("INSERT INTO t VALUES (\(index), \(text))")
                    let found = try await connection.query("SELECT n FROM t WHERE s = \(text)").decode(Int.self)
                    #expect(found == [index], "\(text.debugDescription)")
                }
                let all = try await connection.query("SELECT s FROM t ORDER BY n").decode(String.self)
                #expect(all == StatementTests.hostile)
                let list = try await connection.query(
                    "SELECT COUNT(*) FROM t WHERE s IN (\(list: StatementTests.hostile))")
                #expect(try list.decode(Int.self) == [StatementTests.hostile.count])
            }
        }
    }

    @Test func aNameIsCheckedAndQuoted() throws {
        let names = try ["Plan", "select"].map { try Identifier($0).quoted }
        #expect(names == ["`Plan`", "`select`"])
        for bad in StatementTests.hostile + ["", "a b", "a.b", "ä", String(repeating: "a", count: 65)] where bad != "_"
        {
            if bad == "NULL" || bad == "0x27" { continue }
            #expect(throws: MariaDBError.self, "\(bad.debugDescription)") { try Identifier(bad) }
        }
    }

    @Test func fragmentsComposeWithTheirValues() async throws {
        let condition: SQL = "n > \(1)"
        let both = SQL.joined([condition, "s <> \("x")"], separator: " AND ")
        let table = try Identifier("t")
        let sql: SQL = "SELECT n FROM \(table) WHERE \(sql: both) AND n IN (\(list: [1, 2, 3]))"
        #expect(sql.text == "SELECT n FROM `t` WHERE n > ? AND s <> ? AND n IN (?, ?, ?)")
        let none: SQL = "SELECT \(list: [Int]())"
        #expect(none.text == "SELECT NULL")
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (n INT, s TEXT)")
                try await connection.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'x'), (4, 'd')")
                #expect(try await connection.query(sql).decode(Int.self) == [2])
            }
        }
    }

    @Test func aWrongNumberOfValuesIsRefused() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                let error = await mariaDBError { try await connection.query(SQL(unsafeText: "SELECT ?")) }
                #expect(error?.kind == .invalidStatement)
                let quoted = await mariaDBError { try await connection.query("SELECT '\(1)'") }
                #expect(quoted?.kind == .invalidStatement)
                let one = try await connection.query("SELECT \(1)").decode(Int.self)
                #expect(one == [1])
            }
        }
    }

    @Test func aTypeThatBindsTwiceIsRefused() async throws {
        struct Twice: SQLEncodable {
            func encode(into binds: inout SQLBinds) {
                binds.append(integer: 1)
                binds.append(integer: 2)
            }
        }
        try await Server.withClient { client in
            try await client.withConnection { connection in
                let error = await mariaDBError { try await connection.query("SELECT \(Twice())") }
                #expect(error?.kind == .invalidStatement)
            }
        }
    }

    @Test func severalStatementsInOneTextAreRefused() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                let error = await mariaDBError { try await connection.simpleQuery("SELECT 1; SELECT 2") }
                #expect(error?.code == 1064)
                let values = await mariaDBError { try await connection.simpleQuery("SELECT \(1)") }
                #expect(values?.kind == .invalidStatement)
            }
        }
    }

    @Test func theServerMayNotAskForOurFiles() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (s TEXT)")
                let error = await mariaDBError {
                    try await connection.simpleQuery("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t")
                }
                #expect(error != nil)
                #expect(try await connection.query("SELECT COUNT(*) FROM t").decode(Int.self) == [0])
            }
        }
    }

    @Test func aStatementIsPreparedOnceAndTheCacheIsBounded() async throws {
        try await Server.withClient {
            $0.statementCacheSize = 4
            $0.maximumConnections = 1
        } _: { client in
            try await client.withConnection { connection in
                func prepared(_ name: String) async throws -> Int {
                    let status = try await connection.simpleQuery(
                        SQL(unsafeText: "SHOW SESSION STATUS LIKE '\(name)'"))
                    return Int((status.rows.first?.last ?? nil) ?? "") ?? -1
                }
                let before = try await prepared("Com_stmt_prepare")
                for number in 0..<10 { try await connection.query("SELECT \(number)") }
                #expect(try await prepared("Com_stmt_prepare") == before + 1)
                for width in 2..<12 {
                    let values = Array(repeating: 1, count: width)
                    try await connection.query("SELECT 1 IN (\(list: values))")
                }
                #expect(try await prepared("Com_stmt_prepare") == before + 11)
                let closed = try await prepared("Com_stmt_close")
                #expect(try await prepared("Com_stmt_prepare") - closed <= 4)
            }
        }
    }

    @Test func aTableThatChangesItsShapeIsReadAsItIsNow() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (a INT, b INT)")
                try await connection.execute("INSERT INTO t VALUES (1, 2)")
                #expect(try await connection.query("SELECT * FROM t").first?["b"].decode(Int.self) == 2)
                try await connection.execute("ALTER TABLE t DROP COLUMN b, ADD COLUMN c VARCHAR(9) DEFAULT 'x'")
                let row = try #require(try await connection.query("SELECT * FROM t").first)
                #expect(try row["c"].decode(String.self) == "x")
                #expect(throws: MariaDBError.self) { try row["b"].decode(Int.self) }
                try await connection.execute("ALTER TABLE t ADD COLUMN d INT DEFAULT 7")
                #expect(try await connection.query("SELECT * FROM t").first?["d"].decode(Int.self) == 7)
            }
        }
    }

    @Test func proceduresWithSeveralResultsLeaveTheConnectionUsable() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.simpleQuery(
                    "CREATE PROCEDURE p(IN x INT) BEGIN SELECT x AS first; SELECT x + 1 AS second, 'y'; END")
                for number in 1...3 {
                    let rows = try await connection.query("CALL p(\(number))")
                    #expect(try rows.decode(Int.self) == [number])
                }
                #expect(try await connection.simpleQuery("CALL p(4)").rows == [["4"]])
                #expect(try await connection.query("SELECT 1").decode(Int.self) == [1])
            }
        }
    }

    @Test func whatAStatementDidIsTold() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
                let first = try await connection.execute("INSERT INTO t (n) VALUES (\(1)), (\(2))")
                #expect(first == ExecutionResult(affectedRows: 2, lastInsertID: 1, warnings: 0))
                #expect(try await connection.execute("INSERT INTO t (n) VALUES (3)").lastInsertID == 3)
                #expect(try await connection.execute("UPDATE t SET n = 9 WHERE n < \(3)").affectedRows == 2)
                #expect(try await connection.execute("SELECT 1").affectedRows == 0)
                #expect(try await connection.execute("INSERT IGNORE INTO t (id) VALUES (1)").warnings == 1)
            }
        }
    }

    @Test func whoeverUsesAConnectionAfterItsLeaseIsTold() async throws {
        try await Server.withClient { client in
            let escaped = try await client.withConnection { $0 }
            let error = await mariaDBError { try await escaped.query("SELECT 1") }
            #expect(error?.kind == .invalidStatement)
        }
    }

    @Test func tasksThatShareAConnectionTakeTurns() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<200 {
                        group.addTask { try await connection.query("SELECT \(number)").decode(Int.self) == [number] }
                    }
                    for try await isRight in group { #expect(isRight) }
                }
            }
        }
    }

    @Test func versionsAreRead() {
        let debian = ServerVersion("10.11.6-MariaDB-0+deb12u1")
        #expect(debian.isMariaDB && debian.isAtLeast(10, 6) && !debian.isAtLeast(11))
        let old = ServerVersion("5.5.5-10.6.4-MariaDB")
        #expect((old.major, old.minor, old.patch) == (10, 6, 4))
        let mysql = ServerVersion("9.7.0")
        #expect(!mysql.isMariaDB && mysql.isAtLeast(8, 0))
    }
}
