import SubTrackAPI

/// What loading a snapshot did, or would do.
public struct ImportReport: Sendable, Equatable, Encodable {
    /// A plan of a country.
    public struct PlanName: Sendable, Equatable, Encodable {
        /// ISO 3166-1 alpha-2.
        public let country: String
        /// The plan's name in the catalogue.
        public let plan: String
    }

    /// The file's name.
    public let file: String
    /// The day from which its prices hold.
    public let effectiveOn: CalendarDate
    /// Whose plans they are.
    public let provider: String
    /// Countries in the file.
    public let countries: Int
    /// Plans in the file that are sold: the sum of new, changed and unchanged.
    public let plans: Int
    /// Plans that were not in the catalogue.
    public private(set) var new = 0
    /// Plans whose price line got an entry, or another price in one.
    public private(set) var changed = 0
    /// Plans whose price line said so already.
    public private(set) var unchanged = 0
    /// Plans that the file says are not sold.
    public let notSold: Int
    /// Plans of the provider that were on sale in the catalogue on that day, and are not sold in the file. They stay.
    public let missing: [PlanName]
    /// Plans that are sold in the file, and withdrawn in the catalogue. They stay withdrawn; their prices are kept.
    public let withdrawn: [PlanName]

    init(_ snapshot: PriceSnapshot, provider: String, difference: SnapshotDifference) {
        file = snapshot.name
        effectiveOn = snapshot.effectiveOn
        self.provider = provider
        countries = snapshot.countries.count
        plans = snapshot.offerCount
        notSold = snapshot.countries.reduce(0) { $0 + $1.notSold }
        missing = difference.missing.map { PlanName(country: $0.country, plan: $0.name) }
        withdrawn = difference.withdrawn.map { PlanName(country: $0.country, plan: $0.name) }
    }

    mutating func count(_ country: SnapshotDifference.Country) {
        new += country.new.count
        changed += country.changed.count
        unchanged += country.unchanged
    }
}

extension ImportReport: CustomStringConvertible {
    /// A line of counts, and lines that say which plans somebody should look at.
    public var description: String {
        let counts = """
            \(file): \(plans.counted("plan", "plans")) of \(provider) in \
            \(countries.counted("country", "countries")), prices from \(effectiveOn): \
            \(new) new, \(changed) changed, \(unchanged) unchanged; \(notSold) not sold
            """
        return
            ([counts] + Self.lines("in the catalogue, not in the file", missing)
            + Self.lines("in the file, withdrawn in the catalogue", withdrawn)).joined(separator: "\n")
    }

    private static func lines(_ what: String, _ plans: [PlanName]) -> [String] {
        let byName = Dictionary(grouping: plans, by: \.plan)
        return byName.keys.sorted().map { name in
            let countries = byName[name, default: []].map(\.country)
            return "  \(what): \(ShownText.of(name)): \(countries.joined(separator: " "))"
        }
    }
}
