import SubTrackAPI

/// A day that matters to a contact: month and day, with a year or without.
public struct ContactDay: Sendable, Hashable {
    /// The year, 1000…2999; nil: it is not known.
    public let year: Int?
    /// The month, 1…12.
    public let month: Int
    /// The day of the month, 1…31. Without a year 29 February is one.
    public let day: Int

    /// Reads `1995-06-25` or `--06-25`; nil for anything else, and for a day that no calendar has.
    public init?(_ text: String) {
        let isYearless = text.hasPrefix("--")
        let whole = isYearless ? "2000-" + text.dropFirst(2) : text
        guard whole.utf8.count == 10, let date = CalendarDate(whole), (1000...2999).contains(date.components.year)
        else { return nil }
        year = isYearless ? nil : date.components.year
        (month, day) = (date.components.month, date.components.day)
    }

    /// The day in a year. 29 February is 28 February where the year has none: a reminder too late is worse.
    public func date(in year: Int) -> CalendarDate? {
        CalendarDate(year: year, month: month, day: day)
            ?? (month == 2 && day == 29 ? CalendarDate(year: year, month: 2, day: 28) : nil)
    }
}

/// The days on which dates of contacts come round: the source of their reminders.
public enum ContactDates {
    /// A day that comes round.
    public struct Occurrence: Sendable, Hashable {
        /// The day.
        public let day: CalendarDate
        /// How many years it is after the first, where that is known: the age at a birthday.
        public let years: Int?
    }

    /// The next time that a date comes round, the day itself included; nil: it was once, or the calendar ends.
    public static func next(of date: StoredContact.Occasion, from today: CalendarDate) -> Occurrence? {
        guard let day = ContactDay(date.date) else { return nil }
        guard date.yearly || day.year == nil else {
            return day.year.flatMap(day.date).flatMap { $0 >= today ? Occurrence(day: $0, years: 0) : nil }
        }
        // One that begins in a later year comes first on that day.
        let first = max(today.components.year, day.year ?? today.components.year)
        for year in [first, first + 1] where (1000...2999).contains(year) {
            if let next = day.date(in: year), next >= today {
                return Occurrence(day: next, years: day.year.map { year - $0 })
            }
        }
        return nil
    }

    /// A date of a contact with its next day.
    public struct Upcoming<ID: Hashable & Sendable>: Sendable, Hashable {
        /// The contact.
        public let contact: ID
        /// The date.
        public let date: StoredContact.Occasion
        /// Its next day.
        public let occurrence: Occurrence
    }

    /// The dates of contacts that come round within some days, the first ones first.
    /// - Parameter days: how many days from today, today itself included.
    public static func upcoming<ID>(
        _ contacts: [(id: ID, contact: StoredContact)], from today: CalendarDate, within days: Int
    ) -> [Upcoming<ID>] {
        let last = today.adding(days: days)
        return contacts.flatMap { id, contact in
            contact.dates.compactMap { date -> Upcoming<ID>? in
                guard let next = next(of: date, from: today), next.day <= last else { return nil }
                return Upcoming(contact: id, date: date, occurrence: next)
            }
        }.sorted { $0.occurrence.day < $1.occurrence.day }
    }

    /// The day of the reminder of a date's next time.
    /// - Parameter standard: how many days before it, where the date does not say.
    public static func reminder(
        of date: StoredContact.Occasion, from today: CalendarDate, standard: Int
    ) -> CalendarDate? {
        next(of: date, from: today).map { $0.day.adding(days: -(date.reminderDays ?? standard)) }
    }
}
