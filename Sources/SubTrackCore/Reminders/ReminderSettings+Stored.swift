import SubTrackAPI

extension ReminderSettings {
    /// The settings as clients hold them. A kind without days ahead is not said.
    public init(_ stored: StoredReminderSettings) {
        self.init(
            minute: ClockTime(stored.remindAt)?.minute ?? Self.usualMinute, repeatDays: stored.repeatDays,
            weekday: stored.weeklyOn,
            leads: Dictionary(uniqueKeysWithValues: ReminderLeads.kinds.map { ($0, stored.leads[$0]) }))
    }
}
