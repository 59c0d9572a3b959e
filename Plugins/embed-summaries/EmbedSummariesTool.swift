import Foundation

/// `embed-summaries OUTPUT FILE…`: writes a Swift file whose dictionary holds the doc comment of each type and property
/// of some source files, by its path: `ListPlans.Output.plans`.
@main
enum EmbedSummariesTool {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else {
            FileHandle.standardError.write(Data("usage: embed-summaries OUTPUT FILE…\n".utf8))
            exit(64)
        }
        var summaries: [String: String] = [:]
        for path in arguments.dropFirst(2) {
            var reader = CommentReader()
            for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") { reader.read(line) }
            summaries.merge(reader.summaries) { first, _ in first }
        }
        var source = "// Made from Sources/SubTrackAPI by the EmbedSummaries plugin.\n\n"
        source += "let embeddedSummaries: [String: String] = [\n"
        for (path, text) in summaries.sorted(by: { $0.key < $1.key }) {
            source += "    \(literal(path)): \(literal(text)),\n"
        }
        source += summaries.isEmpty ? "    :\n]\n" : "]\n"
        // An equal file keeps its date: nothing is compiled anew for it.
        guard (try? String(contentsOfFile: arguments[1], encoding: .utf8)) != source else { return }
        try source.write(toFile: arguments[1], atomically: true, encoding: .utf8)
    }

    private static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// Reads the doc comments of one file of this project's style. A declaration begins on a line of its own. Its braces
/// are in pairs on each line but those that open or close a scope.
struct CommentReader {
    /// The comments found so far.
    private(set) var summaries: [String: String] = [:]
    private var comment: [Substring] = []
    /// The types that are open, with the depth of braces outside of them.
    private var types: [(name: String, depth: Int)] = []
    private var depth = 0

    mutating func read(_ line: Substring) {
        let line = Substring(line.trimmingCharacters(in: .whitespaces))
        if line.hasPrefix("///") {
            comment.append(Substring(line.dropFirst(3).trimmingCharacters(in: .whitespaces)))
            return
        }
        defer { comment = [] }
        guard !line.hasPrefix("//"), !line.hasPrefix("@") else { return }
        if let match = line.firstMatch(of: #/^(?:public |indirect |final )*(?:struct|enum|extension) ([A-Za-z0-9_.]+)/#)
        {
            types.append((String(match.1), depth))
            note(types.map(\.name).joined(separator: "."), unlessEmpty: !line.hasPrefix("extension"))
        } else if let match = line.firstMatch(of: #/^(?:public )?var `?([A-Za-z0-9_]+)`?: /#), let type = types.last,
            depth == type.depth + 1
        {
            note((types.map(\.name) + [String(match.1)]).joined(separator: "."), unlessEmpty: true)
        }
        depth += line.count { $0 == "{" } - line.count { $0 == "}" }
        while let type = types.last, depth <= type.depth, line.contains("}") { types.removeLast() }
    }

    private mutating func note(_ path: String, unlessEmpty isWanted: Bool) {
        // The first paragraph is the summary.
        let text = comment.prefix { !$0.isEmpty && !$0.hasPrefix("- ") }.joined(separator: " ")
        guard isWanted, !text.isEmpty else { return }
        // A link of DocC is a name to everybody else.
        summaries[path] = text.replacing(#/``(?:[A-Za-z]+\/)*([^`]+)``/#) { "`\($0.output.1)`" }
    }
}
