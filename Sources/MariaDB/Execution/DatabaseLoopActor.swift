/// The isolation of work that runs on one loop's thread.
///
/// Connections are actors on the same thread: between what is isolated to this actor and a connection there is no change of
/// executor, and nothing of one to look up, as there would be with `withTaskExecutorPreference`.
public actor DatabaseLoopActor {
    /// The loop that it is about.
    public nonisolated let loop: DatabaseLoop
    /// Counted because a method that touches nothing of its actor is entered without the way to its thread (Swift 6.3).
    private var runs: UInt64 = 0

    init(loop: DatabaseLoop) { self.loop = loop }

    /// The loop's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Begins a task on the loop's thread, soon; it stays there.
    public nonisolated func start(_ operation: @escaping @Sendable () async -> Void) {
        loop.call { self.assumeIsolated { $0.begin(operation) } }
    }

    /// Runs something on the loop's thread for a caller who waits for it.
    /// - Throws: what `operation` throws.
    public func run<Result: Sendable>(_ operation: @Sendable () async throws -> Result) async rethrows -> Result {
        runs &+= 1
        return try await operation()
    }

    private func begin(_ operation: @escaping @Sendable () async -> Void) {
        if #available(macOS 26, iOS 26, *) {
            // Here and now: who comes from another thread had a turn already.
            Task.immediate {
                _ = self
                await operation()
            }
        } else {
            Task {
                _ = self
                await operation()
            }
        }
    }
}
