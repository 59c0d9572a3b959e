import SubTrackAPI

/// An amount of money: a number and its currency.
public struct Price: Sendable, Hashable {
    /// The number, in units of the currency.
    public let fee: Amount
    /// ISO 4217.
    public let currency: String

    /// A number of a currency.
    public init(fee: Amount, currency: String) {
        self.fee = fee
        self.currency = currency
    }
}
