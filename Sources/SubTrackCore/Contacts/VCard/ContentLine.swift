/// A property of a card: `item1.TEL;TYPE=cell,home:+49…`.
struct ContentLine {
    /// A parameter. One without a name is a type or an encoding of vCard 2.1.
    struct Parameter {
        /// In capitals; `TYPE` or `ENCODING` for one without a name.
        var name: String
        var values: [String]
        /// The bytes with the semicolon before them.
        var range: Range<Int>
        var isBare: Bool
    }

    /// The line of the text on which it begins, from 1.
    let number: Int
    /// The whole line, unfolded.
    let bytes: [UInt8]
    /// In small letters.
    let group: String?
    /// In capitals.
    let name: String
    private let nameEnd: Int
    private let colon: Int

    /// The value as it stands.
    var rawValue: ArraySlice<UInt8> { bytes[(colon + 1)...] }

    /// Group and name as they stand.
    var title: ArraySlice<UInt8> { bytes[..<nameEnd] }

    /// Finds name, parameters and value.
    init(_ bytes: [UInt8], number: Int) throws(CardRefusal) {
        var start = 0
        var index = 0
        while index < bytes.count, Self.isName(bytes[index]) || bytes[index] == UInt8(ascii: ".") {
            if bytes[index] == UInt8(ascii: ".") { start = index + 1 }
            index += 1
        }
        nameEnd = index
        guard index > start, index < bytes.count, bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: ";")
        else { throw CardRefusal("line \(number) is no property: a name and a colon are missing") }
        var isQuoted = false
        while index < bytes.count, isQuoted || bytes[index] != UInt8(ascii: ":") {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            index += 1
        }
        guard index < bytes.count else {
            throw CardRefusal(
                "line \(number) is no property: \(isQuoted ? "a quote is not closed" : "it has no colon")")
        }
        colon = index
        group = start > 1 ? String(decoding: bytes[..<(start - 1)], as: UTF8.self).lowercased() : nil
        name = String(decoding: bytes[start..<nameEnd], as: UTF8.self).uppercased()
        self.bytes = bytes
        self.number = number
    }

    static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    // MARK: Parameters

    /// The parameters in their order.
    func parameters() -> [Parameter] {
        var parameters: [Parameter] = []
        var index = nameEnd
        while index < colon {
            let start = index
            index += 1
            let nameStart = index
            while index < colon, Self.isName(bytes[index]) { index += 1 }
            let text = String(decoding: bytes[nameStart..<index], as: UTF8.self)
            guard index < colon, bytes[index] == UInt8(ascii: "=") else {
                while index < colon, bytes[index] != UInt8(ascii: ";") { index += 1 }
                let bare = String(decoding: bytes[nameStart..<index], as: UTF8.self)
                let name = Self.encodings.contains(bare.uppercased()) ? "ENCODING" : "TYPE"
                if !bare.isEmpty {
                    parameters.append(Parameter(name: name, values: [bare], range: start..<index, isBare: true))
                }
                continue
            }
            var values: [String] = []
            repeat {
                index += 1
                values.append(String(decoding: value(at: &index), as: UTF8.self))
            } while index < colon && bytes[index] == UInt8(ascii: ",")
            parameters.append(
                Parameter(name: text.uppercased(), values: values, range: start..<index, isBare: false))
        }
        return parameters
    }

    private static let encodings: Set<String> = ["QUOTED-PRINTABLE", "BASE64", "7BIT", "8BIT"]

    /// Reads one value, in quotes or without, and stops before the comma or semicolon behind it.
    private func value(at index: inout Int) -> [UInt8] {
        var value: [UInt8] = []
        var isQuoted = false
        while index < colon {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if !isQuoted, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") {
                break
            } else {
                value.append(byte)
            }
            index += 1
        }
        return value
    }

    // MARK: The value

    /// The value as UTF-8, still escaped.
    func value(_ parameters: [Parameter]) throws(CardRefusal) -> [UInt8] {
        var value = Array(rawValue)
        if isQuotedPrintable(parameters) { value = QuotedPrintable.decoded(value) }
        let charset = parameters.first { $0.name == "CHARSET" }?.values.first ?? "UTF-8"
        guard let text = QuotedPrintable.text(value, charset: charset) else {
            throw CardRefusal("line \(number) is not \(charset.uppercased().prefix(40))")
        }
        if let control = text.unicodeScalars.first(where: Self.isControl) {
            throw CardRefusal("line \(number) has a control character (\(Self.code(control)))")
        }
        return Array(text.utf8)
    }

    /// Whether the value is quoted-printable.
    func isQuotedPrintable(_ parameters: [Parameter]) -> Bool {
        parameters.contains { $0.name == "ENCODING" && $0.values.first?.uppercased() == "QUOTED-PRINTABLE" }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x7F..<0xA0: true
        default: false
        }
    }

    /// A character for messages: `U+000B`.
    static func code(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    // MARK: As it is kept

    /// The line as a property of 3.0 and 4.0: as it came. One of 2.1, or in another character set, is written anew.
    /// - Parameter isOld: whether the card is of version 2.1.
    func kept(isOld: Bool) throws(CardRefusal) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), !isOld else { return try translated() }
        return text
    }

    private func translated() throws(CardRefusal) -> String {
        let parameters = parameters()
        let isPrintable = isQuotedPrintable(parameters)
        var text = String(decoding: title, as: UTF8.self)
        var isBinary = false
        for parameter in parameters {
            let first = parameter.values.first?.uppercased() ?? ""
            switch parameter.name {
            case "CHARSET": continue
            case "ENCODING":
                isBinary = isBinary || first == "BASE64" || first == "B"
                if isBinary { text += ";ENCODING=b" }
            case "TYPE" where parameter.isBare:
                guard first.utf8.allSatisfy(Self.isName) else {
                    throw CardRefusal("line \(number) is no property: a parameter has neither a name nor one word")
                }
                text += ";TYPE=" + first
            default: text += String(decoding: bytes[parameter.range], as: UTF8.self)
            }
        }
        var value = try value(parameters)
        if isBinary { value.removeAll { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
        let lines = String(decoding: value, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
        return text + ":" + (isPrintable ? lines.joined(separator: #"\n"#) : String(decoding: value, as: UTF8.self))
    }
}
