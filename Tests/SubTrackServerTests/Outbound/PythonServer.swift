import Foundation
import SubTrackTestSupport
import TestTraits

/// Servers of `Tests/Python`, which tests run beside themselves.
enum PythonServer {
    /// Runs a server that writes into a folder, and its port into the folder's file `port`.
    static func with<Result: Sendable>(
        _ script: String, by python: String, _ arguments: [String],
        body: (_ folder: URL, _ port: String) async throws -> Result
    ) async throws -> Result {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = Process()
        server.executableURL = URL(fileURLWithPath: python)
        server.arguments = [PythonTools.path(script), folder.path] + arguments
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
