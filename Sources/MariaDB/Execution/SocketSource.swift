/// A connection's socket, as the loop watches it.
///
/// `@unchecked Sendable`: every member but `descriptor` is read and written on the loop's thread alone; the session,
/// an actor whose executor is that loop, and the loop itself are the only ones that touch them.
final class SocketSource: @unchecked Sendable {
    let descriptor: Int32
    /// Resumed with what happened: a set of libmariadb's `MYSQL_WAIT_…` bits.
    private var continuation: UnsafeContinuation<Int32, Never>?
    /// Whether somebody waits.
    var isAwaited: Bool { continuation != nil }
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
    /// What was seen while a statement was under way and nobody waited: the poller tells each change only once, so the
    /// next wait has to know of it. It may be stale, which costs one attempt to read.
    private var missed: Int32 = 0
    /// Called, once, when that happens while nobody waits.
    var onUnexpectedEvent: (@Sendable () -> Void)?

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Begins a wait; it ends at once when something was missed.
    func wait(_ waiting: UnsafeContinuation<Int32, Never>, until end: Moment) {
        guard missed == 0 else {
            defer { missed = 0 }
            waiting.resume(returning: missed)
            return
        }
        continuation = waiting
        deadline = end
    }

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
        let events = (readable || closed ? WaitEvents.read : 0) | (writable || closed ? WaitEvents.write : 0)
        if continuation != nil {
            resume(events)
        } else if !isQuiet {
            missed |= events
        } else if readable || closed, let notify = onUnexpectedEvent {
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
