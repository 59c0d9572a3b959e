internal import CMariaDB
import DequeModule
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One thread that runs everything which touches a connection: a connection's actor runs on it, its sockets are
/// watched by it, and libmariadb's non-blocking calls never make it wait.
///
/// A server may run whole request handlers on it (``DatabaseLoopActor``): between a handler and its connection there is
/// then no change of thread. Such work must not block and should be short, as on any event loop.
///
/// `@unchecked Sendable`: `ready`, `arrived`, `spare`, `alarms` and `nextDeadline` are touched on the loop's own thread alone
/// (``isOnLoop`` is checked wherever another thread may come from); `sources` too; `inbox` is behind a lock;
/// `poller`'s `wake` may be called from any thread.
public final class DatabaseLoop: SerialExecutor, @unchecked Sendable {
    enum Work {
        case actor(UnownedJob)
        case task(UnownedJob, UnownedTaskExecutor)
        case call(@Sendable () -> Void)
    }

    private let poller: Poller
    private let inbox = Mutex<[Work]>([])
    /// Takes the inbox's place while that is emptied, so that neither is made anew.
    private var spare: [Work] = []
    private let hasMail = Atomic<Bool>(false)
    private let isSleeping = Atomic<Bool>(false)
    /// What began on this thread: for the most part, what came from the database is to be handled.
    private var ready = Deque<Work>()
    /// What other threads handed in: for the most part, requests that begin.
    private var arrived = Deque<Work>()
    /// What is watched, by numbers that are given once.
    private var sources: [UInt64: SocketSource] = [:]
    private var lastNumber: UInt64 = 0
    private var alarms: [(at: Moment, call: @Sendable () -> Void)] = []
    /// No deadline of a socket or alarm is earlier than this.
    private var nextDeadline = Moment.never
    /// The loop's own thread; it writes this before anything else.
    private let thread = Atomic<UInt>(0)

    /// For `withTaskExecutorPreference`: runs a task's nonisolated work on this loop's thread.
    public let taskExecutor: any TaskExecutor

    /// Starts a loop and its thread, which lives as long as the process.
    public init() throws {
        poller = try Poller()
        mysql_server_init(0, nil, nil)
        let executor = LoopTaskExecutor()
        taskExecutor = executor
        executor.loop = self
        try Thread.start {
            self.thread.store(DatabaseLoop.currentThread, ordering: .relaxed)
            self.run()
        }
    }

    /// Whether the caller runs on this loop's thread.
    var isOnLoop: Bool { thread.load(ordering: .relaxed) == DatabaseLoop.currentThread }

    #if canImport(Darwin)
        private static var currentThread: UInt { UInt(bitPattern: pthread_self()) }
    #else
        private static var currentThread: UInt { UInt(pthread_self()) }
    #endif

    /// Runs an actor's job.
    public func enqueue(_ job: consuming ExecutorJob) {
        submit(.actor(UnownedJob(job)))
    }

    /// This executor, for actors.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Stops the process when the caller is elsewhere; called by the language where isolation is assumed.
    public func checkIsolated() {
        precondition(isOnLoop, "not on the MariaDB event loop")
    }

    /// Whether the caller is here, for who asks without insisting: a task that is to begin at once does so only where this
    /// is said.
    public func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    func submit(_ work: Work) {
        if isOnLoop {
            ready.append(work)
            return
        }
        inbox.withLock { $0.append(work) }
        hasMail.store(true, ordering: .sequentiallyConsistent)
        // The loop says that it sleeps before it looks for mail a last time: one of both sees the other.
        if isSleeping.exchange(false, ordering: .sequentiallyConsistent) { poller.wake() }
    }

    /// Calls on the loop's thread, soon.
    func call(_ body: @escaping @Sendable () -> Void) { submit(.call(body)) }

    /// Calls when all had their turn that have come from this thread and from others; on the loop's thread.
    func callBehindAll(_ body: @escaping @Sendable () -> Void) {
        takeMail()
        // Both are gone through in turn, each in its order.
        if arrived.count > ready.count { arrived.append(.call(body)) } else { ready.append(.call(body)) }
    }

