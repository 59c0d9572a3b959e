import SubTrackAPI

/// A strict reader of JSON (RFC 8259) from outside.
///
/// It refuses texts that readers disagree about, so that no two parts of the service read the same bytes differently.
/// These are duplicate names, numbers that a double cannot hold exactly or at all, text that is not UTF-8, and half a
/// surrogate pair. It refuses shapes beyond its ``JSONLimits`` and texts beyond those of ``ClientText``. Time and
/// memory are bounded by the size of the input.
struct JSONScanner: ~Copyable {
    /// Why an input is not accepted.
    struct Failure: Error, Equatable {
        /// The fault.
        let reason: String
        /// The byte at which it was seen, from 0.
        let offset: Int
        /// Whether there is too much of it: a longer list or more values than may be.
        var isTooLarge = false

        /// The problem of an input that is not accepted.
        var problem: Problem {
            let detail = "\(reason), at byte \(offset)"
            return isTooLarge ? Problem(.tooLarge, "The JSON is too large: \(detail).") : .input("", .json, detail)
        }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: JSONLimits
    private let keepsUnfit: Bool
    private var index = 0
    /// How many values were begun.
    private var values = 0
    /// Why the text that was read last is not taken; nil: it is.
    private var unfit: String?

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits, keepsUnfit: Bool) {
        self.bytes = bytes
        self.limits = limits
        self.keepsUnfit = keepsUnfit
    }

    /// Reads one value that fills the input but for white space.
    /// - Parameters:
    ///   - limits: the bounds of its shape.
    ///   - keepsUnfit: whether a number that is too large or long, a text with too many marks and half a surrogate pair
    ///     become ``JSONValue/unfit(_:)``. Else they are faults of the input.
    /// - Throws: ``Failure`` that names the fault and its byte.
    static func scan(
        _ bytes: some Sequence<UInt8>, within limits: JSONLimits = .request, keepsUnfit: Bool = false
    ) throws(Failure) -> JSONValue {
        let result = bytes.withContiguousStorageIfAvailable { Self.scan(buffer: $0, limits, keepsUnfit) }
        return try (result ?? Array(bytes).withUnsafeBufferPointer { Self.scan(buffer: $0, limits, keepsUnfit) }).get()
    }

