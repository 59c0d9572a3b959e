import Foundation
import SubTrackAPI
import SubTrackCore

extension ImportedRow {
    private static let lengths: [String: PlanDuration] = [
        "daily": .init(value: 1, unit: .day), "weekly": .init(value: 1, unit: .week),
        "biweekly": .init(value: 2, unit: .week), "fortnightly": .init(value: 2, unit: .week),
        "monthly": .init(value: 1, unit: .month), "bimonthly": .init(value: 2, unit: .month),
        "quarterly": .init(value: 3, unit: .month), "semiannually": .init(value: 6, unit: .month),
        "semiannual": .init(value: 6, unit: .month), "yearly": .init(value: 1, unit: .year),
        "annual": .init(value: 1, unit: .year), "annually": .init(value: 1, unit: .year),
    ]

    /// How long a period lasts; a month where it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is said and cannot be read.
    func duration() throws -> PlanDuration {
        if let numbered = try numberedDuration() { return numbered }
        guard let text = text(.cycle) else { return PlanDuration(value: 1, unit: .month) }
        let word = text.lowercased().filter(\.isLetter)
        let digits = text.filter { $0.isASCII && $0.isNumber }
        if digits.isEmpty, let duration = Self.lengths[word] { return duration }
        let single = word.replacingOccurrences(of: "every", with: "")
        let unit = PlanDuration.Unit.allCases.first { single == $0.rawValue || single == $0.rawValue + "s" }
        guard let unit, let number = digits.isEmpty ? 1 : Int(digits), BillingTerms.durationValues.contains(number),
            !text.contains("."), !text.contains(","), !text.contains("-")
        else { throw fault(.cycle, "\"\(text.prefix(40))\" is no length such as 3 months") }
        return PlanDuration(value: number, unit: unit)
    }

    /// How long a period lasts in the API of Wallos: a number for the unit, and how many of them.
    /// - Returns: nil where it is not said so.
    private func numberedDuration() throws -> PlanDuration? {
        guard let cycle = text(.cycleNumber).flatMap({ Int($0) }), let count = text(.frequency).flatMap({ Int($0) })
        else { return nil }
        let units: [Int: PlanDuration.Unit] = [1: .day, 2: .week, 3: .month, 4: .year]
        guard let unit = units[cycle], BillingTerms.durationValues.contains(count) else {
            throw fault(.cycleNumber, "cycle \(cycle) with frequency \(count) is no length such as 3 months")
        }
        return PlanDuration(value: count, unit: unit)
    }
}
