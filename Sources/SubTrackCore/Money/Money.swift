import SubTrackAPI

/// Why a fee was refused. The descriptions are meant for the person who typed it.
public enum FeeError: Error, Hashable, Sendable {
    /// It is no decimal number.
    case malformed(String)
    /// It is below zero.
    case negative(Amount)
    /// It is more than ``Money/largestFee``.
    case tooLarge(Amount)
    /// It has more digits after the point than its currency.
    case tooManyDigits(Amount, currency: String, digits: Int)

    /// The kind of fault of an input field.
    public var code: FieldProblem.Code {
        if case .malformed = self { .malformed } else { .range }
    }
}

extension FeeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let text):
            "\"\(text.prefix(40))\" is not an amount such as \"17.99\""
        case .negative(let fee):
            "must not be negative, given \(fee)"
        case .tooLarge(let fee):
            "must be at most \(Money.largestFee), given \(fee)"
        case .tooManyDigits(let fee, let currency, let digits):
            switch digits {
            case 0: "\(currency) has no digits after the point, given \(fee)"
            case 1: "\(currency) has 1 digit after the point, given \(fee)"
            default: "\(currency) has \(digits) digits after the point, given \(fee)"
            }
        }
    }
}

/// Checks and writes amounts of money by the digits of their currency (ISO 4217: JPY 0, USD 2, KWD 3).
public enum Money {
    /// The largest fee of a period, in any currency.
    public static let largestFee = Amount(units: 99_999_999_999, digits: 0)

    /// Checks a fee and gives it exactly the digits of its currency: 1.5 USD is 1.50, 1.230 USD is 1.23.
    /// - Throws: ``FeeError``.
    public static func fee(_ fee: Amount, currency: String, digits: Int) throws(FeeError) -> Amount {
        guard !fee.isNegative else { throw .negative(fee) }
        guard fee <= largestFee else { throw .tooLarge(fee) }
        guard let exact = fee.rescaled(toDigits: digits) else {
            throw .tooManyDigits(fee, currency: currency, digits: digits)
        }
        return exact
    }

    /// Reads a fee such as `17.99` and checks it like ``fee(_:currency:digits:)-(Amount,_,_)``.
    /// - Throws: ``FeeError``.
    public static func fee(_ text: String, currency: String, digits: Int) throws(FeeError) -> Amount {
        guard let amount = Amount(text) else { throw .malformed(text) }
        return try fee(amount, currency: currency, digits: digits)
    }

    /// Writes a price with its currency: `17.99 USD`. A number with fewer digits than its currency is filled up.
    public static func format(_ price: Price, digits: Int) -> String {
        "\(price.fee.rescaled(toDigits: digits) ?? price.fee) \(price.currency)"
    }
}
