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
    }

    private var onKind: ((any Channel, Kind) -> Void)?
    private var buffer = ByteBuffer()
    private var hasEnded = false

    /// A handler that adds, by a closure, the handlers which go on.
    init(onKind: @escaping (any Channel, Kind) -> Void) { self.onKind = onKind }

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
        let bytes = buffer.readableBytesView
        guard let kind = Self.kind(of: bytes), kind == .live || Self.isWholeHead(bytes) else { return }
        goOn(kind, context)
    }

    /// Whether the head of a request is there to its end, or what is there cannot be one: until then it is the
    /// connection's first deadline that holds, not Hummingbird's, which is meant for connections that are idle.
    private static func isWholeHead(_ bytes: ByteBufferView) -> Bool {
        guard bytes.count < 16_384, let first = bytes.first, (0x41...0x5A).contains(first) else { return true }
        return bytes.withUnsafeBytes { raw in
            var newlines = 0
            // RFC 9112 §2.2: a line may end in a bare line feed as well.
            for byte in raw where byte != UInt8(ascii: "\r") {
                newlines = byte == UInt8(ascii: "\n") ? newlines + 1 : 0
                if newlines == 2 { return true }
            }
            return false
        }
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
        guard let onKind else { return }
        self.onKind = nil
        onKind(context.channel, kind)
        let bytes = buffer
        buffer = ByteBuffer()
        context.fireChannelRead(wrapInboundOut(bytes))
        context.fireChannelReadComplete()
        if hasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
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
        guard let end = path.firstIndex(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "?") || $0 < 0x20 })
        else {
            return path.count == 64 ? .http : nil
        }
        let parts = path[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let rest: ArraySlice<ByteBufferView>
        switch parts.count {
        case 3: rest = parts.dropFirst()
        case 5 where parts[1].elementsEqual("t".utf8): rest = parts.dropFirst(3)
        default: return .http
        }
        return rest.first?.elementsEqual("v1".utf8) == true && rest.last?.elementsEqual("live".utf8) == true
            ? .live : .http
    }
}
