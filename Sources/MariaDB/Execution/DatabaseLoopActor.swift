/// The isolation of work that runs on one loop's thread.
///
/// Connections are actors on the same thread: between what is isolated to this actor and a connection there is no change of
/// executor, and nothing of one to look up, as there would be with `withTaskExecutorPreference`.
public actor DatabaseLoopActor {
    /// The loop that it is about.
    public nonisolated let loop: DatabaseLoop

    init(loop: DatabaseLoop) { self.loop = loop }

    /// The loop's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Begins a task on the loop's thread, soon; it stays there.
    ///
    /// The task is handed this actor: a closure that is isolated to it has nowhere else to go, which one that only takes its
    /// caller's isolation has (Swift 6.3 runs it on the concurrent pool where it is made in a synchronous function).
    public nonisolated func start(_ operation: @escaping @Sendable (isolated DatabaseLoopActor) async -> Void) {
        loop.call { self.assumeIsolated { $0.begin(operation) } }
    }

    /// Runs something on the loop's thread for a caller who waits for it.
    /// - Throws: what `operation` throws.
    public nonisolated func run<Result: Sendable>(
        _ operation: @Sendable (isolated DatabaseLoopActor) async throws -> Result
    ) async rethrows -> Result {
        try await operation(self)
    }

    /// Lets all that has come to the loop's thread by now have its turn before the caller goes on. `Task.yield()` would do so by way
    /// of the concurrent pool: two changes of thread for whoever is alone.
    public func yield() async {
        let turn = PendingValue<Void>(on: loop)
        loop.callBehindAll { turn.resume(with: .success(())) }
        // It is told no error.
        try? await turn.value()
    }

    private func begin(_ operation: @escaping @Sendable (isolated DatabaseLoopActor) async -> Void) {
        if #available(macOS 26, iOS 26, *) {
            // Here and now: who comes from another thread had a turn already.
            Task.immediate { await operation(self) }
        } else {
            Task { await operation(self) }
        }
    }
}
