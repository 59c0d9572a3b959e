import Foundation
import PackagePlugin

/// Compiles the files of `sql/` into the target that applies this plugin. The service then has its schema in its
/// binary, and needs no file beside it.
@main
struct EmbedSQL: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "sql").resolvingSymlinksInPath()
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedSQL.swift")
        let files = (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? [])
            .compactMap { $0 as? URL }
            .filter { $0.pathExtension == "sql" || isOfArea($0, in: folder) }
            .sorted { $0.path < $1.path }
        return [
            .buildCommand(
                displayName: "Embedding sql/",
                executable: try context.tool(named: "embed-sql").url,
                arguments: [folder.path, output.path] + files.map(\.path),
                inputFiles: files,
                outputFiles: [output])
        ]
    }

    /// Whether a file has the dependencies of an area's tables. The start of the service looks whether there is one.
    private func isOfArea(_ file: URL, in folder: URL) -> Bool {
        file.lastPathComponent == "dependencies.json" && file.deletingLastPathComponent().path != folder.path
    }
}
