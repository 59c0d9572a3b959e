import SubTrackAPI

/// An exact sum of amounts × integer ÷ integer, rounded only when it is read.
///
/// Numerators are summed by denominator in 128 bits, in millionths; an addition never loses anything.
struct ExactSum: Sendable {
    private var numerators: [UInt64: Int128] = [:]

    /// Adds amount × factor ÷ divisor; the divisor must be positive and, like every one of them, at most 10⁹.
    /// - Returns: false when the sum would not fit; it stays as it was. (At the largest fee that takes 10¹⁸ of them.)
    mutating func add(_ amount: Amount, times factor: Int, over divisor: Int = 1) -> Bool {
        let millionths = Int128(amount.units) * Int128(Amount.unitsPerOne(digits: Amount.maximumDigits - amount.digits))
        let product = millionths.multipliedReportingOverflow(by: Int128(factor))
        let sum = numerators[UInt64(divisor), default: 0].addingReportingOverflow(product.partialValue)
        guard !product.overflow, !sum.overflow else { return false }
        numerators[UInt64(divisor)] = sum.partialValue
        return true
    }

    /// The sum ÷ `divisor` (1…1,000), rounded half to even to so many digits after the point (0…6).
    /// - Returns: nil when an ``Amount`` of so many digits cannot hold it.
    func rounded(toDigits digits: Int, dividedBy divisor: Int = 1) -> Amount? {
        let unit = UInt64(Amount.unitsPerOne(digits: Amount.maximumDigits - digits)) * UInt64(divisor)
        var whole: Int128 = 0
        var rest = ProperFraction()
        for (denominator, numerator) in numerators {
            let parts = Self.floor(numerator, denominator * unit)
            let carry: Int128 = rest.add(parts.remainder, over: denominator * unit) ? 1 : 0
            // Only a remainder carries; then the denominator was 2 or more, and the quotient is far from overflowing.
            let sum = whole.addingReportingOverflow(parts.quotient + carry)
            guard !sum.overflow else { return nil }
            whole = sum.partialValue
        }
        guard let floor = Int64(exactly: whole) else { return nil }
        let roundsUp =
            switch rest.comparedToHalf {
            case .less: false
            case .exactly: floor & 1 == 1
            case .more: true
            }
        let rounded = floor.addingReportingOverflow(roundsUp ? 1 : 0)
        return rounded.overflow ? nil : Amount(units: rounded.partialValue, digits: digits)
    }

    /// Divides towards negative infinity: the remainder is 0 or positive.
    private static func floor(_ numerator: Int128, _ denominator: UInt64) -> (quotient: Int128, remainder: UInt64) {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: Int128(denominator))
        return remainder < 0
            ? (quotient - 1, UInt64(remainder + Int128(denominator))) : (quotient, UInt64(remainder))
    }
}

/// An exact sum of fractions modulo 1, of any denominators.
private struct ProperFraction {
    private var numerator = Natural(0)
    private var denominator = Natural(1)

    enum Half { case less, exactly, more }

    /// How the fraction compares with a half.
    var comparedToHalf: Half {
        let double = numerator * 2
        return double < denominator ? .less : double == denominator ? .exactly : .more
    }

    /// Adds a fraction below 1.
    /// - Returns: whether the sum reached 1, which was taken off then.
    mutating func add(_ part: UInt64, over whole: UInt64) -> Bool {
        guard part > 0 else { return false }
        let common = Self.greatestCommonDivisor(part, whole)
        let (small, over) = (part / common, whole / common)
        // a/b + c/d = (a·(d/g) + c·(b/g)) / (b·(d/g)), where g is the greatest common divisor of b and d.
        let shared = Self.greatestCommonDivisor(over, denominator.quotientAndRemainder(dividingBy: over).remainder)
        let factor = over / shared
        numerator = numerator * factor + denominator.quotientAndRemainder(dividingBy: shared).quotient * small
        denominator = denominator * factor
        guard numerator >= denominator else { return false }
        numerator = numerator - denominator
        return true
    }

    private static func greatestCommonDivisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}
