import MariaDB
import NIOCore
import NIOHTTP1

/// One HTTP/1.1 connection, behind NIO's parser and before its encoder: takes in a request with its body, has it answered on
/// the thread that watches the database's sockets, and writes the answer whole.
///
/// Between the socket and the operation there are two changes of thread and one task. Requests of one connection are answered
/// one after the other (RFC 9112 §9.3.2); while one is under way no more is read than what comes at once. To read nothing
/// would be to leave and enter the kernel's list of sockets with each request.
///
/// Lives on its channel's event loop alone.
final class HTTP1Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    enum State {
        /// Waits for a request.
        case idle
        /// Takes in a body.
        case body(HTTPRequestHead)
        /// Its head is looked at before more of its body is read.
        case admitting(HTTPRequestHead)
        /// Was answered before its end; the rest is read over.
        case drained
        /// Is being answered.
        case answering
        /// All is said; waits for the other side to have read it.
        case closing
    }

    let responder: any RequestResponder
    let limits: HTTPLimits
    let bodies: BodyBudget
    let answers: BodyBudget
    /// The part of the memory for slow answers that this connection has.
    var answerTicket: BodyBudget.Ticket?
    /// Its place among all connections.
    let lease: ConnectionLease?
    /// Makes the handler that opens a WebSocket; nil: there are none here.
    let openLive: (() -> (any ChannelHandler)?)?
    /// Whether the connection is encrypted.
    let isTLS: Bool
    /// Where its requests are answered.
    let lane: DatabaseLoopActor
    var state = State.idle
    var body: RequestBody?
    /// Whether the head of the body that comes in was looked at.
    var isAdmitted = false
    /// How many bytes came since the present part of the deadline began.
    var paced = 0
    /// How many bytes of a body that was refused were read over.
    var drained = 0
    /// How many bytes of answers had not left when the present part of the deadline began.
    var unsent = 0
    /// Whether a part of a request came since the connection was last read from.
    private var hasPart = false
    /// Whether a head has begun that is not complete.
    var isInHead = false
    /// What came while a request was being answered.
    var waiting = CircularBuffer<HTTPServerRequestPart>()
    var isReadHeldBack = false
    /// Whether the connection ends with the answer that is under way, or with those that were asked for already.
    var isLast = false
    /// Whether an answer said so: what comes after it is nobody's (RFC 9112 §9.6).
    var hasSaidClose = false
    /// Whether the request that the parser saw last was said to be the last one.
    private var hasSeenLast = false
    /// Whether the service stops.
    var isStopping = false
    /// Whether the other side will send nothing more.
    var isInputClosed = false
    /// How many answers have not left this process yet: a connection that is closed before loses them.
    var unwritten = 0
    /// Why the parser gave up; nothing can be read after it.
    var failure: HTTPParserError?
    var deadline = NIODeadline.distantFuture
    var timer: Scheduled<Void>?
    var timerEnd = NIODeadline.distantFuture
    var context: ChannelHandlerContext?
    /// The other end, as long as the connection lasts.
    lazy var peer = context?.remoteAddress

    /// A handler of one connection.
    /// - Parameters:
    ///   - openLive: makes the handler that opens a WebSocket; nil: there are none here.
    ///   - responder: answers the requests.
    ///   - bodies: the memory for bodies.
    ///   - answers: the memory for answers that are taken slowly.
    ///   - lease: its place among all connections.
    init(
        responder: any RequestResponder, limits: HTTPLimits, bodies: BodyBudget, answers: BodyBudget,
        lease: ConnectionLease? = nil, isTLS: Bool = false,
        openLive: (() -> (any ChannelHandler)?)? = nil
    ) {
        self.responder = responder
        self.limits = limits
        self.bodies = bodies
        self.answers = answers
        self.lease = lease
        self.isTLS = isTLS
        self.openLive = openLive
        lane = DatabaseLoopGroup.shared.next()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // Its first head is there already.
        wait(limits.head)
        schedule(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer?.cancel()
        endAnswers()
        if case .answering = state {} else { endBody() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        waiting.removeAll()
        // A body that is being answered ends with its answer.
        if case .answering = state {} else { endBody() }
        context.fireChannelInactive()
    }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        if isBusy, isLast || failure != nil || !waiting.isEmpty || isAdmitting || !context.channel.isWritable {
            isReadHeldBack = true
        } else {
            context.read()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        hasPart = true
        if case .head(let head) = part, !head.isKeepAlive { hasSeenLast = true }
        switch part {
        // It is counted at once, and not kept beside what is counted.
        case .body where isAdmitting && waiting.isEmpty: take(part, context)
        default: if isBusy || !waiting.isEmpty { waiting.append(part) } else { take(part, context) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if hasPart {
            hasPart = false
            isInHead = false
            settle(context)
        } else if case .idle = state, waiting.isEmpty, unwritten == 0, !isInHead, failure == nil {
            // Bytes came that are no part of a request yet: a head has begun.
            isInHead = true
            wait(limits.head)
        }
        context.fireChannelReadComplete()
    }

    /// Whether what comes next has to wait: for an answer, or for room to write the one after it.
    var isBusy: Bool {
        switch state {
        case .answering, .admitting: true
        default: context?.channel.isWritable == false
        }
    }

    var isAdmitting: Bool { if case .admitting = state { true } else { false } }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { resume(context) }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        // The other side has sent its last request; RFC 9112 §9.6: it may still read. Or the service stops.
        case ChannelEvent.inputClosed, is ChannelShouldQuiesceEvent:
            isLast = true
            isInputClosed = isInputClosed || event is ChannelEvent
            isStopping = isStopping || event is ChannelShouldQuiesceEvent
            if case .idle = state, waiting.isEmpty, unwritten == 0 {
                HandshakeGuard.close(context.channel)
            } else {
                endIfDone(context)
                // What comes slowly does not hold up the end of the service.
                if isStopping, deadline != .distantFuture || unwritten > 0 { wait(limits.closing) }
            }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What comes after an error is not parsed any more, and no error of its own.
        if case .dataReceivedInErrorState? = error as? ByteToMessageDecoderError { return }
        guard let error = error as? HTTPParserError else { return HandshakeGuard.close(context.channel) }
        guard failure == nil else { return }
        if hasSeenLast {
            // What comes after a request that was said to be the last one is nobody's.
            switch state {
            case .idle, .closing: return
            case .answering where waiting.isEmpty: return
            default: break
            }
        }
        failure = error
        isLast = true
        if waiting.isEmpty, !isBusy { refuseMalformed(context) }
    }
}
