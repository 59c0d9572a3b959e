import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite(.ownTime) struct PriceLineTests {
    private func line(_ prices: [(String, String, String)]) throws -> PriceLine {
        try #require(
            PriceLine(
                try prices.map { effectiveOn, fee, currency in
                    PriceLine.Entry(effectiveOn: try day(effectiveOn), price: try price(fee, currency))
                }))
    }

    private func price(_ fee: String, _ currency: String) throws -> Price {
        Price(fee: try amount(fee), currency: currency)
    }

    @Test func thePriceOfADayIsThatOfTheGreatestDayNotAfterIt() throws {
        // A change of currency with the price is real: Croatia, 2023.
        let line = try line([
            ("2025-01-18", "8.99", "EUR"), ("2022-01-14", "59.00", "HRK"), ("2023-01-01", "7.99", "EUR"),
        ])
        #expect(try line.price(on: day("2022-12-31")) == price("59.00", "HRK"))
        #expect(try line.price(on: day("2023-01-01")) == price("7.99", "EUR"))
        #expect(try line.price(on: day("2025-01-17")) == price("7.99", "EUR"))
        #expect(try line.price(on: day("2999-12-31")) == price("8.99", "EUR"))
        #expect(try line.price(on: day("1999-12-31")) == price("59.00", "HRK"), "before the first known day")
        #expect(try line.next(after: day("2023-01-01"))?.effectiveOn == day("2025-01-18"))
        #expect(try line.next(after: day("2025-01-18")) == nil)
    }

    @Test func aPeriodCostsItsPriceTheOwnFeeOrNothing() throws {
        let line = try line([("2022-01-14", "59.00", "HRK"), ("2023-01-01", "7.99", "EUR")])
        let start = try day("2023-04-01")
        #expect(try line.cost(ofPeriodFrom: start) == price("7.99", "EUR"))
        #expect(try line.cost(ofPeriodFrom: start, ownFee: amount("5.00")) == price("5.00", "EUR"))
        #expect(try line.cost(ofPeriodFrom: start, ownFee: amount("5.00"), freeTrial: true) == price("0.00", "EUR"))
        #expect(line.cost(ofPeriodFrom: start, freeTrial: true).fee.description == "0.00")
    }

    @Test func aLineNeedsAPriceAndHasEachDayOnce() throws {
        #expect(PriceLine([]) == nil)
        let line = try line([("2023-01-01", "7.99", "EUR"), ("2023-01-01", "8.49", "EUR")])
        #expect(line.entries.count == 1)
        #expect(try line.price(on: day("2023-01-01")) == price("8.49", "EUR"))
        #expect(try PriceLine(always: price("1.00", "EUR")).price(on: day("0001-01-01")) == price("1.00", "EUR"))
    }

    @Test func lookingUpIsLookingThroughAll() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let entries = (0..<Int.random(in: 1...20, using: &random)).map { index in
                PriceLine.Entry(
                    effectiveOn: CalendarDate(daysSince1970: Int32.random(in: 0...60, using: &random)),
                    price: Price(fee: Amount(units: Int64(index), digits: 2), currency: "EUR"))
            }
            let line = try #require(PriceLine(entries))
            for number in Int32(-2)...63 {
                let day = CalendarDate(daysSince1970: number)
                // The last of the latest ones not after the day, or the last of the earliest ones.
                let latest =
                    entries.map(\.effectiveOn).filter { $0 <= day }.max() ?? entries.map(\.effectiveOn).min()
                try #require(line.price(on: day) == entries.last { $0.effectiveOn == latest }?.price)
                try #require(line.next(after: day) == line.entries.first { $0.effectiveOn > day })
            }
        }
    }

    @Test("A walk along a line of any length takes a moment", .timeLimit(.minutes(10))) func walking() throws {
        let price = Price(fee: Amount(units: 1, digits: 0), currency: "EUR")
        let entries = (0..<200_000).map {
            PriceLine.Entry(effectiveOn: CalendarDate(daysSince1970: $0), price: price)
        }
        let line = try #require(PriceLine(entries))
        var steps = 0
        var day = CalendarDate.range.lowerBound
        while let next = line.next(after: day) { (steps, day) = (steps + 1, next.effectiveOn) }
        #expect(steps == entries.count)
    }
}
