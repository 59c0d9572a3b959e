import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Speaks the handshake of MySQL's protocol with a version of the test's choice, for servers that no package brings: old ones
/// and forks. It lets everybody in, and answers each statement with the same error.
final class FakeServer: Sendable {
    /// The port on 127.0.0.1.
    let port: Int
    private let version: String
    private let listener: Int32
    private let heard = Mutex<[String]>([])
    private let accepted = Mutex(0)
    private let presence: Presence?
    /// Whether it says nothing at all, as a machine that is overloaded does.
    private let isSilent: Bool

    /// The statements that it was sent.
    var statements: [String] { heard.withLock { $0 } }

    /// How many connections were made to it.
    var connections: Int { accepted.withLock { $0 } }

    /// Which of several silent servers have a connection at the same time.
    final class Presence: Sendable {
        private let state = Mutex((open: [Int: Int](), most: 0))

        /// How many of them had one at the same time, at the most.
        var most: Int { state.withLock { $0.most } }

        fileprivate func note(_ change: Int, at port: Int) {
            state.withLock { state in
                state.open[port, default: 0] += change
                state.most = max(state.most, state.open.values.count { $0 > 0 })
            }
        }
    }

    private init(version: String, isSilent: Bool, presence: Presence?) throws {
        self.version = version
        self.presence = presence
        self.isSilent = isSilent
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard listener >= 0, isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Runs a server for as long as the body runs.
    static func run<Result>(
        version: String, isSilent: Bool = false, presence: Presence? = nil,
        _ body: (FakeServer) async throws -> Result
    ) async throws -> Result {
        let server = try FakeServer(version: version, isSilent: isSilent, presence: presence)
        Thread.detachNewThread { server.acceptAll() }
        defer {
            shutdown(server.listener, Int32(SHUT_RDWR))
            close(server.listener)
        }
        return try await body(server)
    }

    private func acceptAll() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            accepted.withLock { $0 += 1 }
            Thread.detachNewThread { self.serve(connection) }
        }
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        if isSilent {
            presence?.note(1, at: port)
            // Until the client gives up.
            _ = Self.read(connection)
            presence?.note(-1, at: port)
            return
        }
        // HandshakeV10: long password, protocol 4.1, transactions, secure connection; plugin names, connect with database.
        var greeting: [UInt8] = [10] + Array(version.utf8) + [0]
        greeting += [1, 0, 0, 0] + Array("abcdefgh".utf8) + [0]
        greeting += [0x09, 0xA2] + [45] + [2, 0] + [0x08, 0x00] + [21] + Array(repeating: 0, count: 10)
        greeting += Array("ijklmnopqrst".utf8) + [0] + Array("mysql_native_password".utf8) + [0]
        Self.write(connection, greeting, number: 0)
        guard let answer = Self.read(connection) else { return }
        Self.write(connection, [0, 0, 0, 2, 0, 0, 0], number: answer.number &+ 1)
        while let command = Self.read(connection), let kind = command.bytes.first, kind != 1 {
            heard.withLock { $0.append(String(decoding: command.bytes.dropFirst(), as: UTF8.self)) }
            // ER_UNKNOWN_SYSTEM_VARIABLE.
            let error: [UInt8] = [0xFF, 0xA9, 0x04] + Array("#HY000Unknown system variable 'max_execution_time'".utf8)
            Self.write(connection, error, number: 1)
        }
    }

    private static func write(_ connection: Int32, _ payload: [UInt8], number: UInt8) {
        let count = payload.count
        let packet = [UInt8(count & 255), UInt8(count >> 8 & 255), UInt8(count >> 16), number] + payload
        _ = send(connection, packet, packet.count, Int32(MSG_NOSIGNAL))
    }

    private static func read(_ connection: Int32) -> (number: UInt8, bytes: [UInt8])? {
        guard let head = read(connection, 4) else { return nil }
        let count = Int(head[0]) | Int(head[1]) << 8 | Int(head[2]) << 16
        guard let bytes = read(connection, count) else { return nil }
        return (head[3], bytes)
    }

    private static func read(_ connection: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes[done...].withUnsafeMutableBytes { recv(connection, $0.baseAddress, count - done, 0) }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }
}
