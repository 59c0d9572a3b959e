import SubTrackAPI
import SubTrackCore

/// Comma-separated values (RFC 4180), with whatever ends lines.
///
/// It goes by Unicode scalars: a combining mark after a comma or a quote would hide them in one character.
enum CSVText {
    /// A line, which may go over several of a file where a quoted field does.
    struct Line: Hashable {
        /// Its number in the file, from 1.
        var number: Int
        var fields: [String]
        /// Whether the file ends within its quotes.
        var isUnclosed = false
    }

    /// The lines of a file; empty ones are left out. The most frequent of comma, semicolon and tab in the first line separates fields.
    static func lines(_ text: String) -> [Line] {
        // A byte order mark is no part of the first name.
        let scalars = text.unicodeScalars.dropFirst(text.unicodeScalars.first == "\u{FEFF}" ? 1 : 0)
        let separator = separator(of: scalars.prefix { $0 != "\n" && $0 != "\r" })
        var rows = CSVRows(Array(String(scalars).utf8), separator: UInt8(ascii: separator))
        var lines: [Line] = []
        while let row = rows.next() {
            let line = Line(row)
            if line.fields.contains(where: { !$0.isEmpty }) { lines.append(line) }
        }
        if let row = rows.openRow { lines.append(Line(row, isUnclosed: true)) }
        return lines
    }

    private static func separator(of first: Substring.UnicodeScalarView) -> Unicode.Scalar {
        let candidates: [Unicode.Scalar] = [",", ";", "\t"]
        let usual = candidates.max { one, other in
            first.count { $0 == one } < first.count { $0 == other }
        }
        return usual ?? ","
    }

    /// A line of fields.
    static func line(_ fields: [String]) -> String {
        fields.map { field in
            let text = escaped(field)
            return text.unicodeScalars.contains { special.contains($0) } ? quoted(text) : text
        }.joined(separator: ",") + "\r\n"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = String.UnicodeScalarView()
        quoted.append("\"")
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }

    /// Characters for which a field is quoted.
    private static let special: Set<Unicode.Scalar> = [",", "\"", ";", "\t", "\r", "\n"]
    /// First characters of formulas.
    private static let formula: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r"]

    /// A field with an apostrophe in front where a table program would take it for a formula (OWASP, CSV injection). A
    /// field that has such apostrophes already gets one more, so that ``unescaped(_:)`` gives it back.
    private static func escaped(_ field: String) -> String {
        isLikeFormula(field) && Amount(field) == nil ? "'" + field : field
    }

    /// The field of which ``escaped(_:)`` made this one.
    fileprivate static func unescaped(_ field: String) -> String {
        field.unicodeScalars.first == "'" && isLikeFormula(field) ? String(field.unicodeScalars.dropFirst()) : field
    }

    /// Whether a field begins as a formula does, behind any number of apostrophes.
    private static func isLikeFormula(_ field: String) -> Bool {
        guard let first = field.unicodeScalars.first(where: { $0 != "'" }) else { return false }
        return formula.contains(first)
    }
}

extension CSVText.Line {
    /// The line of a row.
    init(_ row: CSVRows.Row, isUnclosed: Bool = false) {
        self.init(
            number: row.line, fields: row.fields.map { CSVText.unescaped(String(decoding: $0, as: UTF8.self)) },
            isUnclosed: isUnclosed)
    }
}
