public import Foundation

/// A value that can be read from a column.
///
/// A conformance takes what it needs out of the cell without keeping a pointer into it:
///
/// ```swift
/// extension Money: SQLDecodable {
///     init(cell: borrowing SQLCell) throws { self = try Money(ascii: cell.decimalDigits()) }
/// }
/// ```
public protocol SQLDecodable {
    /// Reads a value that is not NULL.
    ///
    /// - Throws: ``SQLCell/Mismatch``, to which the row adds column and wanted type.
    init(cell: borrowing SQLCell) throws

    /// What NULL decodes to; throws unless the type has a place for it.
    static func decodeNull() throws -> Self
}

extension SQLDecodable {
    /// NULL is an error for every type but Optional.
    @inlinable
    public static func decodeNull() throws -> Self { throw SQLCell.Mismatch("is NULL") }
}

extension SQLDecodable where Self: FixedWidthInteger {
    /// Reads an integer; one that does not fit is an error.
    @inlinable
    public init(cell: borrowing SQLCell) throws { self = try cell.integer() }
}

extension SQLDecodable where Self: RawRepresentable, RawValue: SQLDecodable {
    /// Reads the raw value; one that the type does not know is an error.
    @inlinable
    public init(cell: borrowing SQLCell) throws {
        guard let value = Self(rawValue: try RawValue(cell: cell)) else {
            throw SQLCell.Mismatch("holds a value that \(Self.self) does not know")
        }
        self = value
    }
}

extension Int: SQLDecodable {}
extension Int8: SQLDecodable {}
extension Int16: SQLDecodable {}
extension Int32: SQLDecodable {}
extension Int64: SQLDecodable {}
extension UInt: SQLDecodable {}
extension UInt8: SQLDecodable {}
extension UInt16: SQLDecodable {}
extension UInt32: SQLDecodable {}
extension UInt64: SQLDecodable {}

extension Bool: SQLDecodable {
    /// Reads an integer: 0 is false, all else true.
    @inlinable
    public init(cell: borrowing SQLCell) throws { self = try cell.integer(as: Int64.self) != 0 }
}

extension Double: SQLDecodable {
    /// Reads a FLOAT, DOUBLE or integer column.
    @inlinable
    public init(cell: borrowing SQLCell) throws { self = try cell.double() }
}

extension String: SQLDecodable {
    /// Reads text.
    @inlinable
    public init(cell: borrowing SQLCell) throws { self = try cell.text() }
}

extension [UInt8]: SQLDecodable {
    /// Reads bytes.
    @inlinable
    public init(cell: borrowing SQLCell) throws { self.init(try cell.binary()) }
}

extension Data: SQLDecodable {
    /// Reads bytes.
    @inlinable
    public init(cell: borrowing SQLCell) throws { self.init(try cell.binary()) }
}

extension UUID: SQLDecodable {
    /// Reads the 16 bytes of `BINARY(16)`, or a UUID's text.
    @inlinable
    public init(cell: borrowing SQLCell) throws {
        let bytes = try cell.binary()
        if bytes.count == 16 {
            self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
        } else if bytes.count == 36, let uuid = UUID(uuidString: String(decoding: bytes, as: UTF8.self)) {
            self = uuid
        } else {
            throw SQLCell.Mismatch("holds \(bytes.count) bytes, a UUID has 16")
        }
    }
}

extension Decimal: SQLDecodable {
    /// Reads a DECIMAL or integer column. Where speed counts, decode ``SQLCell/decimalDigits()`` yourself.
    public init(cell: borrowing SQLCell) throws {
        if cell.type.rawValue == 246 || cell.type.rawValue == 0 {
            let digits = String(decoding: try cell.decimalDigits(), as: UTF8.self)
            guard let value = Decimal(string: digits), value.isFinite else {
                throw SQLCell.Mismatch("holds a number that Decimal cannot hold")
            }
            // More than 38 digits would be rounded without a word.
            guard digits.utf8.filter({ $0 >= UInt8(ascii: "0") }).count <= 38 else {
                throw SQLCell.Mismatch("holds more digits than Decimal holds exactly")
            }
            self = value
        } else if cell.isUnsigned {
            self.init(try cell.integer(as: UInt64.self))
        } else {
            self.init(try cell.integer(as: Int64.self))
        }
    }
}

extension Date: SQLDecodable {
    /// Reads a DATETIME or TIMESTAMP column as UTC. A zero date is an error.
    public init(cell: borrowing SQLCell) throws {
        let (year, month, day, hour, minute, second, microsecond) = try cell.dateTime()
        guard SQLDate(year: year, month: month, day: day) != nil else {
            throw SQLCell.Mismatch("holds a zero or impossible date")
        }
        self =
            UTCDateTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second,
                microsecond: microsecond
            ).date
    }
}

extension Duration: SQLDecodable {
    /// Reads a TIME column.
    @inlinable
    public init(cell: borrowing SQLCell) throws { self = try cell.duration() }
}

extension Optional: SQLDecodable where Wrapped: SQLDecodable {
    /// Reads the value.
    @inlinable
    public init(cell: borrowing SQLCell) throws { self = .some(try Wrapped(cell: cell)) }

    /// NULL is nil.
    @inlinable
    public static func decodeNull() throws -> Self { .none }
}
