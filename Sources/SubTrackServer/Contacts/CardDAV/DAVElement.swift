/// An element of a request's XML: its name with namespace, its attributes, and its content.
///
/// The reader knows elements, text, CDATA, character references and the five named entities. It refuses a document type, so
/// that there are no entities to expand and nothing to fetch.
struct DAVElement: Sendable, Equatable {
    /// A name in a namespace.
    struct Name: Sendable, Hashable {
        var space: String
        var local: String
    }

    var name: Name
    /// Attributes by local name, those of namespaces left out.
    var attributes: [String: String] = [:]
    var children: [DAVElement] = []
    /// The text inside, without that of children.
    var text = ""

    /// How deep elements may be nested.
    static let maximumDepth = 20
    /// How many elements a request may have: a name for each contact, with room.
    static let maximumCount = 25_000
    /// How many prefixes of namespaces may be known at a place.
    static let maximumPrefixes = 30
    /// The size of a namespace's name, in bytes.
    static let maximumSpace = 300

    /// A fault of the XML.
    struct Failure: Error, Equatable {
        var reason: String
    }

    /// The first child of a name.
    func child(_ space: String, _ local: String) -> DAVElement? {
        children.first { $0.name == Name(space: space, local: local) }
    }

    /// Reads a document.
    static func read(_ bytes: [UInt8]) throws(Failure) -> DAVElement {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Failure(reason: "it is not UTF-8") }
        var reader = Reader(bytes: bytes)
        return try reader.document()
    }
}

/// Reads XML from its bytes.
private struct Reader {
    typealias Failure = DAVElement.Failure

    private struct Open {
        var element: DAVElement
        /// The name as it stands, with its prefix.
        var tag: String
        /// Namespaces by prefix, those of outer elements included.
        var spaces: [String: String]
    }

