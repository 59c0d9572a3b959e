import SubTrackAPI

extension ContactDates {
    /// The first day of a date in a calendar, and its recurrence.
    public struct CalendarDay: Sendable, Hashable {
        /// The first day.
        public let day: CalendarDate
        /// nil: the date is once.
        public let recurrence: CalendarEvent.Recurrence?
        /// How many days ahead the user is reminded, the farthest first.
        public let leads: [Int]
    }

    /// The first year of a recurring event. Some calendars refuse earlier ones.
    private static let earliestYear = 1900

    /// Gives the place of a date in a calendar. A yearly one without a year begins in the last year.
    /// - Returns: nil for a date that is once and past.
    public static func calendarDay(
        of date: StoredContact.Occasion, from today: CalendarDate, _ settings: ReminderSettings
    ) -> CalendarDay? {
        guard let day = ContactDay(date.date) else { return nil }
        let leads = Set(settings.leads(of: .date, own: date.reminderDays).map { min($0, 364) }).sorted(by: >)
        guard date.yearly || day.year == nil else {
            return next(of: date, from: today).map { CalendarDay(day: $0.day, recurrence: nil, leads: leads) }
        }
        let first = max(day.year ?? today.components.year - 1, earliestYear)
        return day.date(in: first).map { start in
            CalendarDay(
                day: start, recurrence: (day.month, day.day) == (2, 29) ? .lastOfFebruary : .yearly, leads: leads)
        }
    }
}
