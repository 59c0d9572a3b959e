import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

/// One WebSocket (RFC 6455) to the service's `/v1/live`, which says that there is something to pull.
struct LiveSocket: Sendable {
    /// What comes by it.
    enum Message: Sendable, Hashable {
        /// There is something new in some scope.
        case poke
        /// The service is about to stop.
        case closing
    }

    /// Why it ended.
    enum End: Error, Sendable, Hashable {
        /// The session has ended.
        case signedOut
        /// The service did not open it, and asked to be left alone for so many seconds, where it did.
        case refused(status: Int, retryAfter: Int?)
        /// Nothing came any more.
        case silent
        case closed
    }

    /// How long it may take until it is open, once there is a connection.
    static let patience = TimeAmount.seconds(20)

    /// How long it may be silent: the service pings every thirty seconds.
    static let silence = TimeAmount.seconds(75)
    /// A notification is short.
    private static let maximumFrame = 1 << 20

    private enum Upgrade: Sendable {
        case open(NIOAsyncChannel<WebSocketFrame, WebSocketFrame>)
        case refused(status: Int, retryAfter: Int?)
    }

    /// A connection that is being made, so that it can be given up.
    private final class Opening: Sendable {
        private struct State {
            var channel: (any Channel)?
            var isGivenUp = false
            var isLate = false
        }
        private let state = Mutex(State())

        /// Takes note of the connection.
        func begin(_ channel: any Channel) {
            let isGivenUp = state.withLock { state in
                state.channel = channel
                return state.isGivenUp
            }
            if isGivenUp { channel.close(promise: nil) }
        }

        func giveUp() {
            let channel = state.withLock { state in
                state.isGivenUp = true
                return state.channel
            }
            channel?.close(promise: nil)
        }

        /// Whether it took too long.
        var isLate: Bool { state.withLock { $0.isLate } }

        /// Gives up, for it takes too long.
        func expire() {
            state.withLock { $0.isLate = true }
            giveUp()
        }
    }

    /// Opens a socket and hands on what comes until it ends.
    /// - Parameters:
    ///   - server: where the service is.
    ///   - token: the device's.
    ///   - trust: the certificate authorities that it trusts.
    ///   - patience: how long the service may take to open it.
    ///   - onOpen: is called when it is open.
    ///   - onMessage: is called for each message.
    /// - Throws: ``End``; ``KitError``; what the network throws.
    @concurrent static func run(
        server: String, token: String, trust: TLSTrust = .system, patience: TimeAmount = Self.patience,
        onOpen: @Sendable () -> Void,
        onMessage: @Sendable (Message) -> Void
    ) async throws {
        guard let url = URL(string: server), let host = url.host else {
            throw KitError.invalid(field: "server", message: "\"\(server)\" is no address of a service")
        }
        let isSecure = url.scheme == "https"
        let port = url.port ?? (isSecure ? 443 : 80)
        let path = url.path + "/v1/live"
        let authority = url.port.map { "\(host):\($0)" } ?? host
        let opening = Opening()
        let upgrade: Upgrade
        do {
            upgrade = try await withTaskCancellationHandler {
                try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connectTimeout(.seconds(10))
                    .connect(host: host, port: port) { channel in
                        opening.begin(channel)
                        return channel.eventLoop.makeCompletedFuture {
                            try configure(
                                channel, secured: isSecure ? (host, trust) : nil, authority: authority, path: path,
                                token: token, patience: patience, opening: opening)
                        }.flatMap { $0 }
                    }
                    .get()
            } onCancel: {
                opening.giveUp()
            }
        } catch  where opening.isLate {
            // What is thrown for a connection that was closed here says nothing of why.
            throw End.silent
        } catch {
            try Task.checkCancellation()
            if let fault = await TLSDiagnosis(url: server, trust: trust).fault(error) { throw fault }
            throw error
        }
        switch upgrade {
        case .refused(let status, let retryAfter):
            throw status == 401 ? End.signedOut : End.refused(status: status, retryAfter: retryAfter)
        case .open(let socket):
            onOpen()
            try await read(socket, onMessage)
        }
    }

