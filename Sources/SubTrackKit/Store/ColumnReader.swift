import GRDB
import GRDBSQLite
import SubTrackAPI

/// Reads the columns of a row in their order, and throws where a file was changed by others.
///
/// It reads them from the statement itself, by their types: GRDB's own way makes a value of any type of each first, and looks up
/// at run time what it can become, which takes a command that ends at once longer than all its rows.
struct ColumnReader: ~Copyable {
    private let statement: SQLiteStatement
    private let count: Int32
    private var index: Int32 = 0

    /// A reader of the row at which a statement stands.
    fileprivate init(_ statement: SQLiteStatement) {
        self.statement = statement
        count = sqlite3_column_count(statement)
    }

    /// Steps over a column.
    /// - Returns: its type; `SQLITE_NULL` where there are no more.
    private mutating func next() -> Int32 {
        defer { index += 1 }
        return index < count ? sqlite3_column_type(statement, index) : SQLITE_NULL
    }

    private func fault() -> StoreDamage { .init(place: "column \(index - 1) of a row") }

    mutating func optionalText() throws -> String? {
        switch next() {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(statement, index - 1) else { throw fault() }
            let length = Int(sqlite3_column_bytes(statement, index - 1))
            return String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
        default: throw fault()
        }
    }

    mutating func text() throws -> String {
        guard let text = try optionalText() else { throw fault() }
        return text
    }

    mutating func optionalInteger() throws -> Int64? {
        switch next() {
        case SQLITE_NULL: nil
        case SQLITE_INTEGER: sqlite3_column_int64(statement, index - 1)
        default: throw fault()
        }
    }

    mutating func integer() throws -> Int64 {
        guard let number = try optionalInteger() else { throw fault() }
        return number
    }

    mutating func int() throws -> Int { Int(clamping: try integer()) }
    mutating func optionalInt() throws -> Int? { try optionalInteger().map { Int(clamping: $0) } }
    mutating func flag() throws -> Bool { try integer() != 0 }
    mutating func day() throws -> CalendarDate { CalendarDate(daysSince1970: Int32(clamping: try integer())) }

    mutating func optionalDay() throws -> CalendarDate? {
        try optionalInteger().map { CalendarDate(daysSince1970: Int32(clamping: $0)) }
    }

    mutating func amount() throws -> Amount {
        guard let amount = try optionalAmount() else { throw fault() }
        return amount
    }

    mutating func optionalAmount() throws -> Amount? {
        guard let text = try optionalText() else { return nil }
        guard let amount = Amount(text) else { throw fault() }
        return amount
    }

    mutating func duration() throws -> PlanDuration {
        let value = try int()
        guard let unit = PlanDuration.Unit(rawValue: try text()) else { throw fault() }
        return PlanDuration(value: value, unit: unit)
    }
}

extension Database {
    /// Reads the rows of a query, one after the other.
    func eachRow(
        _ sql: String, _ arguments: StatementArguments = [], _ body: (inout ColumnReader) throws -> Void
    ) throws {
        let statement = try cachedStatement(sql: sql)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while try rows.next() != nil {
            var reader = ColumnReader(statement.sqliteStatement)
            try body(&reader)
        }
    }

    /// Reads the first row of a query; nil where there is none.
    func firstRow<Value>(
        _ sql: String, _ arguments: StatementArguments = [], _ body: (inout ColumnReader) throws -> Value
    ) throws -> Value? {
        let statement = try cachedStatement(sql: sql)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        guard try rows.next() != nil else { return nil }
        var reader = ColumnReader(statement.sqliteStatement)
        return try body(&reader)
    }
}

extension CalendarDate {
    /// The day as it is stored.
    var stored: Int64 { Int64(daysSince1970) }
}
