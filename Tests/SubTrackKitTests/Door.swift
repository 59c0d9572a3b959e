import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Stands between a client and the service on a port of its own, so that the network can go away for one client alone, and
/// something can be done in the middle of a chosen exchange.
final class Door: Sendable {
    /// Where in an exchange.
    enum Moment: CaseIterable, Sendable {
        /// The request has come, and does not arrive.
        case request
        /// The answer is there, and none of it is passed on.
        case answer
        /// Half of the answer was passed on.
        case halfAnswer
        /// All of the answer was passed on; its reader is about to write it down, or has.
        case wholeAnswer
    }

    private struct Trap: Sendable {
        var start: String
        var left: Int
        var moment: Moment
        var action: @Sendable () -> Void
    }

    private struct State {
        var isClosed = false
        var accepted = 0
        var trap: Trap?
        /// The service's sockets whose next answer is waited for.
        var armed: Set<Int32> = []
        var descriptors: [Int32] = []
    }

    /// Its own address.
    let url: String
    private let target: Int
    private let listener: Int32
    private let state = Mutex(State())

    private init(to url: String) throws {
        guard let port = URL(string: url)?.port else { throw POSIXError(.EINVAL) }
        // Whoever it writes to may have gone.
        signal(SIGPIPE, SIG_IGN)
        target = port
        let listener = socket(AF_INET, Self.stream, 0)
        self.listener = listener
        var address = Self.address(port: 0)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) } == 0
        }
        var bound = sockaddr_in()
        var length = size
        let isNamed = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) } == 0
        }
        guard listener >= 0, isBound, isNamed, listen(listener, 64) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        self.url = "http://127.0.0.1:\(UInt16(bigEndian: bound.sin_port))"
    }

    /// Runs a door to a service for as long as `body` runs.
    static func run(to url: String, _ body: (Door) async throws -> Void) async throws {
        let door = try Door(to: url)
        Thread.detachNewThread { door.acceptAll() }
        defer { door.end() }
        try await body(door)
    }

    /// Whether nothing passes: connections that there are end, and new ones are ended at once.
    var isClosed: Bool {
        get { state.withLock { $0.isClosed } }
        set {
            let ended = state.withLock { state in
                state.isClosed = newValue
                return newValue ? state.descriptors : []
            }
            for descriptor in ended { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Does something once, in the middle of an exchange; its connection ends there.
    /// - Parameters:
    ///   - start: how the request begins: `POST /v1/changes`.
    ///   - number: which of such requests, from 1.
    ///   - action: is done on a thread of its own connection, and may wait.
    func atOnce(_ moment: Moment, of start: String, number: Int = 1, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.trap = Trap(start: start, left: number, moment: moment, action: action) }
    }

    /// How many connections were made to it.
    var accepted: Int { state.withLock { $0.accepted } }

    /// Whether what was to be done was not done yet.
    var waits: Bool { state.withLock { $0.trap != nil } }

    private func end() {
        isClosed = true
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            let server = socket(AF_INET, Self.stream, 0)
            var address = Self.address(port: target)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            let isOpen = state.withLock { state in
                state.accepted += 1
                if !state.isClosed { state.descriptors += [client, server] }
                return !state.isClosed
            }
            guard isOpen, isConnected == 0 else {
                close(client)
                close(server)
                continue
            }
            Thread.detachNewThread { self.relay(client, server) }
        }
    }

    /// Passes on what comes from both sides, until one of them ends.
    private func relay(_ client: Int32, _ server: Int32) {
        Thread.detachNewThread {
            self.pumpAnswers(from: server, to: client)
            shutdown(client, Int32(SHUT_RDWR))
        }
        while let bytes = Self.receive(client) {
            let action: (@Sendable () -> Void)? = state.withLock { state in
                guard var trap = state.trap, bytes.starts(with: trap.start.utf8) else { return nil }
                trap.left -= 1
                state.trap = trap
                guard trap.left == 0 else { return nil }
                guard trap.moment == .request else {
                    state.armed.insert(server)
                    return nil
                }
                state.trap = nil
                return trap.action
            }
            if let action {
                action()
                break
            }
            guard Self.send(server, bytes) else { break }
        }
        shutdown(server, Int32(SHUT_RDWR))
        shutdown(client, Int32(SHUT_RDWR))
        // The numbers are not given back while the other thread may use them: there are few of them in a test.
    }

    private func pumpAnswers(from server: Int32, to client: Int32) {
        while var bytes = Self.receive(server) {
            let trap: Trap? = state.withLock { state in
                guard state.armed.remove(server) != nil else { return nil }
                defer { state.trap = nil }
                return state.trap
            }
            guard let trap else {
                guard Self.send(client, bytes) else { return }
                continue
            }
            while !Self.isWhole(bytes), let more = Self.receive(server) { bytes += more }
            switch trap.moment {
            case .request, .answer: break
            case .halfAnswer: _ = Self.send(client, Array(bytes.prefix(bytes.count / 2)))
            case .wholeAnswer: _ = Self.send(client, bytes)
            }
            trap.action()
            return
        }
    }

    /// Whether an answer has all the bytes that its head says it has.
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        let end = Array("\r\n\r\n".utf8)
        guard let head = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return false }
        let lines = String(decoding: bytes[..<head], as: UTF8.self).lowercased().split(separator: "\r\n")
        let length = lines.compactMap { line in
            line.hasPrefix("content-length:") ? Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces)) : nil
        }.first
        return bytes.count >= head + end.count + (length ?? 0)
    }

    private static func receive(_ descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func send(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    #if canImport(Glibc)
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif
}
