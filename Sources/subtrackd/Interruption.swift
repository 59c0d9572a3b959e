import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and SIGTERM for commands that must not leave things half done: they are told to stop, and put back what they had
/// begun.
enum Interruption {
    /// What a command throws that was told to stop.
    struct Stopped: Error, CustomStringConvertible {
        let description = "interrupted; what had been begun was put back"
    }

    /// What stops the work that is under way; nil where there is none, and the process ends at once.
    private static let stop = Mutex<(@Sendable () -> Void)?>(nil)

    /// Watches both signals for the rest of the process: a source that is made anew may miss the first of them.
    private static let isWatching: Bool = {
        for number in [SIGINT, SIGTERM] {
            #if canImport(Darwin)
                signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // Held by its own handler, for as long as the process lives.
                _ = source
                guard let stop = stop.withLock({ $0 }) else { _exit(128 + number) }
                Exit.say("subtrackd: stopping …")
                stop()
            }
            source.resume()
        }
        return true
    }()

    /// Runs a body that SIGINT and SIGTERM cancel. It goes on until it has put things in order.
    /// - Throws: ``Stopped`` when it was cancelled; what the body throws.
    static func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await body() }
        stop.withLock { $0 = { task.cancel() } }
        _ = isWatching
        defer { stop.withLock { $0 = nil } }
        do {
            return try await task.value
        } catch  where task.isCancelled {
            // Which of the waits was cut short does not matter to anybody.
            throw Stopped()
        }
    }
}
