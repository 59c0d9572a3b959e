import Foundation
import Logging

extension EmbeddedServer {
    /// Keeps the server running until the calling task is cancelled or `stop()` is called; then stops it in order.
    ///
    /// A server that dies is logged and started again, at once the first time. If it dies again, the pauses grow up to
    /// 30 s.
    public func run() async throws {
        var backoff = RestartBackoff()
        while !isStopping, !Task.isCancelled, let child {
            let since = ContinuousClock.now
            guard let status = await child.exit(), !isStopping else { break }
            var wait = backoff.next(after: ContinuousClock.now - since)
            logger.error(
                "The database ended unexpectedly; starting it again.",
                metadata: [
                    "process": "\(child.pid)", "end": "\(status)", "in": "\(wait)",
                    "lastErrors": .array(lastErrors().map { .string($0) }),
                ])
            while await sleep(wait), !isStopping, !Task.isCancelled {
                do {
                    let begin = ContinuousClock.now
                    try await launch()
                    logger.notice(
                        "The database answers again.",
                        metadata: ["process": "\(processID ?? 0)", "after": "\(ContinuousClock.now - begin)"])
                    break
                } catch is CancellationError {
                    break
                } catch {
                    guard !isStopping else { break }
                    wait = backoff.next(after: .zero)
                    logger.error(
                        "The database does not start.", metadata: ["error": "\(error)", "again in": "\(wait)"])
                }
            }
        }
        await stop()
    }

    /// Waits; `stop()` and cancellation cut it short.
    ///
    /// - Returns: False when it was cut short.
    private func sleep(_ duration: Duration) async -> Bool {
        let pause = Task { _ = try? await Task.sleep(for: duration) }
        self.pause = pause
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
        self.pause = nil
        return !isStopping && !Task.isCancelled
    }
}
