/// A connection's socket, as the loop watches it.
///
/// `@unchecked Sendable`: every member but `descriptor` is read and written on the loop's thread alone; the session,
/// an actor whose executor is that loop, and the loop itself are the only ones that touch them.
final class SocketSource: @unchecked Sendable {
    let descriptor: Int32
    /// Resumed with what happened: a set of libmariadb's `MYSQL_WAIT_…` bits.
    var continuation: UnsafeContinuation<Int32, Never>?
    /// When the wait ends with `MYSQL_WAIT_TIMEOUT`.
    var deadline = Moment.never
    /// Counts waits, so that a late cancellation does not touch the next one.
    var wait: UInt64 = 0
    /// Whether the socket is also watched for room to write.
    var watchesWrites = false
    /// Whether no statement is under way, so that anything the server sends means that it is leaving.
    var isQuiet = true
    /// The server closed its side, or wrote although nothing was asked.
    var isClosedByPeer = false
    /// Called, once, when that happens while nobody waits.
    var onUnexpectedEvent: (@Sendable () -> Void)?

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Ends the wait, if there is one.
    func resume(_ events: Int32) {
        guard let waiting = continuation else { return }
        continuation = nil
        deadline = .never
        waiting.resume(returning: events)
    }

    /// What the poller saw.
    func handle(readable: Bool, writable: Bool, closed: Bool) {
        if closed { isClosedByPeer = true }
        if continuation != nil {
            resume((readable || closed ? WaitEvents.read : 0) | (writable || closed ? WaitEvents.write : 0))
        } else if isQuiet, readable || closed, let notify = onUnexpectedEvent {
            // What it says is an error without a question: a kill, a shutdown, an idle time that is over.
            isClosedByPeer = true
            onUnexpectedEvent = nil
            notify()
        }
    }
}

/// libmariadb's `MYSQL_WAIT_…` (mysql.h), which Swift would see as macros.
enum WaitEvents {
    static let read: Int32 = 1
    static let write: Int32 = 2
    static let timeout: Int32 = 8
}
