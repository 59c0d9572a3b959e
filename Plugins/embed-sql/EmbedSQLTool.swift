import Foundation

/// `embed-sql FOLDER OUTPUT`: writes a Swift file whose dictionary holds the text of each file of SQL by its path below
/// the folder.
@main
enum EmbedSQLTool {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: embed-sql FOLDER OUTPUT\n".utf8))
            exit(64)
        }
        let folder = URL(fileURLWithPath: arguments[1]).resolvingSymlinksInPath()
        let paths = (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []).compactMap { $0 as? String }
        var source = "// Made from sql/ by the EmbedSQL plugin.\n\nlet embeddedFiles: [String: String] = [\n"
        for path in paths.filter(isEmbedded).sorted() {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            // A raw string literal ends at its quotes followed by as many signs as it began with.
            var fence = "#"
            while text.contains("\"\"\"\(fence)") || text.contains("\\\(fence)") { fence += "#" }
            source += "    \(fence)\"\(path)\"\(fence): "
            source += "\(fence)\"\"\"\n\(text)\n\"\"\"\(fence),\n"
        }
        source += source.hasSuffix("[\n") ? "    :\n]\n" : "]\n"
        // An equal file keeps its date: nothing is compiled anew for it.
        guard (try? String(contentsOfFile: arguments[2], encoding: .utf8)) != source else { return }
        try source.write(toFile: arguments[2], atomically: true, encoding: .utf8)
    }

    /// Whether a file has SQL, or the dependencies of an area's tables. The start of the service looks whether there are some.
    private static func isEmbedded(_ path: String) -> Bool {
        path.hasSuffix(".sql") || path.hasSuffix("/dependencies.json")
    }
}
