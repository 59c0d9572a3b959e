/// A natural number of any size, with just the operations that an exact sum of fractions needs.
///
/// Sums of money over periods of 1…1200 units have a common denominator of some 1,700 bits, which no fixed width holds.
package struct Natural: Equatable, Comparable {
    /// Digits in base 2⁶⁴, the lowest first; none for 0, and the last is never 0.
    private var limbs: [UInt64]

    package init(_ value: UInt64) { limbs = value == 0 ? [] : [value] }

    package static func < (left: Self, right: Self) -> Bool {
        guard left.limbs.count == right.limbs.count else { return left.limbs.count < right.limbs.count }
        for index in left.limbs.indices.reversed() where left.limbs[index] != right.limbs[index] {
            return left.limbs[index] < right.limbs[index]
        }
        return false
    }

    package static func + (left: Self, right: Self) -> Self {
        var (sum, short) = left.limbs.count >= right.limbs.count ? (left, right.limbs) : (right, left.limbs)
        var carry: UInt64 = 0
        for index in sum.limbs.indices {
            if index >= short.count, carry == 0 { break }
            let first = sum.limbs[index].addingReportingOverflow(index < short.count ? short[index] : 0)
            let second = first.partialValue.addingReportingOverflow(carry)
            sum.limbs[index] = second.partialValue
            carry = first.overflow || second.overflow ? 1 : 0
        }
        if carry > 0 { sum.limbs.append(carry) }
        return sum
    }

    /// The difference; the right number must not be the larger one.
    package static func - (left: Self, right: Self) -> Self {
        var difference = left
        var borrow: UInt64 = 0
        for index in left.limbs.indices {
            let first = left.limbs[index].subtractingReportingOverflow(
                index < right.limbs.count ? right.limbs[index] : 0)
            let second = first.partialValue.subtractingReportingOverflow(borrow)
            difference.limbs[index] = second.partialValue
            borrow = first.overflow || second.overflow ? 1 : 0
        }
        while difference.limbs.last == 0 { difference.limbs.removeLast() }
        return difference
    }

    package static func * (left: Self, factor: UInt64) -> Self {
        guard factor != 0 else { return Natural(0) }
        var product = left
        var carry: UInt64 = 0
        for index in product.limbs.indices {
            let wide = product.limbs[index].multipliedFullWidth(by: factor)
            let low = wide.low.addingReportingOverflow(carry)
            product.limbs[index] = low.partialValue
            // The high half of a product is at most 2⁶⁴ - 2, so the carry fits.
            carry = wide.high + (low.overflow ? 1 : 0)
        }
        if carry > 0 { product.limbs.append(carry) }
        return product
    }

    /// Quotient and remainder; the divisor must not be 0.
    package func quotientAndRemainder(dividingBy divisor: UInt64) -> (quotient: Self, remainder: UInt64) {
        var quotient = self
        var remainder: UInt64 = 0
        for index in limbs.indices.reversed() {
            // The remainder so far is below the divisor, so the quotient fits one limb.
            (quotient.limbs[index], remainder) = divisor.dividingFullWidth((remainder, limbs[index]))
        }
        while quotient.limbs.last == 0 { quotient.limbs.removeLast() }
        return (quotient, remainder)
    }
}
