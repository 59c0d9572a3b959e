import HummingbirdCore
import HummingbirdHTTP2
import Logging
import MariaDB
import NIOCore
import NIOHTTPTypes
import NIOTLS

/// HTTP/1.1, and HTTP/2 over TLS, whose requests are handled on the thread that watches the database's sockets, and WebSockets.
///
/// A handler does little but ask the database and write what it says: between its steps there is then no change of thread.
/// Handlers must not block and must do what takes long (a password's hash) elsewhere.
///
/// What a connection is for shows in its first line: one that begins with a `GET` of the live path is a WebSocket's, and
/// all others are Hummingbird's, with nothing of ours on their way.
struct ServiceChannel: ServerChildChannel {
    /// What a connection turned out to be.
    enum Content: Sendable {
        case http1(HTTP1Channel.Value)
        case http2(HTTP2Channel.Value)
        /// A WebSocket, or the refusal of one; its own handlers do all the rest.
        case live
    }

    /// A connection whose content is not known before it says something.
    struct Value: ServerChildChannelValue {
        let content: EventLoopFuture<Content>
        let channel: any Channel
    }

    private let http1: HTTP1Channel
    private let http2: HTTP2Channel
    private let loop: DatabaseLoop
    private let live: LiveUpgrade
    private let tls: TLSIdentity?

    /// A channel whose requests a responder answers.
    init(
        responder: @escaping HTTPChannelHandler.Responder, loop: DatabaseLoop, live: LiveUpgrade, tls: TLSIdentity?,
        logger: Logger
    ) {
        http1 = HTTP1Channel(
            responder: responder,
            configuration: .init(
                additionalChannelHandlers: [MalformedRequestHandler(logger: logger)], idleTimeout: .seconds(75)))
        http2 = HTTP2Channel(
            responder: responder,
            configuration: .init(
                idleTimeout: .seconds(75), gracefulCloseTimeout: .seconds(10),
                streamConfiguration: .init(additionalChannelHandlers: [ConnectionFieldsHandler()])))
        self.loop = loop
        self.live = live
        self.tls = tls
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
                try channel.pipeline.syncOperations.addHandler(
                    ApplicationProtocolNegotiationHandler { result, channel in
                        setUp(result, channel: channel, content: content, logger: logger)
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
            case .http: content.completeWith(http1.setup(channel: channel, logger: logger).map { .http1($0) })
            case .live:
                do {
                    try live.addHandlers(to: channel)
                    content.succeed(.live)
                } catch {
                    content.fail(error)
                }
            }
        }
        try channel.pipeline.syncOperations.addHandler(first)
    }

    func handle(value: Value, logger: Logger) async {
        switch try? await value.content.get() {
        case .http1(let channel):
            await withTaskExecutorPreference(loop.taskExecutor) {
                await http1.handle(value: channel, logger: logger)
            }
        case .http2(let channel):
            await withTaskExecutorPreference(loop.taskExecutor) {
                await http2.handle(value: channel, logger: logger)
            }
        case .live: try? await value.channel.closeFuture.get()
        case nil: value.channel.close(promise: nil)
        }
    }
}
