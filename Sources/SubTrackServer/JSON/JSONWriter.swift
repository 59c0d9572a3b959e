import Foundation
import SubTrackAPI

/// Writes JSON (RFC 8259) into one buffer of bytes.
///
/// It owns its memory and cannot be copied: a list is several hundred members, and each would otherwise ask whether
/// somebody else holds the buffer.
struct JSONWriter: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0
    /// Whether the next member or element is the first of its object or array.
    private var isFirst = true

    /// A writer whose buffer has room for so many bytes before it grows.
    init(capacity: Int = 1024) {
        self.capacity = max(capacity, 16)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// The bytes written so far.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

    /// Opens an object.
    mutating func beginObject() {
        put(UInt8(ascii: "{"))
        isFirst = true
    }

    /// Closes an object.
    mutating func endObject() {
        put(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Opens an array.
    mutating func beginArray() {
        put(UInt8(ascii: "["))
        isFirst = true
    }

    /// Closes an array.
    mutating func endArray() {
        put(UInt8(ascii: "]"))
        isFirst = false
    }

    /// Goes on to the next element of an array.
    mutating func element() {
        if isFirst { isFirst = false } else { put(UInt8(ascii: ",")) }
    }

    /// Writes the name of a member.
    mutating func name(_ name: String) {
        element()
        write(name)
        put(UInt8(ascii: ":"))
    }

    /// Writes a member's name that needs no escaping, such as a literal of the source.
    mutating func key(_ name: StaticString) {
        let length = name.utf8CodeUnitCount
        reserve(length + 4)
        if isFirst { isFirst = false } else { add(UInt8(ascii: ",")) }
        add(UInt8(ascii: "\""))
        name.withUTF8Buffer { add($0) }
        add(UInt8(ascii: "\""))
        add(UInt8(ascii: ":"))
    }

    /// Writes `null`.
    mutating func writeNull() { ascii("null") }

    /// Writes `true` or `false`.
    mutating func write(_ value: Bool) { ascii(value ? "true" : "false") }

    /// Writes a whole number.
    mutating func write(_ value: some BinaryInteger) {
        guard let small = Int64(exactly: value) else {
            var digits = String(value)
            digits.withUTF8 { buffer in
                reserve(buffer.count)
                add(buffer)
            }
            return
        }
        reserve(24)
        addDigits(small.magnitude, negative: small < 0, pointBefore: 0)
    }

    /// Writes a text, with the escapes that JSON demands.
    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { buffer in
            // A control character takes six bytes: with room for that, nothing more has to be asked.
            reserve(buffer.count * 6 + 2)
            add(UInt8(ascii: "\""))
            for byte in buffer {
                if byte >= 0x20, byte != 0x22, byte != 0x5C { add(byte) } else { addEscape(byte) }
            }
            add(UInt8(ascii: "\""))
        }
    }

    /// Writes a day as `"2026-01-31"`.
    mutating func write(_ date: CalendarDate) {
        reserve(12)
        add(UInt8(ascii: "\""))
        date.writeASCII(to: UnsafeMutableBufferPointer(start: base + count, count: 10))
        count += 10
        add(UInt8(ascii: "\""))
    }

    /// Writes an amount as `"17.99"`.
    mutating func write(_ amount: Amount) {
        reserve(40)
        add(UInt8(ascii: "\""))
        addDigits(amount.units.magnitude, negative: amount.units < 0, pointBefore: amount.digits)
        add(UInt8(ascii: "\""))
    }

    /// Writes an id in lower case.
    mutating func write(_ id: UUID) {
        reserve(38)
        add(UInt8(ascii: "\""))
        withUnsafeBytes(of: id.uuid) { raw in
            for (index, byte) in raw.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 { add(UInt8(ascii: "-")) }
                add(Self.hexadecimal(byte >> 4))
                add(Self.hexadecimal(byte & 15))
            }
        }
        add(UInt8(ascii: "\""))
    }

    private mutating func ascii(_ word: StaticString) {
        reserve(word.utf8CodeUnitCount)
        word.withUTF8Buffer { add($0) }
    }

    private mutating func put(_ byte: UInt8) {
        reserve(1)
        add(byte)
    }

    /// Makes room for so many bytes more.
    @inline(__always)
    private mutating func reserve(_ extra: Int) {
        if capacity - count < extra { grow(extra) }
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        let wanted = max(capacity * 2, count + extra)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
        capacity = wanted
    }

    /// Adds a byte, for which there is room.
    @inline(__always)
    private mutating func add(_ byte: UInt8) {
        base[count] = byte
        count += 1
    }

    /// Adds bytes, for which there is room.
    @inline(__always)
    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        (base + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    /// Adds digits with a point before the last so many of them; at most 28 bytes.
    private mutating func addDigits(_ value: UInt64, negative: Bool, pointBefore: Int) {
        if negative { add(UInt8(ascii: "-")) }
        var length = 1
        var power: UInt64 = 10
        while length < 20, value >= power {
            length += 1
            let (next, isTooLarge) = power.multipliedReportingOverflow(by: 10)
            if isTooLarge { break }
            power = next
        }
        length = max(length, pointBefore + 1)
        let total = pointBefore > 0 ? length + 1 : length
        var rest = value
        var index = count + total - 1
        for written in 0..<length {
            if written == pointBefore, pointBefore > 0 {
                base[index] = UInt8(ascii: ".")
                index -= 1
            }
            base[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
            rest /= 10
            index -= 1
        }
        count += total
    }

    private mutating func addEscape(_ byte: UInt8) {
        add(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: add(byte)
        case 0x0A: add(UInt8(ascii: "n"))
        case 0x0D: add(UInt8(ascii: "r"))
        case 0x09: add(UInt8(ascii: "t"))
        default:
            add(UInt8(ascii: "u"))
            add(UInt8(ascii: "0"))
            add(UInt8(ascii: "0"))
            add(Self.hexadecimal(byte >> 4))
            add(Self.hexadecimal(byte & 15))
        }
    }

    private static func hexadecimal(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
}

/// A value that writes its JSON itself, the same as its `Encodable` conformance would, only quicker.
protocol JSONWritable {
    /// Writes the value.
    func write(to json: inout JSONWriter)
}
