import NIOCore
import NIOExtras
import NIOWebSocket

/// An open WebSocket: a JSON-RPC message in each text message, both ways.
final class WebSocketHandler: ChannelDuplexHandler, SocketTransport {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let dispatcher: SocketDispatcher
    private let caller: LiveUpgrade.Caller
    private var assembler = WebSocketAssembler(maximumSize: RPCMessage.maximumSize)
    private var conversation: SocketConversation?
    private var context: ChannelHandlerContext?
    private var isReadHeld = false
    private var isPongDue = false
    /// Whether answers to pings of this reading are still to be sent, all together.
    private var hasUnflushedPong = false
    private var isClosing = false
    /// How many frames came after the closing was said.
    private var ignoredFrames = 0
    /// When the message that has not ended was begun.
    private var messageBegan: NIODeadline?
    private var ping: Scheduled<Void>?
    private var deadlineCheck: Scheduled<Void>?

    /// A handler for somebody whose token was looked at.
    init(dispatcher: SocketDispatcher, caller: LiveUpgrade.Caller) {
        self.dispatcher = dispatcher
        self.caller = caller
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let connection = LiveConnection(
            kind: .webSocket, origin: caller.origin, identity: caller.identity, eventLoop: context.eventLoop)
        let conversation = SocketConversation(connection: connection, dispatcher: dispatcher, transport: self)
        self.conversation = conversation
        schedulePing(context)
        conversation.open()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopTimers()
        conversation?.closed()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stopTimers()
        self.context = nil
    }

    private func stopTimers() {
        ping?.cancel()
        deadlineCheck?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let event = assembler.receive(unwrapInboundIn(data))
        if isClosing {
            // Only the answer to the closing is of interest any more.
            ignoredFrames += 1
            // One that goes on sending is not read over at the expense of others.
            if case .close = event {
                context.close(promise: nil)
            } else if ignoredFrames > Self.maximumIgnoredFrames {
                context.close(promise: nil)
            }
            return
        }
        switch event {
        case .nothing: break
        case .message(let message): conversation?.receive(message)
        case .ping(let payload):
            // One that does not take the answers gets none, or they would wait without end.
            guard isWritable else { break }
            hasUnflushedPong = true
            context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: payload)), promise: nil)
        case .pong: isPongDue = false
        case .close(let code): beClosed(code)
        case .fault(let code, let reason): conversation?.abort(.fault(code: code, reason: reason))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !assembler.isInMessage {
            messageBegan = nil
        } else if messageBegan == nil {
            messageBegan = .now()
            watchDeadline(context)
        }
        conversation?.proceed()
        if hasUnflushedPong {
            hasUnflushedPong = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    /// Reading goes on only while there is room.
    func read(context: ChannelHandlerContext) {
        if !isClosing, conversation?.hasRoom == false { isReadHeld = true } else { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            conversation?.proceed()
            resume()
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: context.close(promise: nil)
        case is ChannelShouldQuiesceEvent: conversation?.end(.serverClosing)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? NIOWebSocketError {
        case .invalidFrameLength:
            conversation?.abort(.fault(code: 1009, reason: "a message may have \(RPCMessage.maximumSize) bytes"))
        case .fragmentedControlFrame, .multiByteControlFrameLength:
            conversation?.abort(.fault(code: 1002, reason: "a control frame is too long or in fragments"))
        case nil: context.close(promise: nil)
        }
    }

    private func schedulePing(_ context: ChannelHandlerContext) {
        ping = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(dispatcher.limits.pingInterval)) {
            self.sendPing()
        }
    }

    private func sendPing() {
        guard let context, !isClosing else { return }
        schedulePing(context)
        // While it is not read from, its pong cannot be seen.
        if isPongDue, !isReadHeld {
            conversation?.abort(.tooSlow)
            return
        }
        isPongDue = true
        guard isWritable else { return }
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())), promise: nil)
    }

    /// The other side closes: it gets its code back (RFC 6455 §5.5.1), and no answers any more.
    private func beClosed(_ code: UInt16?) {
        isClosing = true
        guard let context else { return }
        var payload = ByteBuffer()
        if let code { payload.writeInteger(code) }
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: payload)
        context.writeAndFlush(wrapOutboundOut(frame)).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    private func watchDeadline(_ context: ChannelHandlerContext) {
        guard deadlineCheck == nil, let messageBegan else { return }
        let limit = TimeAmount(dispatcher.limits.messageDeadline)
        deadlineCheck = context.eventLoop.assumeIsolated().scheduleTask(deadline: messageBegan + limit) {
            self.deadlineCheck = nil
            guard let messageBegan = self.messageBegan, context.channel.isActive else { return }
            if messageBegan + limit <= .now() {
                self.conversation?.abort(.tooSlow)
            } else {
                self.watchDeadline(context)
            }
        }
    }

    // MARK: SocketTransport

    func buffer(capacity: Int) -> ByteBuffer {
        context?.channel.allocator.buffer(capacity: capacity) ?? ByteBuffer()
    }

    func schedule(in delay: Duration, _ body: @escaping () -> Void) {
        context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay), body)
    }

    func send(_ message: ByteBuffer) {
        guard !isClosing else { return }
        context?.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: message)), promise: nil)
    }

    func flush() { context?.flush() }

    var isWritable: Bool { context?.channel.isWritable ?? false }

    func resume() {
        guard let context, isReadHeld, conversation?.hasRoom == true else { return }
        isReadHeld = false
        context.read()
    }

    /// Sends the code, and closes once the other side has answered, or after a moment without.
    func close(_ ending: SocketEnding) {
        guard let context, !isClosing else { return }
        isClosing = true
        var payload = ByteBuffer()
        let (code, reason) = Self.code(of: ending)
        payload.writeInteger(code)
        payload.writeString(reason)
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .connectionClose, data: payload)), promise: nil)
        stopTimers()
        deadlineCheck = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) {
            context.close(promise: nil)
        }
        if isReadHeld {
            isReadHeld = false
            context.read()
        }
    }

    /// How many frames are read over after the closing was said: those that were on their way.
    private static let maximumIgnoredFrames = 256
    /// How long the other side may take to answer that the socket is closed.
    private static let lingering = TimeAmount.seconds(2)

    private static func code(of ending: SocketEnding) -> (UInt16, String) {
        switch ending {
        case .serverClosing: (1001, "the service stops")
        case .sessionEnded: (4401, "the session has ended")
        case .tooSlow: (1008, "too slow")
        case .fault(let code, let reason): (code, reason)
        case .closedByPeer: (1000, "")
        }
    }
}
