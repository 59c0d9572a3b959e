import MariaDB
import SubTrackAPI

/// Removal of reminders and notifications that nobody needs any more.
enum ReminderUpkeep {
    /// How many days a reminder stays after the day that it is about. Before that it keeps a reminder from coming again.
    static let reminderDays = StoredReminder.daysKept
    /// How many days a dead delivery stays.
    static let deliveryDays = 30
    /// How many rows a step removes.
    private static let batch = 500

    /// The job.
    static let job = Job(name: "old-reminders") { tenant, now in
        let today = now.date(secondsFromUTC: 0)
        var removed = 0
        for statement in statements(today: today, now: now) {
            let result = try await tenant.read { try await $0.execute(statement) }
            removed = max(removed, Int(clamping: result.affectedRows))
        }
        return removed == batch
    }

    /// In this order: a notification goes when nothing refers to it.
    private static func statements(today: CalendarDate, now: Instant) -> [SQL] {
        [
            "DELETE FROM Answer_secret WHERE Expires_at < \(now) ORDER BY Expires_at LIMIT \(batch)",
            "DELETE FROM Reminder WHERE Occurs_on < \(today.adding(days: -reminderDays)) ORDER BY Occurs_on LIMIT \(batch)",
            """
            DELETE FROM Mail_delivery WHERE Dead_at < \(today.adding(days: -deliveryDays)) ORDER BY Dead_at LIMIT \(batch)
            """,
            """
            DELETE FROM Delivery WHERE Dead_at < \(today.adding(days: -deliveryDays)) ORDER BY Dead_at LIMIT \(batch)
            """,
            // Those of a channel that stays paused, and of a service without a way out.
            """
            DELETE FROM Delivery WHERE Dead_at IS NULL AND EXISTS (
                SELECT 1 FROM Notification n WHERE n.User_ID = Delivery.User_ID
                  AND n.Notification_no = Delivery.Notification_no AND n.Fired_at < \(today.adding(days: -deliveryDays)))
            LIMIT \(batch)
            """,
            """
            DELETE FROM Notification WHERE Fired_at < \(today.adding(days: -deliveryDays))
              AND NOT EXISTS (SELECT 1 FROM Reminder r
                WHERE r.User_ID = Notification.User_ID AND r.Notification_no = Notification.Notification_no)
              AND NOT EXISTS (SELECT 1 FROM Mail_delivery d
                WHERE d.User_ID = Notification.User_ID AND d.Notification_no = Notification.Notification_no)
              AND NOT EXISTS (SELECT 1 FROM Answer_secret a
                WHERE a.User_ID = Notification.User_ID AND a.Notification_no = Notification.Notification_no)
              AND NOT EXISTS (SELECT 1 FROM Delivery d
                WHERE d.User_ID = Notification.User_ID AND d.Notification_no = Notification.Notification_no)
            ORDER BY Fired_at LIMIT \(batch)
            """,
        ]
    }
}
