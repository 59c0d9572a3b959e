import SubTrackCore

/// Comma-separated values (RFC 4180), with whatever ends lines.
enum CSVText {
    /// A line, which may go over several of a file where a quoted field does.
    struct Line: Hashable {
        /// Its number in the file, from 1.
        var number: Int
        var fields: [String]
        /// Whether the file ends within its quotes.
        var isUnclosed = false
    }

    /// The lines of a file; empty ones are left out.
    /// - Parameter separator: nil: the one that the first line has most of: comma, semicolon or tab.
    static func lines(_ text: String, separator: Character? = nil) -> [Line] {
        // A byte order mark is no part of the first name.
        let first = (text.first == "\u{FEFF}" ? text.dropFirst() : Substring(text)).prefix { !$0.isNewline }
        let candidates: [Character] = [",", ";", "\t"]
        let usual = candidates.max { one, other in
            first.count { $0 == one } < first.count { $0 == other }
        }
        let byte = (separator ?? usual)?.asciiValue ?? UInt8(ascii: ",")
        var rows = CSVRows(Array(text.utf8), separator: byte)
        var lines: [Line] = []
        while let row = rows.next() {
            let line = Line(row)
            if line.fields.contains(where: { !$0.isEmpty }) { lines.append(line) }
        }
        if let row = rows.openRow { lines.append(Line(row, isUnclosed: true)) }
        return lines
    }

    /// A line of fields.
    static func line(_ fields: [String]) -> String {
        fields.map { field in
            // A table program takes these for formulas (OWASP, CSV injection).
            let text = field.first.map { "=+-@\t".contains($0) } == true && Double(field) == nil ? "'" + field : field
            let isPlain = !text.contains { $0 == "," || $0 == "\"" || $0.isNewline || $0 == ";" }
            return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",") + "\r\n"
    }
}

extension CSVText.Line {
    /// The line of a row.
    init(_ row: CSVRows.Row, isUnclosed: Bool = false) {
        self.init(
            number: row.line, fields: row.fields.map { String(decoding: $0, as: UTF8.self) }, isUnclosed: isUnclosed)
    }
}
