import SubTrackSQL

/// Splits an SQL script into its statements, as the `mariadb` client does. It splits at `;`, or at the text after
/// `DELIMITER`, but not inside of texts, quoted names and comments.
enum StatementSplitter {
    /// The statements of a file, which is split once.
    static func statements(of file: SQLFiles.File) -> [String] { known[file] }

    private static let known = FileMemory<[String]> { statements(of: $0.text) }

    /// The statements of a script, in order, without their delimiters.
    ///
    /// Comments between statements are left out; those inside of a statement stay. An executable comment (`/*! … */`)
    /// belongs to its statement.
    static func statements(of script: String) -> [String] {
        var splitter = Splitter(Array(script.utf8))
        splitter.run()
        return splitter.statements
    }

    private struct Splitter {
        let bytes: [UInt8]
        var index = 0
        var delimiter = Array(";".utf8)
        var current: [UInt8] = []
        var statements: [String] = []

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func run() {
            while index < bytes.count {
                if isLineStart, let word = delimiterCommand() {
                    delimiter = word
                } else if matches(delimiter) {
                    index += delimiter.count
                    finish()
                } else {
                    step()
                }
            }
            finish()
        }

        /// Takes over one character, one text or one comment.
        private mutating func step() {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): quoted(byte)
            case UInt8(ascii: "#"): skipLine()
            case UInt8(ascii: "-") where matches(Array("--".utf8)) && isSpace(at: index + 2): skipLine()
            case UInt8(ascii: "/") where matches(Array("/*".utf8)): comment()
            default: plain()
            }
        }

        /// Copies text without a meaning here, up to the end of the line.
        private mutating func plain() {
            let start = index
            index += 1
            if bytes[start] != UInt8(ascii: "\n") {
                while index < bytes.count, Self.isPlain[Int(bytes[index])], bytes[index] != delimiter[0] { index += 1 }
            }
            current.append(contentsOf: bytes[start..<index])
        }

        /// Which bytes can neither begin something of its own nor end a line.
        private static let isPlain = (0...255).map { !"'\"`#-/\n".utf8.contains($0) }

        private mutating func quoted(_ quote: UInt8) {
            current.append(quote)
            index += 1
            while index < bytes.count {
                let byte = bytes[index]
                current.append(byte)
                index += 1
                if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "`"), index < bytes.count {
                    current.append(bytes[index])
                    index += 1
                } else if byte == quote {
                    // A doubled quote ends the text and begins the next: together they are one, which does no harm here.
                    return
                }
            }
        }

        /// Leaves out a comment to the end of its line; the line's end stays, for it separates words.
        private mutating func skipLine() {
            while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
        }

        private mutating func comment() {
            let isExecutable = index + 2 < bytes.count && bytes[index + 2] == UInt8(ascii: "!")
            while index < bytes.count, !matches(Array("*/".utf8)) {
                if isExecutable { current.append(bytes[index]) }
                index += 1
            }
            if isExecutable { current.append(contentsOf: "*/".utf8) } else { current.append(UInt8(ascii: " ")) }
            index = min(index + 2, bytes.count)
        }

        private var isLineStart: Bool { index == 0 || bytes[index - 1] == UInt8(ascii: "\n") }

        /// Reads a line such as `DELIMITER //`.
        private mutating func delimiterCommand() -> [UInt8]? {
            guard bytes[index] & 0xDF == UInt8(ascii: "D") else { return nil }
            let word = Array("DELIMITER".utf8)
            guard index + word.count < bytes.count,
                zip(word, bytes[index...]).allSatisfy({ $0 == $1 & 0xDF }), isSpace(at: index + word.count)
            else { return nil }
            let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let new = bytes[(index + word.count)..<end].filter { $0 > 0x20 }
            guard !new.isEmpty else { return nil }
            index = end
            return new
        }

        private func matches(_ word: [UInt8]) -> Bool {
            // Most bytes are looked at no further: nothing of all this is done as often.
            bytes[index] == word[0] && index + word.count <= bytes.count
                && zip(word, bytes[index...]).allSatisfy { $0 == $1 }
        }

        private func isSpace(at position: Int) -> Bool { position >= bytes.count || bytes[position] <= 0x20 }

        private mutating func finish() {
            let text = String(decoding: current, as: UTF8.self)
            current = []
            var part = Substring(text)
            while let first = part.first, first.isWhitespace { part.removeFirst() }
            while let last = part.last, last.isWhitespace { part.removeLast() }
            if !part.isEmpty { statements.append(String(part)) }
        }
    }
}
