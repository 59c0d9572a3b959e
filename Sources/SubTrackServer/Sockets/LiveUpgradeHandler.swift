import MariaDB
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOWebSocket
import SubTrackAPI

/// Answers a request for the live path, the first one of its connection or one that asks for a WebSocket after others: by
/// 101, after which the connection is a WebSocket, or by a problem, after which it is closed.
final class LiveUpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let live: LiveUpgrade
    private let encoder: HTTPResponseEncoder
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    /// The connection's place among those of HTTP, until it is a WebSocket.
    private let lease: ConnectionLease?
    private let isTLS: Bool
    private var head: HTTPRequestHead?
    private var isAnswered = false
    private var deadline: Scheduled<Void>?

    init(
        live: LiveUpgrade, encoder: HTTPResponseEncoder, decoder: ByteToMessageHandler<HTTPRequestDecoder>,
        lease: ConnectionLease?, isTLS: Bool
    ) {
        self.lease = lease
        self.isTLS = isTLS
        self.live = live
        self.encoder = encoder
        self.decoder = decoder
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(
            in: TimeAmount(live.dispatcher.limits.messageDeadline)
        ) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        isAnswered = true
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswered else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            if let fault = HeadFault.find(in: head) { refuse(context, fault.problem, status: fault.status) }
        case .body: refuse(context, Problem(.inputInvalid, "A request to upgrade has no body."))
        case .end:
            guard let head else { return }
            isAnswered = true
            decide(head, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, !isAnswered else { return context.close(promise: nil) }
        refuse(context, Problem(.inputInvalid, "The request is not valid HTTP."))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func decide(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard UpgradeRequest.wantsWebSocket(head.headers) else {
            return refuse(context, LiveUpgrade.refusal(isUpgrade: false))
        }
        lease?.works()
        let live = live
        let isTLS = isTLS
        let address = context.channel.remoteAddress
        let found = context.eventLoop.makePromise(of: LiveUpgrade.Caller.self)
        // Not in turn: the socket's own messages will take the next turn, and each second loop would get none of them.
        let lane = DatabaseLoopGroup.shared.lanes.randomElement() ?? DatabaseLoopGroup.shared.next()
        lane.start { _ in
            do {
                found.succeed(try await live.caller(of: head, at: address, isTLS: isTLS))
            } catch {
                found.fail(error)
            }
        }
        found.futureResult.assumeIsolated().whenComplete { result in
            guard context.channel.isActive else { return }
            switch result {
            case .success(let caller): self.upgrade(head, caller, context)
            case .failure(let over as LiveUpgrade.CookieOver):
                self.refuse(context, over.problem, clearing: over.clearing)
            case .failure(let error): self.refuse(context, error)
            }
        }
    }

    /// Answers 101 and becomes a WebSocket. The key and version are looked at by NIO's upgrader.
    private func upgrade(
        _ head: HTTPRequestHead, _ caller: LiveUpgrade.Caller, _ context: ChannelHandlerContext
    ) {
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        upgrader.buildUpgradeResponse(channel: context.channel, upgradeRequest: head, initialResponseHeaders: [:])
            .assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success(let headers):
                    guard self.live.quota.take(context.channel, from: caller.origin) else {
                        let problem = Problem(.unavailable, "There are too many open sockets; try again later.")
                        return self.refuse(context, problem)
                    }
                    // It is counted as a socket from now on.
                    self.lease?.release()
                    self.becomeWebSocket(headers, caller, context)
                case .failure:
                    self.refuse(
                        context,
                        Problem(
                            .inputInvalid, "Sec-WebSocket-Version must be 13, and there must be one Sec-WebSocket-Key.")
                    )
                }
            }
    }

    private func becomeWebSocket(
        _ headers: HTTPHeaders, _ caller: LiveUpgrade.Caller, _ context: ChannelHandlerContext
    ) {
        let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        let pipeline = context.pipeline.syncOperations
        let limits = live.dispatcher.limits
        do {
            // Empty frames have six bytes. A larger reading would keep others waiting while its frames are looked at.
            try context.channel.syncOptions?.setOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4 << 10))
            try pipeline.addHandler(DrainGuard(deadline: limits.drainDeadline))
            try pipeline.addHandler(WebSocketFrameEncoder())
            try pipeline.addHandler(
                ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: RPCMessage.maximumSize)))
            try pipeline.addHandler(WebSocketHandler(dispatcher: live.dispatcher, caller: caller))
        } catch {
            context.close(promise: nil)
            return
        }
        deadline?.cancel()
        pipeline.removeHandler(encoder, promise: nil)
        // What came after the request goes on to the handlers that were just added. It did not come just now: nobody else
        // says that there is no more of it.
        let isHandedOn = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        isHandedOn.futureResult.assumeIsolated().whenComplete { _ in
            channel.pipeline.syncOperations.fireChannelReadComplete()
        }
        pipeline.removeHandler(decoder, promise: isHandedOn)
        pipeline.removeHandler(self, promise: nil)
    }

    /// Answers by a problem and closes.
    /// - Parameter clearing: the value of `Set-Cookie` that removes the browser's cookie.
    private func refuse(
        _ context: ChannelHandlerContext, _ error: any Error, status: HTTPResponseStatus? = nil,
        clearing: String? = nil
    ) {
        isAnswered = true
        lease?.waits()
        let requestID = RequestIDs.next()
        var problem = ProblemMapping.problem(
            for: error, logger: live.dispatcher.dispatcher.logger, requestID: requestID)
        problem.requestId = requestID
        if let status { problem.status = Int(status.code) }
        let body = (try? ProblemMapping.encode(problem)) ?? []
        var headers: HTTPHeaders = [
            "Content-Type": "application/problem+json", "Content-Length": "\(body.count)", "Cache-Control": "no-store",
            "X-Request-ID": requestID, "Connection": "close",
        ]
        if let clearing { headers.add(name: "Set-Cookie", value: clearing) }
        switch problem.status {
        case 401: headers.add(name: "WWW-Authenticate", value: "Bearer")
        case 426: headers.replaceOrAdd(name: "Upgrade", value: "websocket")
        case 400: headers.add(name: "Sec-WebSocket-Version", value: "13")
        case 429, 503: headers.add(name: "Retry-After", value: String(problem.retryAfter ?? 1))
        default: break
        }
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: problem.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }
}
