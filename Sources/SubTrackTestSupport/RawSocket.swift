import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SubTrackServer
import Synchronization

/// A socket to a service that sends bytes as they are given and keeps what comes.
public final class RawSocket: Sendable {
    private struct Received {
        var bytes: [UInt8] = []
        var isEnded = false
        var isReading = true
    }

    private let channel: any Channel
    private let received: Inbox

    private final class Inbox: Sendable {
        let state = Mutex(Received())
    }

    private init(channel: any Channel, received: Inbox) {
        self.channel = channel
        self.received = received
    }

    /// Connects to a plain socket of a service.
    /// - Parameter reads: whether what comes is read at all.
    public static func connect(to address: SocketListenAddress, reads: Bool = true) async throws -> RawSocket {
        switch address {
        case .tcp(let address): try await connect(reads: reads) { $0.connect(host: address.host, port: address.port) }
        case .unix(let path): try await connect(reads: reads) { $0.connect(unixDomainSocketPath: path) }
        }
    }

    /// Connects to a port of this machine.
    /// - Parameter authority: the file with the certificate that the other side's must come from; nil: no TLS.
    public static func connect(port: Int, reads: Bool = true, trusting authority: String? = nil) async throws
        -> RawSocket
    {
        try await connect(reads: reads, trusting: authority) { $0.connect(host: "127.0.0.1", port: port) }
    }

    private static func connect(
        reads: Bool, trusting authority: String? = nil, _ connect: (ClientBootstrap) -> EventLoopFuture<any Channel>
    ) async throws -> RawSocket {
        let received = Inbox()
        let tls = try authority.map { file in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .file(file)
            return try NIOSSLContext(configuration: configuration)
        }
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: nil))
                    }
                    try channel.pipeline.syncOperations.addHandler(Receiver(received: received))
                }
            }
        return RawSocket(channel: try await connect(bootstrap).get(), received: received)
    }

    /// What came and was not taken yet.
    public var bytes: [UInt8] { received.state.withLock { $0.bytes } }

    /// Whether the other side will send nothing more.
    public var isEnded: Bool { received.state.withLock { $0.isEnded } }

    /// Sends bytes in one piece.
    public func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Gives bytes to the system and waits for nothing: they may never be taken.
    public func sendWithoutWaiting(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    /// Sends a text and a line's end.
    public func send(line: String) async throws { try await send(Array((line + "\n").utf8)) }

    /// Begins to read, where it did not.
    public func startReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

    /// Says that nothing more will be sent.
    public func endSending() async throws { try await channel.close(mode: .output) }

    /// Closes it.
    public func close() async { try? await channel.close() }

    /// Takes the next line, without its end.
    /// - Throws: ``NeverHappened`` when none comes.
    public func line(within limit: Duration = .seconds(60)) async throws -> String {
        var line: String?
        try await eventually(within: limit, "a line comes") {
            line = received.state.withLock { state in
                guard let end = state.bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                let line = String(decoding: state.bytes[..<end], as: UTF8.self)
                state.bytes.removeFirst(end + 1)
                return line
            }
            if line == nil, isEnded, !bytes.contains(UInt8(ascii: "\n")) {
                throw NeverHappened(description: "a line comes: the socket was closed, with \(bytes.count) bytes left")
            }
            return line != nil
        }
        return line ?? ""
    }

    /// Takes so many bytes.
    public func take(_ count: Int, within limit: Duration = .seconds(60)) async throws -> [UInt8] {
        try await eventually(within: limit, "\(count) bytes come") {
            if bytes.count < count, isEnded { throw NeverHappened(description: "\(count) bytes: it was closed") }
            return bytes.count >= count
        }
        return received.state.withLock { state in
            defer { state.bytes.removeFirst(count) }
            return Array(state.bytes[..<count])
        }
    }

    /// Waits until the other side has closed.
    public func ends(within limit: Duration = .seconds(60)) async throws {
        try await eventually(within: limit, "the socket is closed") { isEnded }
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let received: Inbox

        init(received: Inbox) { self.received = received }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            received.state.withLock { $0.bytes.append(contentsOf: buffer.readableBytesView) }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { received.state.withLock { $0.isEnded = true } }
        }

        func channelInactive(context: ChannelHandlerContext) { received.state.withLock { $0.isEnded = true } }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
