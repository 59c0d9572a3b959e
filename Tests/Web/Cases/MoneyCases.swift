import SubTrackAPI
import SubTrackCore

/// Amounts, fees and totals.
enum MoneyCases {
    static func amount(_ random: inout CaseRandom) -> RuleCase {
        amount(random.amountText(), random.amountText(), digits: random.int(-1...7))
    }

    static func amount(_ text: String, _ other: String, digits: Int) -> RuleCase {
        let (one, two) = (Amount(text), Amount(other))
        var compared = AnyJSON.null
        if let one, let two { compared = .int(one < two ? -1 : one == two ? 0 : 1) }
        return RuleCase(
            kind: "amount", input: ["text": .string(text), "other": .string(other), "digits": .int(digits)],
            expected: .object([
                "written": .amount(one), "rescaled": .amount(one.flatMap { $0.rescaled(toDigits: digits) }),
                "compared": compared,
            ]))
    }

    static func fee(_ random: inout CaseRandom) -> RuleCase { fee(random.amountText(), digits: random.int(0...4)) }

    static func fee(_ text: String, digits: Int) -> RuleCase {
        var expected: AnyJSON
        do throws(FeeError) {
            expected = .amount(try Money.fee(text, currency: "XTS", digits: digits))
        } catch {
            expected = .object(["error": .string(error.caseCode)])
        }
        return RuleCase(kind: "fee", input: ["text": .string(text), "digits": .int(digits)], expected: expected)
    }

    static func written(_ random: inout CaseRandom) -> RuleCase {
        let mark = random.pick([",", ".", " ", "'", "\u{A0}", "-", ""])
        let parts = (0..<random.int(1...3)).map { _ in String(random.int(0...random.pick([9, 999, 9999]))) }
        return written(
            random.once(in: 3)
                ? parts.joined(separator: mark) + random.pick([",5", ".50", ".500", ",500"])
                : parts.joined(separator: mark),
            digits: random.int(0...4))
    }

    static func written(_ text: String, digits: Int) -> RuleCase {
        let expected: AnyJSON =
            switch WrittenAmount(text, digits: digits) {
            case .amount(let amount): .amount(amount)
            case .either(let thousands, let fraction): .array([.amount(thousands), .amount(fraction)])
            case .none: .null
            }
        return RuleCase(kind: "written", input: ["text": .string(text), "digits": .int(digits)], expected: expected)
    }

    static func conversion(_ random: inout CaseRandom) -> RuleCase {
        let codes = ["EUR", "USD", "JPY", "KWD", "CHF"]
        var rates: [String: Amount] = [:]
        for code in codes where !random.once(in: 8) && (code != "EUR" || random.once(in: 4)) {
            rates[code] =
                random.once(in: 30)
                ? Amount(units: 0, digits: 2)
                : Amount(units: Int64(random.int(1...300_000_000)), digits: random.int(2...6))
        }
        let prices = (0..<random.int(0...5)).map { _ in random.price(of: codes) }
        let (target, digits) = (random.pick(codes), random.int(-1...7))
        let conversion = CurrencyConversion(perEuro: rates)
        return RuleCase(
            kind: "conversion",
            input: [
                "rates": .object(rates.mapValues { .amount($0) }), "prices": .array(prices.map { .price($0) }),
                "currency": .string(target), "digits": .int(digits),
            ],
            expected: .object([
                "sum": .amount(conversion.sum(prices, in: target, digits: digits)),
                "missing": .array(conversion.missing(of: codes).map { .string($0) }),
            ]))
    }
}

extension CaseRandom {
    /// What may be an amount, and mostly is.
    mutating func amountText() -> String {
        switch int(0...11) {
        case 0:
            pick([
                "", "-", ".", "1.", ".5", "+1", "1e3", "1,5", " 1", "1 ", "--1", "0", "-0", "-0.00", "00012.50", "١",
                "0x10", "NaN", "1.1234567",
            ])
        case 1: "-" + fee().description
        case 2: String(repeating: "9", count: int(16...20))
        case 3: "\(int(0...999_999_999)).\(String(repeating: "9", count: int(1...7)))"
        case 4: "0.\(String(repeating: "0", count: int(0...5)))\(int(0...9))"
        case 5: "999999999999.\(int(10...999_999))"
        case 6: pick(["99999999999", "99999999999.00", "99999999999.01", "100000000000"])
        default: fee().description
        }
    }

    mutating func fee() -> Amount {
        Amount(
            units: Int64(pick([int(0...9999), int(0...99), int(0...999_999_999), int(0...99_999_999_999)])),
            digits: int(0...4))
    }

    mutating func price(of codes: [String]) -> Price { Price(fee: fee(), currency: pick(codes)) }
}
