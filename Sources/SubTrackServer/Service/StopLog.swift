import Logging
import Synchronization
import UnixSignals

/// The log of a stop: the signal, the connections that are open, and the end.
final class StopLog: Sendable {
    private let logger: Logger
    private let begin = Mutex<ContinuousClock.Instant?>(nil)

    init(_ logger: Logger) { self.logger = logger }

    /// Logs each signal that stops the service.
    func watch(_ signals: [UnixSignal]) async {
        for await signal in await UnixSignalsSequence(trapping: signals) {
            noteBegin()
            logger.notice("\(signal) received")
        }
    }

    /// Logs that the service stops.
    /// - Parameters:
    ///   - http: the number of open HTTP connections, which may finish their requests.
    ///   - sockets: the number of open sockets, which are closed.
    ///   - limit: the longest time that requests may take.
    func begins(http: Int, sockets: Int, limit: Duration) {
        noteBegin()
        logger.notice(
            "The service stops: it takes no new connections, and finishes requests for at most \(limit.components.seconds) s",
            metadata: ["httpConnections": "\(http)", "sockets": "\(sockets)"])
    }

    /// Logs that the service has stopped. A service that was stopped while it started has no connections.
    /// - Parameter cut: the number of HTTP connections that were closed before their requests were finished.
    func ended(cut: Int = 0) {
        let begin = begin.withLock { $0 } ?? .now
        let milliseconds = Int(((ContinuousClock.now - begin) / .milliseconds(1)).rounded())
        let connections = cut == 0 ? "all connections were drained" : "\(cut) connections were cut"
        logger.notice("Stopped in \(milliseconds) ms; \(connections)")
    }

    private func noteBegin() { begin.withLock { $0 = $0 ?? .now } }
}
