import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import MariaDB

/// What goes in comes out, at the limits of each type.
@Suite(.ownTime) struct TypeTests {
    /// Sends a value, lets the server keep it in a column of that type, and reads it back.
    private func roundTrip<Value: SQLCodable & Equatable & Sendable>(
        _ values: [Value], _ column: SQL, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (n INT PRIMARY KEY, v \(sql: column) NULL)")
                for (index, value) in values.enumerated() {
                    try await connection.execute("INSERT INTO t VALUES (\(index), \(value))")
                }
                try await connection.execute("INSERT INTO t VALUES (\(values.count), \(Value?.none))")
                let read = try await connection.query("SELECT v FROM t ORDER BY n").decode(Value?.self)
                #expect(read == values.map { $0 } + [nil], sourceLocation: sourceLocation)
            }
        }
    }

    @Test func integers() async throws {
        try await roundTrip([Int8.min, -1, 0, 1, .max], "TINYINT")
        try await roundTrip([UInt8.min, 1, .max], "TINYINT UNSIGNED")
        try await roundTrip([Int16.min, 0, .max], "SMALLINT")
        try await roundTrip([UInt16.min, .max], "SMALLINT UNSIGNED")
        try await roundTrip([Int32.min, 0, .max], "INT")
        try await roundTrip([UInt32.min, .max], "INT UNSIGNED")
        try await roundTrip([Int64.min, 0, .max], "BIGINT")
        try await roundTrip([UInt64.min, .max], "BIGINT UNSIGNED")
        try await roundTrip([-8_388_608, 0, 8_388_607], "MEDIUMINT")
        try await roundTrip([1_901, 2_026, 2_155], "YEAR")
        try await roundTrip([true, false], "TINYINT(1)")
    }

    @Test func floats() async throws {
        try await roundTrip([0.1, -0.0, .greatestFiniteMagnitude, .leastNormalMagnitude, 1.5e-300], "DOUBLE")
    }

    @Test func decimalsAreExact() async throws {
        let digits = ["0.000000", "-0.000001", "12345678901234567890.123456", "-99999999999999999999999999.999999"]
        let values = digits.compactMap { Decimal(string: $0) }
        #expect(values.count == digits.count)
        try await roundTrip(values, "DECIMAL(38, 6)")
        try await Server.withClient { client in
            try await client.withConnection { connection in
                // The digits themselves, as the column keeps them.
                let rows = try await connection.query("SELECT CAST(\(values[1]) AS DECIMAL(38, 6))")
                #expect(try rows.decode(String.self) == ["-0.000001"])
                // More than Foundation's Decimal holds is refused, never rounded.
                let wide = try await connection.query("SELECT CAST(REPEAT('9', 60) AS DECIMAL(65, 0))")
                #expect(throws: MariaDBError.self) { try wide.decode(Decimal.self) }
                #expect(throws: MariaDBError.self) { try wide.decode(Double.self) }
                let sums = try await connection.query("SELECT SUM(x), AVG(x) FROM (SELECT 1 AS x UNION SELECT 2) AS t")
                #expect(try sums.first?[0].decode(Int.self) == 3)
                #expect(throws: MariaDBError.self) { try sums.first?[1].decode(Int.self) }
            }
        }
    }

    @Test func textOfEveryLength() async throws {
        let lengths = [0, 1, 250, 251, 252, 255, 256, 4_095, 4_096, 16_383, 16_384, 65_535, 65_536, 70_000, 1_000_000]
        try await roundTrip(lengths.map { String(repeating: "ä", count: $0) }, "LONGTEXT")
        try await roundTrip(["", "a\0b", "😀👩‍👩‍👧‍👦", "é", "'\"\\;--", "\u{FEFF}x"], "VARCHAR(200)")
    }

    @Test func longPacketsAreReadAndSentWhole() async throws {
        // Longer than a packet of the protocol (16 MiB), in both directions.
        try await PrivateServer.own(configure: { $0.extraArguments.append("--max-allowed-packet=64M") }) { server in
            let configuration = Server.configuration(server.socketPath, user: "root")
            try await Server.withClient(of: configuration) { client in
                try await client.withConnection { connection in
                    for length in [16_777_214, 16_777_215, 16_777_216, 25_000_000] {
                        let long = [UInt8](repeating: 7, count: length)
                        let read = try await connection.query("SELECT \(long), LENGTH(\(long))")
                            .decode(([UInt8], Int).self)
                        #expect(read.first?.0 == long && read.first?.1 == length)
                        let next = try await connection.stream("SELECT \(long)").first { _ in true }
                        #expect(try next?[0].decode([UInt8].self) == long)
                    }
                }
            }
        }
    }

    @Test func bytes() async throws {
        try await roundTrip([[], [0], Array(0...255), [UInt8](repeating: 0xFF, count: 70_000)], "LONGBLOB")
        try await roundTrip([Data([1, 2, 3])], "VARBINARY(10)")
    }

    @Test func uuids() async throws {
        try await roundTrip([UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))], "BINARY(16)")
        try await Server.withClient { client in
            try await client.withConnection { connection in
                let id = UUID()
                let text = try await connection.query("SELECT \(id.uuidString)").decode(UUID.self)
                #expect(text == [id])
                let hex = try await connection.query("SELECT HEX(\(id))").decode(String.self)
                #expect(hex.first == id.uuidString.replacing("-", with: ""))
                let short = try await connection.query("SELECT x'0011'")
                #expect(throws: MariaDBError.self) { try short.decode(UUID.self) }
            }
        }
    }

    @Test func dates() async throws {
        let dates = [(1_000, 1, 1), (2_024, 2, 29), (9_999, 12, 31)].compactMap {
            SQLDate(year: $0, month: $1, day: $2)
        }
        #expect(dates.count == 3)
        try await roundTrip(dates, "DATE")
        #expect(SQLDate(year: 2_023, month: 2, day: 29) == nil)
        #expect(SQLDate(year: 0, month: 1, day: 1) == nil)
    }

    @Test func momentsAreInUTCToTheMicrosecond() async throws {
        let moments = [
            0, 1, -1, 0.000001, 1_700_000_000.123456, -2_208_988_800, 253_402_300_799.999, -30_000_000_000.5,
        ].map { Date(timeIntervalSince1970: $0) }
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (n INT PRIMARY KEY, v DATETIME(6))")
                for (index, moment) in moments.enumerated() {
                    try await connection.execute("INSERT INTO t VALUES (\(index), \(moment))")
                }
                let read = try await connection.query("SELECT v FROM t ORDER BY n").decode(Date.self)
                for (sent, got) in zip(moments, read) {
                    #expect(abs(sent.timeIntervalSince(got)) < 0.000_001, "\(sent)")
                }
                let text = try await connection.query("SELECT CAST(v AS CHAR) FROM t WHERE n = 4").decode(String.self)
                #expect(text == ["2023-11-14 22:13:20.123456"])
                // The server's own clock is in UTC for this session.
                let now = try await connection.query("SELECT NOW(6), UTC_TIMESTAMP(6)").decode((Date, Date).self)
                #expect(now.first?.0 == now.first?.1)
            }
        }
    }

    @Test func timeOfDayIsADuration() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                let rows = try await connection.query(
                    "SELECT CAST('-838:59:59.5' AS TIME(6)), CAST('00:00:00' AS TIME), CAST('25:00:01' AS TIME)")
                let (low, zero, day) = try #require(try rows.first?.decode((Duration, Duration, Duration).self))
                #expect(low == .zero - .seconds(838 * 3_600 + 59 * 60 + 59) - .milliseconds(500))
                #expect(zero == .zero)
                #expect(day == .seconds(25 * 3_600 + 1))
            }
        }
    }

    @Test func zeroDatesAreErrors() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.simpleQuery("SET sql_mode = ''")
                try await connection.simpleQuery("CREATE TABLE t (d DATE, m DATETIME)")
                try await connection.simpleQuery(
                    "INSERT INTO t VALUES ('0000-00-00', '0000-00-00 00:00:00'), ('2026-00-00', '2026-02-00 10:00:00')")
                for row in try await connection.query("SELECT d, m FROM t") {
                    #expect(throws: MariaDBError.self) { try row[0].decode(SQLDate.self) }
                    #expect(throws: MariaDBError.self) { try row["m"].decode(Date.self) }
                    #expect(throws: MariaDBError.self) { try row["m"].decode(Date?.self) }
                }
            }
        }
    }

    @Test func theSessionIsStrict() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (n TINYINT, d DATE, s VARCHAR(2))")
                let values: [SQL] = ["(\(300), NULL, NULL)", "(\("abc"), NULL, NULL)", "(NULL, '2026-02-30', NULL)"]
                for value in values + ["(NULL, '0000-00-00', NULL)", "(NULL, NULL, 'abc')"] {
                    let error = await mariaDBError {
                        try await connection.execute("INSERT INTO t VALUES \(sql: value)")
                    }
                    #expect(error?.kind == .server, "\(value)")
                }
                #expect(try await connection.query("SELECT COUNT(*) FROM t").decode(Int.self) == [0])
            }
        }
    }

    @Test func nullsBetweenValuesLeaveNothingBehind() async throws {
        // Lengths of one row must not show in the next.
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute(
                    "CREATE TABLE t (n INT PRIMARY KEY, a VARCHAR(300), b INT, c VARBINARY(9), d DECIMAL(9, 2))")
                let long = String(repeating: "x", count: 300)
                try await connection.execute("INSERT INTO t VALUES (1, \(long), 5, x'0102', 1.50)")
                try await connection.execute("INSERT INTO t VALUES (2, NULL, NULL, NULL, NULL)")
                try await connection.execute("INSERT INTO t VALUES (3, '', 0, x'', 0)")
                let rows = try await connection.query("SELECT a, b, c, d FROM t ORDER BY n")
                    .decode((String?, Int?, [UInt8]?, Decimal?).self)
                #expect(
                    rows[0].0 == long && rows[0].1 == 5 && rows[0].2 == [1, 2] && rows[0].3 == Decimal(string: "1.5"))
                #expect(rows[1].0 == nil && rows[1].1 == nil && rows[1].2 == nil && rows[1].3 == nil)
                #expect(rows[2].0 == "" && rows[2].1 == 0 && rows[2].2 == [] && rows[2].3 == 0)
            }
        }
    }

    @Test func emptyValuesAreNotNull() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                let rows = try await connection.query("SELECT \("") IS NULL, \([UInt8]()) IS NULL, \("") = ''")
                let (text, bytes, equal) = try #require(try rows.first?.decode((Bool, Bool, Bool).self))
                #expect(!text && !bytes && equal)
            }
        }
    }

    @Test func manyColumnsAndManyNulls() async throws {
        // The bitmap of NULLs over several bytes.
        try await Server.withClient { client in
            try await client.withConnection { connection in
                let list = SQL.joined((0..<50).map { $0 % 3 == 0 ? "NULL AS c" : "\($0) AS c" as SQL })
                let row = try #require(try await connection.query("SELECT \(sql: list)").first)
                for column in 0..<50 {
                    #expect(try row[column].decode(Int?.self) == (column % 3 == 0 ? nil : column))
                }
            }
        }
    }

    @Test func enumsBitsAndJSON() async throws {
        enum Size: String, SQLCodable { case small, large }
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (e ENUM('small', 'large', 'huge'), b BIT(12), j JSON)")
                try await connection.execute("INSERT INTO t VALUES (\(Size.large), b'101000000001', '{\"a\": 1}')")
                let (size, bits, json) = try #require(
                    try await connection.query("SELECT e, b, j FROM t").first?.decode((Size, Int, String).self))
                #expect(size == .large && bits == 0b1010_0000_0001 && json == "{\"a\": 1}")
                try await connection.execute("UPDATE t SET e = 'huge'")
                let rows = try await connection.query("SELECT e FROM t")
                #expect(throws: MariaDBError.self) { try rows.decode(Size.self) }
            }
        }
    }

    @Test(arguments: 0..<64)
    func momentsAndDaysAgreeWithFoundation(seed: Int) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        // Spread over the years 1583 (the Gregorian calendar's first) to 9999.
        let seconds = -12_212_553_600 + 265_614_854_400 * (Double(seed) + 0.377) / 64
        let date = Date(timeIntervalSince1970: seconds.rounded() + 0.25)
        let parts = UTCDateTime(date)
        let expected = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        #expect(parts.year == expected.year && parts.month == expected.month && parts.day == expected.day)
        #expect(parts.hour == expected.hour && parts.minute == expected.minute && parts.second == expected.second)
        #expect(parts.microsecond == 250_000)
        #expect(parts.date == date)
    }
}
