import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Finds the plan of the catalogue that a row of a file means.
struct CatalogueMatch {
    /// The result of a search.
    enum Found: Hashable {
        case none
        case one(Plan)
        /// More than one plan of that name and price.
        case several([Plan])
    }

    private let plans: [Plan]

    /// The plans that are sold in a country.
    init(country: String, today: CalendarDate, in database: Database) throws {
        let ids = try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM plan WHERE country = ? AND NOT private AND (withdrawnOn IS NULL OR withdrawnOn > ?)
                    AND version <> ? ORDER BY id
                """, arguments: [country, today.stored, Store.guessed])
        let table = try PlanTable(Set(ids), in: database)
        plans = ids.compactMap { table.plan($0, today: today) }
    }

    /// Those of the catalogue.
    init(_ plans: [Plan]) { self.plans = plans }

    /// The plan of the same provider, name, price, currency and duration. A file may name both in one: `Netflix Premium`.
    /// - Parameters:
    ///   - wanted: the plan of the row.
    ///   - namesPlan: whether the row names the plan; otherwise the price has to tell it from others.
    func match(_ wanted: PrivatePlan, namesPlan: Bool) -> Found {
        let alike = plans.filter {
            $0.fee == wanted.fee && $0.currency == wanted.currency
                && Self.length($0.duration) == Self.length(wanted.duration)
        }
        guard !alike.isEmpty else { return .none }
        let (provider, name) = (wanted.provider.plainName, wanted.name.plainName)
        let named = alike.filter { plan in
            let names = [plan.name.plainName, "\(plan.name) \(plan.type)".plainName]
            let owner = plan.provider.plainName
            return namesPlan
                ? provider == owner && names.contains(name) : names.contains { provider == "\(owner) \($0)" }
        }
        let found = named.isEmpty && !namesPlan ? alike.filter { $0.provider.plainName == provider } : named
        return found.isEmpty ? .none : found.count == 1 ? .one(found[0]) : .several(found)
    }

    /// How long a period lasts, where 12 months are a year and a week is 7 days.
    private static func length(_ duration: PlanDuration) -> PlanDuration {
        switch duration.unit {
        case .year: PlanDuration(value: duration.value * 12, unit: .month)
        case .week: PlanDuration(value: duration.value * 7, unit: .day)
        case .day, .month: duration
        }
    }
}
