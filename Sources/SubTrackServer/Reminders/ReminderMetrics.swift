import Metrics
import SubTrackAPI
import Synchronization

/// The metrics of reminders. No label has a user.
enum ReminderMetrics {
    private static let looks = Counter(label: "subtrackit_looks_total")
    private static let lag = Gauge(label: "subtrackit_look_lag_seconds")
    /// The lag of each tenant, and the time of its last step.
    private static let lags = Mutex<[String: (seconds: Int64, at: Instant)]>([:])

    /// Makes the counters, so that each is there before its first event.
    static func begin() {
        looked(0)
        lag.record(0)
        for kind in ReminderKind.allCases { said(kind, 0) }
    }

    /// Counts users that were looked at.
    static func looked(_ users: Int) { looks.increment(by: users) }

    /// Notes how many seconds the longest due look of a tenant has waited. The gauge has the most of all tenants. A tenant without a
    /// step for ten minutes is not counted any more.
    static func isBehind(by seconds: Int64, at now: Instant, in tenant: String) {
        let most = lags.withLock { lags in
            lags[tenant] = (seconds, now)
            lags = lags.filter { now.secondsSince1970 - $0.value.at.secondsSince1970 < 600 }
            return lags.values.map(\.seconds).max() ?? 0
        }
        lag.record(most)
    }

    /// Counts reminders.
    static func said(_ kind: ReminderKind, _ count: Int = 1) {
        Counter(label: "subtrackit_reminders_total", dimensions: [("kind", kind.rawValue)]).increment(by: count)
    }
}
