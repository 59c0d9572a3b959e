import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOHTTP1
import NIOTLS

/// The connections of Hummingbird's server: HTTP/1.1 (``HTTP1Handler``), HTTP/2 over TLS (Hummingbird's), and WebSockets.
///
/// Requests are handled on a thread that watches sockets of the database (``DatabaseLoopActor``). A handler does little but
/// ask the database and write what it says: between its steps there is then no change of thread. Handlers must not block and
/// must do what takes long (a password's hash) elsewhere.
///
/// What a connection is for shows in its first line: one that begins with a `GET` of the live path is a WebSocket's.
struct ServiceChannel: ServerChildChannel {
    /// What a connection turned out to be.
    enum Content: Sendable {
        /// Its own handlers do all the rest.
        case http1
        case http2(HTTP2Channel.Value)
        /// A WebSocket, or the refusal of one; its own handlers do all the rest.
        case live
    }

    /// A connection whose content is not known before it says something.
    struct Value: ServerChildChannelValue {
        let content: EventLoopFuture<Content>
        let channel: any Channel
    }

    private let responder: APIResponder
    private let http2: HTTP2Channel
    private let live: LiveUpgrade
    private let tls: TLSIdentity?
    private let channels: OpenChannels

    /// A channel whose requests a responder answers.
    /// - Parameters:
    ///   - responder: who answers.
    ///   - respond: the same responder as Hummingbird calls it, for HTTP/2.
    ///   - live: opens WebSockets.
    ///   - tls: the certificate; nil: without TLS.
    ///   - channels: keeps those that go on by themselves; the server has ended when they have.
    init(
        responder: APIResponder, http2 respond: @escaping HTTPChannelHandler.Responder, live: LiveUpgrade,
        tls: TLSIdentity?, channels: OpenChannels
    ) {
        self.responder = responder
        http2 = HTTP2Channel(
            responder: respond,
            configuration: .init(
                idleTimeout: .seconds(75), gracefulCloseTimeout: .seconds(10)))
        self.live = live
        self.tls = tls
        self.channels = channels
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let content = channel.eventLoop.makePromise(of: Content.self)
            // Whoever says nothing, or a little now and then, does not keep a connection.
            let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(live.dispatcher.limits.messageDeadline)) {
                channel.close(promise: nil)
            }
            content.futureResult.whenComplete { _ in deadline.cancel() }
            channel.closeFuture.whenComplete { _ in content.fail(ChannelError.ioOnClosedChannel) }
            if let tls {
                try channel.pipeline.syncOperations.addHandler(tls.httpHandler())
                try channel.pipeline.syncOperations.addHandler(HandshakeGuard())
                try channel.pipeline.syncOperations.addHandler(
                    ApplicationProtocolNegotiationHandler { result, channel in
                        HandshakeGuard.remove(from: channel)
                        return setUp(result, channel: channel, content: content, logger: logger)
                    })
            } else {
                try setUpHTTP1(channel, content: content, logger: logger)
            }
            return Value(content: content.futureResult, channel: channel)
        }
    }

    private func setUp(
        _ result: ALPNResult, channel: any Channel, content: EventLoopPromise<Content>, logger: Logger
    ) -> EventLoopFuture<Void> {
        switch result {
        case .negotiated("h2"):
            let value = http2.setup(channel: channel, logger: logger)
            content.completeWith(value.map { .http2($0) })
            return value.map { _ in }
        case .negotiated("http/1.1"), .fallback:
            return channel.eventLoop.makeCompletedFuture {
                try setUpHTTP1(channel, content: content, logger: logger)
            }
        case .negotiated:
            // What was not offered cannot be agreed on.
            return channel.close()
        }
    }

    private func setUpHTTP1(_ channel: any Channel, content: EventLoopPromise<Content>, logger: Logger) throws {
        let first = FirstLineHandler { channel, kind in
            switch kind {
            case .http: content.completeWith(Result { try addHTTP1Handlers(to: channel) })
            case .live:
                content.completeWith(
                    Result {
                        try live.addHandlers(to: channel)
                        return .live
                    })
            }
        }
        try channel.pipeline.syncOperations.addHandler(first)
    }

    /// How many bytes may wait for the parser of HTTP/1.1.
    static let maximumUnparsed = 256 * 1024

    private func addHTTP1Handlers(to channel: any Channel) throws -> Content {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 80 * 1024
        limits.maxHeaderListSize = 80 * 1024
        limits.maxHeaderFieldCount = 1_000
        let encoder = HTTPResponseEncoder()
        // What is not parsed yet is a part of a header at the most. When the connection becomes a WebSocket, it is its first
        // frame's.
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits),
            maximumBufferSize: Self.maximumUnparsed)
        try channel.pipeline.syncOperations.addHandler(encoder)
        try channel.pipeline.syncOperations.addHandler(decoder)
        try channel.pipeline.syncOperations.addHandler(
            HTTP1Handler(responder: responder) { [live] in
                LiveUpgradeHandler(live: live, encoder: encoder, decoder: decoder)
            })
        return .http1
    }

    func handle(value: Value, logger: Logger) async {
        switch try? await value.content.get() {
        case .http2(let channel): await http2.handle(value: channel, logger: logger)
        case .http1, .live: channels.add(value.channel)
        case nil: value.channel.close(promise: nil)
        }
    }
}
