import Foundation
import SubTrackAPI

/// Writes JSON (RFC 8259) into one buffer of bytes.
struct JSONWriter {
    /// What was written so far.
    private(set) var bytes: [UInt8] = []
    /// Whether the next member or element is the first of its object or array.
    private var isFirst = true

    /// A writer whose buffer has room for so many bytes before it grows.
    init(capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    /// Opens an object.
    mutating func beginObject() {
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
    }

    /// Closes an object.
    mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Opens an array.
    mutating func beginArray() {
        bytes.append(UInt8(ascii: "["))
        isFirst = true
    }

    /// Closes an array.
    mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        isFirst = false
    }

    /// Goes on to the next element of an array.
    mutating func element() {
        if isFirst { isFirst = false } else { bytes.append(UInt8(ascii: ",")) }
    }

    /// Writes the name of a member.
    mutating func name(_ name: String) {
        element()
        write(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a member's name that needs no escaping, such as a literal of the source.
    mutating func key(_ name: StaticString) {
        element()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes `null`.
    mutating func writeNull() { ascii("null") }

    /// Writes `true` or `false`.
    mutating func write(_ value: Bool) { ascii(value ? "true" : "false") }

    /// Writes a whole number.
    mutating func write(_ value: some BinaryInteger) {
        guard let small = Int64(exactly: value) else {
            bytes.append(contentsOf: String(value).utf8)
            return
        }
        appendDigits(small.magnitude, negative: small < 0, pointBefore: 0)
    }

    /// Writes a text, with the escapes that JSON demands.
    mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { buffer in
            var clean = 0
            for (index, byte) in buffer.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                bytes.append(contentsOf: buffer[clean..<index])
                appendEscape(byte)
                clean = index + 1
            }
            bytes.append(contentsOf: buffer[clean...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a day as `"2026-01-31"`.
    mutating func write(_ date: CalendarDate) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 12) { buffer in
            buffer[0] = UInt8(ascii: "\"")
            date.writeASCII(to: UnsafeMutableBufferPointer(rebasing: buffer[1..<11]))
            buffer[11] = UInt8(ascii: "\"")
            bytes.append(contentsOf: UnsafeBufferPointer(buffer))
        }
    }

    /// Writes an amount as `"17.99"`.
    mutating func write(_ amount: Amount) {
        bytes.append(UInt8(ascii: "\""))
        appendDigits(amount.units.magnitude, negative: amount.units < 0, pointBefore: amount.digits)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes an id in lower case.
    mutating func write(_ id: UUID) {
        bytes.append(UInt8(ascii: "\""))
        withUnsafeBytes(of: id.uuid) { raw in
            for (index, byte) in raw.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 { bytes.append(UInt8(ascii: "-")) }
                bytes.append(Self.hexadecimal(byte >> 4))
                bytes.append(Self.hexadecimal(byte & 15))
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func ascii(_ word: StaticString) { word.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    /// Appends digits with a point before the last so many of them.
    private mutating func appendDigits(_ value: UInt64, negative: Bool, pointBefore: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
            var index = 32
            var rest = value
            var written = 0
            repeat {
                if written == pointBefore, pointBefore > 0 {
                    index -= 1
                    buffer[index] = UInt8(ascii: ".")
                }
                index -= 1
                buffer[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                rest /= 10
                written += 1
            } while rest > 0 || written <= pointBefore
            if negative {
                index -= 1
                buffer[index] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[index...]))
        }
    }

    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case 0x22: ascii("\\\"")
        case 0x5C: ascii("\\\\")
        case 0x0A: ascii("\\n")
        case 0x0D: ascii("\\r")
        case 0x09: ascii("\\t")
        default:
            ascii("\\u00")
            bytes.append(Self.hexadecimal(byte >> 4))
            bytes.append(Self.hexadecimal(byte & 15))
        }
    }

    private static func hexadecimal(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
}

/// A value that writes its JSON itself, the same as its `Encodable` conformance would, only quicker.
protocol JSONWritable {
    /// Writes the value.
    func write(to json: inout JSONWriter)
}
