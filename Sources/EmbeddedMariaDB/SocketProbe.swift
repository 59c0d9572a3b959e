import Foundation

/// Asks whether a server answers on a Unix socket.
enum SocketProbe {
    /// Connects and waits for the first packet, which a MySQL server sends unasked (protocol version 10).
    ///
    /// A socket that takes the connection is not enough: the kernel does that while the server still starts.
    /// - Parameter limit: How long to wait for the packet.
    /// - Returns: Whether a server greeted in time.
    static func greets(_ path: String, within limit: Duration = .milliseconds(500)) async -> Bool {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { return false }
        let deadline = ContinuousClock.now + limit
        while true {
            var packet = [UInt8](repeating: 0, count: 128)
            let count = recv(socket, &packet, packet.count, 0)
            // Three bytes of length, one of sequence, then the protocol's version.
            if count >= 5 { return packet[4] == 10 }
            guard count < 0, errno == EAGAIN || errno == EINTR else { return false }
            // The clock is asked after the socket: a task that was late to wake up shall not say that nobody answers.
            guard ContinuousClock.now < deadline, (try? await Task.sleep(for: .milliseconds(5))) != nil else {
                return false
            }
        }
    }
}
