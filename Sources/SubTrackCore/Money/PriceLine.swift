import SubTrackAPI

/// All prices of a plan, past and announced, each with the day from which it holds.
///
/// The price of a day is that of the greatest day not after it; before the first known day it is the first known price.
/// (In the database: the view `Price_line`.)
public struct PriceLine: Sendable, Hashable {
    /// A price and the day from which it holds.
    public struct Entry: Sendable, Hashable {
        /// The first day on which it holds.
        public let effectiveOn: CalendarDate
        /// The price.
        public let price: Price

        /// A price that holds from a day on.
        public init(effectiveOn: CalendarDate, price: Price) {
            self.effectiveOn = effectiveOn
            self.price = price
        }
    }

    /// The prices by day, each day once; there is at least one.
    public let entries: [Entry]

    /// Takes prices in any order; of two for the same day the later one counts.
    /// - Returns: nil when there are none.
    public init?(_ prices: [Entry]) {
        guard !prices.isEmpty else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(prices.count)
        for entry in prices {
            let place = Self.places(upTo: entry.effectiveOn, in: entries)
            if place > 0, entries[place - 1].effectiveOn == entry.effectiveOn {
                entries[place - 1] = entry
            } else {
                entries.insert(entry, at: place)
            }
        }
        self.entries = entries
    }

    /// A line of one price, which holds on every day.
    public init(always price: Price) {
        entries = [Entry(effectiveOn: CalendarDate.range.lowerBound, price: price)]
    }

    /// The price that holds on a day.
    public func price(on day: CalendarDate) -> Price { entries[index(on: day)].price }

    /// The cost of a period that begins on a day. A free trial costs nothing. Otherwise it is the user's own fee, in
    /// the plan's currency, or else the plan's price of that day.
    public func cost(ofPeriodFrom start: CalendarDate, ownFee: Amount? = nil, freeTrial: Bool = false) -> Price {
        let listed = price(on: start)
        if freeTrial { return Price(fee: Amount(units: 0, digits: listed.fee.digits), currency: listed.currency) }
        return Price(fee: ownFee ?? listed.fee, currency: listed.currency)
    }

    /// The next entry after a day; nil when no other price is known by then.
    public func next(after day: CalendarDate) -> Entry? {
        let place = Self.places(upTo: day, in: entries)
        return place < entries.count ? entries[place] : nil
    }

    /// The index of the entry that holds on a day.
    func index(on day: CalendarDate) -> Int { max(Self.places(upTo: day, in: entries) - 1, 0) }

    /// How many entries, which stand by their days, are of days up to one: a binary search.
    private static func places(upTo day: CalendarDate, in entries: [Entry]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].effectiveOn <= day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
