import Metrics
import SubTrackAPI

/// The metrics of reminders. No label has a user.
enum ReminderMetrics {
    private static let looks = Counter(label: "subtrackit_looks_total")

    /// Counts users that were looked at.
    static func looked(_ users: Int) { looks.increment(by: users) }

    /// Counts a reminder.
    static func said(_ kind: ReminderKind) {
        Counter(label: "subtrackit_reminders_total", dimensions: [("kind", kind.rawValue)]).increment()
    }
}
