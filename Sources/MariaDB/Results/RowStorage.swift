/// The columns of a result, shared by all results of a prepared statement.
@usableFromInline
final class ResultColumns: Sendable {
    /// What decoding needs of a column, without its name.
    @usableFromInline
    struct Format: Sendable {
        @usableFromInline let type: SQLType
        @usableFromInline let isUnsigned: Bool
        @usableFromInline let isBinary: Bool
        /// How many bytes a value takes; -1 when it carries its own length.
        @usableFromInline let width: Int

        init(_ column: SQLColumn) {
            type = column.type
            isUnsigned = column.isUnsigned
            isBinary = column.isBinary
            width = column.type.fixedWidth
        }
    }

    let columns: [SQLColumn]
    @usableFromInline let formats: [Format]

    init(_ columns: [SQLColumn]) {
        self.columns = columns
        formats = columns.map(Format.init)
    }

    @inlinable var count: Int { formats.count }

    /// Of two columns with one name the first. A search is quicker than a dictionary for what rows have of columns,
    /// and costs nothing where nobody asks by name.
    func position(of name: String) -> Int? { columns.firstIndex { $0.name == name } }

    static let none = ResultColumns([])
}

/// The rows of a result: the server's packets one after the other in one buffer, and where each value begins.
///
/// Nothing is converted until it is asked for. The framing was checked when the rows were taken in
/// (``RowStorage/Builder``), so reading a value trusts it.
///
/// `@unchecked Sendable`: the memory behind both pointers is written by the builder alone, before this exists; from then
/// on it is only read, and freed when the last reference goes.
@usableFromInline
final class RowStorage: @unchecked Sendable {
    @usableFromInline let columns: ResultColumns
    /// The packets.
    @usableFromInline let bytes: UnsafeRawPointer
    /// For each row and column the offset of the value in `bytes`; `null` for NULL.
    @usableFromInline let offsets: UnsafePointer<UInt32>
    @usableFromInline let rowCount: Int

    @inlinable static var null: UInt32 { .max }

    /// Takes over the memory.
    init(columns: ResultColumns, bytes: UnsafeRawPointer, offsets: UnsafePointer<UInt32>, rowCount: Int) {
        self.columns = columns
        self.bytes = bytes
        self.offsets = offsets
        self.rowCount = rowCount
    }

    deinit {
        bytes.deallocate()
        offsets.deallocate()
    }

    static let empty = Builder(columns: .none, rows: 0, bytes: 0).finish()

    func isNull(row: Int, column: Int) -> Bool {
        offsets[row * columns.count + column] == RowStorage.null
    }

    /// The value in a row and a column, both of which are known to be there.
    @inlinable
    func decode<Value: SQLDecodable>(_: Value.Type, row: Int, column: Int) throws -> Value {
        let offset = offsets[row * columns.count + column]
        do {
            if offset == RowStorage.null { return try Value.decodeNull() }
            let format = columns.formats[column]
            return try Value(
                cell: SQLCell(
                    type: format.type, isUnsigned: format.isUnsigned, isBinary: format.isBinary,
                    bytes: RowStorage.value(at: bytes + Int(offset), width: format.width)))
        } catch {
            throw failure(error, column: column, wanted: Value.self)
        }
    }

    /// The bytes of a value whose framing is known to be sound.
    @inlinable
    static func value(at start: UnsafeRawPointer, width: Int) -> UnsafeRawBufferPointer {
        if width >= 0 { return UnsafeRawBufferPointer(start: start, count: width) }
        let first = start.load(as: UInt8.self)
        if first < 0xFB { return UnsafeRawBufferPointer(start: start + 1, count: Int(first)) }
        return longValue(at: start, first: first)
    }

    @usableFromInline
    static func longValue(at start: UnsafeRawPointer, first: UInt8) -> UnsafeRawBufferPointer {
        switch first {
        case 0xFC:
            let length = UInt16(littleEndian: start.loadUnaligned(fromByteOffset: 1, as: UInt16.self))
            return UnsafeRawBufferPointer(start: start + 3, count: Int(length))
        case 0xFD:
            let low = UInt16(littleEndian: start.loadUnaligned(fromByteOffset: 1, as: UInt16.self))
            let high = start.load(fromByteOffset: 3, as: UInt8.self)
            return UnsafeRawBufferPointer(start: start + 4, count: Int(low) | Int(high) << 16)
        default:
            let length = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
            return UnsafeRawBufferPointer(start: start + 9, count: Int(length))
        }
    }

    @usableFromInline
    func failure(_ error: any Error, column: Int, wanted: Any.Type) -> MariaDBError {
        let reason = (error as? SQLCell.Mismatch)?.description ?? "\(error)"
        return .decoding(
            DecodingFailure(
                column: columns.columns[column].name, index: column, wanted: "\(wanted)", reason: reason))
    }
}
