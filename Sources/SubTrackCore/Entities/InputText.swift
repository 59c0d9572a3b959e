import SubTrackAPI

/// Checks of texts that people type.
public enum InputText {
    /// A text that must be there.
    /// - Parameters:
    ///   - field: its name, for the problem.
    ///   - maximum: how many characters (Unicode scalars, as the database counts them) it may have.
    /// - Returns: the text without white space at its ends.
    public static func required(_ text: String, field: String, maximum: Int) throws -> String {
        let text = try checked(text, field: field, maximum: maximum)
        guard !text.isEmpty else { throw Problem.input(field, .range, "must not be empty") }
        return text
    }

    /// A text that may be empty, which is the same as none.
    public static func optional(_ text: String?, field: String, maximum: Int, multiline: Bool = false) throws -> String?
    {
        guard let text else { return nil }
        let checked = try checked(text, field: field, maximum: maximum, multiline: multiline)
        return checked.isEmpty ? nil : checked
    }

    /// How much white space a text may have at its ends.
    private static let maximumSpace = 1_000

    private static func checked(
        _ text: String, field: String, maximum: Int, multiline: Bool = false
    ) throws -> String {
        // White space at the ends does not count, but has a bound as well: all that follows looks at each character.
        let count = text.unicodeScalars.count
        guard count <= maximum + maximumSpace else {
            throw Problem.input(field, .range, "may have \(maximum) characters, has \(count)")
        }
        // A text box of Windows ends its lines by two characters.
        let text = multiline ? text.replacing("\r\n", with: "\n") : text
        guard
            !text.unicodeScalars.allSatisfy({ $0.properties.isDefaultIgnorableCodePoint || $0.properties.isWhitespace })
        else { return "" }
        var part = Substring(text)
        while let first = part.first, first.isWhitespace { part.removeFirst() }
        while let last = part.last, last.isWhitespace { part.removeLast() }
        guard part.unicodeScalars.count <= maximum else {
            throw Problem.input(field, .range, "may have \(maximum) characters, has \(part.unicodeScalars.count)")
        }
        // Control characters (C0, DEL, C1) would garble lists and terminals.
        let isClean = part.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x0A, 0x09: multiline
            case 0..<0x20, 0x7F..<0xA0: false
            default: true
            }
        }
        guard isClean else { throw Problem.input(field, .malformed, "must not have control characters") }
        return String(part)
    }
}
