import Foundation
import SubTrackTestSupport
import Testing

/// Servers of `Tests/Python`, which tests run beside themselves.
enum PythonServer {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// A Python that has a package, in the environment that `script/lib/python.sh` makes; nil where there is none.
    static func python(with package: String) -> String? {
        let environment = root.appending(path: ".build-python/env")
        let path = environment.appending(path: "bin/python").path
        let library = environment.appending(path: "lib").path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        let isThere = versions.contains {
            FileManager.default.fileExists(atPath: "\(library)/\($0)/site-packages/\(package)")
        }
        return isThere && FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// Runs a server that writes into a folder, and its port into the folder's file `port`.
    static func with<Result: Sendable>(
        _ script: String, by python: String, _ arguments: [String],
        body: (_ folder: URL, _ port: String) async throws -> Result
    ) async throws -> Result {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = Process()
        server.executableURL = URL(fileURLWithPath: python)
        server.arguments = [root.appending(path: "Tests/Python/\(script)").path, folder.path] + arguments
        let input = Pipe()
        server.standardInput = input
        try server.run()
        defer {
            try? input.fileHandleForWriting.close()
            server.waitUntilExit()
        }
        let portFile = folder.appending(path: "port")
        try await eventually("\(script) listens") { FileManager.default.fileExists(atPath: portFile.path) }
        return try await body(folder, try String(contentsOf: portFile, encoding: .utf8))
    }
}
