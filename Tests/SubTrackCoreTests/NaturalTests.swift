import SubTrackCore
import TestTraits
import Testing

/// Numbers of several limbs, against the arithmetic of 128 bits and the laws of arithmetic.
@Suite(.ownTime) struct NaturalTests {
    @Test func asIn128Bits() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let (a, b, factor) = (limb(&random), limb(&random), limb(&random))
            let product = a.multipliedFullWidth(by: b)
            let wide = natural(product.high, product.low)
            #expect(Natural(a) * b == wide)
            #expect((Natural(a) < Natural(b)) == (a < b))
            let sum = a.addingReportingOverflow(b)
            #expect(Natural(a) + Natural(b) == natural(sum.overflow ? 1 : 0, sum.partialValue))
            #expect(natural(sum.overflow ? 1 : 0, sum.partialValue) - Natural(a) == Natural(b))
            if product.high < factor {
                let (quotient, remainder) = factor.dividingFullWidth(product)
                let divided = wide.quotientAndRemainder(dividingBy: factor)
                #expect(divided.quotient == Natural(quotient))
                #expect(divided.remainder == remainder)
            }
        }
    }

    @Test func lawsOfLongNumbers() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2000 {
            let (a, b) = (long(&random), long(&random))
            let factor = limb(&random)
            #expect(a + b == b + a)
            #expect((a + b) - b == a)
            #expect((a + b) * factor == a * factor + b * factor)
            #expect(a * factor < (a + Natural(1)) * factor || factor == 0)
            if factor > 0 {
                let (quotient, remainder) = a.quotientAndRemainder(dividingBy: factor)
                #expect(remainder < factor)
                #expect(quotient * factor + Natural(remainder) == a)
            }
        }
        #expect(long(&random) * 0 == Natural(0))
    }

    /// Limbs of all ones and of few bits are where carries go wrong.
    private func limb(_ random: inout SeededGenerator) -> UInt64 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .max - UInt64.random(in: 0...2, using: &random)
        case 1: UInt64.random(in: 0...2, using: &random)
        default: .random(in: 0 ... .max, using: &random)
        }
    }

    /// high × 2⁶⁴ + low
    private func natural(_ high: UInt64, _ low: UInt64) -> Natural {
        Natural(high) * (1 << 32) * (1 << 32) + Natural(low)
    }

    private func long(_ random: inout SeededGenerator) -> Natural {
        var number = Natural(limb(&random))
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            number = number * (1 << 32) * (1 << 32) + Natural(limb(&random))
        }
        return number
    }
}
