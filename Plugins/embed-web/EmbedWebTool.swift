import Foundation
import WebSource

/// `embed-web FOLDER OUTPUT`: writes a Swift file with two dictionaries. One has the files of a web app by their paths
/// below the folder, without the comments of scripts and style sheets. The other has the modules that each module
/// imports.
@main
enum EmbedWebTool {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: embed-web FOLDER OUTPUT\n".utf8))
            exit(64)
        }
        let folder = URL(fileURLWithPath: arguments[1]).resolvingSymlinksInPath()
        var source = WebSource()
        for path in (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []).compactMap({ $0 as? String }
        )
        where WebSource.isServed(path) {
            source.add(path, Array(try Data(contentsOf: folder.appending(path: path))))
        }
        for warning in source.warnings {
            FileHandle.standardError.write(Data("warning: web/\(warning)\n".utf8))
        }
        // An equal file keeps its date: nothing is compiled anew for it.
        let text = swift(source)
        let output = URL(fileURLWithPath: arguments[2])
        guard (try? String(contentsOf: output, encoding: .utf8)) != text else { return }
        try text.write(to: output, atomically: true, encoding: .utf8)
    }

    private static func swift(_ source: WebSource) -> String {
        var texts = ""
        var binaries = ""
        for (path, content) in source.files.sorted(by: { $0.key < $1.key }) {
            switch content {
            case .text(let text):
                // A raw string literal ends at its quotes followed by as many signs as it began with.
                var fence = "#"
                while text.contains("\"\"\"\(fence)") || text.contains("\\\(fence)") { fence += "#" }
                texts += "    \"\(path)\": \(fence)\"\"\"\n\(text)\n\"\"\"\(fence),\n"
            case .bytes(let bytes): binaries += "    \"\(path)\": \"\(Data(bytes).base64EncodedString())\",\n"
            }
        }
        var imports = ""
        for (path, names) in source.imports.sorted(by: { $0.key < $1.key }) where !names.isEmpty {
            imports += "    \"\(path)\": [\(names.map { "\"\($0)\"" }.joined(separator: ", "))],\n"
        }
        return """
            // Made from web/ by the EmbedWeb plugin.

            let embeddedTexts: [String: String] = [
            \(texts.isEmpty ? "    :\n" : texts)]

            let embeddedBinaries: [String: String] = [
            \(binaries.isEmpty ? "    :\n" : binaries)]

            let embeddedImports: [String: [String]] = [
            \(imports.isEmpty ? "    :\n" : imports)]

            """
    }
}
