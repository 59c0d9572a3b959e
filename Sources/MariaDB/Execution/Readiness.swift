import Synchronization

/// What a session awaits while its server is silent: an actor that is reached when the loop says so.
///
/// A continuation would do the same, but Swift (6.3) resumes one by way of its concurrent pool, from which the task then goes
/// back to its actor: two changes of thread for each answer of the database. A call of an actor stays on the thread of the
/// actor's executor, and this one keeps the call until the loop runs it: as one of its own jobs, so that the session, which
/// is on the loop too, goes on at once and not behind all others whose answers came in the same moment.
actor Readiness {
    nonisolated let executor = ReadinessExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns, when it was called, what ``ReadinessExecutor/run(_:on:)`` was told.
    ///
    /// Not inlined, for of a call without a body the compiler leaves out the way to the actor and back.
    @inline(never)
    func events() -> Int32 { executor.events }
}

/// Keeps the one call that waits.
///
/// `@unchecked Sendable`: the session, which runs on the loop, is the only one that calls, and `job` is touched on the loop's
/// thread alone.
final class ReadinessExecutor: SerialExecutor, @unchecked Sendable {
    private var job: UnownedJob?
    /// What happened last: a set of libmariadb's `MYSQL_WAIT_…` bits.
    private(set) var events: Int32 = 0

    /// Whether somebody waits.
    var isAwaited: Bool { job != nil }

    func enqueue(_ job: consuming ExecutorJob) {
        // A session does one thing at a time; a second call would lose the first.
        precondition(self.job == nil, "two calls wait for one socket")
        self.job = UnownedJob(job)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Tells who waits what happened, and lets them go on, soon, on the loop's thread.
    func run(_ events: Int32, on loop: DatabaseLoop) {
        guard let job else { return }
        self.job = nil
        self.events = events
        loop.submit(.actor(job))
    }
}

/// A value that comes later, from whichever thread, to one who waits for it on a loop's thread: what a continuation is, but Swift
/// (6.3) resumes one by way of its concurrent pool, from which the task then goes back to its actor: two changes of thread.
package actor PendingValue<Value: Sendable> {
    private nonisolated let executor: PendingExecutor
    private nonisolated let result = Mutex<Result<Value, any Error>?>(nil)
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A value that is handed over on this loop's thread.
    package init(on loop: DatabaseLoop) { executor = PendingExecutor(loop: loop) }

    /// The value, as soon as it is there. To be asked for once.
    /// - Throws: what ``resume(with:)`` was told.
    @inline(never)
    package func value() throws -> Value {
        guard let result = result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }

    /// Says what the value is. The first time counts.
    package nonisolated func resume(with value: Result<Value, any Error>) {
        let isFirst = result.withLock { result in
            guard result == nil else { return false }
            result = value
            return true
        }
        if isFirst { executor.open() }
    }
}

/// Keeps a call until it is told that it may run.
private final class PendingExecutor: SerialExecutor {
    private struct State {
        var job: UnownedJob?
        var isOpen = false
    }

    private let loop: DatabaseLoop
    private let state = Mutex(State())

    init(loop: DatabaseLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isOpen = state.withLock { state in
            // A second call would lose the first.
            precondition(state.job == nil, "two calls wait for one value")
            if !state.isOpen { state.job = job }
            return state.isOpen
        }
        if isOpen { loop.submit(.actor(job)) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func open() {
        let job = state.withLock { state in
            defer { state.job = nil }
            state.isOpen = true
            return state.job
        }
        if let job { loop.submit(.actor(job)) }
    }
}
