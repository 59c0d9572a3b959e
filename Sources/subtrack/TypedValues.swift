import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

/// A day as it is typed: `2026-01-31`, `today`, `yesterday`, `tomorrow`, or days from today: `+3`, `-10`.
struct TypedDay: TypedValue {
    static let wanted = "no day such as 2026-01-31, today or -3"

    private enum Form {
        case day(CalendarDate)
        case offset(Int)
    }

    private let form: Form

    init?(_ argument: String) {
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
struct TypedDuration: TypedValue {
    static let wanted = "no length such as month, 2weeks or 90d, from 1 to 1200 of them"

    let duration: PlanDuration

    /// A month.
    static let month = TypedDuration(duration: PlanDuration(value: 1, unit: .month))

    private init(duration: PlanDuration) { self.duration = duration }

    init?(_ argument: String) {
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

extension Int: TypedValue {
    static let wanted = "no whole number"
}

/// An amount as it is typed. It is read when its currency is known.
struct TypedAmount: ExpressibleByArgument, TypedText {
    let text: String

    /// The fault with the digits that most currencies have.
    var fault: String? { WrittenAmount(text, digits: 2).fault(of: text) }

    init(argument: String) { text = argument }

    /// The amount with the digits of its currency; nil: it has a fault.
    func amount(digits: Int) -> Amount? {
        if case .amount(let amount) = WrittenAmount(text, digits: digits) { amount } else { nil }
    }
}

/// A value that is typed in a form of its own.
protocol TypedValue {
    /// The end of the sentence that says what a text of another form is.
    static var wanted: String { get }

    init?(_ argument: String)
}

/// An option's value as it is typed, with the fault for which it cannot be read.
protocol TypedText {
    /// nil: it has none.
    var fault: String? { get }
}

/// An option's value as it is typed. One that cannot be read is told with the faults of all other options, not by the parser alone.
struct Typed<Value: TypedValue>: ExpressibleByArgument, TypedText {
    let text: String
    /// nil: it has a fault.
    let value: Value?
    var fault: String? { value == nil ? "\"\(text.prefix(40))\" is \(Value.wanted)" : nil }

    init(argument: String) {
        text = argument
        value = Value(argument)
    }
}

/// The faults of a command line, all at once.
struct OptionFaults {
    private(set) var all: [String] = []

    /// Notes a fault.
    mutating func note(_ text: String) { all.append(Terminal.clean(text)) }

    mutating func check<Value>(_ option: String, _ typed: Typed<Value>?) {
        if let fault = typed?.fault { note("\(option): \(fault)") }
    }

    /// - Parameter digits: the digits of the amount's currency.
    mutating func check(_ option: String, _ typed: TypedAmount?, digits: Int) {
        guard let typed, let fault = WrittenAmount(typed.text, digits: digits).fault(of: typed.text) else { return }
        note("\(option): \(fault)")
    }

    /// Notes faults that the kit found.
    mutating func note(_ errors: [KitError], _ names: FieldNames) {
        for error in errors { note(names.text(error)) }
    }

    /// - Throws: ``Failure`` with all faults, a line each.
    func throwAny() throws {
        guard !all.isEmpty else { return }
        throw Failure(all.joined(separator: "\n"), code: Exit.usage)
    }
}
