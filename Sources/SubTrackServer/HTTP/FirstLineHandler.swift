import NIOCore
import NIOExtras

/// Looks at the first bytes of a connection, decides what it is for, and hands them to those who go on.
final class FirstLineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// What a connection is for.
    enum Kind: Sendable, Equatable {
        case http
        /// A `GET` of `/v1/live` or `/t/{slug}/v1/live`.
        case live
        /// It was closed before it said so.
        case nothing
    }

    private let deadline: TimeAmount
    private var onKind: ((any Channel, Kind) -> Void)?
    private var buffer = ByteBuffer()
    private var check: Scheduled<Void>?
    private var hasEnded = false

    /// A handler that adds, by a closure, the handlers which go on.
    /// - Parameter deadline: how long the connection may take to say enough.
    init(deadline: Duration, onKind: @escaping (any Channel, Kind) -> Void) {
        self.deadline = TimeAmount(deadline)
        self.onKind = onKind
    }

    func handlerAdded(context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolated().scheduleTask(in: deadline) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        decide(.nothing, context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if onKind == nil {
            context.fireChannelRead(data)
        } else if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.writeBuffer(&bytes)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard onKind != nil else { return context.fireChannelReadComplete() }
        if let kind = Self.kind(of: buffer.readableBytesView) { goOn(kind, context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent where onKind != nil: context.close(promise: nil)
        case ChannelEvent.inputClosed where onKind != nil:
            hasEnded = true
            if buffer.readableBytes > 0 { goOn(.http, context) } else { context.close(promise: nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The other side is gone, or does not speak TLS.
        if onKind != nil { context.close(promise: nil) } else { context.fireErrorCaught(error) }
    }

    private func goOn(_ kind: Kind, _ context: ChannelHandlerContext) {
        decide(kind, context)
        check?.cancel()
        let bytes = buffer
        buffer = ByteBuffer()
        context.fireChannelRead(wrapInboundOut(bytes))
        context.fireChannelReadComplete()
        if hasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func decide(_ kind: Kind, _ context: ChannelHandlerContext) {
        guard let onKind else { return }
        self.onKind = nil
        onKind(context.channel, kind)
    }

    /// What a connection is for by its first bytes; nil when they are not enough.
    ///
    /// Anything that is not exactly the live path is HTTP, where a live path in another spelling is answered like any
    /// request that cannot be upgraded.
    static func kind(of bytes: ByteBufferView) -> Kind? {
        let method = Array("GET /".utf8)
        let start = bytes.prefix(method.count)
        guard start.elementsEqual(method.prefix(start.count)) else { return .http }
        guard start.count == method.count else { return nil }
        // A longer path cannot be the live one: a slug has at most 32 letters.
        let path = bytes.dropFirst(method.count - 1).prefix(64)
        guard let end = path.firstIndex(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "?") || $0 < 0x20 }) else {
            return path.count == 64 ? .http : nil
        }
        let parts = path[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let rest: ArraySlice<ByteBufferView>
        switch parts.count {
        case 3: rest = parts.dropFirst()
        case 5 where parts[1].elementsEqual("t".utf8): rest = parts.dropFirst(3)
        default: return .http
        }
        return rest.first?.elementsEqual("v1".utf8) == true && rest.last?.elementsEqual("live".utf8) == true ? .live : .http
    }
}
