import Foundation
import Logging
import NIOCore

/// Stops accepting connections for a moment when the process has no descriptor left for one.
///
/// The connections wait in the system's queue meanwhile. Without the pause the thread would ask for them without end, for the
/// system goes on to say that they are there.
final class AcceptGuard: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let pause: TimeAmount
    private let logger: Logger
    private var isPaused = false
    private var lastSaid: NIODeadline?

    /// A guard of a listening channel.
    init(logger: Logger, pause: Duration = .milliseconds(200)) {
        self.logger = logger
        self.pause = TimeAmount(pause)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        guard !isPaused else { return }
        isPaused = true
        if lastSaid.map({ .now() - $0 > .seconds(60) }) ?? true {
            lastSaid = .now()
            logger.error(
                "No connection can be accepted for a moment: the process has too many files open (ulimit -n)",
                metadata: ["error": "\(error)"])
        }
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        let channel = context.channel
        context.eventLoop.assumeIsolated().scheduleTask(in: pause) {
            self.isPaused = false
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
