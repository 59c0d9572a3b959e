import Foundation
import SubTrackTestSupport
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Stands between client and server, on a Unix socket of its own, and does what networks do: loses answers, goes silent,
/// or keeps what was said.
///
/// Each connection has a thread for each direction; they end with the connection.
final class Proxy: Sendable {
    private struct State {
        var dropsAnswerTo: [UInt8]?
        var isSilent = false
        /// Servers whose next answer is lost.
        var muted: Set<Int32> = []
        var descriptors: [Int32] = []
        var heard: [UInt8] = []
    }

    let path: String
    private let target: String
    private let listener: Int32
    private let state = Mutex(State())

    private init(target: String, path: String) throws {
        self.target = target
        self.path = path
        listener = socket(AF_UNIX, Proxy.stream, 0)
        let result = Proxy.withAddress(path) { bind(listener, $0, $1) }
        guard listener >= 0, result == 0, listen(listener, 64) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Runs a proxy to `target` for as long as `body` runs.
    static func run(to target: String, _ body: (Proxy) async throws -> Void) async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let proxy = try Proxy(target: target, path: folder.appending(path: "proxy.sock").path)
        Thread.detachNewThread { proxy.acceptAll() }
        defer { proxy.end() }
        try await body(proxy)
    }

    /// The next command with that text reaches the server; its answer, and the connection, are lost.
    func dropAnswer(to text: String) { state.withLock { $0.dropsAnswerTo = Array(text.utf8) } }

    /// From now on nothing passes, and nothing is closed.
    func goSilent() { state.withLock { $0.isSilent = true } }

    /// Everything that clients sent.
    var heard: [UInt8] { state.withLock { $0.heard } }

    private func end() {
        let descriptors = state.withLock { state in
            defer { state.descriptors = [] }
            return state.descriptors
        }
        for descriptor in descriptors + [listener] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        close(listener)
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            let server = socket(AF_UNIX, Proxy.stream, 0)
            guard Proxy.withAddress(target, { connect(server, $0, $1) }) == 0 else {
                close(client)
                close(server)
                continue
            }
            state.withLock { $0.descriptors += [client, server] }
            Thread.detachNewThread { self.pump(from: client, to: server, isFromClient: true) }
            Thread.detachNewThread { self.pump(from: server, to: client, isFromClient: false) }
        }
    }

    private func pump(from source: Int32, to sink: Int32, isFromClient: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { break }
            let bytes = Array(buffer[..<count])
            enum Fate { case pass, swallow, cut }
            let fate: Fate = state.withLock { state in
                if isFromClient { state.heard += bytes }
                if state.isSilent { return .swallow }
                if state.muted.remove(source) != nil { return .cut }
                if isFromClient, let text = state.dropsAnswerTo, bytes.contains(text) {
                    state.dropsAnswerTo = nil
                    state.muted.insert(sink)
                }
                return .pass
            }
            switch fate {
            case .swallow: continue
            case .pass: send(sink, bytes)
            case .cut:
                shutdown(source, Int32(SHUT_RDWR))
                shutdown(sink, Int32(SHUT_RDWR))
            }
        }
        shutdown(sink, Int32(SHUT_RDWR))
    }

    private func send(_ descriptor: Int32, _ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    #if canImport(Glibc)
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
