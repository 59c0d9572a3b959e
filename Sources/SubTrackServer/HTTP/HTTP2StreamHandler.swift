import MariaDB
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import SubTrackAPI

/// One request of an HTTP/2 connection and its answer.
///
/// Lives on its connection's event loop alone.
final class HTTP2StreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private enum State {
        /// Waits for the request's head.
        case idle
        /// Takes in a body.
        case body(ServerRequest)
        /// Is being answered.
        case answering
        /// The answer is on its way, or has left; what comes is read over.
        case answered
    }

    private let responder: any RequestResponder
    private let limits: HTTPLimits
    private let connection: HTTP2ConnectionHandler
    private let peer: SocketAddress?
    private let lane = DatabaseLoopGroup.shared.next()
    private var state = State.idle
    private var body: RequestBody
    private let bodies: BodyBudget
    private let answers: BodyBudget
    private var answerTicket: BodyBudget.Ticket?
    private var hasInputEnded = false
    private var isAdmitting = false
    private var isAdmitted = false
    private var isAnswering = false
    /// The request with its body, until it is worked on.
    private var whole: ServerRequest?
    /// How many bytes went on since the present part of the deadline began.
    private var paced = 0
    private var unwritten = 0
    /// An answer that is sent part by part, and how much of it was sent.
    private var spool: (answer: SpooledAnswer, sent: Int)?
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(
        responder: any RequestResponder, limits: HTTPLimits, bodies: BodyBudget, answers: BodyBudget,
        connection: HTTP2ConnectionHandler, peer: SocketAddress?
    ) {
        self.responder = responder
        self.limits = limits
        self.bodies = bodies
        self.answers = answers
        self.connection = connection
        self.peer = peer
        body = RequestBody(budget: bodies, expected: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        stop()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    private func stop() {
        timer?.cancel()
        if let answerTicket { answers.end(answerTicket) }
        answerTicket = nil
        spool = nil
        if case .answering = state, whole == nil {} else { body.end() }
        if whole != nil { connection.leave(self) }
        whole = nil
        endAnswer()
    }

    private func endAnswer() {
        guard isAnswering else { return }
        isAnswering = false
        connection.endAnswer()
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), state) {
        case (.headers(let headers), .idle):
            hasInputEnded = headers.endStream
            begin(headers.headers, context)
        case (.headers(let headers), .body(let request)) where headers.endStream:
            hasInputEnded = true
            answer(request, context)
        case (.data(let data), .body(let request)):
            hasInputEnded = data.endStream
            guard case .byteBuffer(let bytes) = data.data else { return }
            paced += bytes.readableBytes
            do throws(RequestBody.Refusal) {
                if bytes.readableBytes > 0 {
                    try body.append(
                        bytes, network: { self.responder.network(of: request) }, giveWay: { self.yielder(context) })
                }
                if data.endStream { answer(request, context) }
            } catch {
                refuse(error, request, context)
            }
        case (.data(let data), .answered):
            if data.endStream { hasInputEnded = true }
            if case .byteBuffer(let bytes) = data.data { paced += bytes.readableBytes }
            if unwritten == 0, hasInputEnded { context.close(promise: nil) }
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .body(let request) = state, !isAdmitted, !isAdmitting {
            // Its body did not come with it.
            isAdmitting = true
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            lane.start { [responder, eventLoop = context.eventLoop] _ in
                let refusal = await responder.refusal(of: request)
                eventLoop.execute { handler.value.goOn(refusal) }
            }
            wait(limits.bodyWindow, context)
        }
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func begin(_ fields: HPACKHeaders, _ context: ChannelHandlerContext) {
        let authority = fields.first(name: ":authority")
        var headers = HTTPHeaders()
        headers.reserveCapacity(fields.count)
        for (name, value, _) in fields where !name.hasPrefix(":") { headers.add(name: name, value: value) }
        let request = ServerRequest(
            method: HTTPMethod(rawValue: fields.first(name: ":method") ?? ""),
            target: fields.first(name: ":path") ?? "*",
            authority: authority ?? headers.first(name: "host"), headers: headers, body: ByteBuffer(),
            id: RequestIDs.next(), peer: peer, isTLS: true)
        let length = headers.first(name: ServerResponse.Name.contentLength).flatMap { Int($0) }
        body = RequestBody(budget: bodies, expected: length)
        state = .body(request)
        // RFC 9113 §8.3.1: both name the same host.
        let hosts = [authority].compactMap { $0 } + headers["host"]
        if Set(hosts.map { $0.lowercased() }).count != 1 || !hosts.allSatisfy(HeadFault.isAuthority) {
            let problem = Problem(.inputInvalid, "A request names its host once, in :authority.")
            write(responder.response(for: problem, id: request.id), to: request, context)
        } else if let length, length > ServerRequest.maximumBody {
            write(responder.response(for: ServerRequest.tooLarge(length: length), id: request.id), to: request, context)
        } else if hasInputEnded {
            answer(request, context)
        }
    }

    /// Goes on with a request whose head was looked at.
    private func goOn(_ refusal: ServerResponse?) {
        isAdmitting = false
        isAdmitted = true
        guard let context, context.channel.isActive, case .body(let request) = state, let refusal else { return }
        write(refusal, to: request, context)
    }

    private func yielder(_ context: ChannelHandlerContext) -> @Sendable () -> Void {
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        return { eventLoop.execute { handler.value.giveWay() } }
    }

    private func giveWay() {
        guard let context, context.channel.isActive, case .body(let request) = state else { return }
        refuse(.crowded, request, context)
    }

    private func refuse(_ refusal: RequestBody.Refusal, _ request: ServerRequest, _ context: ChannelHandlerContext) {
        let problem =
            switch refusal {
            case .tooLarge: ServerRequest.tooLarge(length: nil)
            case .crowded: ServerRequest.crowded
            }
        write(responder.response(for: problem, id: request.id), to: request, context)
    }

    // MARK: Answering

    private func answer(_ request: ServerRequest, _ context: ChannelHandlerContext) {
        let content: ByteBuffer
        do throws(RequestBody.Refusal) {
            content = try body.finish()
        } catch {
            return refuse(error, request, context)
        }
        state = .answering
        timer?.cancel()
        timer = nil
        isAnswering = true
        connection.beginAnswer()
        let request = ServerRequest(
            method: request.method, target: request.target, authority: request.authority, headers: request.headers,
            body: content, id: request.id, peer: request.peer, isTLS: request.isTLS)
        whole = request
        connection.work(on: self)
    }

    /// Works on the request, which is complete.
    func work() {
        guard let context, let request = whole else { return connection.endWork() }
        whole = nil
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        lane.start { [responder, eventLoop = context.eventLoop] _ in
            let response = await responder.respond(to: request)
            eventLoop.execute { handler.value.finish(response, request) }
        }
    }

    private func finish(_ response: ServerResponse, _ request: ServerRequest) {
        connection.endWork()
        guard let context, context.channel.isActive else { return body.end() }
        write(response, to: request, context)
    }

    /// How much of an answer is written at a time: so far it is seen how the other side takes it.
    private static let piece = 16 << 10

    private func write(_ response: ServerResponse, to request: ServerRequest, _ context: ChannelHandlerContext) {
        body.end()
        state = .answered
        paced = 0
        let content = response.status.mayHaveResponseBody ? response.body ?? ByteBuffer() : nil
        var fields = HPACKHeaders()
        fields.reserveCapacity(response.headers.count + 3)
        fields.add(name: ":status", value: String(response.status.code))
        // What speaks of a connection makes an answer malformed (RFC 9113 §8.2.2).
        for (name, value) in response.headers where name != "connection" && name != "upgrade" {
            fields.add(name: name.lowercased(), value: value)
        }
        if content != nil { fields.add(name: ServerResponse.Name.contentLength, value: String(response.length)) }
        fields.add(name: "date", value: HTTPDate.now)
        if let spooled = response.spooled, spooled.length > 0, request.method != .HEAD {
            spool = (spooled, 0)
            send(.headers(.init(headers: fields, endStream: false)), 0, context)
            context.flush()
            return wait(limits.answerWindow, context)
        }
        var left = request.method == .HEAD ? ByteBuffer() : content ?? ByteBuffer()
        send(.headers(.init(headers: fields, endStream: left.readableBytes == 0)), 0, context)
        while let piece = left.readSlice(length: min(left.readableBytes, Self.piece)), piece.readableBytes > 0 {
            send(
                .data(.init(data: .byteBuffer(piece), endStream: left.readableBytes == 0)), piece.readableBytes, context
            )
        }
        context.flush()
        guard unwritten > 0 else { return }
        let channel = context.channel
        let ticket = answers.begin(network: nil) { channel.close(promise: nil) }
        answerTicket = ticket
        // Where nobody can give way, it waits all the same: the answer is there already.
        _ = answers.take(content?.readableBytes ?? 0, for: ticket)
        wait(limits.answerWindow, context)
    }

    private func send(_ payload: HTTP2Frame.FramePayload, _ length: Int, _ context: ChannelHandlerContext) {
        unwritten += 1
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in self.noteWritten(length) }
        context.write(wrapOutboundOut(payload), promise: written)
    }

    private func noteWritten(_ length: Int) {
        unwritten -= 1
        paced += length
        guard unwritten == 0 else { return }
        guard spool == nil else { return readPart() }
        endAnswer()
        if let answerTicket { answers.end(answerTicket) }
        answerTicket = nil
        guard let context, !hasInputEnded, context.channel.isActive else {
            timer?.cancel()
            return
        }
        // The rest of the request is read over for a moment: a reset would make some clients forget the answer.
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.closing)) {
            context.close(promise: nil)
        }
    }

    /// Reads the next part of a spooled answer, when the one before has left.
    private func readPart() {
        guard let context, context.channel.isActive, let (answer, sent) = spool else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let part = NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) {
            try answer.read(from: sent, atMost: ServerResponse.partSize)
        }
        part.whenComplete { handler.value.sendPart($0) }
    }

    private func sendPart(_ part: Result<ByteBuffer, any Error>) {
        guard let context, context.channel.isActive, let (answer, sent) = spool else { return }
        // What cannot be read any more ends the stream: the client sees that it has not all.
        guard case .success(var bytes) = part, bytes.readableBytes > 0 else { return context.close(promise: nil) }
        let end = sent + bytes.readableBytes
        let isLast = end >= answer.length
        spool = isLast ? nil : (answer, end)
        while let piece = bytes.readSlice(length: min(bytes.readableBytes, Self.piece)), piece.readableBytes > 0 {
            let data = HTTP2Frame.FramePayload.Data(
                data: .byteBuffer(piece), endStream: isLast && bytes.readableBytes == 0)
            send(.data(data), piece.readableBytes, context)
        }
        context.flush()
    }

    // MARK: Patience

    private func wait(_ time: Duration, _ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { self.look(context) }
    }

    /// Ends a stream on which too little went on.
    private func look(_ context: ChannelHandlerContext) {
        let (pace, window) =
            unwritten > 0 || spool != nil
            ? (limits.answerPace, limits.answerWindow) : (limits.bodyPace, limits.bodyWindow)
        guard paced >= pace else { return context.close(promise: nil) }
        paced = 0
        wait(window, context)
    }
}