    /// Calls on the loop's thread at about that time.
    func call(at moment: Moment, _ body: @escaping @Sendable () -> Void) {
        call {
            self.alarms.append((moment, body))
            self.nextDeadline = min(self.nextDeadline, moment)
        }
    }

    // MARK: On the loop's thread

    func add(_ source: SocketSource) {
        lastNumber += 1
        source.number = lastNumber
        sources[lastNumber] = source
        poller.add(source)
    }

    func remove(_ source: SocketSource) {
        guard sources.removeValue(forKey: source.number) != nil else { return }
        poller.remove(source)
        source.close()
        source.resume(WaitEvents.timeout)
    }

    /// Begins a wait whose deadline is set. Who waits comes right after: nothing returns to the loop in between.
    func arm(_ source: SocketSource, forWriting: Bool) {
        if forWriting != source.watchesWrites {
            source.watchesWrites = forWriting
            poller.update(source)
        }
        nextDeadline = min(nextDeadline, source.deadline)
    }

    /// Lets a wait end no later than that, if it is still the same wait.
    func shorten(_ source: SocketSource, wait: UInt64, to deadline: Moment) {
        guard source.isAwaited, source.wait == wait, deadline < source.deadline else { return }
        source.deadline = deadline
        nextDeadline = min(nextDeadline, deadline)
    }

    private func run() {
        while true {
            // A bound, so that tasks that keep each other busy do not starve the sockets.
            var budget = 64
            while budget > 0 {
                takeMail()
                // In turn: a request that begins gives the database something to do while answers are handled here. Where
                // it waited for all of them, the database would idle meanwhile, and this thread after that.
                let new = arrived.popFirst()
                if let new { perform(new) }
                let work = ready.popFirst()
                if let work { perform(work) }
                guard new != nil || work != nil else { break }
                budget -= 1
            }
            poll()
        }
    }

    private func takeMail() {
        guard hasMail.load(ordering: .relaxed), hasMail.exchange(false, ordering: .sequentiallyConsistent) else {
            return
        }
        inbox.withLock { swap(&$0, &spare) }
        arrived.append(contentsOf: spare)
        spare.removeAll(keepingCapacity: true)
    }

    private func perform(_ work: Work) {
        switch work {
        case .actor(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .task(let job, let executor): job.runSynchronously(on: executor)
        case .call(let body): body()
        }
    }

    private func poll() {
        var milliseconds: Int32 = 0
        if ready.isEmpty, arrived.isEmpty {
            milliseconds = -1
            if nextDeadline != .never {
                // Rounded up: to wake before the deadline would be to wake twice.
                let left = (nextDeadline.nanoseconds - Moment.now.nanoseconds + 999_999) / 1_000_000
                milliseconds = Int32(clamping: max(0, left))
            }
            isSleeping.store(true, ordering: .sequentiallyConsistent)
            if hasMail.load(ordering: .sequentiallyConsistent) { milliseconds = 0 }
        }
        poller.wait(milliseconds: milliseconds) { number, events in sources[number]?.handle(events) }
        isSleeping.store(false, ordering: .sequentiallyConsistent)
        if nextDeadline != .never { expire() }
    }

    /// Ends the waits whose time is over, and finds the next deadline. There are as many sockets as connections.
    private func expire() {
        let now = Moment.now
        guard now >= nextDeadline else { return }
        var next = Moment.never
        for source in sources.values where source.deadline != .never {
            if source.deadline <= now {
                source.resume(WaitEvents.timeout)
            } else {
                next = min(next, source.deadline)
            }
        }
        let due = alarms.filter { $0.at <= now }
        alarms.removeAll { $0.at <= now }
        for alarm in alarms { next = min(next, alarm.at) }
        nextDeadline = next
        for alarm in due { alarm.call() }
    }
}

/// Runs tasks on a loop's thread.
///
/// `@unchecked Sendable`: `loop` is written once, before the loop that owns this is handed to anyone.
private final class LoopTaskExecutor: TaskExecutor, @unchecked Sendable {
    unowned(unsafe) var loop: DatabaseLoop?

    func enqueue(_ job: consuming ExecutorJob) {
        loop?.submit(.task(UnownedJob(job), asUnownedTaskExecutor()))
    }

    func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }
}
