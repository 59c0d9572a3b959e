/// The columns of a result, shared by all results of a prepared statement.
@usableFromInline
final class ResultColumns: Sendable {
    /// What decoding needs of a column, without its name.
    @usableFromInline
    struct Format: Sendable {
        @usableFromInline let type: SQLType
        @usableFromInline let isUnsigned: Bool
        @usableFromInline let isBinary: Bool
    }

    let columns: [SQLColumn]
    @usableFromInline let formats: [Format]
    private let positions: [String: Int]

    init(_ columns: [SQLColumn]) {
        self.columns = columns
        formats = columns.map { Format(type: $0.type, isUnsigned: $0.isUnsigned, isBinary: $0.isBinary) }
        // Of two columns with one name the first is found by name.
        positions = Dictionary(columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    @usableFromInline var count: Int { formats.count }

    func position(of name: String) -> Int? { positions[name] }

    static let none = ResultColumns([])
}

/// The rows of a result: the server's packets one after the other in one buffer, and where each value begins.
///
/// Nothing is converted until it is asked for. The framing was checked when the rows were taken in
/// (``RowStorage/Builder``), so reading a value trusts it.
@usableFromInline
final class RowStorage: Sendable {
    @usableFromInline let columns: ResultColumns
    @usableFromInline let bytes: [UInt8]
    /// For each row and column the offset of the value in `bytes`; `null` for NULL.
    @usableFromInline let offsets: [UInt32]
    @usableFromInline let rowCount: Int

    @usableFromInline static var null: UInt32 { .max }

    init(columns: ResultColumns, bytes: [UInt8], offsets: [UInt32], rowCount: Int) {
        self.columns = columns
        self.bytes = bytes
        self.offsets = offsets
        self.rowCount = rowCount
    }

    static let empty = RowStorage(columns: .none, bytes: [], offsets: [], rowCount: 0)

    func isNull(row: Int, column: Int) -> Bool {
        offsets[row * columns.count + column] == RowStorage.null
    }

    @inlinable
    func decode<Value: SQLDecodable>(_: Value.Type, row: Int, column: Int) throws -> Value {
        let offset = offsets[row * columns.count + column]
        do {
            if offset == RowStorage.null { return try Value.decodeNull() }
            let format = columns.formats[column]
            return try bytes.withUnsafeBytes { bytes in
                try Value(
                    cell: SQLCell(
                        type: format.type, isUnsigned: format.isUnsigned, isBinary: format.isBinary,
                        bytes: RowStorage.value(in: bytes, at: Int(offset), width: format.type.fixedWidth)))
            }
        } catch {
            throw failure(error, column: column, wanted: Value.self)
        }
    }

    /// The bytes of a value whose framing is known to be sound.
    @inlinable
    static func value(in bytes: UnsafeRawBufferPointer, at offset: Int, width: Int) -> UnsafeRawBufferPointer {
        if width >= 0 { return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + width)]) }
        let first = bytes[offset]
        let (start, length): (Int, Int) =
            switch first {
            case 0xFC: (offset + 3, Int(bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt16.self).littleEndian))
            case 0xFD:
                (
                    offset + 4,
                    Int(bytes[offset + 1]) | Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]) << 16
                )
            case 0xFE: (offset + 9, Int(bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self).littleEndian))
            default: (offset + 1, Int(first))
            }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)])
    }

    @usableFromInline
    func failure(_ error: any Error, column: Int, wanted: Any.Type) -> MariaDBError {
        let reason = (error as? SQLCell.Mismatch)?.description ?? "\(error)"
        return .decoding(
            DecodingFailure(
                column: columns.columns[column].name, index: column, wanted: "\(wanted)", reason: reason))
    }
}
