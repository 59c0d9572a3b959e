/// The rows of a result, all in memory.
public struct Rows: Sendable, RandomAccessCollection {
    @usableFromInline let storage: RowStorage

    init(_ storage: RowStorage) { self.storage = storage }

    /// No rows.
    public static let none = Rows(.empty)

    /// 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of rows.
    @inlinable public var endIndex: Int { storage.rowCount }
    /// A row, counted from 0. An index out of bounds stops the process, as an array's does: indices are the caller's code,
    /// and no content of a result becomes one.
    @inlinable public subscript(position: Int) -> Row {
        precondition(position >= 0 && position < storage.rowCount, "row out of bounds")
        return Row(storage: storage, index: position)
    }

    /// Name and type of each column.
    public var columns: [SQLColumn] { storage.columns.columns }

    /// Decodes each row into a tuple, column by column.
    ///
    /// ```swift
    /// for (id, name) in try rows.decode((Int, String?).self) { … }
    /// ```
    /// - Throws: ``MariaDBError`` with column, index and wanted type; also when the number of columns differs.
    @inlinable
    public func decode<each Column: SQLDecodable>(
        _: (repeat each Column).Type
    ) throws -> [(repeat each Column)] {
        try storage.requireColumns(repeat (each Column).self)
        var result: [(repeat each Column)] = []
        result.reserveCapacity(storage.rowCount)
        for row in 0..<storage.rowCount {
            result.append(try storage.decodeRow(row, (repeat each Column).self))
        }
        return result
    }

    /// Decodes each row into a value of a type that knows how.
    @inlinable
    public func decode<Value: RowDecodable>(as _: Value.Type) throws -> [Value] {
        var result: [Value] = []
        result.reserveCapacity(storage.rowCount)
        for row in 0..<storage.rowCount {
            result.append(try Value(row: Row(storage: storage, index: row)))
        }
        return result
    }
}

/// A type that is read from a whole row.
public protocol RowDecodable {
    /// Reads the row, by ``Row/decode(_:)`` (fastest) or column by column.
    init(row: Row) throws
}

extension RowStorage {
    @inlinable
    func decodeRow<each Column: SQLDecodable>(
        _ row: Int, _: (repeat each Column).Type
    ) throws -> (repeat each Column) {
        var column = -1
        return (repeat try decodeNext((each Column).self, row: row, after: &column))
    }

    @inlinable
    func decodeNext<Value: SQLDecodable>(_: Value.Type, row: Int, after column: inout Int) throws -> Value {
        column += 1
        return try decode(Value.self, row: row, column: column)
    }

    @inlinable
    func requireColumns<each Column: SQLDecodable>(_ types: repeat (each Column).Type) throws {
        var count = 0
        for _ in repeat each types { count += 1 }
        if count != columns.count { throw wrongCount(count) }
    }

    @usableFromInline
    func wrongCount(_ wanted: Int) -> MariaDBError {
        .decoding(
            DecodingFailure(
                column: nil, index: nil, wanted: "\(wanted) columns", reason: "the row has \(columns.count)"))
    }
}
