import Logging
import MariaDB
import NIOCore
import NIOExtras
import NIOHTTP1
import SubTrackAPI

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

    /// How patient a connection is.
    struct Limits: Sendable {
        /// How long it may be silent between requests.
        var idle = TimeAmount.seconds(75)
        /// How long a request may take to come in, from its first byte to its last, and an answer to be taken.
        var message = TimeAmount.seconds(75)
        /// How long the other side may take to close its side after the last answer.
        var closing = TimeAmount.seconds(5)
        /// How much of a body that is too large is read over, in bytes, so that the answer to it can be read.
        var drained = 64 << 20
    }

    private enum State {
        /// Waits for a request.
        case idle
        /// Takes in a body.
        case body(HTTPRequestHead)
        /// Was answered before its end; the rest is read over.
        case drained
        /// Is being answered.
        case answering
        /// All is said; waits for the other side to have read it.
        case closing
    }

    private let responder: APIResponder
    private let limits: Limits
    /// Makes the handler that opens a WebSocket; nil: there are none here.
    private let openLive: (() -> LiveUpgradeHandler)?
    /// Where its requests are answered.
    private let lane: DatabaseLoopActor
    private var state = State.idle
    private var body = ByteBuffer()
    private var bodyLength = 0
    /// What came while a request was being answered.
    private var waiting = CircularBuffer<HTTPServerRequestPart>()
    private var isReadHeldBack = false
    /// Whether the connection ends with the answer that is under way, or with those that were asked for already.
    private var isLast = false
    /// Whether an answer said so: what comes after it is nobody's (RFC 9112 §9.6).
    private var hasSaidClose = false
    /// Whether the request that the parser saw last was said to be the last one.
    private var hasSeenLast = false
    /// Whether the other side will send nothing more.
    private var isInputClosed = false
    /// How many answers have not left this process yet: a connection that is closed before loses them.
    private var unwritten = 0
    /// Why the parser gave up; nothing can be read after it.
    private var failure: HTTPParserError?
    private var deadline = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    /// The other end, as long as the connection lasts.
    private lazy var peer = context?.remoteAddress

    /// A handler of one connection.
    /// - Parameter openLive: makes the handler that opens a WebSocket; nil: there are none here.
    init(responder: APIResponder, limits: Limits = Limits(), openLive: (() -> LiveUpgradeHandler)? = nil) {
        self.responder = responder
        self.limits = limits
        self.openLive = openLive
        lane = DatabaseLoopGroup.shared.next()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        wait(limits.idle)
        schedule(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        waiting.removeAll()
        context.fireChannelInactive()
    }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        if isBusy, isLast || failure != nil || !waiting.isEmpty || !context.channel.isWritable {
            isReadHeldBack = true
        } else {
            context.read()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .head(let head) = part, !head.isKeepAlive { hasSeenLast = true }
        if isBusy || !waiting.isEmpty { waiting.append(part) } else { take(part, context) }
    }

    /// Whether what comes next has to wait: for an answer, or for room to write the one after it.
    private var isBusy: Bool {
        if case .answering = state { return true }
        return context?.channel.isWritable == false
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch (part, state) {
        case (.head(let head), .idle): if !hasSaidClose, !handOver(head, context) { begin(head, context) }
        case (.body(var bytes), .body(let head)):
            bodyLength += bytes.readableBytes
            if bodyLength > ServerRequest.maximumBody {
                refuse(ServerRequest.tooLarge(length: nil), head, context)
            } else if body.readableBytes == 0 {
                body = bytes
            } else {
                body.writeBuffer(&bytes)
            }
        case (.body(let bytes), .drained):
            bodyLength += bytes.readableBytes
            if bodyLength > limits.drained { context.close(promise: nil) }
        case (.end, .body(let head)): answer(head, context)
        case (.end, .drained):
            state = .idle
            wait(limits.idle)
            endIfDone(context)
        default: break
        }
    }

    /// Leaves a connection to a WebSocket that is opened on it after other requests, as proxies do which keep connections.
    /// - Returns: false for a request that does not ask for one.
    private func handOver(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Bool {
        guard let openLive, !isLast, LiveUpgrade.isAsked(for: head) else { return false }
        do {
            try context.pipeline.syncOperations.addHandler(openLive(), position: .after(self))
        } catch {
            return false
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        while let part = waiting.popFirst() { context.fireChannelRead(wrapInboundOut(part)) }
        if isReadHeldBack { context.read() }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
        return true
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        state = .body(head)
        body = ByteBuffer()
        bodyLength = 0
        isLast = isLast || !head.isKeepAlive || Self.endsParsing(head)
        wait(limits.message)
        if head.version != .http1_0, head.headers["host"].count != 1 {
            isLast = true
            refuse(Problem(.inputInvalid, "A request names its host once, in the header Host."), head, context)
        } else if let length = head.headers.first(name: ServerResponse.Name.contentLength).flatMap({ Int($0) }),
            length > ServerRequest.maximumBody
        {
            refuse(ServerRequest.tooLarge(length: length), head, context)
        } else if head.version != .http1_0,
            head.headers.first(name: "expect")?.lowercased() == "100-continue"
        {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
    }

    /// Whether the parser reads no more after a request, because it offers to speak something else (RFC 9110 §7.8): the
    /// offer is not taken up, and the connection ends.
    private static func endsParsing(_ head: HTTPRequestHead) -> Bool {
        head.method == .CONNECT || head.headers.contains(name: "upgrade")
    }

    /// Goes on with what came meanwhile, and then reads again.
    private func resume(_ context: ChannelHandlerContext) {
        while !isBusy, let part = waiting.popFirst() { take(part, context) }
        // Without a context it is no longer this one's.
        guard !isBusy, self.context != nil else { return }
        if failure != nil { refuseMalformed(context) }
        endIfDone(context)
        if isReadHeldBack {
            isReadHeldBack = false
            context.read()
        }
    }

    /// Closes a connection on which nothing more is to be expected.
    private func endIfDone(_ context: ChannelHandlerContext) {
        guard isLast, failure == nil, waiting.isEmpty, unwritten == 0 else { return }
        switch state {
        case .idle: close(context)
        // The rest of this request will not come.
        case .body where isInputClosed, .drained where isInputClosed, .closing where isInputClosed:
            context.close(promise: nil)
        default: break
        }
    }

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
            if case .idle = state, waiting.isEmpty, unwritten == 0 {
                context.close(promise: nil)
            } else {
                endIfDone(context)
            }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What comes after an error is not parsed any more, and no error of its own.
        if case .dataReceivedInErrorState? = error as? ByteToMessageDecoderError { return }
        guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
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

    // MARK: Answering

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        state = .answering
        deadline = .distantFuture
        let target = RequestTarget.origin(of: head.uri)
        let request = ServerRequest(
            method: head.method, target: String(target.path),
            // RFC 9112 §3.2.2: the host of an absolute target goes before the header's.
            authority: target.authority.map(String.init) ?? head.headers.first(name: "host"), headers: head.headers,
            body: body, id: RequestIDs.next(), peer: peer)
        body = ByteBuffer()
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        lane.start { [responder, eventLoop = context.eventLoop] _ in
            let response = await responder.respond(to: request)
            eventLoop.execute { handler.value.finish(response, head) }
        }
    }

    private func finish(_ response: ServerResponse, _ head: HTTPRequestHead) {
        guard let context, context.channel.isActive else { return }
        state = .idle
        if response.headers.first(name: "connection") == "close" {
            isLast = true
            // RFC 9112 §9.6: nothing is done for who was told that the connection ends.
            waiting.removeAll()
        }
        wait(limits.idle)
        write(response, to: head, context)
        resume(context)
    }

    /// Answers at once, and reads over what is left of the request.
    private func refuse(_ problem: Problem, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // Who asked whether to send the body will not send it.
        isLast = isLast || head.headers.contains(name: "expect")
        if isLast { waiting.removeAll() }
        state = isLast ? .idle : .drained
        body = ByteBuffer()
        write(responder.response(for: problem, id: RequestIDs.next()), to: head, context)
    }

    /// The parser's reason as a problem. The path is not known then, so that a method that is none of HTTP's is 501
    /// (RFC 9110 §15.6.2) and not 405, whose Allow would have to name the path's methods.
    private func refuseMalformed(_ context: ChannelHandlerContext) {
        guard let failure else { return }
        self.failure = nil
        switch state {
        case .idle, .body: break
        // Its request was answered already.
        case .drained: return close(context)
        case .answering, .closing: return
        }
        var response: ServerResponse
        let id = RequestIDs.next()
        switch failure {
        case .invalidMethod:
            response = responder.response(
                for: Problem(.methodNotAllowed, "This is no method of HTTP that is known here."), id: id,
                status: .notImplemented)
        case .headerOverflow:
            response = responder.response(
                for: Problem(.tooLarge, "The header's fields are too large."), id: id,
                status: .requestHeaderFieldsTooLarge)
        default: response = responder.response(for: Problem(.inputInvalid, "The request is not valid HTTP."), id: id)
        }
        response.headers.replaceOrAdd(name: "connection", value: "close")
        responder.logger.debug("A request was no HTTP", metadata: ["request_id": "\(id)", "reason": "\(failure)"])
        state = .idle
        write(response, to: nil, context)
    }

    private func write(_ response: ServerResponse, to head: HTTPRequestHead?, _ context: ChannelHandlerContext) {
        var headers = response.headers
        let hasBody = response.status.mayHaveResponseBody
        if hasBody {
            headers.add(name: ServerResponse.Name.contentLength, value: String(response.body?.readableBytes ?? 0))
        }
        headers.add(name: "date", value: HTTPDate.now)
        if let head {
            if isLast, waiting.isEmpty, failure == nil {
                headers.replaceOrAdd(name: "connection", value: "close")
            } else if head.version == .http1_0 {
                headers.replaceOrAdd(name: "connection", value: "keep-alive")
            }
        }
        if headers.first(name: "connection") == "close" { hasSaidClose = true }
        let part = HTTPResponseHead(version: .http1_1, status: response.status, headers: headers)
        context.write(wrapOutboundOut(.head(part)), promise: nil)
        if hasBody, head?.method != .HEAD, let body = response.body, body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        unwritten += 1
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.noteWritten() }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    private func noteWritten() {
        unwritten -= 1
        if let context { endIfDone(context) }
    }

    /// Says that nothing more comes, and closes when the other side does: closing at once would take an answer away from
    /// who is still sending (RFC 9112 §9.6).
    private func close(_ context: ChannelHandlerContext) {
        state = .closing
        waiting.removeAll()
        context.close(mode: isInputClosed ? .all : .output, promise: nil)
        wait(limits.closing)
        timer?.cancel()
        schedule(context)
    }

    // MARK: Patience

    private func wait(_ time: TimeAmount) { deadline = .now() + time }

    /// One timer for the connection's life: to set a deadline is then to write a number.
    private func schedule(_ context: ChannelHandlerContext) {
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let end = min(deadline, .now() + limits.idle)
        timer = context.eventLoop.scheduleTask(deadline: end) { handler.value.look() }
    }

    private func look() {
        guard let context else { return }
        if deadline <= .now() { context.close(promise: nil) } else { schedule(context) }
    }
}
