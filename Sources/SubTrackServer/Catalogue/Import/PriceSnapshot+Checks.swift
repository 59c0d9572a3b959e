import SubTrackAPI

/// What a snapshot is checked against: what the database knows.
struct CatalogueReference: Sendable, Equatable {
    /// The codes of all countries.
    var countries: Set<String>
    /// The digits after the point of each currency.
    var digits: [String: Int]
    /// Under which key the database looks for a plan of a name: two names with one key are one plan.
    var keys: [String: String]
}

extension PriceSnapshot {
    /// All that is wrong with it: what could not be read, and what the database would not take.
    func faults(against reference: CatalogueReference) -> [SnapshotFault] {
        var found = faults
        func note(_ reason: String, _ country: String, _ plan: String? = nil) {
            found.append(SnapshotFault(file: name, country: country, plan: plan, reason: reason))
        }
        var seen: Set<String> = []
        for country in countries {
            if !reference.countries.contains(country.code) { note("there is no such country", country.code) }
            if !seen.insert(country.code).inserted { note("the country is there twice", country.code) }
            let digits = reference.digits[country.currency]
            if digits == nil {
                note("there is no such currency: \(ShownText.of(country.currency))", country.code)
            }
            var names: [String: String] = [:]
            for plan in country.names {
                let other = names.updateValue(plan, forKey: reference.keys[plan] ?? plan)
                guard let other else { continue }
                let spelling = other == plan ? "" : ", also as \(ShownText.of(other))"
                note("the plan is there twice\(spelling)", country.code, plan)
            }
            guard let digits else { continue }
            for offer in country.offers where offer.fee.rescaled(toDigits: digits) == nil {
                note(
                    "\(country.currency) has \(digits) digits after the point, the price has more: \(offer.fee)",
                    country.code, offer.name)
            }
        }
        return found
    }
}
