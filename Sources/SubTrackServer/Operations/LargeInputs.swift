import DequeModule
import Foundation
import MariaDB
import SubTrackAPI
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Threads that scan and decode large inputs, so that neither the database's loops nor those of connections wait for them.
///
/// Each network has a queue of its own. The queues are served in turn: a network that sends hundreds of large inputs delays
/// the others by one of them each. The number of waiting inputs is bounded.
final class LargeInputs: Sendable {
    /// Sizes and numbers.
    struct Bounds: Sendable {
        /// An input of more bytes is large. One of this size takes less than 5 ms to read.
        var size = 16 << 10
        /// Threads that read; one core is left to everything else.
        var threads = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
        /// How many may wait, of all networks together.
        var waiting = 512
        /// How many of one network may wait.
        var waitingOfNetwork = 256
    }

    /// Where one large input is read.
    struct Place: Sendable {
        fileprivate let inputs: LargeInputs
        fileprivate let network: String

        /// Runs a body on one of the threads, in its network's turn.
        /// - Throws: `unavailable` where too many wait; the errors of the body.
        func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
            // A continuation would go on by way of the concurrent pool.
            let result = PendingValue<Result>(on: DatabaseLoopGroup.shared.here.loop)
            guard inputs.submit(of: network, { result.resume(with: Swift.Result { try body() }) }) else {
                throw LargeInputs.tooMany
            }
            return try await result.value()
        }
    }

    private struct State {
        var queues: [String: Deque<@Sendable () -> Void>] = [:]
        /// The networks that have a queue, the next one first.
        var turns: Deque<String> = []
        var waiting = 0
        var threads = 0
        var begun = 0
    }

    let bounds: Bounds
    private let state = Mutex(State())

    /// Threads start when there is something to do, and end when there is not.
    init(bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// The problem of an input for which there is no room.
    static let tooMany = Problem(
        .unavailable, "Too many large inputs wait to be read; try again in a moment, or send less at once.")

    /// How many jobs were begun since the start.
    var begun: Int { state.withLock { $0.begun } }

    /// How many jobs wait.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Where an input is read; nil for one that is small enough to be read where it came.
    /// - Parameter network: the sender's, asked for where it is needed.
    func place(size: Int, network: @autoclosure () -> String) -> Place? {
        size > bounds.size ? Place(inputs: self, network: network()) : nil
    }

    /// Queues a job.
    /// - Returns: false where too many wait: it will not run.
    func submit(of network: String, _ job: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, startsThread) = state.withLock { state -> (Bool, Bool) in
            let own = state.queues[network]?.count ?? 0
            guard state.waiting < bounds.waiting, own < bounds.waitingOfNetwork else { return (false, false) }
            if own == 0 { state.turns.append(network) }
            state.queues[network, default: []].append(job)
            state.waiting += 1
            guard state.threads < bounds.threads else { return (true, false) }
            state.threads += 1
            return (true, true)
        }
        if startsThread { startThread() }
        return isTaken
    }

    private func startThread() {
        let thread = Thread { [self] in
            Self.lowerPriority()
            while let job = next() { job() }
        }
        thread.name = "inputs"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// The next job, of the network whose turn it is; nil ends the thread.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let network = state.turns.popFirst(), let job = state.queues[network]?.popFirst() else {
                state.threads -= 1
                return nil
            }
            state.waiting -= 1
            state.begun += 1
            if state.queues[network]?.isEmpty == true {
                state.queues[network] = nil
            } else {
                state.turns.append(network)
            }
            return job
        }
    }

    /// Small requests go before large ones.
    private static func lowerPriority() {
        #if os(Linux)
            // On Linux the nice value is the thread's (setpriority(2), "C library/kernel differences").
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        #else
            Thread.current.qualityOfService = .utility
        #endif
    }
}
