/// A style sheet without its comments.
///
/// Strings and unquoted addresses are copied as they are (CSS Syntax Level 3 §4.3); other white space becomes one character.
public enum StyleSource {
    /// Returns the text without comments.
    public static func stripped(_ text: String) -> String {
        var reader = StyleReader(Array(text.utf8))
        reader.read()
        return String(decoding: reader.output, as: UTF8.self)
    }
}

private struct StyleReader {
    private let bytes: [UInt8]
    private var index = 0
    /// The white space that is still to be written; nil: none.
    private var space: UInt8?
    /// Whether a comment came since the last token, which keeps two of them apart.
    private var hasComment = false
    private(set) var output: [UInt8] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        output.reserveCapacity(bytes.count)
    }

    private func peek(_ distance: Int) -> UInt8 { index + distance < bytes.count ? bytes[index + distance] : 0 }

    mutating func read() {
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C:
                space = UInt8(ascii: "\n")
                index += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                if space == nil { space = UInt8(ascii: " ") }
                index += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                flush(before: byte)
                copy(until: byte)
            case UInt8(ascii: "("):
                flush(before: byte)
                copy()
                if isAddress { copy(until: UInt8(ascii: ")")) }
            case UInt8(ascii: "\\"):
                flush(before: byte)
                copy()
                if index < bytes.count { copy() }
            default:
                flush(before: byte)
                copy()
            }
        }
        if space == UInt8(ascii: "\n") { output.append(UInt8(ascii: "\n")) }
    }

    /// Whether an unquoted address begins here: behind `url(`, with no string in it.
    private var isAddress: Bool {
        guard output.suffix(4).map({ $0 | 0x20 }) == Array("url(".utf8).map({ $0 | 0x20 }) else { return false }
        let rest = bytes[index...].first { $0 > 0x20 }
        return rest != UInt8(ascii: "\"") && rest != UInt8(ascii: "'")
    }

    private mutating func flush(before next: UInt8) {
        defer { (space, hasComment) = (nil, false) }
        if let space {
            if !output.isEmpty { output.append(space) }
        } else if hasComment, let last = output.last, !Self.parts(last), !Self.parts(next) {
            // An empty comment keeps two tokens apart and is no white space, which would be a combinator.
            output += Array("/**/".utf8)
        }
    }

    /// Whether a character separates its neighbours.
    private static func parts(_ byte: UInt8) -> Bool {
        [UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"), UInt8(ascii: ",")].contains(byte)
    }

    private mutating func copy() {
        output.append(bytes[index])
        index += 1
    }

    /// Copies from an opening mark to the closing one.
    private mutating func copy(until end: UInt8) {
        if end != UInt8(ascii: ")") { copy() }
        while index < bytes.count, bytes[index] != end {
            if bytes[index] == UInt8(ascii: "\\") { copy() }
            if index < bytes.count { copy() }
        }
        if index < bytes.count { copy() }
    }

    private mutating func skipComment() {
        index += 2
        hasComment = true
        while index < bytes.count, !(bytes[index] == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) { index += 1 }
        index = min(bytes.count, index + 2)
    }
}
