import SubTrackAPI

extension BillingState {
    /// The next period: it begins where this one ends, and is no trial.
    ///
    /// The calendar goes on from its anchor. After a trial with a length of its own, or with another duration now, the
    /// new period's start becomes the anchor.
    /// - Parameter terms: the plan's that holds from now on.
    /// - Throws: ``BillingError/startOutOfRange(_:)``, ``BillingError/endTooFarAway``.
    public func renewed(_ terms: BillingTerms) throws(BillingError) -> BillingState {
        guard fits(terms) else { return try .begin(on: end, terms: terms, number: Self.next(number)) }
        return try BillingState(
            start: end,
            end: BillingCalendar.date(anchor: anchor, count: Self.next(anchorCount), duration: terms.duration),
            anchor: anchor, anchorCount: Self.next(anchorCount), number: Self.next(number), freeTrial: false
        )
    }

    /// The state of a subscription that ran out and goes on. The period so far has ended, and another one begins on the
    /// day of that change, in a calendar of its own. Nobody paid for the days between. Nothing changes up to the end
    /// day itself: then it goes on where it was.
    /// - Parameters:
    ///   - day: the day on which it was said.
    ///   - terms: the plan's.
    /// - Throws: ``BillingError/startOutOfRange(_:)``, ``BillingError/endTooFarAway``.
    public func goingOn(from day: CalendarDate, terms: BillingTerms) throws(BillingError) -> BillingState {
        guard day > end else { return self }
        return try .begin(on: day, terms: terms, number: Self.next(number))
    }

    /// The number that follows; the largest one, which only a server that is wrong can give, stays.
    static func next(_ number: Int, by count: Int = 1) -> Int {
        let sum = number.addingReportingOverflow(count)
        return sum.overflow ? .max : sum.partialValue
    }

    /// The current period under another plan. Where that puts the end on the same day, nothing moves; else the period's
    /// start becomes the anchor and the end is computed anew.
    /// - Parameters:
    ///   - terms: the new plan's.
    ///   - freeTrial: whether the period is a trial; as it was unless given.
    /// - Throws: ``BillingError/startOutOfRange(_:)``, ``BillingError/endTooFarAway``.
    public func changedPlan(
        to terms: BillingTerms, freeTrial: Bool? = nil
    ) throws(BillingError) -> BillingState {
        let freeTrial = freeTrial ?? self.freeTrial
        // The plan alone moves nothing; called a trial at the same time, it is as if that had come after.
        guard !fits(terms) else { return try changedTrial(to: freeTrial, terms: terms) }
        return try .begin(on: start, terms: terms, freeTrial: freeTrial, number: number)
    }

    /// The current period called a trial, or no trial any more.
    ///
    /// A subscription's first period then ends after the plan's trial days, if it has any. A former trial ends after a
    /// whole duration. In every other case the flag alone moves no end.
    /// - Throws: ``BillingError/startOutOfRange(_:)``, ``BillingError/endTooFarAway``.
    public func changedTrial(to freeTrial: Bool, terms: BillingTerms) throws(BillingError) -> BillingState {
        guard freeTrial != self.freeTrial else { return self }
        let becomesTrial = freeTrial && terms.trialDays > 0 && number == 0
        guard becomesTrial || anchorCount == 0 else { return asTrial(freeTrial) }
        return try .begin(on: start, terms: terms, freeTrial: freeTrial, number: number)
    }

    /// The current period with another first day, which becomes the anchor. After the current end it is another
    /// period: the one so far has ended.
    /// - Parameters:
    ///   - newStart: the day on which the period really began.
    ///   - terms: the plan's.
    ///   - freeTrial: whether the period is a trial; as it was unless given.
    ///   - lastEnd: the latest end among the periods that have ended; nil when there are none.
    /// - Throws: ``BillingError/startInEndedPeriod(_:earliest:)``, ``BillingError/startOutOfRange(_:)``,
    ///   ``BillingError/endTooFarAway``.
    public func corrected(
        start newStart: CalendarDate, terms: BillingTerms, freeTrial: Bool? = nil, lastEnd: CalendarDate?
    ) throws(BillingError) -> BillingState {
        try check(correctedStart: newStart, lastEnd: lastEnd)
        return try .begin(
            on: newStart, terms: terms, freeTrial: freeTrial ?? self.freeTrial, number: numberIfStarted(on: newStart))
    }

    /// Checks the first day of a corrected period.
    func check(correctedStart start: CalendarDate, lastEnd: CalendarDate?) throws(BillingError) {
        try Self.check(start: start)
        if let lastEnd, start < lastEnd { throw .startInEndedPeriod(start, earliest: lastEnd) }
    }

    /// A correction to a day after the current end means that a period was left out: the number grows.
    func numberIfStarted(on start: CalendarDate) -> Int { start > end ? Self.next(number) : number }
}

extension BillingState {
    /// The effect of an `UPDATE` of a subscription's row that names start date, plan or trial. The database's triggers
    /// decide in the same order. A start that equals the current end renews. Any other start corrects. Then comes a
    /// change of plan, then one of the trial.
    /// - Parameters:
    ///   - newStart: the row's start date after the update.
    ///   - terms: the terms of the row's plan after the update.
    ///   - planChanged: whether that is another plan than before.
    ///   - freeTrial: the row's trial flag after the update.
    ///   - lastEnd: the latest end among the periods that have ended; nil when there are none.
    /// - Throws: the errors of the single changes.
    public func updated(
        start newStart: CalendarDate, terms: BillingTerms, planChanged: Bool, freeTrial: Bool, lastEnd: CalendarDate?
    ) throws(BillingError) -> BillingState {
        if newStart != start {
            return newStart == end
                ? try renewed(terms)
                : try corrected(start: newStart, terms: terms, freeTrial: freeTrial, lastEnd: lastEnd)
        }
        return planChanged
            ? try changedPlan(to: terms, freeTrial: freeTrial) : try changedTrial(to: freeTrial, terms: terms)
    }
}
