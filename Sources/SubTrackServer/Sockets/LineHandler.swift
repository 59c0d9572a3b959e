import NIOCore
import NIOExtras

/// A plain socket: a JSON-RPC message on each line, both ways.
final class LineHandler: ChannelDuplexHandler, SocketTransport {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let dispatcher: SocketDispatcher
    private var framer = LineFramer(maximumLength: RPCMessage.maximumSize)
    private var conversation: SocketConversation?
    private var context: ChannelHandlerContext?
    private var isReadHeld = false
    private var hasInputEnded = false
    private var isClosing = false
    /// When the line that has not ended was begun; nil when there is none.
    private var lineBegan: NIODeadline?
    private var hasSpoken = false
    private var idleCheck: Scheduled<Void>?
    private var lastSpoke = NIODeadline.now()
    private var deadlineCheck: Scheduled<Void>?

    /// A handler whose messages are carried out by a dispatcher.
    init(dispatcher: SocketDispatcher) { self.dispatcher = dispatcher }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard conversation == nil else { return }
        let connection = LiveConnection(
            kind: .plain, origin: CallOrigin(peer: context.channel.remoteAddress), identity: .init(),
            eventLoop: context.eventLoop)
        let conversation = SocketConversation(connection: connection, dispatcher: dispatcher, transport: self)
        self.conversation = conversation
        lineBegan = .now()
        watchDeadline(context)
        conversation.open()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadlineCheck?.cancel()
        idleCheck?.cancel()
        conversation?.closed()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isClosing { framer.append(unwrapInboundIn(data)) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        takeLines(context)
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
        case ChannelEvent.inputClosed:
            // The other side has said all it wants to say, and waits for the answers.
            hasInputEnded = true
            if isClosing { context.close(promise: nil) } else { takeLines(context) }
        case is ChannelShouldQuiesceEvent: conversation?.end(.serverClosing)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The other side is gone, or does not speak TLS: there is nobody to tell.
        context.close(promise: nil)
    }

    private func takeLines(_ context: ChannelHandlerContext) {
        guard let conversation else { return }
        var hasTaken = false
        var isDrained = false
        while conversation.hasRoom {
            guard let event = framer.next() else {
                isDrained = true
                break
            }
            hasTaken = true
            switch event {
            case .line(let line): conversation.receive(line)
            case .tooLong: conversation.receiveTooLarge()
            }
        }
        if hasTaken {
            hasSpoken = true
            lineBegan = nil
            lastSpoke = .now()
            if idleCheck == nil { watchSilence(context) }
        }
        // A line that waits for room in the queue is not one that is slow to come.
        if isDrained, framer.isInLine {
            if lineBegan == nil {
                lineBegan = .now()
                watchDeadline(context)
            }
        } else if hasSpoken {
            lineBegan = nil
        }
        if isDrained, hasInputEnded {
            if case .line(let line) = framer.finish() { conversation.receive(line) }
            conversation.end(.closedByPeer)
        }
        conversation.proceed()
    }

    // MARK: Deadline

    private func watchDeadline(_ context: ChannelHandlerContext) {
        guard deadlineCheck == nil, let lineBegan else { return }
        deadlineCheck = context.eventLoop.assumeIsolated().scheduleTask(
            deadline: lineBegan + TimeAmount(dispatcher.limits.messageDeadline)
        ) {
            self.deadlineCheck = nil
            guard let lineBegan = self.lineBegan, context.channel.isActive else { return }
            if lineBegan + TimeAmount(self.dispatcher.limits.messageDeadline) <= .now() {
                self.conversation?.abort(.tooSlow)
            } else {
                self.watchDeadline(context)
            }
        }
    }

    /// Ends a socket that is silent and speaks for nobody.
    private func watchSilence(_ context: ChannelHandlerContext) {
        idleCheck = context.eventLoop.assumeIsolated().scheduleTask(
            deadline: max(lastSpoke, .now()) + TimeAmount(dispatcher.limits.idle)
        ) {
            self.idleCheck = nil
            guard context.channel.isActive, !self.isClosing else { return }
            let isSilent = self.lastSpoke + TimeAmount(self.dispatcher.limits.idle) <= .now()
            if isSilent, self.conversation?.connection.identity.token == nil {
                self.conversation?.end(.tooSlow)
            } else {
                self.watchSilence(context)
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
        var message = message
        message.writeStaticString("\n")
        context?.write(wrapOutboundOut(message), promise: nil)
    }

    func flush() { context?.flush() }

    var isWritable: Bool { context?.channel.isWritable ?? false }

    func resume() {
        guard let context else { return }
        takeLines(context)
        guard isReadHeld, conversation?.hasRoom == true else { return }
        isReadHeld = false
        context.read()
    }

    /// Closes the sending side after what was sent, and the rest once the other side has closed too: whoever closes while
    /// there is still something to be read takes away from the other side what it has not read yet.
    func close(_ ending: SocketEnding) {
        guard let context, !isClosing else { return }
        isClosing = true
        if ending == .tooSlow {
            context.close(promise: nil)
            return
        }
        if hasInputEnded {
            // With both sides closed the channel would drop what has not left yet.
            context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
                context.close(promise: nil)
            }
        } else {
            context.flush()
            context.close(mode: .output, promise: nil)
            if isReadHeld {
                isReadHeld = false
                context.read()
            }
        }
        deadlineCheck?.cancel()
        deadlineCheck = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) {
            context.close(promise: nil)
        }
    }

    /// How long the other side may take to close after this one has.
    private static let lingering = TimeAmount.seconds(2)
}
