import Foundation

/// A page of the documentation, with its links and the anchors of its headings.
struct MarkdownFile {
    /// A link to a file of the repository or to a heading.
    struct Link {
        /// The path as the page writes it, without percent-encoding; empty for a heading of the same page.
        let path: String
        /// The heading's anchor.
        let anchor: String?
    }

    let url: URL
    let text: String
    /// The lines outside fenced code blocks.
    let prose: [Substring]

    /// - Throws: where the file cannot be read as UTF-8.
    init(_ url: URL) throws {
        self.url = url
        text = try String(contentsOf: url, encoding: .utf8)
        var isCode = false
        prose = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            let isFence = line.trimmingPrefix { $0 == " " }.hasPrefix("```")
            if isFence { isCode.toggle() }
            return !isCode && !isFence
        }
    }

    /// The number of words, code included: runs of characters between white space, as `wc -w` counts them.
    var wordCount: Int { text.split(whereSeparator: \.isWhitespace).count }

    /// The first paragraph after the title.
    var opening: String {
        let paragraphs = prose.split(whereSeparator: \.isEmpty).map { $0.joined(separator: " ") }
        return paragraphs.first { !$0.hasPrefix("#") } ?? ""
    }

    /// The anchors that the code hosts give headings: small letters, hyphens for spaces, no punctuation; a repeated heading
    /// gets a number.
    var anchors: Set<String> {
        var counts: [String: Int] = [:]
        var anchors: Set<String> = []
        for line in prose {
            guard let heading = line.firstMatch(of: #/^#{1,6} +(.*)$/#)?.1 else { continue }
            let shown = heading.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.output.1 }
            let name = String(
                shown.lowercased().compactMap { character -> Character? in
                    if character == " " { return "-" }
                    return character.isLetter || character.isNumber || character == "-" || character == "_"
                        ? character : nil
                })
            let count = counts[name, default: 0]
            counts[name] = count + 1
            anchors.insert(count == 0 ? name : "\(name)-\(count)")
        }
        return anchors
    }

    /// The links and pictures outside code that lead to this repository.
    var links: [Link] {
        prose.flatMap { line in
            line.replacing(#/`[^`]*`/#, with: "").matches(of: #/\]\((?:<([^>]*)>|([^)\s]+))(?:\s+"[^"]*")?\)/#)
                .compactMap { match in
                    let target = String(match.output.1 ?? match.output.2 ?? "")
                    if target.contains(#/^[a-z][a-z0-9+.-]*:/#) || target.hasPrefix("//") { return nil }
                    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                    let path = String(parts.first ?? "")
                    return Link(
                        path: path.removingPercentEncoding ?? path, anchor: parts.count > 1 ? String(parts[1]) : nil)
                }
        }
    }
}
