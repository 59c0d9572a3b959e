import MariaDB

/// A table as an export has it: its columns, without those that the database computes.
struct TableShape: Codable, Sendable, Equatable {
    /// A column.
    struct Column: Codable, Sendable, Equatable {
        let name: String
        /// Whether its values are bytes, which an export has in hexadecimal.
        let isBinary: Bool
    }

    let table: String
    let columns: [Column]
}

/// Reads and writes whole tables, whatever columns they have.
enum TableShapeQueries {
    /// The tables of the connection's database that have rows of their own, those that others refer to first.
    static func tables(on connection: Connection) async throws -> [TableShape] {
        let rows = try await connection.query(
            """
            SELECT CONVERT(c.TABLE_NAME USING utf8mb4), CONVERT(c.COLUMN_NAME USING utf8mb4),
                LOWER(c.DATA_TYPE) IN ('binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob')
            FROM information_schema.COLUMNS c
            JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
            WHERE c.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE' AND c.TABLE_NAME <> 'Migration'
                AND COALESCE(c.GENERATION_EXPRESSION, '') = ''
            ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION
            """
        ).decode((String, String, Bool).self)
        let references = try await connection.query(
            """
            SELECT DISTINCT CONVERT(TABLE_NAME USING utf8mb4), CONVERT(REFERENCED_TABLE_NAME USING utf8mb4)
            FROM information_schema.KEY_COLUMN_USAGE
            WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME IS NOT NULL
                AND REFERENCED_TABLE_NAME <> TABLE_NAME
            """
        ).decode((String, String).self)
        var columns: [String: [TableShape.Column]] = [:]
        for (table, name, isBinary) in rows {
            columns[table, default: []].append(.init(name: name, isBinary: isBinary))
        }
        var ordered: [TableShape] = []
        var left = columns.keys.sorted()
        while !left.isEmpty {
            let free = left.filter { table in !references.contains { $0.0 == table && left.contains($0.1) } }
            // A circle of references would leave none free; then the names decide.
            for table in free.isEmpty ? Array(left.prefix(1)) : free {
                ordered.append(TableShape(table: table, columns: columns[table] ?? []))
                left.removeAll { $0 == table }
            }
        }
        return ordered
    }

    /// All rows of a table: bytes as they are, all else as text.
    static func rows(of shape: TableShape, on connection: Connection) throws -> RowStream {
        let columns: [SQL] = try shape.columns.map { column in
            let name = try Identifier(column.name)
            return column.isBinary ? "\(name)" : "CAST(\(name) AS CHAR)"
        }
        return connection.stream("SELECT \(SQL.joined(columns)) FROM \(try Identifier(shape.table))")
    }

    /// A value of a row in an export.
    enum Value: Sendable {
        case null
        case text(String)
        case bytes([UInt8])

        fileprivate var sql: SQL {
            switch self {
            case .null: "NULL"
            case .text(let text): "\(text)"
            case .bytes(let bytes): "\(bytes)"
            }
        }
    }

    /// Adds rows to a table.
    static func insert(_ rows: [[Value]], into shape: TableShape, on connection: Connection) async throws {
        let columns = SQL.joined(try shape.columns.map { "\(try Identifier($0.name))" as SQL })
        let values = SQL.joined(rows.map { row in "(\(SQL.joined(row.map(\.sql))))" as SQL })
        _ = try await connection.execute(
            "INSERT INTO \(try Identifier(shape.table)) (\(columns)) VALUES \(values)")
    }

    /// Removes all rows of a table.
    static func deleteAll(of shape: TableShape, on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM \(try Identifier(shape.table))")
    }
}
