public import Foundation

/// A value that can be bound to a statement.
///
/// A conformance calls exactly one method of ``SQLBinds``:
///
/// ```swift
/// extension CalendarDate: SQLEncodable {
///     func encode(into binds: inout SQLBinds) { binds.append(year: year, month: month, day: day) }
/// }
/// ```
public protocol SQLEncodable: Sendable {
    /// Binds this value.
    func encode(into binds: inout SQLBinds)
}

/// A value that can be bound to a statement and read from a column.
public typealias SQLCodable = SQLEncodable & SQLDecodable

extension SQLEncodable where Self: FixedWidthInteger & SignedInteger {
    /// Binds a signed integer.
    public func encode(into binds: inout SQLBinds) { binds.append(integer: Int64(self)) }
}

extension SQLEncodable where Self: FixedWidthInteger & UnsignedInteger {
    /// Binds an unsigned integer.
    public func encode(into binds: inout SQLBinds) { binds.append(unsigned: UInt64(self)) }
}

extension SQLEncodable where Self: RawRepresentable, RawValue: SQLEncodable {
    /// Binds the raw value.
    public func encode(into binds: inout SQLBinds) { rawValue.encode(into: &binds) }
}

extension Int: SQLEncodable {}
extension Int8: SQLEncodable {}
extension Int16: SQLEncodable {}
extension Int32: SQLEncodable {}
extension Int64: SQLEncodable {}
extension UInt: SQLEncodable {}
extension UInt8: SQLEncodable {}
extension UInt16: SQLEncodable {}
extension UInt32: SQLEncodable {}
extension UInt64: SQLEncodable {}

extension Bool: SQLEncodable {
    /// Binds 1 or 0.
    public func encode(into binds: inout SQLBinds) { binds.append(integer: self ? 1 : 0) }
}

extension Double: SQLEncodable {
    /// Binds a DOUBLE.
    public func encode(into binds: inout SQLBinds) { binds.append(double: self) }
}

extension String: SQLEncodable {
    /// Binds text.
    public func encode(into binds: inout SQLBinds) { binds.append(text: self) }
}

extension Substring: SQLEncodable {
    /// Binds text.
    public func encode(into binds: inout SQLBinds) { binds.append(text: String(self)) }
}

extension [UInt8]: SQLEncodable {
    /// Binds bytes.
    public func encode(into binds: inout SQLBinds) { binds.append(binary: self) }
}

extension Data: SQLEncodable {
    /// Binds bytes.
    public func encode(into binds: inout SQLBinds) { binds.append(binary: self) }
}

extension UUID: SQLEncodable {
    /// Binds the 16 bytes, as `BINARY(16)` stores them.
    public func encode(into binds: inout SQLBinds) {
        withUnsafeBytes(of: uuid) { binds.append(binary: $0) }
    }
}

extension Decimal: SQLEncodable {
    /// Binds the exact digits. NaN, which no DECIMAL holds, is bound as NULL.
    public func encode(into binds: inout SQLBinds) {
        if isNaN { binds.appendNull() } else { binds.append(decimal: description.utf8) }
    }
}

extension Date: SQLEncodable {
    /// Binds a DATETIME in UTC, rounded to microseconds. Outside the years 0001 to 9999 the server refuses it.
    public func encode(into binds: inout SQLBinds) {
        let parts = UTCDateTime(self)
        binds.append(
            year: parts.year, month: parts.month, day: parts.day, hour: parts.hour, minute: parts.minute,
            second: parts.second, microsecond: parts.microsecond)
    }
}

extension Optional: SQLEncodable where Wrapped: SQLEncodable {
    /// Binds the value, or NULL.
    public func encode(into binds: inout SQLBinds) {
        switch self {
        case .some(let value): value.encode(into: &binds)
        case .none: binds.appendNull()
        }
    }
}
