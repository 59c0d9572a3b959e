import SubTrackAPI

/// Why a period cannot be as it was asked for. The descriptions are meant for the person who asked.
public enum BillingError: Error, Hashable, Sendable {
    /// A plan's duration is not 1…1200 of its unit.
    case durationOutOfRange(Int)
    /// A plan's trial is not 0…1200 days.
    case trialDaysOutOfRange(Int)
    /// A period would begin on a day outside ``BillingCalendar/starts``.
    case startOutOfRange(CalendarDate)
    /// A period would end after ``BillingCalendar/lastEnd``.
    case endTooFarAway
    /// A corrected period would begin inside one that has ended; the earliest possible start is given.
    case startInEndedPeriod(CalendarDate, earliest: CalendarDate)
    /// No period of such a length ends on that day.
    case renewalImpossible(CalendarDate)
}

extension BillingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .durationOutOfRange(let value):
            "a period lasts 1 to 1200 days, weeks, months or years, not \(value)"
        case .trialDaysOutOfRange(let days):
            "a trial lasts at most 1200 days, not \(days)"
        case .startOutOfRange(let day):
            "a period begins between \(BillingCalendar.starts.lowerBound) and \(BillingCalendar.starts.upperBound), "
                + "not on \(day)"
        case .endTooFarAway:
            "the period would end after \(BillingCalendar.lastEnd)"
        case .startInEndedPeriod(let day, let earliest):
            "\(day) lies in a period that has ended; the earliest start is \(earliest)"
        case .renewalImpossible(let day):
            "no period of this length ends on \(day)"
        }
    }
}
