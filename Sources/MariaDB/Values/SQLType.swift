/// The type of a column as it crosses the wire (MariaDB manual, “Result Set Packets”, field types).
@frozen
public struct SQLType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The protocol's number.
    public let rawValue: UInt8

    /// From the protocol's number.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The name in SQL, for messages.
    public var description: String {
        switch rawValue {
        case 0, 246: "DECIMAL"
        case 1: "TINYINT"
        case 2: "SMALLINT"
        case 3: "INT"
        case 4: "FLOAT"
        case 5: "DOUBLE"
        case 6: "NULL"
        case 7: "TIMESTAMP"
        case 8: "BIGINT"
        case 9: "MEDIUMINT"
        case 10, 14: "DATE"
        case 11: "TIME"
        case 12: "DATETIME"
        case 13: "YEAR"
        case 15, 253: "VARCHAR"
        case 16: "BIT"
        case 245: "JSON"
        case 247: "ENUM"
        case 248: "SET"
        case 249...252: "BLOB"
        case 254: "CHAR"
        case 255: "GEOMETRY"
        default: "type \(rawValue)"
        }
    }

    /// How many bytes a value of this type takes; -1 when the value carries its own length.
    @usableFromInline
    var fixedWidth: Int {
        switch rawValue {
        case 1: 1
        case 2, 13: 2
        case 3, 4, 9: 4
        case 5, 8: 8
        case 6: 0
        default: -1
        }
    }
}

/// What is known of a column of a result.
public struct SQLColumn: Sendable, Hashable {
    /// The name, or the alias that the statement gave.
    public let name: String
    /// The type.
    public let type: SQLType
    /// Whether an integer column is unsigned.
    public let isUnsigned: Bool
    /// Whether the column holds bytes rather than text (the character set `binary`).
    public let isBinary: Bool
}
