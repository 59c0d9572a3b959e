import Foundation

extension EmbeddedServer {
    /// The socket of the server that another process of this user runs on a directory.
    ///
    /// - Parameter directory: The directory that the server was started with.
    /// - Returns: The socket's path; nil when no server answers there.
    public static func runningSocket(in directory: URL) async -> String? {
        guard let state = try? StateDirectory(existing: directory) else { return nil }
        // The folder may be a link to one with a shorter name: a socket's address cannot be long.
        let folder = (try? FileManager.default.destinationOfSymbolicLink(atPath: state.run)) ?? state.run
        let path = folder + "/" + StateDirectory.socketName
        return await SocketProbe.greets(path) ? path : nil
    }
}
