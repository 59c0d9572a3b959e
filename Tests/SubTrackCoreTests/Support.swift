import SubTrackAPI
import SubTrackCore
import Testing

/// The day that is written so; the test fails when there is none.
func day(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> CalendarDate {
    try #require(CalendarDate(text), sourceLocation: sourceLocation)
}

/// The amount that is written so; the test fails when there is none.
func amount(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Amount {
    try #require(Amount(text), sourceLocation: sourceLocation)
}

func terms(_ value: Int, _ unit: PlanDuration.Unit, trialDays: Int? = nil) throws -> BillingTerms {
    try BillingTerms(duration: PlanDuration(value: value, unit: unit), trialDays: trialDays)
}

/// Adds durations by walking month by month on a wall calendar: slow, plain, and nothing shared with the tested code.
/// (Foundation's calendar will not do: going back over a leap February it sometimes clamps to the 28th.)
enum WallCalendar {
    static func date(_ date: CalendarDate, plus count: Int, _ duration: PlanDuration) -> CalendarDate? {
        switch duration.unit {
        case .day: date.adding(days: count * duration.value)
        case .week: date.adding(days: 7 * count * duration.value)
        case .month: walk(date, months: count * duration.value)
        case .year: walk(date, months: 12 * count * duration.value)
        }
    }

    private static func walk(_ date: CalendarDate, months: Int) -> CalendarDate? {
        var (year, month, day) = date.components
        for _ in 0..<abs(months) {
            month += months.signum()
            if month == 13 { (year, month) = (year + 1, 1) }
            if month == 0 { (year, month) = (year - 1, 12) }
        }
        // The last day that the month has, tried from the wanted one down.
        while day > 27 {
            if let found = CalendarDate(year: year, month: month, day: day) { return found }
            day -= 1
        }
        return CalendarDate(year: year, month: month, day: day)
    }
}
