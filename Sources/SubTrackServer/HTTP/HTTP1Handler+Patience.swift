import NIOCore

// The time that a connection has for each of its steps.
extension HTTP1Handler {
    /// The time in which more of a body must come.
    var bodyWindow: Duration { isStopping ? limits.closing : limits.bodyWindow }

    func wait(_ time: Duration) {
        deadline = .now() + TimeAmount(time)
        guard deadline < timerEnd, let context, timer != nil else { return }
        timer?.cancel()
        schedule(context)
    }

    /// A timer that lasts: to set a deadline that is later than the one before is then to write a number.
    func schedule(_ context: ChannelHandlerContext) {
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        timerEnd = min(deadline, .now() + TimeAmount(limits.idle))
        timer = context.eventLoop.scheduleTask(deadline: timerEnd) { handler.value.look() }
    }

    func look() {
        guard let context else { return }
        if deadline <= .now() {
            guard goesOn(context) else { return HandshakeGuard.close(context.channel) }
        }
        schedule(context)
    }

    /// Whether what is under way went on as fast as it must, so that it gets more time.
    func goesOn(_ context: ChannelHandlerContext) -> Bool {
        if unwritten > 0 {
            let left = unsentBytes(context)
            guard left + limits.answerPace <= unsent else { return false }
            unsent = left
            deadline = .now() + TimeAmount(isStopping ? limits.closing : limits.answerWindow)
            return true
        }
        switch state {
        case .body, .drained:
            guard paced >= limits.bodyPace, !isStopping else { return false }
            paced = 0
            deadline = .now() + TimeAmount(limits.bodyWindow)
            return true
        default: return false
        }
    }
}
