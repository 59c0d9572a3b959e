/// The isolation of work that runs on the shared loop's thread (``DatabaseLoop/shared``).
///
/// Connections are actors on the same thread: between what is isolated to this actor and a connection there is no change of
/// executor, and nothing of one to look up, as there would be with `withTaskExecutorPreference`.
@globalActor
public actor DatabaseLoopActor {
    /// The one instance.
    public static let shared = DatabaseLoopActor()

    private nonisolated let loop = DatabaseLoop.shared

    /// The loop's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
}
