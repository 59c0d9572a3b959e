import SubTrackAPI

/// Savings by subscriptions that were cancelled before they renewed, by currency. They are the periods that would have
/// begun from the day of the cancelled renewal to today. Each counts at the price of its first day.
public struct Savings: Sendable {
    private var sums: [String: ExactSum] = [:]

    /// Nothing yet.
    public init() {}

    /// Adds the cost of a cancelled subscription since its end. The work depends on how often its price changed, not on
    /// how many periods there would have been.
    /// - Parameters:
    ///   - state: where its calendar stands.
    ///   - terms: its plan's.
    ///   - prices: its plan's.
    ///   - ownFee: the user's payment for a period, where that was not the plan's fee.
    ///   - today: the user's.
    /// - Throws: ``TotalTooLarge``.
    public mutating func add(
        _ state: BillingState, terms: BillingTerms, prices: PriceLine, ownFee: Amount? = nil, today: CalendarDate
    ) throws(TotalTooLarge) {
        guard today >= state.end else { return }
        let (anchor, first) = state.fits(terms) ? (state.anchor, state.anchorCount) : (state.end, 0)
        func periodsBegun(by day: CalendarDate) -> Int {
            max(BillingCalendar.countOfFirst(after: day, anchor: anchor, duration: terms.duration) - first, 0)
        }
        var counted = 0
        for index in prices.index(on: state.end)..<prices.entries.count {
            let isLast = index + 1 == prices.entries.count
            let lastDay = isLast ? today : min(today, prices.entries[index + 1].effectiveOn.adding(days: -1))
            let begun = periodsBegun(by: lastDay)
            let price = prices.entries[index].price
            guard begun > counted else { continue }
            guard sums[price.currency, default: ExactSum()].add(ownFee ?? price.fee, times: begun - counted) else {
                throw TotalTooLarge(currency: price.currency)
            }
            counted = begun
        }
    }

    /// The totals, by code of currency.
    /// - Parameter digits: gives how many digits (0…6) a currency has after the point.
    /// - Throws: ``TotalTooLarge``.
    public func totals(digits: (String) -> Int) throws(TotalTooLarge) -> [GetDashboard.Saving] {
        var totals: [GetDashboard.Saving] = []
        for (currency, sum) in sums.sorted(by: { $0.key < $1.key }) {
            guard let amount = sum.rounded(toDigits: min(max(digits(currency), 0), Amount.maximumDigits)) else {
                throw TotalTooLarge(currency: currency)
            }
            totals.append(GetDashboard.Saving(currency: currency, amount: amount))
        }
        return totals
    }
}
