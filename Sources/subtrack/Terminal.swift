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
        let size = Self.size(of: STDOUT_FILENO)
        width = size?.columns ?? (isTerminal ? 80 : nil)
        height = size?.lines
        redraws = isTerminal && Home.environment("TERM").map { $0 != "dumb" } ?? false
        hasColours = redraws && !isPlain
    }

    /// How large the terminal is that a file writes to; nil: it is none, or does not say so.
    private static func size(of file: Int32) -> (columns: Int, lines: Int?)? {
        var size = winsize()
        guard isatty(file) == 1, ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : nil)
    }

    /// The terminal that remarks are written to, as far as lines have to fit it.
    static var ofRemarks: Terminal { Terminal(width: size(of: STDERR_FILENO)?.columns, hasColours: false) }

    init(width: Int?, height: Int? = nil, hasColours: Bool) {
        self.width = width
        self.height = height
        self.hasColours = hasColours
        redraws = width != nil
    }

    /// Gives an element whenever the terminal has become another size (`SIGWINCH`). It ends with its task.
    static func resizes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // `nonisolated(unsafe)`: any thread may use Dispatch's objects, but the imported type is not `Sendable`.
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

    /// The text, cut in its middle to so many columns. Names of plans often differ at the end.
    static func cutInside(_ text: String, to width: Int) -> String {
        guard columns(text) > width else { return text }
        guard width > 8 else { return cut(text, to: width) }
        var (end, used) = ([Character](), 0)
        for character in text.reversed() {
            let columns = columns(String(character))
            guard used + columns <= (width - 1) / 2 else { break }
            end.append(character)
            used += columns
        }
        return cut(text, to: width - used) + String(end.reversed())
    }

    /// The text with those lines wrapped that are too wide; others stay as they are.
    func fitted(_ text: String) -> String {
        guard let width else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            Self.columns(String(line)) > width ? wrapped(String(line)) : [String(line)]
        }.joined(separator: "\n")
    }

    /// The text in lines that are no wider than the terminal. They end between words; U+00A0 keeps two together.
    /// - Parameter indent: how many columns stand before each line.
    func wrapped(_ text: String, indent: Int = 0) -> [String] {
        guard let width else { return [text.replacing("\u{A0}", with: " ")] }
        let room = max(width - indent, 1)
        var (lines, line) = ([String](), "")
        for word in text.split(separator: " ").map(String.init) {
            if line.isEmpty {
                line = word
            } else if Self.columns(line) + 1 + Self.columns(word) <= room {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
        }
        return (lines + [line]).map { $0.replacing("\u{A0}", with: " ") }
    }
}
