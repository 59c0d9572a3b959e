import Foundation

/// A table of a page that the program's definitions make. It stands between two comments that name it.
struct GeneratedTable {
    /// The page, from the repository's top folder.
    let page: String
    /// The name in the comments around the table.
    let name: String
    /// The heads of the columns.
    let columns: [String]
    /// The cells of each row, in Markdown.
    let rows: [[String]]

    /// The table in Markdown.
    var text: String {
        ([columns, columns.map { _ in "---" }] + rows).map { cells in
            cells[0] == "---" ? "|" + cells.joined(separator: "|") + "|" : "| " + cells.joined(separator: " | ") + " |"
        }.joined(separator: "\n")
    }

    /// Returns the rows that differ between the page and the definitions. Writes the page first if
    /// `SUBTRACKIT_WRITE_GOLDEN` is 1, as `script/generate-manual` sets it.
    func differences() throws -> [String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(page)")
            .standardizedFileURL
        let kept = try String(contentsOf: file, encoding: .utf8)
        let begin = "<!-- \(name): written by script/generate-manual -->\n\n", end = "\n\n<!-- end of \(name) -->"
        guard let first = kept.range(of: begin), let last = kept.range(of: end, range: first.upperBound..<kept.endIndex)
        else { return ["\(page) lacks the comments around \(name)"] }
        if ProcessInfo.processInfo.environment["SUBTRACKIT_WRITE_GOLDEN"] == "1" {
            let made = kept.replacingCharacters(in: first.upperBound..<last.lowerBound, with: text)
            try Data(made.utf8).write(to: file)
            return []
        }
        let there = kept[first.upperBound..<last.lowerBound].split(separator: "\n").map(String.init)
        return text.split(separator: "\n").map(String.init).difference(from: there).map { "\($0)" }
    }
}
