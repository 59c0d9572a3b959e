import Metrics
import Synchronization

/// How many requests there were and how long they took, by operation and class of status.
final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let operation: String
        let status: Int
    }

    /// Made once for each operation and class of status, for making one takes longer than recording.
    private let timers: [Key: Timer]

    /// Metrics for these operations.
    init(label: String = "http_request_duration", operations: [String]) {
        var timers: [Key: Timer] = [:]
        for operation in operations + ["none", "system", "web"] {
            for status in 1...5 {
                timers[Key(operation: operation, status: status)] = Timer(
                    label: label, dimensions: [("operation", operation), ("status", "\(status)xx")])
            }
        }
        self.timers = timers
    }

    /// Notes an answer.
    func record(operation: String, status: Int, duration: Duration) {
        timers[Key(operation: operation, status: status / 100)]?.record(duration: duration)
    }
}
