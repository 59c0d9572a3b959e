/// A connection's socket, as the loop watches it.
///
/// It is watched by a descriptor of its own. libmariadb closes its own one as soon as it gives a connection up, in the middle
/// of a call; the number then is the next connection's, and what was meant for the old one would be done to the new.
///
/// `@unchecked Sendable`: every member but `descriptor` is read and written on the loop's thread alone; the session,
/// an actor whose executor is that loop, and the loop itself are the only ones that touch them. The last reference may go on
/// any thread; nobody else has one then.
final class SocketSource: @unchecked Sendable {
    /// What the poller saw.
    struct Events {
        var isReadable = false
        var isWritable = false
        var isClosed = false
    }

    let descriptor: Int32
    /// The loop's number for it, from ``DatabaseLoop/add(_:)`` on.
    var number: UInt64 = 0
    private let loop: DatabaseLoop
    private let readiness = Readiness()
    /// Whether somebody waits.
    var isAwaited: Bool { readiness.executor.isAwaited }
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

    private var isOpen = true

    /// A socket that is watched by that loop from ``DatabaseLoop/add(_:)`` on. The descriptor is the source's from now on.
    init(descriptor: Int32, loop: DatabaseLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    deinit { close() }

    /// Closes the descriptor. The connection itself ends with libmariadb's.
    func close() {
        guard isOpen else { return }
        isOpen = false
        Socket.close(descriptor)
    }

    /// Waits for what happens next, or for `end`; what was missed happens at once. On the loop's thread.
    /// - Returns: a set of libmariadb's `MYSQL_WAIT_…` bits.
    func wait(forWriting: Bool, until end: Moment) async -> Int32 {
        guard missed == 0 else {
            defer { missed = 0 }
            return missed
        }
        deadline = end
        loop.arm(self, forWriting: forWriting)
        return await readiness.events()
    }

    /// Ends the wait, if there is one.
    func resume(_ events: Int32) {
        guard isAwaited else { return }
        deadline = .never
        readiness.executor.run(events, on: loop)
    }

    /// What the poller saw.
    func handle(_ events: Events) {
        if events.isClosed { isClosedByPeer = true }
        let bits =
            (events.isReadable || events.isClosed ? WaitEvents.read : 0)
            | (events.isWritable || events.isClosed ? WaitEvents.write : 0)
        if isAwaited {
            resume(bits)
        } else if !isQuiet {
            missed |= bits
        } else if events.isReadable || events.isClosed, let notify = onUnexpectedEvent {
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
