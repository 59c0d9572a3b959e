import SubTrackAPI

extension BillingState {
    /// How many renewals lead to the period in which `today` lies (start ≤ today < end); 0 when it has not ended.
    /// - Throws: ``BillingError/startOutOfRange(_:)``, ``BillingError/endTooFarAway`` when that period cannot be.
    public func renewalsDue(on today: CalendarDate, terms: BillingTerms) throws(BillingError) -> Int {
        Self.next(try caughtUp(to: today, terms: terms).number, by: 0 &- number)
    }

    /// The state of a subscription that renews by itself, after as many renewals as lead to the period in which `today`
    /// lies. The cost does not depend on how many they are.
    /// - Parameters:
    ///   - today: the user's.
    ///   - terms: the plan's, in all of these periods.
    ///   - limit: renew no more often than this.
    /// - Throws: ``BillingError/startOutOfRange(_:)``, ``BillingError/endTooFarAway`` when that period cannot be.
    public func caughtUp(
        to today: CalendarDate, terms: BillingTerms, limit: Int = .max
    ) throws(BillingError) -> BillingState {
        guard today >= end, limit > 0 else { return self }
        // The first renewal may set a new anchor; from then on the calendar goes on.
        let first = try renewed(terms)
        guard today >= first.end else { return first }
        let count = BillingCalendar.countOfFirst(after: today, anchor: first.anchor, duration: terms.duration)
        let left = count.subtractingReportingOverflow(first.anchorCount)
        guard !left.overflow else { throw .endTooFarAway }
        let more = min(left.partialValue, limit - 1)
        guard more > 0 else { return first }
        guard
            let start = BillingCalendar.date(
                anchor: first.anchor, count: Self.next(first.anchorCount, by: more - 1), duration: terms.duration)
        else { throw .endTooFarAway }
        return try BillingState(
            start: start,
            end: BillingCalendar.date(
                anchor: first.anchor, count: Self.next(first.anchorCount, by: more), duration: terms.duration),
            anchor: first.anchor, anchorCount: Self.next(first.anchorCount, by: more),
            number: Self.next(first.number, by: more),
            freeTrial: false)
    }

    /// The states that follow this one up to the period in which `today` lies, in order; empty when it has not ended.
    /// - Parameters:
    ///   - today: the user's.
    ///   - terms: the plan's, in all of these periods.
    ///   - limit: give no more than this; call again with the last one for the rest.
    /// - Throws: ``BillingError/startOutOfRange(_:)``, ``BillingError/endTooFarAway`` when a period cannot be.
    public func renewals(
        upTo today: CalendarDate, terms: BillingTerms, limit: Int = .max
    ) throws(BillingError) -> [BillingState] {
        var states: [BillingState] = []
        var state = self
        while today >= state.end, states.count < limit {
            state = try state.renewed(terms)
            states.append(state)
        }
        return states
    }
}
