/// A fraction of whole numbers of any size, by the arithmetic taught at school in base 10,000. Totals are checked
/// against it. It reduces nothing and shares nothing with the tested code.
struct BigRational {
    private(set) var numerator: Digits
    private(set) var denominator: Digits

    init(_ numerator: UInt64, over denominator: UInt64) {
        (self.numerator, self.denominator) = (Digits(numerator), Digits(denominator))
    }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.numerator = left.numerator * right.denominator + right.numerator * left.denominator
        sum.denominator = left.denominator * right.denominator
        return sum
    }

    static func * (left: Self, factor: UInt64) -> Self {
        var product = left
        product.numerator = left.numerator * Digits(factor)
        return product
    }

    static func / (left: Self, divisor: UInt64) -> Self {
        var quotient = left
        quotient.denominator = left.denominator * Digits(divisor)
        return quotient
    }

    /// Whether `candidate` is this number rounded half to even: it is no further than a half away. If it is exactly
    /// that far, it is even.
    func rounds(halfEvenTo candidate: UInt64) -> Bool {
        // |numerator - candidate × denominator| × 2 against denominator
        let product = Digits(candidate) * denominator
        let double = Digits(2) * (numerator.isLess(than: product) ? product - numerator : numerator - product)
        if double == denominator { return candidate % 2 == 0 }
        return double.isLess(than: denominator)
    }

    /// Digits in base 10,000, the lowest first, without leading zeros.
    struct Digits: Equatable {
        var values: [Int]

        init(_ number: UInt64) {
            values = []
            var rest = number
            while rest > 0 {
                values.append(Int(rest % 10_000))
                rest /= 10_000
            }
        }

        func isLess(than other: Digits) -> Bool {
            values.count == other.values.count
                ? values.reversed().lexicographicallyPrecedes(other.values.reversed())
                : values.count < other.values.count
        }

        static func + (left: Digits, right: Digits) -> Digits {
            var sum = Digits(0)
            var carry = 0
            for index in 0..<max(left.values.count, right.values.count) {
                let digit = left[index] + right[index] + carry
                sum.values.append(digit % 10_000)
                carry = digit / 10_000
            }
            if carry > 0 { sum.values.append(carry) }
            return sum
        }

        static func - (left: Digits, right: Digits) -> Digits {
            var difference = left
            var borrow = 0
            for index in left.values.indices {
                let digit = left[index] - right[index] - borrow
                difference.values[index] = digit < 0 ? digit + 10_000 : digit
                borrow = digit < 0 ? 1 : 0
            }
            while difference.values.last == 0 { difference.values.removeLast() }
            return difference
        }

        static func * (left: Digits, right: Digits) -> Digits {
            var product = Digits(0)
            product.values = [Int](repeating: 0, count: left.values.count + right.values.count)
            for (index, digit) in left.values.enumerated() {
                var carry = 0
                for (offset, factor) in right.values.enumerated() {
                    let value = product.values[index + offset] + digit * factor + carry
                    product.values[index + offset] = value % 10_000
                    carry = value / 10_000
                }
                product.values[index + right.values.count] += carry
            }
            while product.values.last == 0 { product.values.removeLast() }
            return product
        }

        private subscript(index: Int) -> Int { index < values.count ? values[index] : 0 }
    }
}
