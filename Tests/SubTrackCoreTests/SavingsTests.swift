import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite(.ownTime) struct SavingsTests {
    private func line(_ prices: [(String, String, String)]) throws -> PriceLine {
        try #require(
            PriceLine(
                try prices.map { effectiveOn, fee, currency in
                    PriceLine.Entry(
                        effectiveOn: try day(effectiveOn), price: Price(fee: try amount(fee), currency: currency))
                }))
    }

    private func saved(
        _ state: BillingState, _ terms: BillingTerms, _ prices: PriceLine, ownFee: Amount? = nil, on today: String
    ) throws -> [String] {
        var savings = Savings()
        try savings.add(state, terms: terms, prices: prices, ownFee: ownFee, today: day(today))
        return try savings.totals { _ in 2 }.map { "\($0.amount) \($0.currency)" }
    }

    @Test func eachPeriodThatWouldHaveBegun() throws {
        let monthly = try terms(1, .month)
        let state = try BillingState.begin(on: day("2027-01-31"), terms: monthly)
        let prices = try line([("2020-01-01", "10.00", "EUR")])
        #expect(try saved(state, monthly, prices, on: "2027-02-27") == [])
        #expect(try saved(state, monthly, prices, on: "2027-02-28") == ["10.00 EUR"], "the day of the renewal")
        #expect(try saved(state, monthly, prices, on: "2027-03-30") == ["10.00 EUR"])
        #expect(try saved(state, monthly, prices, on: "2027-03-31") == ["20.00 EUR"], "not 28 March")
        #expect(try saved(state, monthly, prices, on: "2028-01-31") == ["120.00 EUR"])
        #expect(try saved(state, monthly, prices, ownFee: amount("3.50"), on: "2027-04-30") == ["10.50 EUR"])
    }

    @Test func atThePriceThatHeldThatDay() throws {
        let monthly = try terms(1, .month)
        let state = try BillingState.begin(on: day("2022-10-15"), terms: monthly)
        let prices = try line([
            ("2022-12-15", "60.00", "HRK"), ("2022-01-01", "59.00", "HRK"), ("2023-01-01", "7.99", "EUR"),
            ("2023-02-16", "8.99", "EUR"), ("2030-01-01", "99.00", "EUR"),
        ])
        // 15 November 59, 15 December 60; 15 January and 15 February 7.99, 15 March 8.99.
        #expect(try saved(state, monthly, prices, on: "2023-04-14") == ["24.97 EUR", "119.00 HRK"])
    }

    @Test func aTrialCancelledInTimeSavesWholePeriods() throws {
        let monthly = try terms(1, .month, trialDays: 7)
        let trial = try BillingState.begin(on: day("2027-01-24"), terms: monthly, freeTrial: true)
        let prices = try line([("2020-01-01", "10.00", "EUR")])
        // From 31 January on: then 28 February, 31 March.
        #expect(try saved(trial, monthly, prices, on: "2027-01-30") == [])
        #expect(try saved(trial, monthly, prices, on: "2027-02-27") == ["10.00 EUR"])
        #expect(try saved(trial, monthly, prices, on: "2027-03-30") == ["20.00 EUR"])
        #expect(try saved(trial, monthly, prices, on: "2027-03-31") == ["30.00 EUR"])
    }

    @Test func totalsTooLargeAreSaid() throws {
        let daily = try terms(1, .day)
        let state = try BillingState.begin(on: day("1970-01-02"), terms: daily)
        let prices = PriceLine(always: Price(fee: Amount(units: .max, digits: 0), currency: "XTS"))
        #expect(throws: TotalTooLarge(currency: "XTS")) { try saved(state, daily, prices, on: "2999-12-31") }
    }

    @Test(arguments: 1...4) func asPeriodByPeriod(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let unit = try #require(PlanDuration.Unit.allCases.randomElement(using: &random))
            let plan = try terms(Int.random(in: 1...40, using: &random), unit, trialDays: 11)
            let now = random.chance(0.3) ? try terms(Int.random(in: 1...40, using: &random), .week) : plan
            let start = CalendarDate(daysSince1970: Int32.random(in: 10_000...30_000, using: &random))
            var state = try BillingState.begin(on: start, terms: plan, freeTrial: random.chance(0.3))
            if random.chance(0.5) { state = try state.renewed(plan) }
            let today = state.end.adding(days: Int.random(in: -50...2000, using: &random))
            let prices = try #require(
                PriceLine(
                    (0..<Int.random(in: 1...8, using: &random)).map { index in
                        PriceLine.Entry(
                            effectiveOn: state.end.adding(days: Int.random(in: -800...2200, using: &random)),
                            price: Price(
                                fee: Amount(units: Int64(index * 101), digits: 2),
                                currency: random.chance(0.2) ? "HRK" : "EUR"))
                    }))
            var expected: [String: Int64] = [:]
            var next = state
            while today >= next.end {
                next = try next.renewed(now)
                let price = prices.price(on: next.start)
                expected[price.currency, default: 0] += price.fee.units
            }
            var savings = Savings()
            try savings.add(state, terms: now, prices: prices, today: today)
            let totals = try savings.totals { _ in 2 }
            try #require(
                Dictionary(uniqueKeysWithValues: totals.map { ($0.currency, $0.amount.units) }) == expected)
            #expect(totals.map(\.currency) == expected.keys.sorted())
        }
    }
}
