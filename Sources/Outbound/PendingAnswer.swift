import Synchronization

/// A caller that waits for one answer. Answers after the first are ignored.
final class PendingAnswer<Value: Sendable>: Sendable {
    private let continuation = Mutex<CheckedContinuation<Value, any Error>?>(nil)

    /// Takes the caller's continuation.
    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        self.continuation.withLock { $0 = continuation }
    }

    /// Tells the caller.
    func end(_ result: Result<Value, any Error>) {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(with: result)
    }
}
