import Foundation
import PackagePlugin

/// Compiles the files of `web/` into the target that applies this plugin, so that the service carries its web app in its binary.
@main
struct EmbedWeb: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "web").resolvingSymlinksInPath()
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedWeb.swift")
        let all =
            (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isDirectoryKey])?.allObjects ?? [])
            .compactMap { $0 as? URL }.sorted { $0.path < $1.path }
        // A folder changes when a file of it comes or goes; the tool looks for files by itself.
        return [
            .buildCommand(
                displayName: "Embedding web/",
                executable: try context.tool(named: "embed-web").url,
                arguments: [folder.path, output.path],
                inputFiles: [folder] + all,
                outputFiles: [output])
        ]
    }
}
