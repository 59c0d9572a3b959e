import Foundation

/// Reads JSON (RFC 8259).
///
/// Every answer that a test sees is read and held to its description. Foundation's decoder finds out what a value is by
/// trying types, and an error that is thrown while tests run costs a backtrace: that was a third of their time. Its
/// `JSONSerialization` takes what is not JSON.
public struct JSONParser {
    /// What is no JSON, and where.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let bytes: [UInt8]
    private var index = 0
    /// How deep values may lie in each other.
    private static let maximumDepth = 512

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value that all the bytes are.
    /// - Throws: ``Failure``.
    static func value(of bytes: [UInt8]) throws -> JSON {
        var parser = JSONParser(bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.index == bytes.count else { throw parser.failure("something follows the value") }
        return value
    }

    private func failure(_ reason: String) -> Failure { Failure(description: "\(reason), at byte \(index)") }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Takes a byte if it is next, after white space.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws -> JSON {
        guard depth < Self.maximumDepth else { throw failure("too deep") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case nil: throw failure("a value is missing")
        default: return try number()
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws -> JSON {
        let end = index + text.utf8CodeUnitCount
        guard end <= bytes.count, text.withUTF8Buffer({ $0.elementsEqual(bytes[index..<end]) }) else {
            throw failure("this is no value")
        }
        index = end
        return value
    }

    private mutating func object(depth: Int) throws -> JSON {
        index += 1
        var members: [String: JSON] = [:]
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure("a name is missing") }
            let name = try string()
            guard take(":") else { throw failure("a colon is missing") }
            guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
                throw failure("\(name) is there twice")
            }
        } while take(",")
        guard take("}") else { throw failure("the object does not end") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws -> JSON {
        index += 1
        var elements: [JSON] = []
        if take("]") { return .array(elements) }
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw failure("the array does not end") }
        return .array(elements)
    }

    /// A text: its bytes as they are, but for escapes.
    private mutating func string() throws -> String {
        index += 1
        let start = index
        var text: [UInt8] = []
        var plain = start
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw failure("a control character is not escaped") }
            guard byte == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            text += bytes[plain..<index]
            text += Array(String(try escape()).utf8)
            plain = index
        }
        guard next != nil else { throw failure("a text does not end") }
        text += bytes[plain..<index]
        index += 1
        guard let string = String(validating: text, as: UTF8.self) else { throw failure("a text is not UTF-8") }
        return string
    }

    private mutating func escape() throws -> Unicode.Scalar {
        index += 1
        defer { index += 1 }
        switch next {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw failure("there is no such escape")
        }
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // The first half of a pair (RFC 8259 §7).
        index += 1
        guard UTF16.isLeadSurrogate(UInt16(first)), next == UInt8(ascii: "\\") else {
            throw failure("half of a character")
        }
        index += 1
        guard next == UInt8(ascii: "u") else { throw failure("half of a character") }
        let second = try fourDigits()
        guard UTF16.isTrailSurrogate(UInt16(second)),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw failure("half of a character") }
        return scalar
    }

    /// The number of four hexadecimal digits; stays on the last of them.
    private mutating func fourDigits() throws -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            index += 1
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw failure("an escape has four digits")
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private mutating func number() throws -> JSON {
        let start = index
        if next == UInt8(ascii: "-") { index += 1 }
        if next == UInt8(ascii: "0") { index += 1 } else { try digits() }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            index += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let whole = Int64(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite else { throw failure("\(text) is too large") }
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }

    private mutating func digits() throws {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw failure("a digit is missing") }
    }
}
