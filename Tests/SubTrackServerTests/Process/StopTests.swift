import Logging
import ServiceLifecycle
import TestTraits
import Testing

@testable import SubTrackServer

/// A stop that meets services in the middle of their work.
@Suite("Stopping", .ownTime)
struct StopTests {
    /// A service that takes its stop for an occasion to have another one end first.
    private struct Slow: Service {
        let onStop: @Sendable () async -> Void

        func run() async throws {
            try await gracefulShutdown()
            await onStop()
        }
    }

    @Test("Preparations that are done while the listeners stop do not make the stop fail")
    func preparedMeanwhile() async throws {
        let (work, done) = AsyncStream.makeStream(of: Void.self)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let preparation = CancelledOnShutdown(mayEnd: true) {
            started.finish()
            for await _ in work {}
            ended.finish()
        }
        let listener = Slow {
            done.finish()
            for await _ in ends {}
            // The group hears of it.
            for _ in 0..<1000 { await Task.yield() }
        }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let group = ServiceGroup(services: [preparation, listener], logger: logger)
        let run = Task { try await group.run() }
        for await _ in starts {}
        await group.triggerGracefulShutdown()
        await #expect(throws: Never.self, "the stop ends well") { try await run.value }
    }
}
