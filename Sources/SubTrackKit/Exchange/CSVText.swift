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
        let text = text.first == "\u{FEFF}" ? text.dropFirst() : Substring(text)
        let first = text.prefix { !$0.isNewline }
        let candidates: [Character] = [",", ";", "\t"]
        let usual = candidates.max { one, other in
            first.count { $0 == one } < first.count { $0 == other }
        }
        let separator: Character = separator ?? usual ?? ","
        var (lines, line, field, number) = ([Line](), Line(number: 1, fields: []), "", 1)
        var (isQuoted, wasQuote) = (false, false)
        func end(isUnclosed: Bool = false) {
            line.fields.append(field)
            line.isUnclosed = isUnclosed
            if line.fields.contains(where: { !$0.isEmpty }) || isUnclosed { lines.append(line) }
            (line, field) = (Line(number: number, fields: []), "")
        }
        for character in text {
            if character.isNewline { number += 1 }
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
                line.fields.append(field)
                field = ""
            } else if character.isNewline {
                end()
            } else {
                field.append(character)
            }
        }
        end(isUnclosed: isQuoted && !wasQuote)
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
