import Foundation

/// The file of a Unix socket: nobody but the service's own user may connect, and what a dead process left is replaced.
enum UnixSocketFile {
    /// Makes room for a socket at a path: removes one that nobody listens at any more.
    /// - Throws: ``SocketListenFailure`` when somebody listens there, or something else is in the way.
    static func makeRoom(at path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw SocketListenFailure(address: .unix(path: path), reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SocketListenFailure(address: .unix(path: path), reason: "there is a file that is no socket")
        }
        guard !isAnswering(at: path) else {
            throw SocketListenFailure(address: .unix(path: path), reason: "another program listens there")
        }
        unlink(path)
    }

    /// Whether anybody takes a connection at a path, or might.
    private static func isAnswering(at path: String) -> Bool {
        #if os(Linux)
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // A queue that is full must not make this wait.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let length = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < length else { return true }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return connected == 0 || errno != ECONNREFUSED
    }

    /// Leaves the socket to the service's own user.
    static func protect(_ path: String) { chmod(path, 0o600) }
}

/// Why plain sockets cannot be listened for at an address.
struct SocketListenFailure: Error, CustomStringConvertible {
    let address: SocketListenAddress
    let reason: String

    var description: String {
        "cannot listen at \(address): \(reason); choose another address with --socket-listen, or none"
    }
}
