import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite(.ownTime) struct MoneyTests {
    @Test func aFeeHasTheDigitsOfItsCurrency() throws {
        #expect(try Money.fee("1.5", currency: "USD", digits: 2).description == "1.50")
        #expect(try Money.fee("1.230", currency: "USD", digits: 2).description == "1.23")
        #expect(try Money.fee("980", currency: "JPY", digits: 0).description == "980")
        #expect(try Money.fee("980.000", currency: "JPY", digits: 0).description == "980")
        #expect(try Money.fee("1.234", currency: "KWD", digits: 3).description == "1.234")
        #expect(try Money.fee("0", currency: "USD", digits: 2).description == "0.00")
        #expect(try Money.fee("99999999999", currency: "CLF", digits: 4).description == "99999999999.0000")
    }

    @Test(arguments: [
        ("-1", "USD", 2, "must not be negative, given -1"),
        ("1.234", "USD", 2, "USD has 2 digits after the point, given 1.234"),
        ("9.5", "JPY", 0, "JPY has no digits after the point, given 9.5"),
        ("9.55", "XXX", 1, "XXX has 1 digit after the point, given 9.55"),
        ("99999999999.01", "USD", 2, "must be at most 99999999999, given 99999999999.01"),
        ("100000000000", "JPY", 0, "must be at most 99999999999, given 100000000000"),
    ])
    func anotherFeeIsRefused(text: String, currency: String, digits: Int, message: String) throws {
        let error = try #require(throws: FeeError.self) { try Money.fee(text, currency: currency, digits: digits) }
        #expect(error.description == message)
        #expect(error.code == .range)
    }

    @Test(arguments: ["", "1e30", "1,99", "abc", "NaN", "+1", ".5", "1.", " 1", "1234567890123456789"])
    func whatIsNoNumberIsRefused(text: String) throws {
        let error = try #require(throws: FeeError.self) { try Money.fee(text, currency: "USD", digits: 2) }
        #expect(error == .malformed(text))
        #expect(error.description == "\"\(text)\" is not an amount such as \"17.99\"")
        #expect(error.code == .malformed)
    }

    @Test func aPriceIsWrittenWithItsCurrency() throws {
        #expect(try Money.format(Price(fee: amount("17.990000"), currency: "USD"), digits: 2) == "17.99 USD")
        #expect(try Money.format(Price(fee: amount("5"), currency: "KWD"), digits: 3) == "5.000 KWD")
        #expect(try Money.format(Price(fee: amount("0.125"), currency: "USD"), digits: 2) == "0.125 USD")
    }
}
