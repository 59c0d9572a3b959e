/// The rows of a file of SQL that inserts into `Staged_plan`, read without a database: nothing of the file is ever run.
///
/// What it takes: `INSERT INTO Staged_plan (columns) VALUES (…), (…);`, as often as one likes, with comments. Values are
/// texts, numbers, hexadecimal literals and `NULL`; the column `Revision` may be named, with `@revision` for its value.
/// Anything else is refused, with its line.
struct SQLRows {
    /// A column of the statement that is being read: its place in a row, or the revision's name.
    private enum Column {
        case place(Int)
        case revision
    }

    /// Something that a statement is made of.
    private enum Token: Equatable {
        case word(String)
        case text([UInt8])
        case number([UInt8])
        case variable(String)
        case symbol(UInt8)
        case end
    }

    private let file: RevisionFile
    private let bytes: [UInt8]
    private var index: Int
    private var line = 1
    private var columns: [Column] = []
    /// The line on which the last token begins.
    private var tokenLine = 1
    /// The last token.
    private var last = Token.end
    /// The number of parentheses that are open.
    private var depth = 0
    /// The number of rows that could be read.
    private var count = 0

    /// The rows of a file.
    init(_ file: RevisionFile) {
        self.file = file
        bytes = file.bytes
        index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next row; nil at the end.
    /// - Throws: ``RevisionFileFault`` for anything but such a statement.
    mutating func next() throws -> StagedRow? {
        if columns.isEmpty {
            var token = try token()
            while token == .symbol(UInt8(ascii: ";")) { token = try self.token() }
            guard token != .end else { return nil }
            try begin(token)
        }
        try expect("(", "a row in parentheses")
        let row = try row()
        switch try token() {
        case .symbol(UInt8(ascii: ",")): break
        case .symbol(UInt8(ascii: ";")), .end: columns = []
        case let other: throw fault("a comma or a semicolon must follow a row; this does: \(shown(other))")
        }
        return row
    }

    /// Goes on behind a fault: at the next row of the statement, or behind the statement where its beginning cannot be read.
    /// - Returns: false where nothing more can be read.
    mutating func skipsFault() -> Bool {
        do {
            var token = last
            while token != .end {
                if token == .symbol(UInt8(ascii: ";")) {
                    (columns, depth) = ([], 0)
                    return true
                }
                let isRowEnd = token == .symbol(UInt8(ascii: ")")) && depth <= 0
                token = try self.token()
                if isRowEnd, token == .symbol(UInt8(ascii: ",")), !columns.isEmpty {
                    depth = 0
                    return true
                }
            }
        } catch {
            // A quote or a comment that is never closed: the rest is part of it.
        }
        return false
    }

    /// Reads a statement up to its first row.
    private mutating func begin(_ first: Token) throws {
        var words: [String] = []
        var token = first
        while case .word(let word) = token, words.count < 3 {
            words.append(word.lowercased())
            if words.count < 3 { token = try self.token() }
        }
        guard words == ["insert", "into", "staged_plan"] else {
            throw fault(
                "only INSERT INTO Staged_plan (columns) VALUES (…) may stand in it; this is something else: "
                    + (words.first.map { ShownText.of($0) } ?? shown(token)))
        }
        try expect("(", "the columns in parentheses")
        var columns: [Column] = []
        var named: Set<String> = []
        while true {
            guard case .word(let name) = try self.token() else { throw fault("the name of a column is missing") }
            guard named.insert(name.lowercased()).inserted else {
                throw fault("the column \(ShownText.of(name)) is named twice")
            }
            if name.lowercased() == "revision" {
                columns.append(.revision)
            } else if let place = StagedRow.place(of: name) {
                columns.append(.place(place))
            } else {
                throw fault(
                    "there is no column \(ShownText.of(name)); there are \(StagedRow.columns.joined(separator: ", "))"
                )
            }
            let next = try self.token()
            if next == .symbol(UInt8(ascii: ")")) { break }
            guard next == .symbol(UInt8(ascii: ",")) else {
                throw fault("a comma must follow a column; this does: \(shown(next))")
            }
        }
        guard case .word(let word) = try self.token(), ["values", "value"].contains(word.lowercased()) else {
            throw fault("VALUES must follow the columns")
        }
        self.columns = columns
    }

    /// Reads the values of a row, and the parenthesis behind them.
    private mutating func row() throws -> StagedRow {
        let start = tokenLine
        var values = [[UInt8]?](repeating: nil, count: StagedRow.columns.count)
        for (number, column) in columns.enumerated() {
            let value = try token()
            switch (column, value) {
            case (.revision, .variable("revision")): break
            case (.revision, _): throw fault("the value of Revision must be @revision, is \(shown(value))")
            case (.place(let place), .text(let bytes)), (.place(let place), .number(let bytes)): values[place] = bytes
            case (.place, .word(let word)) where word.lowercased() == "null": break
            default: throw fault("a value must be a text, a number or NULL, is \(shown(value))")
            }
            let isLast = number == columns.count - 1
            guard try token() == .symbol(UInt8(ascii: isLast ? ")" : ",")) else {
                throw fault("a row must have as many values as there are columns: \(columns.count)")
            }
        }
        count += 1
        return StagedRow(line: start, row: count, values: values)
    }

    private mutating func expect(_ symbol: Unicode.Scalar, _ what: String) throws {
        let token = try token()
        guard token == .symbol(UInt8(ascii: symbol)) else {
            throw fault("\(what) must follow; this does: \(shown(token))")
        }
    }

    // MARK: Tokens

    private mutating func token() throws -> Token {
        last = .end
        last = try nextToken()
        if last == .symbol(UInt8(ascii: "(")) { depth += 1 }
        if last == .symbol(UInt8(ascii: ")")) { depth -= 1 }
        return last
    }

    private mutating func nextToken() throws -> Token {
        try skipBlanks()
        tokenLine = line
        guard index < bytes.count else { return .end }
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .text(try quoted(byte))
        case UInt8(ascii: "`"): return .word(String(decoding: try quoted(byte), as: UTF8.self))
        case UInt8(ascii: "@"):
            index += 1
            return .variable(word().lowercased())
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            return try number()
        case _ where Self.isLetter(byte): return .word(word())
        default:
            index += 1
            return .symbol(byte)
        }
    }

