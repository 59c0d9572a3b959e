import Foundation

extension EmbeddedServer {
    /// Finds the server that some process runs from a directory, to talk to it from another one.
    ///
    /// - Parameters:
    ///   - directory: The directory that it was started with.
    ///   - limit: How long to wait for a server that is there, but slow. Where there is none, the answer is at once.
    /// - Returns: The socket to connect to; nil when no server answers there.
    public static func runningSocket(in directory: URL, within limit: Duration = .seconds(5)) async -> String? {
        guard let directory = try? StateDirectory(existing: directory) else { return nil }
        let folder = directory.shortRunFolder ?? directory.run
        let socket = folder + "/" + StateDirectory.socketName
        return await SocketProbe.greets(socket, within: limit) ? socket : nil
    }
}
