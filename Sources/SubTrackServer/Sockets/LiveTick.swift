import ServiceLifecycle

/// Does some work again and again while the service runs, with a pause between.
struct LiveTick: Service {
    let interval: Duration
    let work: @Sendable () async -> Void

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    try await Task.sleep(for: interval)
                    await work()
                }
            }
        } catch is CancellationError {
            // That is how it ends.
        }
    }
}