    private static func scan(
        buffer: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits, _ keepsUnfit: Bool
    ) -> Result<JSONValue, Failure> {
        var scanner = JSONScanner(buffer, limits, keepsUnfit: keepsUnfit)
        do throws(Failure) {
            scanner.skipWhitespace()
            let value = try scanner.value(depth: 0)
            scanner.skipWhitespace()
            guard scanner.index == buffer.count else { throw scanner.failure("more follows after the value") }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private func failure(_ reason: String) -> Failure { Failure(reason: reason, offset: index) }

    private func tooLarge(_ reason: String) -> Failure { Failure(reason: reason, offset: index, isTooLarge: true) }

    /// Notes that the text that is being read is not taken.
    private mutating func note(_ reason: String) throws(Failure) {
        guard keepsUnfit else { throw failure(reason) }
        unfit = unfit ?? reason
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipWhitespace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONValue {
        values += 1
        guard values <= limits.values else { throw tooLarge("there are more than \(limits.values) values") }
        switch next {
        case nil: throw failure("a value is missing")
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""):
            let text = try string()
            if let unfit { return .unfit(unfit) }
            return .string(text)
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        let length = word.utf8CodeUnitCount
        guard index + length <= bytes.count,
            (0..<length).allSatisfy({ bytes[index + $0] == word.utf8Start[$0] })
        else { throw failure("there is no such word in JSON") }
        index += length
        return value
    }

    private mutating func object(depth: Int) throws(Failure) -> JSONValue {
        guard depth <= limits.depth else { throw failure("nested deeper than \(limits.depth)") }
        index += 1
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        skipWhitespace()
        if next == UInt8(ascii: "}") {
            index += 1
            return .object([])
        }
        while true {
            skipWhitespace()
            guard next == UInt8(ascii: "\"") else { throw failure("a name in quotes is missing") }
            guard members.count < limits.names else {
                throw failure("an object has more than \(limits.names) names")
            }
            let start = index
            let name = try string()
            if let unfit { throw failure(unfit) }
            guard name.utf8.count <= limits.nameLength else {
                index = start
                throw failure("a name has more than \(limits.nameLength) bytes")
            }
            // Few members are compared, many are hashed: a million names must not take a million squared steps.
            if members.count < 16 {
                guard !members.contains(where: { $0.name == name }) else { throw duplicate(name) }
            } else {
                if names.isEmpty { names = Set(members.map(\.name)) }
                guard names.insert(name).inserted else { throw duplicate(name) }
            }
            skipWhitespace()
            guard next == UInt8(ascii: ":") else { throw failure("a colon is missing") }
            index += 1
            skipWhitespace()
            members.append(JSONValue.Member(name: name, value: try value(depth: depth)))
            skipWhitespace()
            switch next {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "}"):
                index += 1
                return .object(members)
            default: throw failure("a comma or } is missing")
            }
        }
    }

    private func duplicate(_ name: String) -> Failure { failure("the name \"\(name.excerpt(40))\" is there twice") }

    private mutating func array(depth: Int) throws(Failure) -> JSONValue {
        guard depth <= limits.depth else { throw failure("nested deeper than \(limits.depth)") }
        index += 1
        var elements: [JSONValue] = []
        skipWhitespace()
        if next == UInt8(ascii: "]") {
            index += 1
            return .array([])
        }
        while true {
            skipWhitespace()
            guard elements.count < limits.elements else {
                throw tooLarge("a list has more than \(limits.elements) elements")
            }
            elements.append(try value(depth: depth))
            skipWhitespace()
            switch next {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "]"):
                index += 1
                return .array(elements)
            default: throw failure("a comma or ] is missing")
            }
        }
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
        return index - start
    }

    private mutating func number() throws(Failure) -> JSONValue {
        let start = index
        if next == UInt8(ascii: "-") { index += 1 }
        let leading = next
        guard digits() > 0 else {
            index = start
            throw failure("this is not a JSON value")
        }
        let whole = index - start - (bytes[start] == UInt8(ascii: "-") ? 1 : 0)
        guard leading != UInt8(ascii: "0") || whole == 1 else { throw failure("a number begins with 0") }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            index += 1
            guard digits() > 0 else { throw failure("a digit is missing after the point") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            guard digits() > 0 else { throw failure("a digit is missing in the exponent") }
        }
        guard index - start <= JSONLimits.numberLength else {
            return try unfitNumber("a number has more than \(JSONLimits.numberLength) characters")
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole {
            guard let integer = Int64(text), (-JSONLimits.maximumInteger...JSONLimits.maximumInteger).contains(integer)
            else {
                return try unfitNumber("a whole number is larger than 2^53")
            }
            return .integer(integer)
        }
        guard let double = Double(text), double.isFinite else { return try unfitNumber("a number is too large") }
        return .decimal(text)
    }

    private func unfitNumber(_ reason: String) throws(Failure) -> JSONValue {
        guard keepsUnfit else { throw failure(reason) }
        return .unfit(reason)
    }

    /// Reads a string whose opening quote is next.
    private mutating func string() throws(Failure) -> String {
        unfit = nil
        index += 1
        let start = index
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { throw failure("a control character in a text must be escaped") }
            index += 1
        }
        guard let stop = next else { throw failure("a text has no end") }
        if stop == UInt8(ascii: "\"") {
            defer { index += 1 }
            return try checked(String(validating: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self))
        }
        var unescaped = Array(bytes[start..<index])
        while true {
            guard let byte = next else { throw failure("a text has no end") }
            if byte == UInt8(ascii: "\"") { break }
            guard byte >= 0x20 else { throw failure("a control character in a text must be escaped") }
            index += 1
            if byte == UInt8(ascii: "\\") { try escape(into: &unescaped) } else { unescaped.append(byte) }
        }
        index += 1
        return try checked(String(validating: unescaped, as: UTF8.self))
    }

    private mutating func checked(_ text: String?) throws(Failure) -> String {
        guard let text else { throw failure("a text is not UTF-8") }
        if ClientText.hasTooManyMarks(text) { try note("a text \(ClientText.tooManyMarks)") }
        return text
    }

    private mutating func escape(into text: inout [UInt8]) throws(Failure) {
        guard let byte = next else { throw failure("a text has no end") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800...0xDBFF).contains(code) {
                guard next == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "u") else {
                    return try note(Self.halfPair)
                }
                index += 2
                let low = try hexadecimal()
                guard (0xDC00...0xDFFF).contains(low) else { return try note(Self.halfPair) }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { return try note(Self.halfPair) }
            if let encoded = UTF8.encode(scalar) { text.append(contentsOf: encoded) }
        default: throw failure("there is no such escape")
        }
    }

    private static let halfPair = "half a surrogate pair"

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next else { throw failure("a text has no end") }
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: throw failure("four hexadecimal digits are missing")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}
