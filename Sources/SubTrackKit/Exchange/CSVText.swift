/// Comma-separated values (RFC 4180), with whatever ends lines.
enum CSVText {
    /// The fields of each line.
    /// - Parameter separator: nil: the one that the first line has most of: comma, semicolon or tab.
    static func rows(_ text: String, separator: Character? = nil) -> [[String]] {
        // A byte order mark is no part of the first name.
        let text = text.first == "\u{FEFF}" ? text.dropFirst() : Substring(text)
        let first = text.prefix { !$0.isNewline }
        let candidates: [Character] = [",", ";", "\t"]
        let usual = candidates.max { one, other in
            first.count { $0 == one } < first.count { $0 == other }
        }
        let separator: Character = separator ?? usual ?? ","
        var (rows, row, field) = ([[String]](), [String](), "")
        var (isQuoted, wasQuote) = (false, false)
        for character in text {
            if isQuoted {
                if wasQuote {
                    wasQuote = false
                    if character == "\"" {
                        field.append(character)
                        continue
                    }
                    isQuoted = false
                } else if character == "\"" {
                    wasQuote = true
                    continue
                } else {
                    field.append(character)
                    continue
                }
            }
            if character == "\"", field.isEmpty {
                isQuoted = true
            } else if character == separator {
                row.append(field)
                field = ""
            } else if character.isNewline {
                row.append(field)
                if row.contains(where: { !$0.isEmpty }) { rows.append(row) }
                (row, field) = ([], "")
            } else {
                field.append(character)
            }
        }
        row.append(field)
        if row.contains(where: { !$0.isEmpty }) { rows.append(row) }
        return rows
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
