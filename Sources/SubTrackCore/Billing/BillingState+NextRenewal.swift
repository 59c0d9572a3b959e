import SubTrackAPI

extension BillingCalendar {
    /// The period that ends exactly on the wanted day of renewal.
    ///
    /// The anchor is the nearest day before it from which the calendar comes to that very day, with an unclamped day of
    /// the month. For a renewal on 31 March monthly the period begins on 28 (29) February and is the second from 31
    /// January. For one on 29 February 2028 yearly it begins on 2027-02-28, the fourth from 2024-02-29.
    /// - Returns: the period's first day, its anchor and the count of durations from there to the wanted end.
    /// - Throws: ``BillingError/renewalImpossible(_:)`` when there is no such anchor from 1000-01-01 on.
    public static func start(
        forNextRenewal end: CalendarDate, duration: PlanDuration
    ) throws(BillingError) -> (start: CalendarDate, anchor: CalendarDate, anchorCount: Int) {
        let span = duration.span
        guard span.months > 0 || span.days > 0 else { throw .durationOutOfRange(duration.value) }
        let wanted = end.components
        var count = 1
        while let day = date(anchor: end, count: -count, duration: duration), day >= earliestAnchor {
            // Counting back clamps where the month is too short; such a day would not lead forward to the wanted one.
            if span.months == 0 || day.components.day == wanted.day {
                guard let start = date(anchor: day, count: count - 1, duration: duration) else { break }
                return (start, day, count)
            }
            count += 1
        }
        throw .renewalImpossible(end)
    }
}

extension BillingState {
    /// The first period of a subscription, given the day of its next renewal in place of its start. For a trial with
    /// a length of its own that is the day on which the trial ends.
    /// - Throws: ``BillingError/renewalImpossible(_:)``, ``BillingError/startOutOfRange(_:)``,
    ///   ``BillingError/endTooFarAway``.
    public static func begin(
        nextRenewal end: CalendarDate, terms: BillingTerms, freeTrial: Bool = false, number: Int = 0
    ) throws(BillingError) -> BillingState {
        guard !(freeTrial && terms.trialDays > 0) else {
            return try .begin(
                on: end.adding(days: -terms.trialDays), terms: terms, freeTrial: true, number: number)
        }
        let found = try BillingCalendar.start(forNextRenewal: end, duration: terms.duration)
        return try BillingState(
            start: found.start, end: Optional(end), anchor: found.anchor, anchorCount: found.anchorCount,
            number: number, freeTrial: freeTrial)
    }

    /// The current period with another end. It begins where a period with that end begins.
    /// - Parameters:
    ///   - newEnd: the day on which the period really ends.
    ///   - terms: the plan's.
    ///   - freeTrial: whether the period is a trial; as it was unless given.
    ///   - lastEnd: the latest end among the periods that have ended; nil when there are none.
    /// - Throws: errors of ``begin(nextRenewal:terms:freeTrial:number:)``, and
    ///   ``BillingError/startInEndedPeriod(_:earliest:)``.
    public func corrected(
        nextRenewal newEnd: CalendarDate, terms: BillingTerms, freeTrial: Bool? = nil, lastEnd: CalendarDate?
    ) throws(BillingError) -> BillingState {
        let found = try BillingState.begin(nextRenewal: newEnd, terms: terms, freeTrial: freeTrial ?? self.freeTrial)
        try check(correctedStart: found.start, lastEnd: lastEnd)
        return BillingState(
            start: found.start, end: found.end, anchor: found.anchor, anchorCount: found.anchorCount,
            number: numberIfStarted(on: found.start), freeTrial: found.freeTrial)
    }
}
