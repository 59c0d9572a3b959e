import Foundation
import SubTrackAPI
import TestTraits
import Testing

@Suite(.ownTime) struct AmountTests {
    @Test(arguments: [
        ("17.99", 1799, 2), ("0", 0, 0), ("0.00", 0, 2), ("0.000001", 1, 6), ("-0.05", -5, 2), ("980", 980, 0),
        ("99999999999.999999", 99_999_999_999_999_999, 6), ("999999999999999999", 999_999_999_999_999_999, 0),
        ("-12.5", -125, 1),
    ])
    func writingAndReading(text: String, units: Int64, digits: Int) throws {
        let amount = try amount(text)
        #expect((amount.units, amount.digits) == (units, digits))
        #expect(amount.description == text)
        #expect(try JSONEncoder().encode([amount]) == Data("[\"\(text)\"]".utf8))
        let read = try JSONDecoder().decode([Amount].self, from: Data("[\"\(text)\"]".utf8))
        #expect(read.map(\.description) == [text])
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".5", "-.5", "+1", "1e3", "1E3", "0x10", "1,99", "1.2.3", "1 ", " 1", "--1", "1-", "NaN",
        "inf", "1_000", "1.0000000", "1234567890123456789", "0.1234567", "١", "1\0", "£1",
    ])
    func whatIsNoAmount(text: String) throws {
        #expect(Amount(text) == nil)
        let json = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Amount].self, from: json) }
    }

    @Test(arguments: ["17.99", "1799", "null", "true", "[]"])
    func onTheWireItIsAString(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Amount].self, from: Data("[\(json)]".utf8))
        }
    }

    @Test func writingsOfOneNumberAreEqual() throws {
        #expect(try amount("1.5") == amount("1.50"))
        #expect(try amount("1.5").hashValue == amount("1.500000").hashValue)
        #expect(try amount("-0") == amount("0.00"))
        #expect(try amount("007.5") == amount("7.50"))
        #expect(try amount("1.5") != amount("1.51"))
        #expect(try amount("1.49") < amount("1.5"))
        #expect(try amount("-1.5") < amount("-1.49"))
        #expect(try amount("-1.5").isNegative)
        #expect(try !amount("-0.00").isNegative)
        #expect(Amount(units: .max, digits: 0) > Amount(units: .max, digits: 6))
        #expect(Amount(units: .min, digits: 0) < Amount(units: .min, digits: 6))
        #expect(Amount(units: .min, digits: 2).description == "-92233720368547758.08")
    }

    @Test func anotherCountOfDigits() throws {
        #expect(try amount("1.5").rescaled(toDigits: 3)?.description == "1.500")
        #expect(try amount("1.500").rescaled(toDigits: 1)?.description == "1.5")
        #expect(try amount("-1.500").rescaled(toDigits: 1)?.description == "-1.5")
        #expect(try amount("1.501").rescaled(toDigits: 2) == nil, "would lose a digit")
        #expect(try amount("1.5").rescaled(toDigits: 7) == nil)
        #expect(try amount("1.5").rescaled(toDigits: -1) == nil)
        #expect(Amount(units: .max, digits: 0).rescaled(toDigits: 1) == nil, "would overflow")
    }

    @Test func orderIsThatOfTheNumbers() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<5000 {
            let scale = Int64(1) << Int64.random(in: 1...62, using: &random)
            func any() -> Amount {
                Amount(
                    units: Int64.random(in: -scale...scale, using: &random),
                    digits: Int.random(in: 0...6, using: &random))
            }
            let (left, right) = (any(), any())
            func decimal(_ amount: Amount) -> Decimal {
                Decimal(amount.units) / Decimal(Amount.unitsPerOne(digits: amount.digits))
            }
            #expect((left < right) == (decimal(left) < decimal(right)), "\(left) \(right)")
            #expect((left == right) == (decimal(left) == decimal(right)), "\(left) \(right)")
            #expect(Amount(left.description) == left || left.units.magnitude >= 1_000_000_000_000_000_000)
        }
    }
}
