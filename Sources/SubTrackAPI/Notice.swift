import Foundation

/// News of a plan that its subscribers should know before they pay again.
public struct Notice: Codable, Sendable, Hashable {
    /// Its subject.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A period will cost something else.
        case price
        /// How long a period lasts, or how long before its end one must cancel, has changed.
        case terms
        /// The plan is not sold any more, or will not be. Subscribers keep it.
        case withdrawn
    }

    /// A price before or after a change.
    public struct Fee: Codable, Sendable, Hashable {
        /// The cost of a period.
        public var fee: Amount
        /// ISO 4217.
        public var currency: String

        /// A fee in a currency.
        public init(fee: Amount, currency: String) {
            self.fee = fee
            self.currency = currency
        }
    }

    /// Terms before or after a change.
    public struct Terms: Codable, Sendable, Hashable {
        /// How long a period lasts.
        public var duration: PlanDuration
        /// Days before the end by which it must be cancelled.
        public var noticeDays: Int

        /// A duration and days of notice.
        public init(duration: PlanDuration, noticeDays: Int) {
            self.duration = duration
            self.noticeDays = noticeDays
        }
    }

    /// The subscription that it concerns.
    public var subscriptionId: UUID
    /// Its subject.
    public var kind: Kind
    /// The renewal with which it holds; of a plan that is withdrawn the day from which it is not sold.
    public var on: CalendarDate
    /// The last day to cancel in time: before that renewal, or the next one.
    public var cancelBy: CalendarDate
    /// The price so far; null where the notice is not about prices.
    public var from: Fee?
    /// The price to come; null likewise.
    public var to: Fee?
    /// The terms so far; null where the notice is not about terms.
    public var fromTerms: Terms?
    /// The terms as they are now; null likewise.
    public var toTerms: Terms?
    /// The same in English words.
    public var message: String

    /// A notice with all its fields.
    public init(
        subscriptionId: UUID, kind: Kind, on: CalendarDate, cancelBy: CalendarDate, from: Fee? = nil, to: Fee? = nil,
        fromTerms: Terms? = nil, toTerms: Terms? = nil, message: String
    ) {
        self.subscriptionId = subscriptionId
        self.kind = kind
        self.on = on
        self.cancelBy = cancelBy
        self.from = from
        self.to = to
        self.fromTerms = fromTerms
        self.toTerms = toTerms
        self.message = message
    }
}
