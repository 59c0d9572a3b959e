/// One value of a row, in place, as the server sent it; never NULL.
///
/// It lives only while a type's ``SQLDecodable/init(cell:)`` runs: it cannot be copied, and what ``bytes`` points to
/// must not be kept. Decoding therefore allocates nothing but what the wanted type needs.
@frozen
public struct SQLCell: ~Copyable {
    /// The column's type.
    public let type: SQLType
    /// Whether an integer is unsigned.
    public let isUnsigned: Bool
    /// Whether this is bytes rather than text.
    public let isBinary: Bool
    /// The value: integers and floats in little-endian binary, DECIMAL and text as text, dates in the protocol's
    /// binary form. Valid only until the decoding initializer returns.
    public let bytes: UnsafeRawBufferPointer

    @inlinable
    init(type: SQLType, isUnsigned: Bool, isBinary: Bool, bytes: UnsafeRawBufferPointer) {
        self.type = type
        self.isUnsigned = isUnsigned
        self.isBinary = isBinary
        self.bytes = bytes
    }

    /// Why a value does not decode. The row adds column and wanted type; say nothing of the value itself.
    public struct Mismatch: Error, Sendable, CustomStringConvertible {
        /// The reason, as the end of a sentence that begins with the column.
        public let description: String
        /// - Parameter reason: the end of a sentence that begins with the column, such as “holds a zero date”.
        public init(_ reason: String) { description = reason }
    }

    /// An integer, from an integer, YEAR, BIT or whole DECIMAL column.
    ///
    /// - Throws: ``Mismatch`` for another type or a number that does not fit.
    @inlinable
    public func integer<Integer: FixedWidthInteger>(as wanted: Integer.Type = Integer.self) throws -> Integer {
        let value: Integer?
        switch (type.rawValue, isUnsigned) {
        case (8, false): value = Integer(exactly: load(Int64.self))
        case (8, true): value = Integer(exactly: load(UInt64.self))
        case (3, false), (9, false): value = Integer(exactly: load(Int32.self))
        case (3, true), (9, true): value = Integer(exactly: load(UInt32.self))
        case (2, false): value = Integer(exactly: load(Int16.self))
        case (2, true), (13, _): value = Integer(exactly: load(UInt16.self))
        case (1, false): value = Integer(exactly: load(Int8.self))
        case (1, true): value = Integer(exactly: load(UInt8.self))
        case (16, _): value = Integer(exactly: bits)
        case (0, _), (246, _):
            guard let whole = wholeDecimal else { throw Mismatch("holds no whole number") }
            value = Integer(exactly: whole)
        default: throw Mismatch("is \(type)")
        }
        guard let value else { throw Mismatch("holds a number out of range") }
        return value
    }

    /// A floating-point number, from a FLOAT, DOUBLE or integer column. DECIMAL is exact and is refused here.
    ///
    /// - Throws: ``Mismatch`` for another type or an integer that a Double cannot hold exactly.
    @inlinable
    public func double() throws -> Double {
        switch type.rawValue {
        case 5: return Double(bitPattern: load(UInt64.self))
        case 4: return Double(Float(bitPattern: load(UInt32.self)))
        case 0, 246: throw Mismatch("is DECIMAL, which a Double cannot hold exactly")
        default:
            let exact =
                isUnsigned
                ? Double(exactly: try integer(as: UInt64.self)) : Double(exactly: try integer(as: Int64.self))
            guard let exact else { throw Mismatch("holds a number that a Double cannot hold exactly") }
            return exact
        }
    }

