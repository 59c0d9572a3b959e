import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is written to: how wide it is, and whether it shows colours.
struct Terminal {
    /// How many columns a line has; nil: as many as it takes, for there is no terminal.
    let width: Int?
    /// How many lines it shows; nil: as many as there are.
    let height: Int?
    /// Whether it can draw over what it shows (ECMA-48); a dumb one shows line after line.
    let redraws: Bool
    private let hasColours: Bool

    init(isPlain: Bool = false) {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let isKnown = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        width = isKnown ? Int(size.ws_col) : isTerminal ? 80 : nil
        height = isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil
        redraws = isTerminal && Home.environment("TERM").map { $0 != "dumb" } ?? false
        hasColours = redraws && !isPlain
    }

    init(width: Int?, height: Int? = nil, hasColours: Bool) {
        self.width = width
        self.height = height
        self.hasColours = hasColours
        redraws = width != nil
    }

    /// Gives an element whenever the terminal has become another size (`SIGWINCH`). It ends with its task.
    static func resizes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // Dispatch's objects may be used by any thread; what they are imported as does not say so.
            nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: SIGWINCH)
            source.setEventHandler { continuation.yield() }
            continuation.onTermination = { _ in source.cancel() }
            source.resume()
        }
    }

    /// A colour or weight (ECMA-48, SGR).
    enum Style: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    /// A text in a style, where there are colours.
    func styled(_ text: String, _ style: Style?) -> String {
        guard hasColours, let style, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    /// Text that others wrote, without what a terminal would take for commands.
    static func clean(_ text: String) -> String {
        guard !isPlain(text) else { return text }
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            // Controls, ends of lines, and what turns the direction of a line around.
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: clean.append(" ")
            default: clean.append(scalar)
            }
        }
        return String(clean)
    }

    /// Whether a text is of visible ASCII alone, as nearly all are: then all else need not be looked at.
    static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// How many columns a text takes: two for wide characters (UAX #11: East Asian, emoji), none for what combines.
    static func columns(_ text: String) -> Int {
        isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
    }

    private static func columns(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .nonspacingMark {
            return 0
        }
        // U+FE0F shows as emoji what is text by itself (UTS #51): ❤️, ☀️, 1️⃣.
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return isWide(scalar) ? 2 : 1
    }

    /// Whether a character is wide by itself: `W` and `F` of EastAsianWidth.txt, by blocks. All emoji that are shown as such are.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
            0x1F200...0x1F265, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }

    /// The text, cut to so many columns.
    static func cut(_ text: String, to width: Int) -> String {
        guard columns(text) > width else { return text }
        guard width > 1 else { return width < 1 ? "" : "…" }
        var (cut, used) = ("", 0)
        for character in text {
            let columns = columns(String(character))
            guard used + columns < width else { break }
            cut.append(character)
            used += columns
        }
        return cut + "…"
    }
}

/// Rows of texts below each other, as wide as the terminal at the most.
struct Table {
    /// A column.
    struct Column {
        var title: String
        /// Whether its texts end below each other, as numbers do.
        var isNumber = false
        /// How much it may shrink: the fewest columns that it keeps.
        var minimum = Int.max
        /// On a terminal that is too narrow for all even so, columns are left out, the highest first; 0 stays.
        var rank = 0
    }

    /// A text and how it is shown.
    struct Cell {
        let text: String
        /// How many columns it takes.
        let width: Int
        var style: Terminal.Style?

        init(_ text: String, _ style: Terminal.Style? = nil) {
            let isPlain = Terminal.isPlain(text)
            self.text = isPlain ? text : Terminal.clean(text)
            width = isPlain ? text.utf8.count : Terminal.columns(self.text)
            self.style = style
        }
    }

    var columns: [Column]
    var rows: [[Cell]] = []

    /// The columns that there is room for, and how wide each is.
    private func layout(_ width: Int?) -> [(index: Int, width: Int)] {
        var layout = columns.indices.map { index in
            (
                index: index,
                width: rows.reduce(Terminal.columns(columns[index].title)) { max($0, $1[index].width) }
            )
        }
        guard let width else { return layout }
        func excess(_ least: (Column) -> Int) -> Int {
            layout.reduce(-2) { $0 + 2 + min($1.width, least(columns[$1.index])) } - width
        }
        while excess(\.minimum) > 0,
            let last = layout.indices.max(by: { columns[layout[$0].index].rank < columns[layout[$1].index].rank }),
            columns[layout[last].index].rank > 0
        {
            layout.remove(at: last)
        }
        // What is too wide is taken from those that may shrink, the widest first; where that is not enough, from all.
        let leasts: [(Column) -> Int] = [\.minimum, { _ in 1 }]
        for least in leasts {
            for _ in 0..<max(0, excess { _ in .max }) {
                let shrinkable = layout.indices.filter { layout[$0].width > least(columns[layout[$0].index]) }
                guard let widest = shrinkable.max(by: { layout[$0].width < layout[$1].width }) else { break }
                layout[widest].width -= 1
            }
        }
        return layout
    }

    /// The lines of the table.
    func lines(on terminal: Terminal) -> [String] {
        let layout = self.layout(terminal.width)
        func line(_ cells: [Cell], _ style: Terminal.Style? = nil) -> String {
            var line: [UInt8] = []
            line.reserveCapacity(layout.reduce(0) { $0 + $1.width + 16 })
            for (place, (index, width)) in layout.enumerated() {
                let (cell, isLast) = (cells[index], place == layout.count - 1)
                let isCut = cell.width > width
                let text = isCut ? Terminal.cut(cell.text, to: width) : cell.text
                let space = width - (isCut ? Terminal.columns(text) : cell.width)
                if columns[index].isNumber { line.append(spaces: space) }
                line.append(contentsOf: terminal.styled(text, cell.style ?? style).utf8)
                if !isLast { line.append(spaces: columns[index].isNumber ? 2 : space + 2) }
            }
            return String(decoding: line, as: UTF8.self)
        }
        return [line(columns.map { Cell($0.title) }, .dim)] + rows.map { line($0) }
    }
}

extension [UInt8] {
    /// Appends so many spaces.
    fileprivate mutating func append(spaces count: Int) {
        append(contentsOf: repeatElement(UInt8(ascii: " "), count: Swift.max(0, count)))
    }
}
