import NIOCore
import NIOExtras

/// Closes a connection whose TLS handshake is under way when the service is told to stop. Nothing was asked on it yet, and
/// whoever takes it over after the handshake would not learn of the end.
final class HandshakeGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Takes it out of a pipeline: the handshake is complete.
    static func remove(from channel: any Channel) {
        guard let context = try? channel.pipeline.syncOperations.context(handlerType: HandshakeGuard.self) else {
            return
        }
        channel.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
