import SubTrackAPI

/// A day of a subscription that calendars show: a renewal, the end of a trial, or the last day to cancel.
public struct SubscriptionDay: Sendable, Hashable {
    /// ``ReminderKind/renewal``, ``ReminderKind/trial`` or ``ReminderKind/cancelBy``.
    public let kind: ReminderKind
    /// The number of the period that ends.
    public let period: Int
    /// The day.
    public let day: CalendarDate
    /// The cost of the period that begins; nil for the last day to cancel.
    public let cost: Price?
    /// How many days ahead the user is reminded, the farthest first.
    public let leads: [Int]
}

extension ReminderSubject.Subscribed {
    /// How many days ahead calendars show.
    public static let calendarDays = 400
    /// The most periods of one subscription that calendars show.
    public static let calendarPeriods = 30

    /// Gives the days that a calendar shows from a day on, by the billing calendar. A cancelled subscription has none.
    public func calendarDays(from today: CalendarDate, _ settings: ReminderSettings) -> [SubscriptionDay] {
        guard !isCancelled, let terms = try? BillingTerms(duration: outlook.terms.duration),
            var period = try? state.end < today ? state.caughtUp(to: today.adding(days: -1), terms: terms) : state
        else { return [] }
        let last = today.adding(days: Self.calendarDays)
        var days: [SubscriptionDay] = []
        for _ in 0..<Self.calendarPeriods where period.end <= last {
            days += ends(of: period, from: today, settings)
            guard let next = try? period.renewed(terms) else { break }
            period = next
        }
        return days
    }

    /// The end of a period, and the last day to cancel before it.
    private func ends(
        of period: BillingState, from today: CalendarDate, _ settings: ReminderSettings
    ) -> [SubscriptionDay] {
        // A lead begins within the period.
        let longest = max(period.start.days(to: period.end) - 1, 0)
        func fitting(_ leads: [Int]) -> [Int] {
            isMuted ? [] : Set(leads.map { min($0, longest) }).sorted(by: >)
        }
        let kind: ReminderKind = period.freeTrial ? .trial : .renewal
        let price = outlook.prices.price(on: period.end)
        let end = SubscriptionDay(
            kind: kind, period: period.number, day: period.end,
            cost: Price(fee: ownFee ?? price.fee, currency: price.currency),
            leads: fitting(settings.leads(of: kind, own: reminderDays)))
        let notice = outlook.noticeDays(for: period)
        let cancelBy = period.end.adding(days: -notice)
        guard notice > 0, cancelBy >= today else { return [end] }
        return [
            SubscriptionDay(
                kind: .cancelBy, period: period.number, day: cancelBy, cost: nil,
                leads: fitting(settings.leads(of: .cancelBy))),
            end,
        ]
    }
}
