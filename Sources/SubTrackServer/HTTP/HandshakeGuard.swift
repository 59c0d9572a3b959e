import NIOCore
import NIOExtras

/// Ends a connection with TLS for which TLS itself would take too long. It stands before TLS.
///
/// The server closes a connection whose handshake is under way when an operator stops it. The client has asked nothing on it
/// yet, and the handler that comes after the handshake would not learn of the stop. One that is closed and whose other side does not agree on that
/// is cut after a second, where TLS would wait for five.
final class HandshakeGuard: ChannelInboundHandler {
    typealias InboundIn = Any

    private var isComplete = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, !isComplete { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Notes that the handshake of a connection is complete.
    static func complete(_ channel: any Channel) {
        (try? channel.pipeline.syncOperations.handler(type: HandshakeGuard.self))?.isComplete = true
    }

    /// Closes a connection, whether its other side agrees or not.
    static func close(_ channel: any Channel) {
        channel.close(promise: nil)
        guard let context = try? channel.pipeline.syncOperations.context(handlerType: HandshakeGuard.self) else {
            return
        }
        channel.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
            if channel.isActive { context.close(promise: nil) }
        }
    }
}
