import SubTrackAPI

/// A total of money that is larger than can be written. (It takes fees of billions a day, a hundred times over.)
public struct TotalTooLarge: Error, Hashable, Sendable, CustomStringConvertible {
    /// ISO 4217.
    public let currency: String

    /// A total in a currency.
    public init(currency: String) { self.currency = currency }

    public var description: String { "the total in \(currency) is too large to be written" }
}

/// Costs of subscriptions in a year and in a month, by currency.
///
/// A year is fee × 365, 52, 12 or 1 ÷ duration for a duration in days, weeks, months or years. A month is a twelfth of
/// it. The fees are summed exactly, and each total is rounded once, half to even, to its currency's digits.
public struct Spending: Sendable {
    private var sums: [String: ExactSum] = [:]

    /// Nothing yet.
    public init() {}

    /// Adds the cost of an active subscription in each period.
    /// - Throws: ``TotalTooLarge``.
    public mutating func add(_ price: Price, terms: BillingTerms) throws(TotalTooLarge) {
        let added = sums[price.currency, default: ExactSum()].add(
            price.fee, times: terms.duration.unit.perYear, over: terms.duration.value)
        guard added else { throw TotalTooLarge(currency: price.currency) }
    }

    /// The totals, by code of currency.
    /// - Parameter digits: gives how many digits (0…6) a currency has after the point.
    /// - Throws: ``TotalTooLarge``.
    public func totals(digits: (String) -> Int) throws(TotalTooLarge) -> [GetDashboard.Spend] {
        var totals: [GetDashboard.Spend] = []
        for (currency, sum) in sums.sorted(by: { $0.key < $1.key }) {
            let digits = min(max(digits(currency), 0), Amount.maximumDigits)
            guard let month = sum.rounded(toDigits: digits, dividedBy: 12), let year = sum.rounded(toDigits: digits)
            else { throw TotalTooLarge(currency: currency) }
            totals.append(GetDashboard.Spend(currency: currency, month: month, year: year))
        }
        return totals
    }
}

extension PlanDuration.Unit {
    /// How many of this unit make a year, for the cost of a year.
    public var perYear: Int {
        switch self {
        case .day: 365
        case .week: 52
        case .month: 12
        case .year: 1
        }
    }
}
