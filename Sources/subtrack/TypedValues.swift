import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackCore

/// A day as it is typed: `2026-01-31`, `today`, `yesterday`, `tomorrow`, or days from today: `+3`, `-10`.
struct TypedDay: ExpressibleByArgument {
    private enum Form {
        case day(CalendarDate)
        case offset(Int)
    }

    private let form: Form

    init?(argument: String) {
        switch argument.lowercased() {
        case "today": form = .offset(0)
        case "yesterday": form = .offset(-1)
        case "tomorrow": form = .offset(1)
        default:
            if let day = CalendarDate(argument) {
                form = .day(day)
            } else if argument.first == "+" || argument.first == "-", let days = Int(argument) {
                form = .offset(days)
            } else {
                return nil
            }
        }
    }

    func day(_ today: CalendarDate) -> CalendarDate {
        switch form {
        case .day(let day): day
        case .offset(let days): today.adding(days: days)
        }
    }
}

/// How long a period lasts, as it is typed: `month`, `3months`, `1 year`, `30d`.
struct TypedDuration: ExpressibleByArgument {
    let duration: PlanDuration

    init?(argument: String) {
        let text = argument.lowercased().filter { !$0.isWhitespace }
        let digits = text.prefix { $0.isNumber }
        let unit = text.dropFirst(digits.count)
        guard let value = digits.isEmpty ? 1 : Int(digits), (1...1200).contains(value),
            let found = PlanDuration.Unit.allCases.first(where: { known in
                unit == known.rawValue || unit == known.rawValue + "s" || unit == known.rawValue.prefix(1)
            })
        else { return nil }
        duration = PlanDuration(value: value, unit: found)
    }
}

extension Amount: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument.replacingOccurrences(of: ",", with: ".")) }
}
