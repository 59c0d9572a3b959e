import SubTrackAPI

/// Totals of several currencies in one, by the value of a euro in each.
///
/// Rates are decimal numbers and the sum is of integers. At most a millionth of the smallest coin is cut off for each
/// currency. The sum is rounded once, half to even.
public struct CurrencyConversion: Sendable {
    /// Units of each currency for one euro. The euro itself is 1, and need not be there.
    private let perEuro: [String: Amount]

    /// Takes the rates, each above zero.
    public init(perEuro: [String: Amount]) {
        self.perEuro = perEuro.merging(["EUR": Amount(units: 1, digits: 0)]) { $1 }
    }

    /// Those of some currencies that have no rate.
    public func missing(of currencies: some Sequence<String>) -> [String] {
        Set(currencies).filter { perEuro[$0] == nil }.sorted()
    }

    /// The sum of some prices in one currency.
    /// - Parameters:
    ///   - prices: the summands.
    ///   - currency: in which.
    ///   - digits: how many digits it has after the point, 0…6.
    /// - Returns: nil when a rate is missing, or the sum is too large to be written.
    public func sum(_ prices: some Sequence<Price>, in currency: String, digits: Int) -> Amount? {
        guard let target = perEuro[currency].map(Self.millionths), target > 0 else { return nil }
        var sum: Int128 = 0
        for price in prices {
            guard let source = perEuro[price.currency].map(Self.millionths), source > 0 else { return nil }
            let amount = Self.millionths(price.fee)
            // In millionths of the target's millionths.
            let (product, isTooLarge) = amount.multipliedReportingOverflow(by: target)
            let (scaled, isFartherTooLarge) = product.multipliedReportingOverflow(by: 1_000_000)
            guard !isTooLarge, !isFartherTooLarge else { return nil }
            let (added, overflow) = sum.addingReportingOverflow(scaled / source)
            guard !overflow else { return nil }
            sum = added
        }
        var unit: Int128 = 1_000_000
        for _ in 0..<max(0, Amount.maximumDigits - min(max(digits, 0), Amount.maximumDigits)) { unit *= 10 }
        let (floor, rest) = sum.quotientAndRemainder(dividingBy: unit)
        let double = rest.magnitude * 2
        let roundsAway = double > unit.magnitude || (double == unit.magnitude && floor & 1 == 1)
        return Int64(exactly: roundsAway ? floor + rest.signum() : floor).map { Amount(units: $0, digits: digits) }
    }

    private static func millionths(_ amount: Amount) -> Int128 {
        Int128(amount.units) * Int128(Amount.unitsPerOne(digits: Amount.maximumDigits - amount.digits))
    }
}
