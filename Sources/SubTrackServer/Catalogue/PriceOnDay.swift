import MariaDB
import SubTrackAPI
import SubTrackCore

/// The price of a plan on a day, found while the entries of its price line go by in any order.
///
/// The price of a day is the line's greatest day not after it; before the first known day, the first known price holds.
struct PriceOnDay {
    private let day: CalendarDate
    private var effectiveOn: CalendarDate
    /// The price that is known so far.
    private(set) var price: Price

    /// Begins with the entry that stands in `Plan`.
    init(_ day: CalendarDate, effectiveOn: CalendarDate, price: Price) {
        self.day = day
        self.effectiveOn = effectiveOn
        self.price = price
    }

    /// Whether an entry that holds from a day on replaces the present one for this day.
    func isBettered(by other: CalendarDate) -> Bool {
        if other <= day { return effectiveOn > day || other > effectiveOn }
        return effectiveOn > day && other < effectiveOn
    }

    /// Takes the whole line.
    mutating func take(_ line: PriceLine) { price = line.price(on: day) }

    /// Takes another entry of the line.
    mutating func consider(_ other: CalendarDate, _ price: Price) {
        guard isBettered(by: other) else { return }
        effectiveOn = other
        self.price = price
    }
}
