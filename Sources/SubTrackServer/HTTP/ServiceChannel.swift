import HummingbirdCore
import Logging
import MariaDB
import NIOCore
import NIOHTTPTypes

/// HTTP/1.1 whose requests are handled on the thread that watches the database's sockets, and WebSockets.
///
/// A handler does little but ask the database and write what it says: between its steps there is then no change of thread.
/// Handlers must not block and must do what takes long (a password's hash) elsewhere.
///
/// What a connection is for shows in its first line: one that begins with a `GET` of the live path is a WebSocket's, and
/// all others are Hummingbird's, with nothing of ours on their way.
struct ServiceChannel: ServerChildChannel {
    /// What a connection turned out to be.
    enum Content: Sendable {
        case http(HTTP1Channel.Value)
        /// A WebSocket, or the refusal of one; its own handlers do all the rest.
        case live
    }

    /// A connection whose content is not known before it says something.
    struct Value: ServerChildChannelValue {
        let content: EventLoopFuture<Content>
        let channel: any Channel
    }

    let http: HTTP1Channel
    let loop: DatabaseLoop
    let live: LiveUpgrade

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let content = channel.eventLoop.makePromise(of: Content.self)
            let first = FirstLineHandler(deadline: live.dispatcher.limits.messageDeadline) { channel, kind in
                switch kind {
                case .http:
                    content.completeWith(http.setup(channel: channel, logger: logger).map { .http($0) })
                case .live:
                    do {
                        try live.addHandlers(to: channel)
                        content.succeed(.live)
                    } catch {
                        content.fail(error)
                    }
                case .nothing: content.fail(ChannelError.ioOnClosedChannel)
                }
            }
            try channel.pipeline.syncOperations.addHandler(first)
            return Value(content: content.futureResult, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        switch try? await value.content.get() {
        case .http(let channel):
            await withTaskExecutorPreference(loop.taskExecutor) {
                await http.handle(value: channel, logger: logger)
            }
        case .live:
            try? await value.channel.closeFuture.get()
        case nil:
            value.channel.close(promise: nil)
        }
    }
}
