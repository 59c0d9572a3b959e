import NIOCore
import NIOHTTP1

// Going on to the next request, or to the end of the connection.
extension HTTP1Handler {
    /// Goes on with what came meanwhile, and then reads again.
    func resume(_ context: ChannelHandlerContext) {
        while !isBusy, let part = waiting.popFirst() { take(part, context) }
        // Without a context it is no longer this one's.
        guard !isBusy, self.context != nil else { return }
        settle(context)
        guard !isAdmitting else { return }
        if failure != nil { refuseMalformed(context) }
        endIfDone(context)
        if isReadHeldBack {
            isReadHeldBack = false
            context.read()
        }
    }

    /// Closes a connection on which nothing more is to be expected.
    func endIfDone(_ context: ChannelHandlerContext) {
        guard isLast, failure == nil, waiting.isEmpty, unwritten == 0 else { return }
        switch state {
        case .idle: close(context)
        // The rest of this request will not come.
        case .body where isInputClosed, .drained where isInputClosed, .closing where isInputClosed:
            HandshakeGuard.close(context.channel)
        default: break
        }
    }

    /// Tells the client that nothing more comes, and closes when the client does. Closing at once would take the answer away
    /// from a client that is still sending (RFC 9112 §9.6).
    func close(_ context: ChannelHandlerContext) {
        state = .closing
        waiting.removeAll()
        context.close(mode: isInputClosed ? .all : .output, promise: nil)
        wait(limits.closing)
        timer?.cancel()
        schedule(context)
    }
}
