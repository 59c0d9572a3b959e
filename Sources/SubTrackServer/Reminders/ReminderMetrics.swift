import Metrics
import SubTrackAPI

/// The metrics of reminders. No label has a user.
enum ReminderMetrics {
    private static let looks = Counter(label: "subtrackit_looks_total")

    /// Makes the counters, so that each is there before its first event.
    static func begin() {
        looked(0)
        for kind in ReminderKind.allCases { said(kind, 0) }
    }

    /// Counts users that were looked at.
    static func looked(_ users: Int) { looks.increment(by: users) }

    /// Counts reminders.
    static func said(_ kind: ReminderKind, _ count: Int = 1) {
        Counter(label: "subtrackit_reminders_total", dimensions: [("kind", kind.rawValue)]).increment(by: count)
    }
}
