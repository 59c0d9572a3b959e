import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite("Conversion of currencies", .ownTime)
struct CurrencyConversionTests {
    private let conversion = CurrencyConversion(
        perEuro: ["USD": Amount("1.25"), "JPY": Amount("160")].compactMapValues(\.self))

    private func sum(_ prices: [(String, String)], _ currency: String, _ digits: Int) -> String? {
        let prices = prices.compactMap { text, currency in Amount(text).map { Price(fee: $0, currency: currency) } }
        return conversion.sum(prices, in: currency, digits: digits).map(\.description)
    }

    @Test("The sum is rounded once, half to even, in either direction and through the euro")
    func sums() {
        #expect(sum([], "EUR", 2) == "0.00")
        #expect(sum([("10", "USD")], "EUR", 2) == "8.00")
        #expect(sum([("8", "EUR")], "USD", 2) == "10.00")
        #expect(sum([("1", "USD")], "JPY", 0) == "128")
        // 0.005 and 0.015 euros are halves; three thirds of a cent are one.
        #expect(sum([("0.00625", "USD")], "EUR", 2) == "0.00")
        #expect(sum([("0.01875", "USD")], "EUR", 2) == "0.02")
        #expect(sum([("0.5", "JPY"), ("0.5", "JPY"), ("0.6", "JPY")], "EUR", 2) == "0.01")
    }

    @Test("A currency without a rate is missing, and has no sum; the euro never is")
    func missing() {
        #expect(conversion.missing(of: ["USD", "GBP", "EUR", "CHF", "GBP"]) == ["CHF", "GBP"])
        #expect(sum([("1", "GBP")], "EUR", 2) == nil)
        #expect(sum([("1", "EUR")], "GBP", 2) == nil)
    }

    @Test("What is too large has no sum, and does not trap")
    func large() {
        let huge = Price(fee: Amount(units: .max, digits: 0), currency: "EUR")
        #expect(conversion.sum([huge, huge], in: "JPY", digits: 6) == nil)
        #expect(conversion.sum([huge], in: "EUR", digits: 2) == nil)
    }
}
