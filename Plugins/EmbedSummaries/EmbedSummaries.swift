import Foundation
import PackagePlugin

/// Compiles the doc comments of `SubTrackAPI` into the target that applies this plugin. The API description then needs
/// no second text.
@main
struct EmbedSummaries: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Sources/SubTrackAPI").resolvingSymlinksInPath()
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedSummaries.swift")
        let files = (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? [])
            .compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
        return [
            .buildCommand(
                displayName: "Reading the doc comments of SubTrackAPI",
                executable: try context.tool(named: "embed-summaries").url,
                arguments: [output.path] + files.map(\.path),
                inputFiles: files,
                outputFiles: [output])
        ]
    }
}
