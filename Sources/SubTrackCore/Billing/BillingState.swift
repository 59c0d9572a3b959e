import SubTrackAPI

/// The place of a subscription in its billing calendar: the current period, and the anchor of the following ones.
///
/// It is a value: each change gives a new one. The database's triggers on `Subscription` keep the same rules for rows
/// that are written by SQL.
public struct BillingState: Sendable, Hashable {
    /// First day of the current period.
    public let start: CalendarDate
    /// The day after its last: the day of the next renewal.
    public let end: CalendarDate
    /// The day from which periods are counted.
    public let anchor: CalendarDate
    /// ``end`` lies so many durations after ``anchor``; 0 for a trial with a length of its own, whose end is none.
    public let anchorCount: Int
    /// The period's number. It only grows, and is another thing than ``anchorCount``.
    public let number: Int
    /// Whether the current period is a free trial.
    public let freeTrial: Bool

    /// Takes a state as it is stored. Nothing is checked: the changes below give only states that follow the rules.
    public init(
        start: CalendarDate, end: CalendarDate, anchor: CalendarDate, anchorCount: Int, number: Int, freeTrial: Bool
    ) {
        self.start = start
        self.end = end
        self.anchor = anchor
        self.anchorCount = anchorCount
        self.number = number
        self.freeTrial = freeTrial
    }

    /// The first period of a subscription, or the first from a new anchor. A trial ends after the plan's trial days if
    /// it has any, else after a whole duration.
    /// - Parameters:
    ///   - start: its first day, which becomes the anchor.
    ///   - terms: the plan's.
    ///   - freeTrial: whether it is a trial.
    ///   - number: the period's number.
    /// - Throws: ``BillingError/startOutOfRange(_:)``, ``BillingError/endTooFarAway``.
    public static func begin(
        on start: CalendarDate, terms: BillingTerms, freeTrial: Bool = false, number: Int = 0
    ) throws(BillingError) -> BillingState {
        let hasOwnLength = freeTrial && terms.trialDays > 0
        return try BillingState(
            start: start,
            end: hasOwnLength
                ? start.adding(days: terms.trialDays)
                : BillingCalendar.date(anchor: start, count: 1, duration: terms.duration),
            anchor: start, anchorCount: hasOwnLength ? 0 : 1, number: number, freeTrial: freeTrial
        )
    }

    /// Whether the current end lies where these terms would put it: then the calendar goes on from its anchor. It does
    /// not for a trial with a length of its own, nor when the duration was changed since the period began.
    public func fits(_ terms: BillingTerms) -> Bool {
        anchorCount > 0 && BillingCalendar.date(anchor: anchor, count: anchorCount, duration: terms.duration) == end
    }

    /// The same period in the same calendar, as a trial or as a paid one.
    func asTrial(_ freeTrial: Bool) -> BillingState {
        BillingState(
            start: start, end: end, anchor: anchor, anchorCount: anchorCount, number: number, freeTrial: freeTrial)
    }

    /// Checks that the days are allowed.
    init(
        start: CalendarDate, end: CalendarDate?, anchor: CalendarDate, anchorCount: Int, number: Int, freeTrial: Bool
    ) throws(BillingError) {
        try Self.check(start: start)
        guard let end, end <= BillingCalendar.lastEnd else { throw .endTooFarAway }
        self.init(
            start: start, end: end, anchor: anchor, anchorCount: anchorCount, number: number, freeTrial: freeTrial)
    }

    static func check(start: CalendarDate) throws(BillingError) {
        guard BillingCalendar.starts.contains(start) else { throw .startOutOfRange(start) }
    }
}
