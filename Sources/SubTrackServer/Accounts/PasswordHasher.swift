import DequeModule
import Foundation
import Passwords
import SubTrackAPI
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Makes and compares slow hashes of passwords, on threads of its own that leave a core to everything else.
///
/// Each tenant and address has a queue, and each larger network a group of queues. The groups are served in turn, and
/// the queues within a group. One caller that sends five hundred sign-ins from as many addresses of its network delays
/// those of other networks by one hash each. Beyond a bound it is 429. Some places are kept for devices that their
/// account knows: strangers who take all the others do not keep an owner out.
final class PasswordHasher: Sendable {
    /// How many hashes are made at once, and how many may wait.
    struct Bounds: Sendable {
        /// Threads that hash; never all cores.
        var threads = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
        /// How many may wait, of all queues together.
        var waiting = 128
        /// How many of these places are for reserved queues alone.
        var reserved: Int { waiting / 8 }
        /// How many may wait in one queue.
        var waitingInQueue = 24
        /// How many may wait in one group of queues.
        var waitingInGroup = 48

        init() {}
    }

    /// Where somebody waits.
    struct Queue: Sendable, Hashable {
        /// Whose it is.
        let name: String
        /// The network that has turns; its queues share them.
        let group: String
        /// Whether it may take the places that are kept.
        let isReserved: Bool

        /// A queue; without a group it is one of its own.
        init(_ name: String, group: String? = nil, isReserved: Bool = false) {
            self.name = name
            self.group = group ?? name
            self.isReserved = isReserved
        }
    }

    private struct Job {
        let id: UInt64
        let work: @Sendable () -> Void
        let abandon: @Sendable () -> Void
    }

    /// The queues of a group that have jobs.
    private struct Group {
        /// The next one first.
        var turns: Deque<Queue> = []
        /// How many jobs they have together.
        var waiting = 0
    }

    private struct State {
        var queues: [Queue: Deque<Job>] = [:]
        var groups: [String: Group] = [:]
        /// The groups that have jobs, the next one first.
        var turns: Deque<String> = []
        var waiting = 0
        var threads = 0
        var nextID: UInt64 = 0
    }

    /// Rounds of new hashes.
    let rounds: Int
    private let bounds: Bounds
    private let state = Mutex(State())

    /// A hasher whose threads start when there is something to do, and end when there is not.
    init(rounds: Int = PasswordHash.Current.iterations, bounds: Bounds = Bounds()) {
        self.rounds = rounds
        self.bounds = bounds
    }

    /// How many hashes wait for a thread.
    var waiting: Int { state.withLock { $0.waiting } }

    /// The hash of a password, with a fresh salt.
    /// - Throws: `rate_limited` when too many wait; `CryptographyError`; `CancellationError`.
    func hash(_ password: Password, queue: Queue) async throws -> PasswordHash {
        let rounds = rounds
        return try await run(queue) { try PasswordHash(of: password, iterations: rounds) }
    }

    /// Whether a password has this hash. Without a hash it takes as long, and it has not; so does a wrong one where the
    /// hash has fewer rounds than today's.
    /// - Throws: `rate_limited` when too many wait; `CryptographyError`; `CancellationError`.
    func matches(_ password: Password, _ hash: PasswordHash?, queue: Queue) async throws -> Bool {
        let rounds = rounds
        return try await run(queue) {
            let isKnown = hash != nil
            let compared = try hash ?? PasswordHash.decoy(iterations: rounds)
            let isMatch = try compared.matches(password)
            if !isMatch, compared.iterations < rounds {
                _ = try PasswordHash.decoy(iterations: rounds - compared.iterations).matches(password)
            }
            return isMatch && isKnown
        }
    }

    /// Runs a body on one of the threads, when it is the queue's turn.
    func run<Result: Sendable>(
        _ queue: Queue, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Result, any Error>) in
                let job = Job(
                    id: id, work: { continuation.resume(with: Swift.Result { try body() }) },
                    abandon: { continuation.resume(throwing: CancellationError()) })
                switch add(job, to: queue) {
                case .waits: if Task.isCancelled { abandon(id, in: queue) }
                case .startsThread: startThread()
                case .refused(let seconds):
                    continuation.resume(
                        throwing: Problem.rateLimited(
                            "Too many people are signing in at the moment; try again shortly.", retryAfter: seconds))
                }
            }
        } onCancel: {
            abandon(id, in: queue)
        }
    }

    private enum Admission {
        case waits, startsThread
        /// There is no room; there may be in so many seconds.
        case refused(Int)
    }

    private func add(_ job: Job, to queue: Queue) -> Admission {
        state.withLock { state in
            let own = state.queues[queue]?.count ?? 0
            var group = state.groups[queue.group] ?? Group()
            let places = bounds.waiting - (queue.isReserved ? 0 : bounds.reserved)
            guard state.waiting < places, own < bounds.waitingInQueue, group.waiting < bounds.waitingInGroup else {
                // A hash takes some tenths of a second.
                return .refused(1 + state.waiting / (4 * bounds.threads))
            }
            if group.waiting == 0 { state.turns.append(queue.group) }
            if own == 0 { group.turns.append(queue) }
            group.waiting += 1
            state.groups[queue.group] = group
            state.queues[queue, default: []].append(job)
            state.waiting += 1
            guard state.threads < bounds.threads else { return .waits }
            state.threads += 1
            return .startsThread
        }
    }

    /// Takes a job back that nobody waits for any more; nothing when it has begun.
    private func abandon(_ id: UInt64, in queue: Queue) {
        let job = state.withLock { state -> Job? in
            guard let index = state.queues[queue]?.firstIndex(where: { $0.id == id }) else { return nil }
            let job = state.queues[queue]?.remove(at: index)
            state.waiting -= 1
            state.groups[queue.group]?.waiting -= 1
            if state.queues[queue]?.isEmpty == true {
                state.queues[queue] = nil
                state.groups[queue.group]?.turns.removeAll { $0 == queue }
            }
            if state.groups[queue.group]?.waiting == 0 {
                state.groups[queue.group] = nil
                state.turns.removeAll { $0 == queue.group }
            }
            return job
        }
        job?.abandon()
    }

    private func startThread() {
        let thread = Thread { [self] in
            Self.lowerPriority()
            while let job = next() { job.work() }
        }
        thread.name = "passwords"
        thread.stackSize = 512 * 1024
        thread.start()
    }

    /// The next job, of the queue whose turn it is; nil ends the thread.
    private func next() -> Job? {
        state.withLock { state in
            guard let name = state.turns.popFirst(), var group = state.groups[name],
                let queue = group.turns.popFirst(), let job = state.queues[queue]?.popFirst()
            else {
                state.threads -= 1
                return nil
            }
            state.waiting -= 1
            group.waiting -= 1
            if state.queues[queue]?.isEmpty == true {
                state.queues[queue] = nil
            } else {
                group.turns.append(queue)
            }
            state.groups[name] = group.waiting == 0 ? nil : group
            if group.waiting > 0 { state.turns.append(name) }
            return job
        }
    }

    /// A caller that waits for a page goes before one that signs in.
    private static func lowerPriority() {
        #if os(Linux)
            // On Linux the nice value is the thread's (setpriority(2), "C library/kernel differences").
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #else
            Thread.current.qualityOfService = .utility
        #endif
    }
}

extension PasswordHasher.Queue: ExpressibleByStringLiteral {
    init(stringLiteral name: String) { self.init(name) }
}
