import DequeModule
import NIOCore
import NIOExtras
import NIOHTTP2

/// An HTTP/2 connection (RFC 9113): its streams are requests (``HTTP2StreamHandler``), each with deadlines of its own.
struct HTTP2Connection {
    let responder: any RequestResponder
    let limits: HTTPLimits
    let bodies: BodyBudget
    let answers: BodyBudget
    let lease: ConnectionLease

    /// Adds the handlers of a connection that has agreed on HTTP/2.
    func addHandlers(to channel: any Channel) throws {
        let connection = HTTP2ConnectionHandler(limits: limits, lease: lease)
        let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
        let handler = NIOHTTP2Handler(
            mode: .server, eventLoop: channel.eventLoop, streamDelegate: HTTP2ConnectionHandler.Delegate(handler: bound)
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(
                    HTTP2StreamHandler(
                        responder: responder, limits: limits, bodies: bodies, answers: answers,
                        connection: bound.value, peer: channel.remoteAddress))
            }
        }
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.pipeline.syncOperations.addHandler(connection)
    }
}

/// Ends an HTTP/2 connection: when it has had no stream for a while, and when the service stops. A client that does not take
/// note of that is closed.
///
/// Lives on its channel's event loop alone.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// Is told of the streams.
    struct Delegate: NIOHTTP2StreamDelegate {
        fileprivate let handler: NIOLoopBound<HTTP2ConnectionHandler>

        fileprivate init(handler: NIOLoopBound<HTTP2ConnectionHandler>) { self.handler = handler }

        func streamCreated(_ id: HTTP2StreamID, channel: any Channel) { handler.value.streamCreated(id) }

        func streamClosed(_ id: HTTP2StreamID, channel: any Channel) { handler.value.streamClosed() }
    }

    private let limits: HTTPLimits
    private let lease: ConnectionLease
    private var context: ChannelHandlerContext?
    private var streams = 0
    private var answering = 0
    /// How many requests are worked on, and those that wait until others are done.
    private var working = 0
    private var waiting: Deque<HTTP2StreamHandler> = []
    private var last = HTTP2StreamID.rootStream
    private var isEnding = false
    private var timer: Scheduled<Void>?

    init(limits: HTTPLimits, lease: ConnectionLease) {
        self.limits = limits
        self.lease = lease
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // One beyond the limit, or one whose first request does not come, has little time.
        wait(limits.head)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer?.cancel()
        waiting.removeAll()
    }

    private func streamCreated(_ id: HTTP2StreamID) {
        streams += 1
        last = max(last, id)
        if !isEnding, !lease.isCrowded { timer?.cancel() }
    }

    private func streamClosed() {
        streams -= 1
        guard streams == 0 else { return }
        if isEnding {
            if let context { HandshakeGuard.close(context.channel) }
        } else if !lease.isCrowded {
            wait(limits.idle)
        }
    }

    /// Notes that a request is complete and is being answered.
    func beginAnswer() {
        answering += 1
        lease.works()
    }

    /// Has a stream's request worked on, when fewer than ``HTTPLimits/streamsAtOnce`` of this connection are worked on: other
    /// clients would wait behind all of them.
    func work(on stream: HTTP2StreamHandler) {
        guard working < limits.streamsAtOnce else { return waiting.append(stream) }
        working += 1
        stream.work()
    }

    /// Notes that a request that was worked on is done.
    func endWork() {
        working -= 1
        guard let next = waiting.popFirst() else { return }
        working += 1
        next.work()
    }

    /// Takes note of the end of a stream, whose request may still wait.
    func leave(_ stream: HTTP2StreamHandler) { waiting.removeAll { $0 === stream } }

    /// Notes that an answer has left, or never will.
    func endAnswer() {
        answering -= 1
        if answering == 0 { lease.waits() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: end(within: limits.head)
        case ChannelEvent.inputClosed: HandshakeGuard.close(context.channel)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What is wrong with one stream alone is that stream's.
        if error is NIOHTTP2Errors.StreamError { return }
        HandshakeGuard.close(context.channel)
    }

    private func wait(_ time: Duration) {
        timer?.cancel()
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            self.end(within: .seconds(1))
        }
    }

    /// Says that no more requests are taken, and closes when those that are under way were answered, or after a while.
    private func end(within time: Duration) {
        guard let context, !isEnding else { return }
        isEnding = true
        timer?.cancel()
        let frame = HTTP2Frame(
            streamID: .rootStream, payload: .goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil))
        context.writeAndFlush(wrapOutboundOut(frame)).assumeIsolated().whenComplete { _ in
            if self.streams == 0 { HandshakeGuard.close(context.channel) }
        }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            HandshakeGuard.close(context.channel)
        }
    }
}
