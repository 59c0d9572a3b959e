import Metrics

/// The metrics of reminders. No label has a user or a target.
enum ReminderMetrics {
    /// The end of an attempt to deliver.
    enum Outcome: String, Sendable {
        case sent
        /// It is tried again.
        case failed
        case dead
        /// Nothing was left to say.
        case dropped
    }

    private static let looks = Counter(label: "subtrackit_looks_total")

    /// Counts users that were looked at.
    static func looked(_ users: Int) { looks.increment(by: users) }

    private static let failures = Counter(label: "subtrackit_looks_failed_total")

    /// Counts a user whose look failed.
    static func failed() { failures.increment() }

    /// Counts a reminder.
    static func said(_ kind: String) {
        Counter(label: "subtrackit_reminders_total", dimensions: [("kind", kind)]).increment()
    }

    /// Counts an attempt to deliver.
    static func delivered(_ channel: String, _ outcome: Outcome) {
        Counter(
            label: "subtrackit_deliveries_total", dimensions: [("channel", channel), ("outcome", outcome.rawValue)]
        ).increment()
    }
}
