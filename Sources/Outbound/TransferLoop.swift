import CCurl
import Foundation
import Synchronization

/// A thread that runs transfers side by side, on libcurl's multi interface.
///
/// The thread begins with the first transfer. After a time without any it closes kept connections and ends. ``stop()`` ends
/// it at once, with all transfers.
final class TransferLoop: Sendable {
    /// Bounds of a loop.
    struct Bounds: Sendable {
        /// Transfers at once.
        var transfers = 64
        /// Transfers at once to one host.
        var transfersPerHost = 2
        /// Connections that are kept for later transfers.
        var keptConnections = 16
        /// The time without a byte, after the first of an answer, that ends a transfer.
        var silence = Duration.seconds(5)
        /// The time without transfers after which the thread ends.
        var rest = Duration.seconds(60)
    }

    /// Unchecked: libcurl allows `curl_multi_wakeup` from any thread. All else is done by the loop's thread.
    private struct Multi: @unchecked Sendable {
        let handle: UnsafeMutableRawPointer
    }

    private struct State {
        var incoming: [Transfer] = []
        /// The handle, while the thread runs.
        var multi: Multi?
        var sockets: SocketTable?
        var isStopped = false
        /// Those that wait for the thread's end.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let bounds: Bounds
    private let name: String

    /// A loop without a thread.
    init(name: String, bounds: Bounds) {
        self.name = name
        self.bounds = bounds
    }

    /// Whether the thread runs.
    var isRunning: Bool { state.withLock { $0.multi != nil } }

    /// The number of open sockets.
    var socketCount: Int { state.withLock { $0.sockets?.count ?? 0 } }

    /// Queues a transfer. Its end is told to itself.
    func submit(_ transfer: Transfer) {
        let fault: OutboundFault? = state.withLock { state in
            guard !state.isStopped else { return .closed }
            if let multi = state.multi {
                state.incoming.append(transfer)
                curl_multi_wakeup(multi.handle)
                return nil
            }
            guard Curl.hasStarted, let handle = curl_multi_init() else { return .broken("libcurl does not start") }
            let multi = Multi(handle: handle)
            let sockets = SocketTable()
            state.multi = multi
            state.sockets = sockets
            state.incoming.append(transfer)
            let thread = Thread { self.run(multi, sockets) }
            thread.name = name
            thread.start()
            return nil
        }
        if let fault { transfer.fail(fault) }
    }

    /// Has the loop look at its transfers: one was cancelled.
    func wake() {
        state.withLock { state in
            if let multi = state.multi { curl_multi_wakeup(multi.handle) }
        }
    }

    /// Ends all transfers and, soon, the thread. Nothing is sent from now on.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.sockets?.shut()
            if let multi = state.multi { curl_multi_wakeup(multi.handle) }
        }
    }

    /// Waits for the end of the thread.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                if state.multi != nil { state.waiters.append(continuation) }
                return state.multi != nil
            }
            if !isRunning { continuation.resume() }
        }
    }

    // MARK: The thread

    private func run(_ multi: Multi, _ sockets: SocketTable) {
        // A connection that the other side has closed is a fault of that transfer, not the process's end.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        _ = subtrackit_curl_multi_set_long(multi.handle, CURLMOPT_MAXCONNECTS, bounds.keptConnections)

        var queue = TransferQueue(bounds: bounds)
        var resting: ContinuousClock.Instant?
        while true {
            let (incoming, isOver) = next(queue.isEmpty ? resting : nil)
            queue.add(incoming)
            if isOver { break }
            queue.removeCancelled(multi.handle)
            queue.start(multi.handle, sockets)
            var running: Int32 = 0
            curl_multi_perform(multi.handle, &running)
            let hasEnded = queue.finish(multi.handle)
            queue.removeOverdue(multi.handle)
            if !queue.isEmpty { resting = nil } else if resting == nil { resting = .now }
            if hasEnded, !queue.isEmpty { continue }
            let wait: Int32 = queue.isEmpty ? Int32(clamping: bounds.rest.components.seconds * 1000 + 50) : 500
            curl_multi_poll(multi.handle, nil, 0, wait, nil)
        }
        queue.failAll(multi.handle)
        // No farewell to mail servers: libcurl would wait for its answer.
        sockets.shut()
        curl_multi_cleanup(multi.handle)
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The transfers that have come, and whether the thread is to end.
    /// - Parameter resting: since when there is nothing to do.
    private func next(_ resting: ContinuousClock.Instant?) -> (transfers: [Transfer], isOver: Bool) {
        state.withLock { state in
            let incoming = state.incoming
            state.incoming = []
            let hasRested = incoming.isEmpty && resting.map { .now - $0 >= bounds.rest } ?? false
            // From here on nobody wakes this handle, and a new transfer gets a thread of its own.
            if state.isStopped || hasRested { state.multi = nil }
            return (incoming, state.multi == nil)
        }
    }
}