    /// Text, from a text column, an ENUM, SET or JSON, or a DECIMAL's digits.
    ///
    /// - Throws: ``Mismatch`` for another type or bytes that are not UTF-8.
    @inlinable
    public func text() throws -> String {
        guard hasOwnLength else { throw Mismatch("is \(type)") }
        guard bytes.isValidUTF8 else { throw Mismatch("holds bytes, not UTF-8 text") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of a text or binary column, in place.
    ///
    /// - Throws: ``Mismatch`` for a number or a date.
    @inlinable
    public func binary() throws -> UnsafeRawBufferPointer {
        guard hasOwnLength, type.rawValue != 0, type.rawValue != 246 else { throw Mismatch("is \(type)") }
        return bytes
    }

    /// The ASCII digits of a DECIMAL column, in place: an optional `-`, digits, an optional `.` and digits.
    ///
    /// - Throws: ``Mismatch`` for another type.
    @inlinable
    public func decimalDigits() throws -> UnsafeRawBufferPointer {
        guard type.rawValue == 246 || type.rawValue == 0 else { throw Mismatch("is \(type)") }
        return bytes
    }

    /// Year, month and day of a DATE column, as they stand there: a zero date gives zeros.
    ///
    /// - Throws: ``Mismatch`` for another type.
    @inlinable
    public func date() throws -> (year: Int, month: Int, day: Int) {
        guard type.rawValue == 10 || type.rawValue == 14 else { throw Mismatch("is \(type)") }
        guard bytes.count >= 4 else { return (0, 0, 0) }
        return (Int(load(UInt16.self)), Int(bytes[2]), Int(bytes[3]))
    }

    /// The parts of a DATETIME or TIMESTAMP column, as they stand there; the session's zone is UTC.
    ///
    /// - Throws: ``Mismatch`` for another type.
    @inlinable
    public func dateTime() throws -> (
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, microsecond: Int
    ) {
        guard type.rawValue == 12 || type.rawValue == 7 else { throw Mismatch("is \(type)") }
        guard bytes.count >= 4 else { return (0, 0, 0, 0, 0, 0, 0) }
        let hasTime = bytes.count >= 7
        let hasMicros = bytes.count >= 11
        return (
            Int(load(UInt16.self)), Int(bytes[2]), Int(bytes[3]), hasTime ? Int(bytes[4]) : 0,
            hasTime ? Int(bytes[5]) : 0, hasTime ? Int(bytes[6]) : 0,
            hasMicros ? Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 7, as: UInt32.self))) : 0
        )
    }

    /// The parts of a TIME column: at most ±838 hours.
    ///
    /// - Throws: ``Mismatch`` for another type.
    @inlinable
    public func duration() throws -> Duration {
        guard type.rawValue == 11 else { throw Mismatch("is \(type)") }
        guard bytes.count >= 8 else { return .zero }
        let days = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
        let seconds = ((days * 24 + Int(bytes[5])) * 60 + Int(bytes[6])) * 60 + Int(bytes[7])
        let micros =
            bytes.count >= 12 ? Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))) : 0
        let duration = Duration.seconds(seconds) + .microseconds(micros)
        return bytes[0] == 0 ? duration : .zero - duration
    }

    @inlinable
    func load<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer {
        Integer(littleEndian: bytes.loadUnaligned(as: Integer.self))
    }

    /// Text, bytes, decimals, bits: what is neither a number nor a time.
    @inlinable
    var hasOwnLength: Bool {
        switch type.rawValue {
        case 0, 15, 16, 245...255: true
        default: false
        }
    }

    /// BIT(n), up to 64: big-endian bytes.
    @usableFromInline
    var bits: UInt64 {
        bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A DECIMAL without a fraction (or with zeros there), as SUM over integers gives it.
    @usableFromInline
    var wholeDecimal: Int64? {
        var digits = bytes[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        var value: Int64 = 0
        var isFraction = false
        for byte in digits {
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
                continue
            }
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let digit = Int64(byte - UInt8(ascii: "0"))
            if isFraction {
                guard digit == 0 else { return nil }
                continue
            }
            let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedAgain) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflowed, !overflowedAgain else { return nil }
            value = sum
        }
        return digits.isEmpty ? nil : value
    }
}