    private static func configure(
        _ channel: any Channel, secured: (host: String, trust: TLSTrust)?, authority: String, path: String,
        token: String, patience: TimeAmount, opening: Opening
    ) throws -> EventLoopFuture<EventLoopFuture<Upgrade>> {
        if let (host, trust) = secured {
            let context = try NIOSSLContext(configuration: trust.configuration)
            // An address is no name to ask for.
            let isName = host.contains { $0.isLetter } && !host.contains(":")
            try channel.pipeline.syncOperations.addHandler(
                NIOSSLClientHandler(context: context, serverHostname: isName ? host : nil))
        }
        let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(maxFrameSize: maximumFrame) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 64, maxAccumulatedFrameSize: maximumFrame)
                )
                try channel.pipeline.syncOperations.addHandlers(
                    IdleStateHandler(readTimeout: silence), SilenceHandler())
                return .open(try NIOAsyncChannel(wrappingChannelSynchronously: channel))
            }
        }
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: authority)
        headers.add(name: "Authorization", value: "Bearer \(token)")
        headers.add(name: "Content-Length", value: "0")
        let status = NIOLoopBoundBox<(Int, Int?)>((0, nil), eventLoop: channel.eventLoop)
        let configuration = NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers),
            upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                let refused = Upgrade.refused(status: status.value.0, retryAfter: status.value.1)
                return channel.close().map { refused }.flatMapError { _ in
                    channel.eventLoop.makeSucceededFuture(refused)
                }
            })
        let upgrade = try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: .init(upgradeConfiguration: configuration))
        // Looks at the status before it is decided.
        try channel.pipeline.syncOperations.addHandler(
            StatusHandler(status: status),
            position: .before(
                try channel.pipeline.syncOperations.handler(
                    type: NIOTypedHTTPClientUpgradeHandler<Upgrade>.self)))
        // Who accepts connections may be silent from then on.
        let deadline = channel.eventLoop.assumeIsolated().scheduleTask(in: patience) { opening.expire() }
        upgrade.whenComplete { _ in deadline.cancel() }
        return channel.eventLoop.makeSucceededFuture(upgrade)
    }

    private static func read(
        _ socket: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>, _ onMessage: @Sendable (Message) -> Void
    ) async throws {
        try await socket.executeThenClose { inbound, outbound in
            for try await frame in inbound {
                switch frame.opcode {
                case .text:
                    if let message = message(frame.unmaskedData) { onMessage(message) }
                case .ping:
                    try await outbound.write(
                        WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData))
                case .connectionClose:
                    var data = frame.unmaskedData
                    let code = data.readInteger(as: UInt16.self)
                    throw code == 4401 ? End.signedOut : End.closed
                default: break
                }
            }
            throw End.closed
        }
    }

    private struct Notification: Decodable { var method: String }

    /// What a text says; nil: nothing that is known.
    static func message(_ data: ByteBuffer) -> Message? {
        let text = Data(data.readableBytesView)
        return switch (try? JSONDecoder().decode(Notification.self, from: text))?.method {
        case "changes": .poke
        case "server.closing": .closing
        default: nil
        }
    }

    /// Closes a connection on which nothing comes any more.
    private final class SilenceHandler: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias InboundOut = WebSocketFrame

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is IdleStateHandler.IdleStateEvent {
                context.fireErrorCaught(End.silent)
                context.close(promise: nil)
            } else {
                context.fireUserInboundEventTriggered(event)
            }
        }
    }

    /// Notes the status of the answer; what comes behind it is passed on as it is, for it may be frames.
    private final class StatusHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart
        private let status: NIOLoopBoundBox<(Int, Int?)>

        init(status: NIOLoopBoundBox<(Int, Int?)>) { self.status = status }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if status.value.0 == 0, case .head(let head) = unwrapInboundIn(data) {
                status.value = (
                    Int(head.status.code), HTTPTransport.retryAfter(head.headers.first(name: "Retry-After"))
                )
            }
            context.fireChannelRead(data)
        }
    }
}
