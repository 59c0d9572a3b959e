import Foundation
import Logging
import MariaDB
import TestTraits
import Testing

// The examples of Sources/MariaDB/MariaDB.docc, compiled and run. Each stands between two lines `// example:`.

// example: a type of one's own in a column
/// An amount of money in thousandths, read from the digits of a DECIMAL without a floating-point number in between.
struct Thousandths: Equatable, SQLCodable {
    var value: Int

    init(value: Int) { self.value = value }

    init(cell: borrowing SQLCell) throws {
        var digits = 0
        var fraction: Int?
        var isNegative = false
        for byte in try cell.decimalDigits() {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): fraction = 0
            default:
                digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
                fraction = fraction.map { $0 + 1 }
            }
        }
        guard fraction == 3 else { throw SQLCell.Mismatch("has not three digits after the point") }
        value = isNegative ? -digits : digits
    }

    func encode(into binds: inout SQLBinds) {
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        binds.append(decimal: ((value < 0 ? "-" : "") + padded.dropLast(3) + "." + padded.suffix(3)).utf8)
    }
}
// example:

// example: a type that is a row
struct Item: RowDecodable {
    var id: Int
    var name: String
    var price: Thousandths
    var since: SQLDate?

    init(row: Row) throws {
        id = try row.decode(Int.self, at: 0)
        name = try row.decode(String.self, at: 1)
        price = try row.decode(Thousandths.self, at: 2)
        since = try row.decode(SQLDate?.self, at: 3)
    }
}
// example:

@Suite(.ownTime) struct Examples {
    private func withShop(_ body: (MariaDBClient) async throws -> Void) async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute(
                    "CREATE TABLE item (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(80), price DECIMAL(19, 3), since DATE)"
                )
                try await connection.execute(
                    "INSERT INTO item (name, price, since) VALUES ('pen', 1.250, '2026-01-31'), ('ink', 4.000, NULL)")
                try await connection.execute("CREATE TABLE stock (item INT PRIMARY KEY, amount INT NOT NULL)")
                try await connection.execute("INSERT INTO stock VALUES (1, 5), (2, 0)")
            }
            try await body(client)
        }
    }

    @Test func configuring() {
        // example: configuring
        var configuration = MariaDBConfiguration(
            endpoint: .tcp(host: "db.example"), user: "shop",
            password: MariaDBConfiguration.Password(ProcessInfo.processInfo.environment["DB_PASSWORD"] ?? ""),
            tls: .required(ca: "/etc/shop/ca.pem"), database: "shop")
        configuration.maximumConnections = 32
        let client = MariaDBClient(configuration: configuration, logger: Logger(label: "shop"))
        // example:
        #expect(client.statistics.size == 0)
    }

    @Test func querying() async throws {
        try await withShop { client in
            // example: querying
            let limit = 2
            let cheap = try await client.withConnection { connection in
                try await connection.query("SELECT id, name FROM item WHERE price < \(limit) ORDER BY name")
            }
            for (id, name) in try cheap.decode((Int, String).self) {
                print(id, name)
            }
            // example:
            #expect(cheap.count == 1)
        }
    }

    @Test func rowsAsValues() async throws {
        try await withShop { client in
            // example: rows as values
            let wanted = ["pen", "ink"]
            let items = try await client.withConnection { connection in
                try await connection.query("SELECT id, name, price, since FROM item WHERE name IN (\(list: wanted))")
                    .decode(as: Item.self)
            }
            // example:
            #expect(items.map(\.price) == [Thousandths(value: 1_250), Thousandths(value: 4_000)])
            #expect(items.map(\.since) == [SQLDate(year: 2_026, month: 1, day: 31), nil])
        }
    }

    @Test func composing() async throws {
        try await withShop { client in
            func find(namedLike pattern: String?, in table: String) async throws -> Int {
                // example: composing
                var conditions: [SQL] = ["price > \(0)"]
                if let pattern { conditions.append("name LIKE \(pattern)") }
                let filter = SQL.joined(conditions, separator: " AND ")
                let name = try Identifier(table)
                return try await client.withConnection { connection in
                    try await connection.query("SELECT COUNT(*) FROM \(name) WHERE \(filter)")[0].decode(Int.self)
                }
                // example:
            }
            let counts = (try await find(namedLike: "p%", in: "item"), try await find(namedLike: nil, in: "item"))
            #expect(counts == (1, 2))
        }
    }

    @Test func transactions() async throws {
        struct SoldOut: Error {}
        try await withShop { client in
            // example: transactions
            func sell(_ item: Int) async throws -> Int {
                try await client.withTransaction { connection in
                    let rows = try await connection.query("SELECT amount FROM stock WHERE item = \(item) FOR UPDATE")
                    guard let amount = try rows.first?.decode(Int.self), amount > 0 else { throw SoldOut() }
                    try await connection.execute("UPDATE stock SET amount = amount - 1 WHERE item = \(item)")
                    return amount - 1
                }
            }
            // example:
            let left = try await sell(1)
            #expect(left == 4)
            await #expect(throws: SoldOut.self) { try await sell(2) }
        }
    }

    @Test func streaming() async throws {
        try await withShop { client in
            // example: streaming
            var total = 0
            try await client.withConnection { connection in
                for try await row in connection.stream("SELECT price FROM item") {
                    total += try row.decode(Thousandths.self).value
                }
            }
            // example:
            #expect(total == 5_250)
        }
    }

    @Test func telling() async throws {
        try await withShop { client in
            // example: errors
            do {
                try await client.withTransaction { connection in
                    try await connection.execute("INSERT INTO stock VALUES (\(1), \(7))")
                }
            } catch let error as MariaDBError where error.isDuplicate {
                print("that item is there already")
            } catch let error as MariaDBError where error.kind == .outcomeUnknown {
                print("it may have happened: look before trying again")
            } catch let error as MariaDBError where error.isTransient {
                print("later: \(error)")
            }
            // example:
        }
    }

    @Test func handlersOnTheLoop() async throws {
        try await withShop { client in
            // example: on the loop
            let count = try await client.configuration.loops.next().run { _ in
                try await client.withConnection { connection in
                    try await connection.query("SELECT COUNT(*) FROM item")[0].decode(Int.self)
                }
            }
            // example:
            #expect(count == 2)
        }
    }

    /// What the documentation shows is what stands here.
    @Test func theDocumentationQuotesTheseExamples() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let document = try String(
            contentsOf: folder.appending(path: "../../Sources/MariaDB/MariaDB.docc/MariaDB.md"), encoding: .utf8)
        func lines(_ text: some StringProtocol) -> String {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        }
        let blocks = document.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 10)
        let flat = lines(source)
        for block in blocks { #expect(flat.contains(lines(block)), "not among the examples:\n\(block)") }
    }
}
