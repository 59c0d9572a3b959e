/// One row of a result.
public struct Row: Sendable {
    @usableFromInline let storage: RowStorage
    @usableFromInline let index: Int

    @inlinable
    init(storage: RowStorage, index: Int) {
        self.storage = storage
        self.index = index
    }

    /// The number of columns.
    public var count: Int { storage.columns.count }

    /// Name and type of each column.
    public var columns: [SQLColumn] { storage.columns.columns }

    /// Decodes the row into a tuple, column by column.
    ///
    /// - Throws: ``MariaDBError`` with column, index and wanted type; also when the number of columns differs.
    @inlinable
    public func decode<each Column: SQLDecodable>(_: (repeat each Column).Type) throws -> (repeat each Column) {
        try storage.requireColumns(repeat (each Column).self)
        return try storage.decodeRow(index, (repeat each Column).self)
    }

    /// Decodes one column, counted from 0.
    @inlinable
    public func decode<Value: SQLDecodable>(_: Value.Type, at column: Int) throws -> Value {
        guard column >= 0, column < storage.columns.count else {
            throw RowColumn.missing("\(column)", Value.self)
        }
        return try storage.decode(Value.self, row: index, column: column)
    }

    /// A column, counted from 0. One that is not there throws when it is decoded.
    public subscript(column: Int) -> RowColumn {
        RowColumn(
            row: self, position: column >= 0 && column < count ? column : nil, askedFor: .index(column))
    }

    /// A column by its name or alias, as the statement spells it. One that is not there throws when it is decoded.
    public subscript(name: String) -> RowColumn {
        RowColumn(row: self, position: storage.columns.position(of: name), askedFor: .name(name))
    }
}

/// One column of a row, not yet decoded.
public struct RowColumn: Sendable {
    enum Asked: Sendable {
        case index(Int)
        case name(String)
    }

    let row: Row
    let position: Int?
    let askedFor: Asked

    /// Whether the value is NULL; false when there is no such column.
    public var isNull: Bool {
        position.map { row.storage.isNull(row: row.index, column: $0) } ?? false
    }

    /// Name and type; nil when there is no such column.
    public var column: SQLColumn? { position.map { row.storage.columns.columns[$0] } }

    /// The value.
    ///
    /// - Throws: ``MariaDBError`` with column, index and wanted type.
    public func decode<Value: SQLDecodable>(_: Value.Type = Value.self) throws -> Value {
        guard let position else {
            switch askedFor {
            case .index(let index): throw RowColumn.missing("\(index)", Value.self)
            case .name(let name): throw RowColumn.missing(name, Value.self)
            }
        }
        return try row.storage.decode(Value.self, row: row.index, column: position)
    }

    @usableFromInline
    static func missing(_ column: String, _ wanted: Any.Type) -> MariaDBError {
        .decoding(
            DecodingFailure(column: column, index: nil, wanted: "\(wanted)", reason: "there is no such column"))
    }
}