    private let bytes: [UInt8]
    private var index: Int
    private var count = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
        index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func document() throws(Failure) -> DAVElement {
        var open: [Open] = []
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "<") {
                let text = try self.text()
                if open.isEmpty {
                    guard text.utf8.allSatisfy(Self.isSpace) else {
                        throw Failure(reason: "text stands outside of elements")
                    }
                } else {
                    open[open.count - 1].element.text += text
                }
            } else if skip("<!--") {
                try pass("-->")
            } else if skip("<?") {
                try pass("?>")
            } else if skip("<![CDATA[") {
                guard !open.isEmpty else { throw Failure(reason: "text stands outside of elements") }
                let start = index
                try pass("]]>")
                try checkControls(start..<(index - 3))
                open[open.count - 1].element.text += String(decoding: bytes[start..<(index - 3)], as: UTF8.self)
            } else if skip("<!") {
                throw Failure(reason: "it has a document type, which is not allowed")
            } else if skip("</") {
                let tag = try name()
                space()
                guard skip(">"), let last = open.popLast(), last.tag == tag else {
                    throw Failure(reason: "an element does not end where it should")
                }
                guard !open.isEmpty else { return try end(last.element) }
                open[open.count - 1].element.children.append(last.element)
            } else {
                index += 1
                let (started, isEmpty) = try start(open.last?.spaces ?? ["": "", "xml": "xml"])
                guard open.count < DAVElement.maximumDepth else {
                    throw Failure(reason: "its elements are nested deeper than \(DAVElement.maximumDepth)")
                }
                count += 1
                guard count <= DAVElement.maximumCount else {
                    throw Failure(reason: "it has more than \(DAVElement.maximumCount) elements")
                }
                if !isEmpty {
                    open.append(started)
                } else if open.isEmpty {
                    return try end(started.element)
                } else {
                    open[open.count - 1].element.children.append(started.element)
                }
            }
        }
        throw Failure(reason: "an element has no end")
    }

    /// Nothing but comments and white space may follow the outermost element.
    private mutating func end(_ element: DAVElement) throws(Failure) -> DAVElement {
        while true {
            space()
            if index == bytes.count { return element }
            guard skip("<!--") else { throw Failure(reason: "something follows the outermost element") }
            try pass("-->")
        }
    }

    private mutating func start(_ outer: [String: String]) throws(Failure) -> (Open, isEmpty: Bool) {
        let tag = try name()
        var spaces = outer
        var attributes: [(name: String, value: String)] = []
        while true {
            let before = index
            space()
            let isEmpty = skip("/>")
            if isEmpty || skip(">") {
                var element = DAVElement(name: try resolved(tag, spaces))
                for (name, value) in attributes where !name.contains(":") && name != "xmlns" {
                    element.attributes[name] = value
                }
                return (Open(element: element, tag: tag, spaces: spaces), isEmpty)
            }
            guard index > before else { throw Failure(reason: "a space is missing before an attribute") }
            let name = try name()
            space()
            guard skip("=") else { throw Failure(reason: "an attribute has no value") }
            space()
            let value = try quoted()
            guard attributes.count < 50, !attributes.contains(where: { $0.name == name }) else {
                throw Failure(reason: "an attribute is there twice, or there are too many")
            }
            attributes.append((name, value))
            guard name == "xmlns" || name.hasPrefix("xmlns:") else { continue }
            spaces[name == "xmlns" ? "" : String(name.dropFirst(6))] = value
            guard spaces.count <= DAVElement.maximumPrefixes, value.utf8.count <= DAVElement.maximumSpace else {
                throw Failure(reason: "it has too many namespaces, or a very long one")
            }
        }
    }

    private func resolved(_ tag: String, _ spaces: [String: String]) throws(Failure) -> DAVElement.Name {
        let parts = tag.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let (prefix, local) = parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("", tag)
        guard let space = spaces[prefix], !local.isEmpty, !local.contains(":") else {
            throw Failure(reason: "the prefix of an element has no namespace")
        }
        return .init(space: space, local: local)
    }

    private mutating func name() throws(Failure) -> String {
        let start = index
        while index < bytes.count, Self.isName(bytes[index]) { index += 1 }
        guard index > start, index - start <= 200 else { throw Failure(reason: "a name is missing, or too long") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"): true
        default: false
        }
    }

    private mutating func quoted() throws(Failure) -> String {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            throw Failure(reason: "a value is not in quotes")
        }
        let quote = bytes[index]
        index += 1
        var value: [UInt8] = []
        while index < bytes.count, bytes[index] != quote {
            guard bytes[index] != UInt8(ascii: "<") else { throw Failure(reason: "a value has a < in it") }
            try take(into: &value)
        }
        guard index < bytes.count else { throw Failure(reason: "a quote is not closed") }
        index += 1
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func text() throws(Failure) -> String {
        var text: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") { try take(into: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    private func checkControls(_ range: Range<Int>) throws(Failure) {
        guard bytes[range].allSatisfy({ $0 >= 0x20 || Self.isSpace($0) }) else {
            throw Failure(reason: "it has a control character")
        }
    }

    /// Takes a byte, or the character of a reference.
    private mutating func take(into text: inout [UInt8]) throws(Failure) {
        guard bytes[index] == UInt8(ascii: "&") else {
            try checkControls(index..<(index + 1))
            text.append(bytes[index])
            index += 1
            return
        }
        let end = bytes[index...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
        guard let end else { throw Failure(reason: "a & begins no reference") }
        let reference = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
        index = end + 1
        switch reference {
        case "lt": return text.append(UInt8(ascii: "<"))
        case "gt": return text.append(UInt8(ascii: ">"))
        case "amp": return text.append(UInt8(ascii: "&"))
        case "quot": return text.append(UInt8(ascii: "\""))
        case "apos": return text.append(UInt8(ascii: "'"))
        default: break
        }
        let isHexadecimal = reference.hasPrefix("#x")
        guard reference.hasPrefix("#"), !reference.contains("+"), !reference.contains("-"),
            let value = UInt32(reference.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(value), value >= 0x20 || Self.isSpace(UInt8(value))
        else { throw Failure(reason: "the entity \(reference) is not known") }
        text.append(contentsOf: String(Character(scalar)).utf8)
    }

    private mutating func space() {
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private mutating func skip(_ mark: StaticString) -> Bool {
        let length = mark.utf8CodeUnitCount
        guard index + length <= bytes.count else { return false }
        for offset in 0..<length where bytes[index + offset] != mark.utf8Start[offset] { return false }
        index += length
        return true
    }

    /// Passes over everything up to a mark, and the mark.
    private mutating func pass(_ mark: StaticString) throws(Failure) {
        while index < bytes.count {
            if skip(mark) { return }
            index += 1
        }
        throw Failure(reason: "a comment or the like has no end")
    }
}
