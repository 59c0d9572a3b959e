/// A JavaScript module: its text without comments, and the modules that it imports.
///
/// A small tokenizer knows strings, templates, regular expressions and comments; nothing else is changed but white space. Line
/// breaks stay, because a statement may end by one (ECMA-262 §12.10).
public struct ScriptSource: Sendable {
    /// A slash that begins a regular expression or divides, which only a parser could tell.
    public struct Ambiguity: Error, CustomStringConvertible {
        /// The line, from 1.
        public let line: Int

        public var description: String {
            "line \(line): it cannot be told whether a slash divides or begins a regular expression"
        }
    }

    /// The text without comments.
    public let stripped: String
    /// The specifiers of static imports, in order: `./days.js`.
    public let imports: [String]

    /// Reads a module.
    /// - Throws: ``Ambiguity`` where a slash can be read in two ways.
    public init(_ text: String) throws(Ambiguity) {
        var reader = ScriptReader(Array(text.utf8))
        try reader.read()
        stripped = String(decoding: reader.output, as: UTF8.self)
        imports = reader.imports
    }
}

/// Reads a module once, from its first byte to its last.
private struct ScriptReader {
    /// The text before a place, as far as it decides the meaning of a slash.
    private enum Token {
        /// A value has ended: a slash divides.
        case value
        /// A value is to come: a slash begins a regular expression.
        case operation
        /// A brace has closed a block or a value: a slash may be either.
        case closingBrace
        /// A point: the next word is a name, also if it is a keyword.
        case point
    }

    private enum Brace {
        case block
        /// `${` in a template.
        case substitution
    }

    private enum Space {
        case none, blank, line
    }

    private let bytes: [UInt8]
    private var index = 0
    private var last = Token.operation
    /// The last token's text, where it is a word.
    private var word: [UInt8] = []
    /// For each open parenthesis, whether it belongs to `if`, `for`, `while` or `with`.
    private var parentheses: [Bool] = []
    private var braces: [Brace] = []
    private var space = Space.none
    private(set) var output: [UInt8] = []
    private(set) var imports: [String] = []

    /// Words after which a value is to come.
    private static let operators = Set(
        [
            "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "instanceof", "do", "else",
            "yield", "await",
        ].map { Array($0.utf8) })
    private static let controls = Set(["if", "for", "while", "with"].map { Array($0.utf8) })

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        output.reserveCapacity(bytes.count)
    }

    private func peek(_ distance: Int = 0) -> UInt8 {
        index + distance < bytes.count ? bytes[index + distance] : 0
    }

    mutating func read() throws(ScriptSource.Ambiguity) {
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                space = .line
                index += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                if space == .none { space = .blank }
                index += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
            case UInt8(ascii: "/"): try slash()
            case UInt8(ascii: "\""), UInt8(ascii: "'"): string(byte)
            case UInt8(ascii: "`"):
                flush()
                copy()
                template()
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number()
            case let byte where Self.isName(byte): name()
            default: punctuator(byte)
            }
        }
        if space == .line { output.append(UInt8(ascii: "\n")) }
    }

    // MARK: White space

    private mutating func flush() {
        switch space {
        case .none: break
        case .blank: output.append(UInt8(ascii: " "))
        case .line: if !output.isEmpty { output.append(UInt8(ascii: "\n")) }
        }
        space = .none
    }

    private mutating func copy() {
        output.append(bytes[index])
        index += 1
    }

    private mutating func skipComment() {
        index += 2
        if space == .none { space = .blank }
        while index < bytes.count, !(bytes[index] == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) {
            // A comment with a line break counts as one (ECMA-262 §12.4).
            if bytes[index] == UInt8(ascii: "\n") { space = .line }
            index += 1
        }
        index = min(bytes.count, index + 2)
    }

    // MARK: Tokens

    private mutating func end(_ token: Token) {
        last = token
        word = []
    }

    private mutating func slash() throws(ScriptSource.Ambiguity) {
        flush()
        switch last {
        case .value, .point:
            copy()
            end(.operation)
        case .operation: try expression()
        case .closingBrace: throw ambiguity
        }
    }

    private var ambiguity: ScriptSource.Ambiguity {
        .init(line: 1 + bytes[..<min(index, bytes.count)].count { $0 == UInt8(ascii: "\n") })
    }

    private mutating func expression() throws(ScriptSource.Ambiguity) {
        copy()
        var isInClass = false
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\n"): throw ambiguity
            case UInt8(ascii: "\\"): copy()
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass:
                copy()
                while index < bytes.count, Self.isName(bytes[index]) { copy() }
                return end(.value)
            default: break
            }
            if index < bytes.count { copy() }
        }
        throw ambiguity
    }

    private mutating func string(_ quote: UInt8) {
        flush()
        let isSpecifier = word == Array("from".utf8) || word == Array("import".utf8)
        let start = index + 1
        copy()
        while index < bytes.count, bytes[index] != quote {
            if bytes[index] == UInt8(ascii: "\\") { copy() }
            if index < bytes.count { copy() }
        }
        if isSpecifier { imports.append(String(decoding: bytes[start..<index], as: UTF8.self)) }
        if index < bytes.count { copy() }
        end(.value)
    }

    /// Copies a template from behind its mark or a substitution, up to its end or the next substitution.
    private mutating func template() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): copy()
            case UInt8(ascii: "`"):
                copy()
                return end(.value)
            case UInt8(ascii: "$") where peek(1) == UInt8(ascii: "{"):
                copy()
                copy()
                braces.append(.substitution)
                return end(.operation)
            default: break
            }
            if index < bytes.count { copy() }
        }
    }

    private mutating func number() {
        flush()
        while index < bytes.count, Self.isName(bytes[index]) || bytes[index] == UInt8(ascii: ".") { copy() }
        end(.value)
    }

    private mutating func name() {
        flush()
        let start = index
        while index < bytes.count, Self.isName(bytes[index]) { copy() }
        let name = Array(bytes[start..<index])
        let isProperty = last == .point
        last = !isProperty && Self.operators.contains(name) ? .operation : .value
        word = isProperty ? [] : name
    }

    private mutating func punctuator(_ byte: UInt8) {
        flush()
        let isControl = Self.controls.contains(word)
        copy()
        switch byte {
        case UInt8(ascii: "("):
            parentheses.append(isControl)
            end(.operation)
        case UInt8(ascii: ")"): end(parentheses.popLast() == true ? .operation : .value)
        case UInt8(ascii: "]"): end(.value)
        case UInt8(ascii: "{"):
            braces.append(.block)
            end(.operation)
        case UInt8(ascii: "}"):
            if braces.popLast() == .substitution { template() } else { end(.closingBrace) }
        case UInt8(ascii: "."): end(.point)
        case UInt8(ascii: "+") where peek() == byte, UInt8(ascii: "-") where peek() == byte:
            copy()
            // Before a value it changes, which cannot be a regular expression; so it stands behind one.
            end(.value)
        default: end(.operation)
        }
    }

    /// Whether a byte is part of a name, also of a private one and of one that is not ASCII.
    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "#"), 0x80...:
            true
        default: false
        }
    }
}