    private mutating func skipBlanks() throws {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") { line += 1 }
            if byte <= 0x20 {
                index += 1
            } else if byte == UInt8(ascii: "#") || starts(with: "--") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            } else if starts(with: "/*") {
                // An executable comment is none: its text would be run.
                guard !starts(with: "/*!"), !starts(with: "/*M!") else {
                    throw fault("an executable comment", at: line)
                }
                let start = line
                while index < bytes.count, !starts(with: "*/") {
                    if bytes[index] == UInt8(ascii: "\n") { line += 1 }
                    index += 1
                }
                guard index < bytes.count else { throw fault("a comment is opened here and never closed", at: start) }
                index += 2
            } else {
                return
            }
        }
    }

    /// A text in quotes, without them: a quote inside is doubled or has a backslash before it.
    private mutating func quoted(_ quote: UInt8) throws -> [UInt8] {
        let start = line
        index += 1
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            if byte == quote {
                guard index < bytes.count, bytes[index] == quote else { return text }
                index += 1
            } else if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "`"), index < bytes.count {
                if bytes[index] == UInt8(ascii: "\n") { line += 1 }
                text.append(Self.escaped(bytes[index]))
                index += 1
                continue
            }
            text.append(byte)
        }
        throw fault("a quote is opened here and never closed", at: start)
    }

    /// What a character behind a backslash stands for, as MariaDB and MySQL read texts.
    private static func escaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0"): 0
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "Z"): 0x1A
        default: byte
        }
    }

    /// A number, digit for digit, or the bytes of a hexadecimal literal.
    private mutating func number() throws -> Token {
        let start = index
        while index < bytes.count,
            Self.isLetter(bytes[index]) || Self.isDigit(bytes[index]) || "+-.".utf8.contains(bytes[index])
        {
            index += 1
        }
        let text = bytes[start..<index]
        guard text.starts(with: Array("0x".utf8)) else { return .number(Array(text)) }
        let digits = text.dropFirst(2)
        guard digits.count.isMultiple(of: 2) else { throw fault("0x must have two digits for each byte") }
        var value: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            guard let number = Character(Unicode.Scalar(digit)).hexDigitValue else {
                throw fault("0x must have hexadecimal digits")
            }
            if let first = high {
                value.append(first << 4 | UInt8(number))
                high = nil
            } else {
                high = UInt8(number)
            }
        }
        return .text(value)
    }

    private mutating func word() -> String {
        let start = index
        while index < bytes.count, Self.isLetter(bytes[index]) || Self.isDigit(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { word in bytes[index...].starts(with: word) }
    }

    private func fault(_ reason: String, at line: Int? = nil) -> RevisionFileFault {
        file.fault(line ?? tokenLine, reason, remedy: "write INSERT INTO Staged_plan (columns) VALUES (…), (…);")
    }

    private func shown(_ token: Token) -> String {
        switch token {
        case .word(let word): ShownText.of(word)
        case .text(let text), .number(let text): ShownText.of(String(decoding: text.prefix(60), as: UTF8.self))
        case .variable(let name): ShownText.of("@" + name)
        case .symbol(let byte): ShownText.of(String(Unicode.Scalar(byte)))
        case .end: "the end of the file"
        }
    }
}
