import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Takes out of answers by HTTP/2 what speaks of a connection: there it makes an answer malformed (RFC 9113 §8.2.2).
final class ConnectionFieldsHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        head.headerFields[.connection] = nil
        head.headerFields[.upgrade] = nil
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
