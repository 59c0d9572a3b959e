import Foundation

/// `embed-sql FOLDER OUTPUT FILE…`: writes a Swift file whose dictionary holds the text of each file by its path below
/// the folder.
@main
enum EmbedSQLTool {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            FileHandle.standardError.write(Data("usage: embed-sql FOLDER OUTPUT FILE…\n".utf8))
            exit(64)
        }
        let prefix = arguments[1].hasSuffix("/") ? arguments[1] : arguments[1] + "/"
        var source = "// Made from sql/ by the EmbedSQL plugin.\n\nlet embeddedFiles: [String: String] = [\n"
        for path in arguments.dropFirst(3) {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // A raw string literal ends at its quotes followed by as many signs as it began with.
            var fence = "#"
            while text.contains("\"\"\"\(fence)") || text.contains("\\\(fence)") { fence += "#" }
            source += "    \(fence)\"\(path.dropFirst(prefix.count))\"\(fence): "
            source += "\(fence)\"\"\"\n\(text)\n\"\"\"\(fence),\n"
        }
        source += arguments.count == 3 ? "    :\n]\n" : "]\n"
        // An equal file keeps its date: nothing is compiled anew for it.
        guard (try? String(contentsOfFile: arguments[2], encoding: .utf8)) != source else { return }
        try source.write(toFile: arguments[2], atomically: true, encoding: .utf8)
    }
}
