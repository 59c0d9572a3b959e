import Dispatch
import Foundation

/// Ctrl-C and SIGTERM for commands that must not leave things half done: they are told to stop, and put back what they had
/// begun.
enum Interruption {
    /// What a command throws that was told to stop.
    struct Stopped: Error, CustomStringConvertible {
        let description = "interrupted; what had been begun was put back"
    }

    /// Runs a body that SIGINT and SIGTERM cancel. It goes on until it has put things in order.
    /// - Throws: ``Stopped`` when it was cancelled; what the body throws.
    static func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await body() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                Exit.say("subtrackd: stopping …")
                task.cancel()
            }
            source.resume()
            return source
        }
        defer {
            for source in sources { source.cancel() }
            for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        }
        do {
            return try await task.value
        } catch  where task.isCancelled {
            // Which of the waits was cut short does not matter to anybody.
            throw Stopped()
        }
    }
}
