import Foundation
import PackagePlugin

/// Compiles the files of `sql/` into the target that applies this plugin. The service then has its schema in its
/// binary, and needs no file beside it.
@main
struct EmbedSQL: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "sql").resolvingSymlinksInPath()
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedSQL.swift")
        let all =
            (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isDirectoryKey])?.allObjects ?? [])
            .compactMap { $0 as? URL }.sorted { $0.path < $1.path }
        // A folder changes when a file of it comes or goes; the tool looks for files by itself.
        return [
            .buildCommand(
                displayName: "Embedding sql/",
                executable: try context.tool(named: "embed-sql").url,
                arguments: [folder.path, output.path],
                inputFiles: [folder] + all,
                outputFiles: [output])
        ]
    }
}
