import SubTrackAPI

/// A day of a subscription that calendars show: a renewal, an end, or the last day to cancel.
public struct SubscriptionDay: Sendable, Hashable {
    /// ``ReminderKind/renewal``, ``ReminderKind/trial``, ``ReminderKind/ended`` or ``ReminderKind/cancelBy``.
    public let kind: ReminderKind
    /// The number of the period that ends.
    public let period: Int
    /// The day.
    public let day: CalendarDate
    /// The cost of the period that follows.
    public let cost: Price
}

extension ReminderSubject.Subscribed {
    /// How many days ahead calendars show.
    private static let daysShown = 400
    /// The most periods of one subscription that calendars show: those of a week in as many days.
    private static let mostPeriods = 58

    /// Gives the days that a calendar shows from a day on. A muted subscription has all: a calendar reminds of nothing by itself.
    ///
    /// A cancelled one has its end alone. One that is overdue stands where it ended: nobody knows when it goes on.
    public func calendarDays(from today: CalendarDate) -> [SubscriptionDay] {
        if isCancelled {
            return state.end < today ? [] : [day(.ended, state.end, of: state.number, cost: end(of: state).cost)]
        }
        guard renewsItself || state.end >= today else { return [end(of: state)] }
        guard let terms = try? BillingTerms(duration: outlook.terms.duration),
            var period = try? state.caughtUp(to: today.adding(days: -1), terms: terms)
        else { return [] }
        let last = today.adding(days: Self.daysShown)
        var days: [SubscriptionDay] = []
        // It has renewed itself already, perhaps while somebody read it. The day is still today.
        if renewsItself, state.start == today, state.number > 0 { days.append(renewal(into: state)) }
        for _ in 0..<Self.mostPeriods where period.end.adding(days: -outlook.noticeDays(for: period)) <= last {
            days += ends(of: period, from: today).filter { $0.day <= last }
            guard let next = try? period.renewed(terms) else { break }
            period = next
        }
        return days
    }

    /// The end of a period, and the last day to cancel before it.
    private func ends(of period: BillingState, from today: CalendarDate) -> [SubscriptionDay] {
        let notice = outlook.noticeDays(for: period)
        let cancelBy = period.end.adding(days: -notice)
        let end = end(of: period)
        guard notice > 0, cancelBy >= today else { return [end] }
        return [day(.cancelBy, cancelBy, of: period.number, cost: end.cost), end]
    }

    private func end(of period: BillingState) -> SubscriptionDay {
        day(
            period.freeTrial ? .trial : .renewal, period.end, of: period.number,
            cost: outlook.prices.price(on: period.end))
    }

    /// The renewal that began a period: the end of the one before.
    private func renewal(into period: BillingState) -> SubscriptionDay {
        day(.renewal, period.start, of: period.number - 1, cost: outlook.prices.price(on: period.start))
    }

    private func day(_ kind: ReminderKind, _ day: CalendarDate, of period: Int, cost: Price) -> SubscriptionDay {
        SubscriptionDay(
            kind: kind, period: period, day: day, cost: Price(fee: ownFee ?? cost.fee, currency: cost.currency))
    }
}

extension ContactDates {
    /// The first day of a date in a calendar, and its recurrence.
    public struct CalendarDay: Sendable, Hashable {
        /// The first day.
        public let day: CalendarDate
        /// The days on which it comes again; nil: the date is once.
        public let recurrence: CalendarEvent.Recurrence?
    }

    /// The first year of a recurring event. Some programs refuse earlier ones.
    private static let earliestYear = 1900

    /// Gives the place of a date in a calendar. A yearly one without a year begins in the last year.
    /// - Returns: nil for a date that is once and past.
    public static func calendarDay(of date: StoredContact.Occasion, from today: CalendarDate) -> CalendarDay? {
        guard let day = ContactDay(date.date) else { return nil }
        guard date.yearly || day.year == nil else {
            return next(of: date, from: today).map { CalendarDay(day: $0.day, recurrence: nil) }
        }
        let first = max(day.year ?? today.components.year - 1, earliestYear)
        return day.date(in: first).map { start in
            CalendarDay(day: start, recurrence: (day.month, day.day) == (2, 29) ? .lastOfFebruary : .yearly)
        }
    }
}
