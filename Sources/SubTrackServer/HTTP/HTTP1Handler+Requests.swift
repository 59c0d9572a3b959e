import MariaDB
import NIOCore
import NIOHTTP1
import SubTrackAPI

// Taking in a request: its head is looked at, its body is counted.
extension HTTP1Handler {
    func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch (part, state) {
        case (.head(let head), .idle): if !hasSaidClose, !handOver(head, context) { begin(head, context) }
        case (.body(let bytes), .body(let head)):
            paced += bytes.readableBytes
            do throws(RequestBody.Refusal) {
                try body?.append(bytes, network: { self.network(of: head) }, giveWay: { self.yielder(context) })
            } catch {
                refuse(error, head, context)
            }
        case (.body(let bytes), .admitting(let head)):
            do throws(RequestBody.Refusal) {
                try body?.append(bytes, network: { self.network(of: head) }, giveWay: { self.yielder(context) })
            } catch {
                endBody()
            }
        case (.body(let bytes), .drained):
            paced += bytes.readableBytes
            drained += bytes.readableBytes
            if drained > limits.drained { HandshakeGuard.close(context.channel) }
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
    func handOver(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Bool {
        guard !isLast, UpgradeRequest.isAsked(for: head), HeadFault.find(in: head) == nil, let handler = openLive?()
        else {
            return false
        }
        do {
            try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
        } catch {
            return false
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        while let part = waiting.popFirst() { context.fireChannelRead(wrapInboundOut(part)) }
        if isReadHeldBack { context.read() }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
        return true
    }

    func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        state = .body(head)
        let length = head.headers.first(name: ServerResponse.Name.contentLength).flatMap { Int($0) }
        body = RequestBody(budget: bodies, expected: length)
        paced = 0
        drained = 0
        isLast = isLast || !head.isKeepAlive || Self.endsParsing(head)
        if let fault = HeadFault.find(in: head) {
            isLast = true
            return refuse(fault.problem, head, context, status: fault.status)
        }
        if let length, length > ServerRequest.maximumBody {
            return refuse(ServerRequest.tooLarge(length: length), head, context)
        }
        isAdmitted = length ?? 0 == 0 && !head.headers.contains(name: "transfer-encoding")
        if Self.asksFirst(head) { admit(head, context) }
    }

    /// Whether a client asks before it sends a body.
    static func asksFirst(_ head: HTTPRequestHead) -> Bool {
        head.version != .http1_0 && head.headers.first(name: "expect")?.isASCIIWord("100-continue") == true
    }

    /// Looks at the head of a request whose body did not come with it, and sets the time in which more of it must come.
    func settle(_ context: ChannelHandlerContext) {
        switch state {
        case .body(let head):
            if !isAdmitted { return admit(head, context) }
            if deadline == .distantFuture { wait(bodyWindow) }
        case .drained: if deadline == .distantFuture { wait(bodyWindow) }
        default: break
        }
    }

    /// Has the head of a request looked at, and reads no more meanwhile.
    func admit(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        state = .admitting(head)
        deadline = .distantFuture
        lease?.waits()
        let request = request(head, body: ByteBuffer())
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        lane.start { [responder, eventLoop = context.eventLoop] _ in
            let refusal = await responder.refusal(of: request)
            eventLoop.execute { handler.value.goOn(head, refusal) }
        }
    }

    func goOn(_ head: HTTPRequestHead, _ refusal: ServerResponse?) {
        guard let context, context.channel.isActive else { return endBody() }
        state = .body(head)
        isAdmitted = true
        if body == nil {
            // It had to give way meanwhile.
            refuse(RequestBody.Refusal.crowded, head, context)
        } else if let refusal {
            refuse(refusal, head, context)
        } else {
            if Self.asksFirst(head) {
                context.writeAndFlush(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
            }
            wait(bodyWindow)
        }
        resume(context)
    }

    /// What ends a body that has to give way to others.
    func yielder(_ context: ChannelHandlerContext) -> @Sendable () -> Void {
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        return { eventLoop.execute { handler.value.giveWay() } }
    }

    func giveWay() {
        guard let context, context.channel.isActive else { return }
        switch state {
        case .body(let head):
            refuse(RequestBody.Refusal.crowded, head, context)
            resume(context)
        case .admitting: endBody()
        default: break
        }
    }

    func endBody() {
        body?.end()
        body = nil
    }

    func network(of head: HTTPRequestHead) -> String? {
        responder.network(of: request(head, body: ByteBuffer()))
    }

    /// Whether the parser reads no more after a request, because it offers to speak something else (RFC 9110 §7.8): the
    /// offer is not taken up, and the connection ends.
    static func endsParsing(_ head: HTTPRequestHead) -> Bool {
        head.method == .CONNECT || head.headers.contains(name: "upgrade")
    }
}
