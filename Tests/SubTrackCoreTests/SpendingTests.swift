import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite(.ownTime) struct SpendingTests {
    private typealias Item = (fee: String, value: Int, unit: PlanDuration.Unit)

    private func spend(_ items: [Item], digits: Int) throws -> [String] {
        var spending = Spending()
        for item in items {
            try spending.add(Price(fee: amount(item.fee), currency: "XTS"), terms: terms(item.value, item.unit))
        }
        return try spending.totals { _ in digits }.flatMap { ["\($0.month)", "\($0.year)"] }
    }

    @Test func aYearOfEachUnit() throws {
        #expect(try spend([("1.00", 1, .day)], digits: 2) == ["30.42", "365.00"])
        #expect(try spend([("1.00", 1, .week)], digits: 2) == ["4.33", "52.00"])
        #expect(try spend([("1.00", 1, .month)], digits: 2) == ["1.00", "12.00"])
        #expect(try spend([("1.00", 1, .year)], digits: 2) == ["0.08", "1.00"])
    }

    /// The expected totals were computed with Python's `fractions`.
    @Test func manyTogether() throws {
        let household: [Item] = [
            ("17.99", 1, .month), ("150.00", 1, .year), ("4.99", 1, .week), ("9.99", 30, .day), ("39.99", 3, .month),
        ]
        #expect(try spend(household, digits: 2) == ["75.57", "906.86"])
        #expect(
            try spend([("980", 1, .month), ("1490", 28, .day), ("5900", 7, .month)], digits: 0) == ["3441", "41298"])
        #expect(
            try spend([("3.500", 1, .month), ("1.001", 7, .day), ("0.001", 1200, .year)], digits: 3)
                == ["7.850", "94.195"])
    }

    /// Every duration there is has a common denominator of some 1,700 bits.
    @Test func everyDurationAtOnce() throws {
        #expect(
            try spend((1...1200).map { ("99999999999", $0, .day) }, digits: 2)
                == ["23322615207749.96", "279871382492999.54"])
        #expect(try spend((1...1200).map { ("0.000001", $0, .year) }, digits: 6) == ["0.000001", "0.000008"])
    }

    @Test func halvesGoToTheEvenNeighbour() throws {
        // A third and a sixth of a cent are exactly half a cent: one that decimal fractions do not find.
        #expect(try spend([("0.01", 3, .year), ("0.01", 6, .year)], digits: 2)[1] == "0.00")
        #expect(try spend([("0.03", 3, .year), ("0.03", 6, .year)], digits: 2)[1] == "0.02")
        #expect(try spend([("0.05", 3, .year), ("0.05", 6, .year)], digits: 2)[1] == "0.02")
        #expect(try spend([("0.06", 1, .year)], digits: 2)[0] == "0.00")
        #expect(try spend([("0.18", 1, .year)], digits: 2)[0] == "0.02")
        #expect(try spend([("0.30", 1, .year)], digits: 2)[0] == "0.02")
        // Just above and below the half.
        #expect(try spend([("0.03", 3, .year), ("0.03", 6, .year), ("0.000001", 1200, .year)], digits: 2)[1] == "0.02")
        #expect(try spend([("0.01", 3, .year), ("0.01", 6, .year), ("0.000001", 1200, .year)], digits: 2)[1] == "0.01")
        #expect(try spend([("-0.01", 3, .year), ("-0.01", 6, .year)], digits: 2)[1] == "0.00")
        #expect(try spend([("-0.03", 3, .year), ("-0.03", 6, .year)], digits: 2)[1] == "-0.02")
    }

    /// Three fees of a third are rounded once, together: 3 × 33.33… is 100.00, not 99.99.
    @Test func roundingComesLast() throws {
        let third: Item = ("100.00", 3, .year)
        #expect(try spend([third], digits: 2)[1] == "33.33")
        #expect(try spend([third, third, third], digits: 2)[1] == "100.00")
    }

    @Test func currenciesStayApart() throws {
        var spending = Spending()
        #expect(try spending.totals { _ in 2 } == [])
        try spending.add(Price(fee: amount("980"), currency: "JPY"), terms: terms(1, .month))
        try spending.add(Price(fee: amount("1.234"), currency: "KWD"), terms: terms(1, .month))
        try spending.add(Price(fee: amount("17.99"), currency: "EUR"), terms: terms(1, .month))
        let digits = ["JPY": 0, "KWD": 3]
        #expect(
            try spending.totals { digits[$0] ?? 2 } == [
                GetDashboard.Spend(currency: "EUR", month: amount("17.99"), year: amount("215.88")),
                GetDashboard.Spend(currency: "JPY", month: amount("980"), year: amount("11760")),
                GetDashboard.Spend(currency: "KWD", month: amount("1.234"), year: amount("14.808")),
            ])
    }

    @Test func whatIsTooLargeIsSaid() throws {
        var spending = Spending()
        let price = Price(fee: Amount(units: .max, digits: 0), currency: "XTS")
        for _ in 0..<1000 { try spending.add(price, terms: terms(1, .day)) }
        let error = TotalTooLarge(currency: "XTS")
        #expect(throws: error) { try spending.totals { _ in 0 } }
        #expect(error.description == "the total in XTS is too large to be written")
        // Thousands of the largest fee are no trouble.
        var large = Spending()
        for _ in 0..<2000 {
            try large.add(Price(fee: Money.largestFee, currency: "XTS"), terms: terms(1, .day))
        }
        #expect(try large.totals { _ in 2 }.map(\.year.description) == ["72999999999270000.00"])
    }

    @Test(arguments: 1...8) func asFractionsOfAnySize(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        var checked = 0
        for _ in 0..<100 {
            // Small fees of few durations come to ties; many durations to large denominators.
            let digits = Int.random(in: 0...6, using: &random)
            let largestFee = Int64(1) << Int64.random(in: 1...44, using: &random)
            let largestDuration = random.chance(0.5) ? 12 : 1200
            var spending = Spending()
            var exact = BigRational(0, over: 1)
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let fee = Amount(
                    units: Int64.random(in: 0...largestFee, using: &random),
                    digits: Int.random(in: 0...6, using: &random))
                let unit = try #require(PlanDuration.Unit.allCases.randomElement(using: &random))
                let value = Int.random(in: 1...largestDuration, using: &random)
                try spending.add(Price(fee: fee, currency: "XTS"), terms: terms(value, unit))
                let factor: [PlanDuration.Unit: UInt64] = [.day: 365, .week: 52, .month: 12, .year: 1]
                let perPeriod = BigRational(
                    UInt64(fee.units), over: UInt64(Amount.unitsPerOne(digits: fee.digits)) * UInt64(value))
                exact = exact + perPeriod * (factor[unit] ?? 0)
            }
            guard let total = try? spending.totals(digits: { _ in digits }).first else { continue }
            let scaled = exact * UInt64(Amount.unitsPerOne(digits: digits))
            try #require(total.year.digits == digits)
            try #require(scaled.rounds(halfEvenTo: UInt64(total.year.units)), "\(spending) \(total)")
            try #require((scaled / 12).rounds(halfEvenTo: UInt64(total.month.units)), "\(spending) \(total)")
            checked += 1
        }
        #expect(checked > 80, "few totals are too large to be written")
    }
}
