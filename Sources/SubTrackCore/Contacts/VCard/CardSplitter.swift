/// The cards of a text by their first and last lines, without a look at the lines between.
struct CardSplitter: Sequence, IteratorProtocol {
    /// A piece of the text.
    struct Piece {
        enum Kind { case card, unfinished, stray }

        var kind: Kind
        /// The bytes with the lines that begin and end the card.
        var range: Range<Int>
        /// The line on which it begins, from 1.
        var line: Int
    }

    private let bytes: [UInt8]
    private var lines: PhysicalLines

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        lines = PhysicalLines(start: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0, end: bytes.count)
    }

    /// The next card, or the next run of lines outside of cards.
    mutating func next() -> Piece? {
        while let line = lines.next(bytes) {
            if PhysicalLines.isBlank(bytes[line.range]) { continue }
            return Self.isMark(bytes[line.range], "BEGIN:VCARD") ? card(from: line) : stray(from: line)
        }
        return nil
    }

    /// Reads up to the end of the card, or up to the next card where this one has no end.
    private mutating func card(from first: PhysicalLines.Line) -> Piece {
        var depth = 1
        var end = first.range.upperBound
        var isAgent = false
        var before = lines
        while let line = lines.next(bytes) {
            let text = bytes[line.range]
            if Self.isMark(text, "BEGIN:VCARD") {
                guard isAgent else {
                    lines = before
                    return Piece(kind: .unfinished, range: first.range.lowerBound..<end, line: first.number)
                }
                depth += 1
            } else if Self.isMark(text, "END:VCARD") {
                depth -= 1
                if depth == 0 {
                    return Piece(kind: .card, range: first.range.lowerBound..<line.range.upperBound, line: first.number)
                }
            }
            // In 2.1 the value of this property is a card of its own.
            if !PhysicalLines.isBlank(text) { isAgent = Self.isAgent(text) }
            end = line.range.upperBound
            before = lines
        }
        return Piece(kind: .unfinished, range: first.range.lowerBound..<end, line: first.number)
    }

    private mutating func stray(from first: PhysicalLines.Line) -> Piece {
        var end = first.range.upperBound
        var before = lines
        while let line = lines.next(bytes) {
            if Self.isMark(bytes[line.range], "BEGIN:VCARD") {
                lines = before
                break
            }
            end = line.range.upperBound
            before = lines
        }
        return Piece(kind: .stray, range: first.range.lowerBound..<end, line: first.number)
    }

    /// Whether a line is a mark, in letters of any case and with white space behind it.
    static func isMark(_ line: ArraySlice<UInt8>, _ mark: StaticString) -> Bool {
        let count = mark.utf8CodeUnitCount
        guard line.count >= count else { return false }
        for index in 0..<count where line[line.startIndex + index] & 0xDF != mark.utf8Start[index] & 0xDF {
            return false
        }
        return PhysicalLines.isBlank(line.dropFirst(count))
    }

    /// Whether a line is `AGENT:` with nothing behind it.
    static func isAgent(_ line: ArraySlice<UInt8>) -> Bool { isMark(line, "AGENT:") }
}

/// Lines as they stand in a text. They end by CR LF, LF or CR.
struct PhysicalLines {
    struct Line {
        /// Without the end of the line.
        var range: Range<Int>
        /// From 1.
        var number: Int
    }

    private var index: Int
    private let end: Int
    private var number: Int

    init(start: Int, end: Int, number: Int = 1) {
        index = start
        self.end = end
        self.number = number
    }

    /// The next line; nil at the end.
    mutating func next(_ bytes: [UInt8]) -> Line? {
        guard index < end else { return nil }
        let start = index
        while index < end, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        let line = Line(range: start..<index, number: number)
        number += 1
        if index < end {
            index += bytes[index] == 0x0D && index + 1 < end && bytes[index + 1] == 0x0A ? 2 : 1
        }
        return line
    }

    static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

/// The properties of one card in their order, unfolded.
struct CardLines {
    private let bytes: [UInt8]
    private var lines: PhysicalLines
    private var waiting: PhysicalLines.Line?
    /// Whether the card says that it is of version 2.1, so far as it has been read.
    private var isOld = false

    init(_ bytes: [UInt8], _ piece: CardSplitter.Piece) {
        self.bytes = bytes
        lines = PhysicalLines(start: piece.range.lowerBound, end: piece.range.upperBound, number: piece.line)
        waiting = lines.next(bytes)
    }

    /// The next property, nil at the end. Blank lines are left out.
    mutating func next() throws(CardRefusal) -> ContentLine? {
        while let first = take() {
            var text = Array(bytes[first.range])
            joinFolds(to: &text)
            if PhysicalLines.isBlank(text[...]) { continue }
            joinEncoded(to: &text)
            if CardSplitter.isAgent(text[...]), let waiting, CardSplitter.isMark(bytes[waiting.range], "BEGIN:VCARD") {
                text += nested()
            }
            if let control = text.first(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
                let code = ContentLine.code(Unicode.Scalar(control))
                throw CardRefusal("line \(first.number) has a control character (\(code))")
            }
            let line = try ContentLine(text, number: first.number)
            if line.name == "VERSION" { isOld = line.rawValue.starts(with: "2.1".utf8) }
            return line
        }
        return nil
    }

    private mutating func take() -> PhysicalLines.Line? {
        defer { if waiting != nil { waiting = lines.next(bytes) } }
        return waiting
    }

    /// Joins the lines that begin with white space. Version 2.1 folds before white space of the text, which stays.
    private mutating func joinFolds(to text: inout [UInt8]) {
        while let next = waiting {
            let line = bytes[next.range]
            // A blank line behind a folded one: double ends of lines, or the end of a value of 2.1.
            guard let first = line.first else {
                _ = take()
                continue
            }
            guard first == 0x20 || first == 0x09 else { return }
            text += isOld ? line : line.dropFirst()
            _ = take()
        }
    }

    /// Joins the soft line breaks of quoted-printable, and the lines of Base64 that some programs of 2.1 do not indent.
    private mutating func joinEncoded(to text: inout [UInt8]) {
        if text.last == UInt8(ascii: "="), Self.head(of: text).contains("QUOTED-PRINTABLE") {
            while text.last == UInt8(ascii: "="), let next = take() {
                text.removeLast()
                text += bytes[next.range]
            }
        } else if isOld, let next = waiting, Self.isBase64(bytes[next.range]), Self.head(of: text).contains("BASE64") {
            while let next = waiting, Self.isBase64(bytes[next.range]) {
                text += bytes[next.range]
                _ = take()
            }
        }
    }

    private static func head(of text: [UInt8]) -> String {
        String(decoding: text.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).uppercased()
    }

    private static func isBase64(_ line: ArraySlice<UInt8>) -> Bool {
        !line.isEmpty
            && line.allSatisfy {
                ContentLine.isName($0) && $0 != UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
                    || $0 == UInt8(ascii: "=")
            }
    }

    /// The card inside a property as one escaped text, which is its form in 3.0.
    private mutating func nested() -> [UInt8] {
        var depth = 0
        var text: [UInt8] = []
        while let line = take() {
            let content = bytes[line.range]
            if CardSplitter.isMark(content, "BEGIN:VCARD") { depth += 1 }
            if CardSplitter.isMark(content, "END:VCARD") { depth -= 1 }
            for byte in content {
                if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") {
                    text.append(UInt8(ascii: "\\"))
                }
                text.append(byte)
            }
            text += #"\n"#.utf8
            if depth <= 0 { break }
        }
        return text
    }
}
