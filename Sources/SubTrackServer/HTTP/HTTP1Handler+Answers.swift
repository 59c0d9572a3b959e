import MariaDB
import NIOCore
import NIOHTTP1
import NIOPosix
import SubTrackAPI

// Answering a request, whole or in parts.
extension HTTP1Handler {
    func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let whole: ByteBuffer
        do throws(RequestBody.Refusal) {
            whole = try body?.finish() ?? ByteBuffer()
        } catch {
            return refuse(error, head, context)
        }
        state = .answering
        deadline = .distantFuture
        lease?.works()
        let request = request(head, body: whole)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        lane.start { [responder, eventLoop = context.eventLoop] _ in
            let response = await responder.respond(to: request)
            eventLoop.execute { handler.value.finish(response, head) }
        }
    }

    func request(_ head: HTTPRequestHead, body: ByteBuffer) -> ServerRequest {
        let target = RequestTarget.origin(of: head.uri)
        return ServerRequest(
            method: head.method, target: String(target.path),
            // RFC 9112 §3.2.2: the host of an absolute target goes before the header's.
            authority: target.authority.map(String.init) ?? head.headers.first(name: "host"), headers: head.headers,
            body: body, id: RequestIDs.next(), peer: peer, isTLS: isTLS)
    }

    func finish(_ response: ServerResponse, _ head: HTTPRequestHead) {
        endBody()
        guard let context, context.channel.isActive else { return }
        if let spooled = response.spooled, head.method != .HEAD {
            writeHead(response, to: head, context)
            return send(spooled, from: 0, since: .now(), context)
        }
        state = .idle
        if response.headers.first(name: "connection") == "close" {
            isLast = true
            // RFC 9112 §9.6: the server does nothing more for a client that was told that the connection ends.
            waiting.removeAll()
        }
        write(response, to: head, context)
        resume(context)
    }

    func write(_ response: ServerResponse, to head: HTTPRequestHead?, _ context: ChannelHandlerContext) {
        writeHead(response, to: head, context)
        if response.status.mayHaveResponseBody, head?.method != .HEAD, let body = response.body,
            body.readableBytes > 0
        {
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        writeEnd(context)
    }

    /// Sends a body part by part, each when the one before has left the process. The request is being answered until then.
    /// - Parameters:
    ///   - offset: how much was sent.
    ///   - start: when it began: a client that reads hardly anything does not hold the answer for ever.
    func send(
        _ spooled: SpooledAnswer, from offset: Int, since start: NIODeadline, _ context: ChannelHandlerContext
    ) {
        let due = Int64(max(0, offset)) * 1_000_000_000 / Int64(limits.rate)
        guard context.channel.isActive, NIODeadline.now() - start <= TimeAmount(limits.idle) + .nanoseconds(due) else {
            return context.close(promise: nil)
        }
        guard offset < spooled.length else {
            state = .idle
            wait(limits.idle)
            writeEnd(context)
            return resume(context)
        }
        wait(limits.idle)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let part = NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) {
            try spooled.read(from: offset, atMost: ServerResponse.partSize)
        }
        part.whenComplete { part in
            guard let context = handler.value.context else { return }
            // What cannot be read any more ends the connection: the client sees that it has not all.
            guard case .success(let bytes) = part, bytes.readableBytes > 0 else { return context.close(promise: nil) }
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.whenSuccess {
                guard let context = handler.value.context else { return }
                handler.value.send(spooled, from: offset + bytes.readableBytes, since: start, context)
            }
            context.writeAndFlush(handler.value.wrapOutboundOut(.body(.byteBuffer(bytes))), promise: written)
        }
    }

    func writeHead(_ response: ServerResponse, to head: HTTPRequestHead?, _ context: ChannelHandlerContext) {
        var headers = response.headers
        if response.status.mayHaveResponseBody {
            headers.add(name: ServerResponse.Name.contentLength, value: String(response.length))
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
    }

    func writeEnd(_ context: ChannelHandlerContext) {
        unwritten += 1
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.noteWritten() }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        guard unwritten > 0 else { return }
        // Not all of it was taken at once: it goes on as the other side takes it.
        unsent = unsentBytes(context)
        if answerTicket == nil {
            let channel = context.channel
            answerTicket = answers.begin(network: nil) { channel.close(promise: nil) }
        }
        // Where nobody can give way, it waits all the same: the answer is there already.
        if let answerTicket { _ = answers.take(unsent, for: answerTicket) }
        wait(limits.answerWindow)
    }

    func noteWritten() {
        unwritten -= 1
        if unwritten == 0 { endAnswers() }
        guard let context, unwritten == 0 else { return }
        if case .idle = state {
            lease?.waits()
            isInHead = false
            wait(limits.idle)
        }
        endIfDone(context)
    }

    func endAnswers() {
        if let answerTicket { answers.end(answerTicket) }
        answerTicket = nil
    }

    /// How many bytes of answers are still in this process.
    func unsentBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
