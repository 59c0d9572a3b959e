import SubTrackAPI
import SubTrackCore

/// What a snapshot changes in the catalogue.
struct SnapshotDifference: Sendable, Equatable {
    /// What it changes in one country.
    struct Country: Sendable, Equatable {
        let code: String
        /// Plans that are not there yet.
        var new: [(name: String, price: Price)] = []
        /// Plans whose line gets or corrects an entry.
        var changed: [(plan: PlanPrices, price: Price, change: PriceChange)] = []
        /// Plans whose line says so already.
        var unchanged = 0

        /// Whether there is nothing to write.
        var isEmpty: Bool { new.isEmpty && changed.isEmpty }

        static func == (left: Self, right: Self) -> Bool {
            left.code == right.code && left.unchanged == right.unchanged
                && left.new.elementsEqual(right.new) { $0 == $1 }
                && left.changed.elementsEqual(right.changed) { $0 == $1 }
        }
    }

    /// The countries of the snapshot, by code: in the order in which their scopes are locked.
    var countries: [Country] = []
    /// Plans of the provider that are on sale in the catalogue on that day, and not in the snapshot.
    var missing: [PlanPrices] = []
    /// Plans that are sold in the snapshot, and withdrawn in the catalogue.
    var withdrawn: [PlanPrices] = []

    /// Compares a snapshot with the provider's plans.
    /// - Parameters:
    ///   - plans: all plans of the provider, by `Plan_ID`.
    ///   - keys: see ``CatalogueReference/keys``.
    ///   - today: the database's day, UTC.
    init(_ snapshot: PriceSnapshot, plans: [PlanPrices], keys: [String: String], today: CalendarDate) {
        let byCountry = Dictionary(grouping: plans.filter(\.isMonthly), by: \.country)
        let day = snapshot.effectiveOn
        var sold: Set<Int64> = []
        for country in snapshot.countries.sorted(by: { $0.code < $1.code }) {
            var result = Country(code: country.code)
            for offer in country.offers {
                let price = Price(fee: offer.fee, currency: country.currency)
                let key = keys[offer.name] ?? offer.name
                let found = Self.plan(offer.name, key: key, in: byCountry[country.code] ?? [])
                guard let found else {
                    result.new.append((offer.name, price))
                    continue
                }
                sold.insert(found.id)
                if let withdrawnOn = found.withdrawnOn, withdrawnOn <= day { withdrawn.append(found) }
                let change = PriceChange(price, on: day, of: found, today: today)
                if change == .none {
                    result.unchanged += 1
                } else {
                    result.changed.append((found, price, change))
                }
            }
            countries.append(result)
        }
        missing = plans.filter { plan in
            !sold.contains(plan.id) && plan.firstDay <= day && plan.withdrawnOn.map { $0 > day } ?? true
        }
        .sorted { ($0.country, $0.name, $0.id) < ($1.country, $1.name, $1.id) }
    }

    /// The plan of a name. An admin may have given it a nicer one: `standard_with_ads` is also `Standard with ads`. Where
    /// both are there, the one that is spelled as in the snapshot.
    private static func plan(_ name: String, key: String, in plans: [PlanPrices]) -> PlanPrices? {
        let found = plans.filter { $0.key == key }
        return found.first { $0.name.lowercased() == name.lowercased() } ?? found.first
    }
}
