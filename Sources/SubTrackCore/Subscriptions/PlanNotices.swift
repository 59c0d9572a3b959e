import SubTrackAPI

/// A plan's terms for its subscribers, beside the price.
public struct PlanTerms: Sendable, Hashable {
    /// How long a period lasts.
    public let duration: PlanDuration
    /// How many days before its end one must cancel.
    public let noticeDays: Int

    /// A duration and days of notice.
    public init(duration: PlanDuration, noticeDays: Int) {
        self.duration = duration
        self.noticeDays = noticeDays
    }
}

/// Facts of a plan that may concern its subscribers.
public struct PlanOutlook: Sendable, Hashable {
    /// Terms that held until a day.
    public struct Former: Sendable, Hashable {
        /// The first day on which they no longer held.
        public let until: CalendarDate
        /// The former terms.
        public let terms: PlanTerms

        /// Terms and the day of their change.
        public init(until: CalendarDate, terms: PlanTerms) {
            self.until = until
            self.terms = terms
        }
    }

    /// All prices, past and announced.
    public let prices: PriceLine
    /// The terms as they are.
    public let terms: PlanTerms
    /// The terms before their last change; nil when they never changed.
    public let former: Former?
    /// The day from which it is not sold; nil: it is.
    public let withdrawnOn: CalendarDate?

    /// Prices, terms and the end of a plan.
    public init(prices: PriceLine, terms: PlanTerms, former: Former?, withdrawnOn: CalendarDate?) {
        self.prices = prices
        self.terms = terms
        self.former = former
        self.withdrawnOn = withdrawnOn
    }
}

extension PlanOutlook {
    /// A change of a subscription's cost.
    public struct PriceChange: Sendable, Hashable {
        /// The cost of a period so far.
        public let from: Price
        /// The future cost.
        public let to: Price
        /// The renewal with which it does.
        public let on: CalendarDate
    }

    /// The first renewal that costs something else than the period that runs.
    ///
    /// A period costs the price of its first day, so a price that begins in between concerns the renewal after it.
    /// - Parameters:
    ///   - state: where the subscription's calendar stands.
    ///   - current: the cost of its period.
    ///   - ownFee: the user's own payment, at any price of the plan; then only another currency is a change.
    /// - Returns: nil when no change is known.
    public func priceChange(for state: BillingState, current: Price, ownFee: Amount?) -> PriceChange? {
        func paid(_ price: Price) -> Price { Price(fee: ownFee ?? price.fee, currency: price.currency) }
        // A trial costs nothing. The payment after it was the plan's price of its first day.
        let from = state.freeTrial ? paid(prices.price(on: state.start)) : current
        var day = state.end
        while true {
            guard let renewal = renewal(of: state, from: day) else { return nil }
            let price = paid(prices.price(on: renewal))
            if price != from { return PriceChange(from: from, to: price, on: renewal) }
            guard let next = prices.next(after: renewal) else { return nil }
            day = next.effectiveOn
        }
    }

    /// The terms before, when they changed since the current period began: they hold until it ends.
    public func formerTerms(for state: BillingState) -> PlanTerms? {
        guard let former, state.start < former.until, former.terms != terms else { return nil }
        return former.terms
    }

    /// How many days before its end the current period must be cancelled: as the terms said when it began.
    public func noticeDays(for state: BillingState) -> Int { (formerTerms(for: state) ?? terms).noticeDays }

    /// The first renewal on a day or after it.
    private func renewal(of state: BillingState, from day: CalendarDate) -> CalendarDate? {
        guard day > state.end else { return state.end }
        let keepsAnchor =
            state.anchorCount > 0
            && BillingCalendar.date(anchor: state.anchor, count: state.anchorCount, duration: terms.duration)
                == state.end
        let anchor = keepsAnchor ? state.anchor : state.end
        let count = BillingCalendar.countOfFirst(
            after: day.adding(days: -1), anchor: anchor, duration: terms.duration)
        return BillingCalendar.date(anchor: anchor, count: count, duration: terms.duration)
    }
}
