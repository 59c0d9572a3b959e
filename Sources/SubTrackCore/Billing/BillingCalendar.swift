import SubTrackAPI

/// The arithmetic of recurring dates: anchor + n × duration, clamped to the month's last day, and never computed from a
/// clamped date. 31 January monthly is followed by 28 (29) February, 31 March, 30 April. 29 February yearly is followed
/// by 28 February, and by the 29th again in leap years.
///
/// The database's triggers compute the same with `anchor + INTERVAL n MONTH`.
public enum BillingCalendar {
    /// The days on which a period may begin: 1970-01-02…2999-12-31.
    public static let starts = CalendarDate(daysSince1970: 1)...CalendarDate(daysSince1970: 376_199)
    /// The last day on which a period may end: 9000-01-01.
    public static let lastEnd = CalendarDate(daysSince1970: 2_567_655)
    /// The earliest anchor: 1000-01-01, the first day that a MySQL or MariaDB `DATE` is documented to hold.
    public static let earliestAnchor = CalendarDate(daysSince1970: -354_285)

    /// The day that lies `count` durations after (or, if negative, before) the anchor.
    /// - Returns: nil when that is no day of ``CalendarDate/range``.
    public static func date(anchor: CalendarDate, count: Int, duration: PlanDuration) -> CalendarDate? {
        let span = duration.span
        let moved = (span.months != 0 ? span.months : span.days).multipliedReportingOverflow(by: count)
        guard !moved.overflow else { return nil }
        return span.months != 0
            ? date(anchor, addingMonths: moved.partialValue) : date(anchor, addingDays: moved.partialValue)
    }

    /// How many durations after the anchor the first day lies that is later than `day`; 0 when the anchor itself is.
    ///
    /// Takes the same few steps however far apart the days are. The duration's value must be positive.
    public static func countOfFirst(after day: CalendarDate, anchor: CalendarDate, duration: PlanDuration) -> Int {
        guard day >= anchor else { return 0 }
        let span = duration.span
        guard span.months > 0 else { return anchor.days(to: day) / max(span.days, 1) + 1 }
        let (from, to) = (anchor.components, day.components)
        // Date `whole` falls in the month of `day` or earlier, so the next one surely is later.
        let whole = ((to.year - from.year) * 12 + to.month - from.month) / span.months
        guard let candidate = date(anchor: anchor, count: whole, duration: duration) else { return whole }
        return candidate > day ? whole : whole + 1
    }

    private static func date(_ date: CalendarDate, addingDays days: Int) -> CalendarDate? {
        let sum = Int(date.daysSince1970).addingReportingOverflow(days)
        let known = CalendarDate.range.lowerBound.daysSince1970...CalendarDate.range.upperBound.daysSince1970
        guard !sum.overflow, let day = Int32(exactly: sum.partialValue), known.contains(day) else { return nil }
        return CalendarDate(daysSince1970: day)
    }

    private static func date(_ date: CalendarDate, addingMonths months: Int) -> CalendarDate? {
        let (year, month, day) = date.components
        let sum = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !sum.overflow, sum.partialValue >= 12 else { return nil }
        let (newYear, newMonth) = (sum.partialValue / 12, sum.partialValue % 12 + 1)
        return CalendarDate(
            year: newYear, month: newMonth, day: min(day, CalendarDate.daysInMonth(year: newYear, month: newMonth)))
    }
}
