internal import CMariaDB

/// The values of a statement, in the form in which libmariadb wants them.
///
/// A type becomes bindable by conforming to ``SQLEncodable`` and calling exactly one method of this type.
public struct SQLBinds: Sendable {
    enum Kind: UInt8 {
        case null, int64, uint64, double, text, binary, decimal, date, dateTime, time
    }

    struct Entry {
        var kind: Kind
        var offset: Int
        var length: Int
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []
    /// Set when a conformance bound no value or several: the statement is refused when it is run.
    private(set) var hasMiscount = false

    var count: Int { entries.count }

    mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
        bytes.reserveCapacity(count * 16)
    }

    mutating func append(_ value: some SQLEncodable) {
        let before = entries.count
        value.encode(into: &self)
        if entries.count != before + 1 { hasMiscount = true }
    }

    mutating func append(contentsOf other: SQLBinds) {
        guard !other.entries.isEmpty else { return }
        if entries.isEmpty {
            let miscount = hasMiscount
            self = other
            hasMiscount = hasMiscount || miscount
            return
        }
        align()
        let base = bytes.count
        bytes.append(contentsOf: other.bytes)
        entries.reserveCapacity(entries.count + other.entries.count)
        for var entry in other.entries {
            entry.offset += base
            entries.append(entry)
        }
        hasMiscount = hasMiscount || other.hasMiscount
    }

    /// NULL.
    public mutating func appendNull() {
        entries.append(Entry(kind: .null, offset: 0, length: 0))
    }

    /// A signed integer.
    public mutating func append(integer value: Int64) {
        appendFixed(.int64, value)
    }

    /// An unsigned integer.
    public mutating func append(unsigned value: UInt64) {
        appendFixed(.uint64, value)
    }

    /// A floating-point number; the server keeps no NaN or infinity and refuses them.
    public mutating func append(double value: Double) {
        appendFixed(.double, value)
    }

    /// Text.
    public mutating func append(text value: String) {
        let offset = bytes.count
        bytes.append(contentsOf: value.utf8)
        entries.append(Entry(kind: .text, offset: offset, length: bytes.count - offset))
    }

    /// Bytes, compared and stored without a character set.
    public mutating func append(binary value: some Sequence<UInt8>) {
        let offset = bytes.count
        bytes.append(contentsOf: value)
        entries.append(Entry(kind: .binary, offset: offset, length: bytes.count - offset))
    }

    /// An exact decimal as ASCII: an optional `-`, digits, an optional `.` and digits.
    public mutating func append(decimal ascii: some Sequence<UInt8>) {
        let offset = bytes.count
        bytes.append(contentsOf: ascii)
        entries.append(Entry(kind: .decimal, offset: offset, length: bytes.count - offset))
    }

    /// A date without time.
    public mutating func append(year: Int, month: Int, day: Int) {
        appendTime(.date, [year, month, day, 0, 0, 0, 0])
    }

    /// A date with time, without a zone; microseconds 0 to 999,999.
    public mutating func append(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, microsecond: Int
    ) {
        appendTime(.dateTime, [year, month, day, hour, minute, second, microsecond])
    }

    /// Integers and times are laid out for the C structures, which are read in place.
    private mutating func align() {
        while bytes.count % 8 != 0 { bytes.append(0) }
    }

    private mutating func appendFixed<Value: BitwiseCopyable>(_ kind: Kind, _ value: Value) {
        align()
        let offset = bytes.count
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
        entries.append(Entry(kind: kind, offset: offset, length: bytes.count - offset))
    }

    private mutating func appendTime(_ kind: Kind, _ parts: [Int]) {
        var time = MYSQL_TIME()
        time.year = UInt32(clamping: parts[0])
        time.month = UInt32(clamping: parts[1])
        time.day = UInt32(clamping: parts[2])
        time.hour = UInt32(clamping: parts[3])
        time.minute = UInt32(clamping: parts[4])
        time.second = UInt32(clamping: parts[5])
        time.second_part = UInt(clamping: parts[6])
        appendFixed(kind, time)
    }
}

extension SQLBinds: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many values there are, never the values.
    public var description: String { "\(entries.count) bound" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Hides the values from `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["count": entries.count]) }
}
