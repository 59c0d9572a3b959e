import SubTrackAPI
import SubTrackCore

/// A plan of the catalogue with its price line, as the database has it: one price in `Plan`, the others in `Plan_price`.
struct PlanPrices: Sendable, Equatable {
    /// `Plan_ID`.
    var id: Int64
    /// ISO 3166-1 alpha-2.
    var country: String
    /// The plan's name, as it is spelled in the catalogue.
    var name: String
    /// The name's key: see ``CatalogueReference/keys``.
    var key: String
    /// Whether it is what a snapshot speaks of: a standard plan by the month.
    var isMonthly: Bool
    /// The day from which it is not sold any more.
    var withdrawnOn: CalendarDate?
    /// The price in `Plan`.
    var stored: PriceLine.Entry
    /// The prices in `Plan_price`, by day.
    var others: [PriceLine.Entry] = []

    /// The first day on which a price is known.
    var firstDay: CalendarDate { min(stored.effectiveOn, others.first?.effectiveOn ?? stored.effectiveOn) }

    /// The entry of the line that holds on a day; nil when it is earlier than the first.
    func entry(on day: CalendarDate) -> PriceLine.Entry? {
        let other = others.last { $0.effectiveOn <= day }
        guard stored.effectiveOn <= day else { return other }
        guard let other, other.effectiveOn > stored.effectiveOn else { return stored }
        return other
    }
}

/// How a price that was seen on a day gets into a plan's line.
///
/// The line says when a price *begins* to hold; a snapshot says what held on one day. So a day whose price the line has
/// already adds nothing, and a day before the whole line adds an entry even if the first price is the same: otherwise a
/// still older snapshot with another price would seem to hold until the first entry. Nothing is ever taken out.
enum PriceChange: Sendable, Equatable {
    /// The line says so already.
    case none
    /// It is the newest price that holds: it goes into `Plan`, whose trigger makes history of the price before.
    case replace
    /// Between others, before them, or announced: a row of `Plan_price`.
    case insert
    /// That day's row of `Plan_price` had another price.
    case correct
    /// That day's price stands in `Plan` and was another.
    case correctStored

    /// What is to be done for a price to hold on a day.
    /// - Parameter today: the database's day, UTC.
    init(_ price: Price, on day: CalendarDate, of plan: PlanPrices, today: CalendarDate) {
        if let entry = plan.entry(on: day) {
            if entry.price == price {
                self = .none
            } else if entry.effectiveOn == day {
                self = day == plan.stored.effectiveOn ? .correctStored : .correct
            } else {
                // The trigger on Plan takes the price that stands there for no change at all.
                let isNewest = day > plan.stored.effectiveOn && day <= today && price != plan.stored.price
                self = isNewest ? .replace : .insert
            }
        } else {
            self = .insert
        }
    }
}
