import SubTrackAPI

/// The removal of reminders that nobody needs any more.
enum ReminderUpkeep {
    /// How many days a reminder stays after the day that it is about. An overdue one is of use for 60 days.
    static let daysKept = 90

    /// The job.
    static let job = RemindersArea.reminder.removal("old-reminders", by: "Occurs_on") { now in
        "Occurs_on < \(now.date(secondsFromUTC: 0).adding(days: -daysKept))"
    }
}
