import Foundation
import SubTrackAPI
import SubTrackCore

/// A subscription as a file tells it: names and texts, whatever program wrote them. What stands there and cannot be read is
/// told, never guessed: a wrong day or currency would be believed.
struct ImportedRow: Sendable {
    /// A value and the name that the file has for its column.
    struct Value: Sendable {
        let column: String
        let text: String
    }

    /// Where it stands: `line 3`, `entry 3`.
    var place: String
    /// What is wrong with it as a whole.
    var fault: String?
    /// The values by names in lower case, without anything but letters.
    private var values: [String: Value] = [:]

    init(_ values: [String: String], place: String, fault: String? = nil) {
        self.place = place
        self.fault = fault
        for (name, value) in values {
            let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
            if !value.isEmpty { self.values[name.lowercased().filter(\.isLetter)] = Value(column: name, text: value) }
        }
    }

    func value(_ column: ImportColumn) -> Value? { column.names.lazy.compactMap { values[$0] }.first }

    func text(_ column: ImportColumn) -> String? { value(column)?.text }

    /// The name that the file has for a column.
    func name(of column: ImportColumn) -> String { value(column)?.column ?? column.title }

    /// A fault of a column, by the file's name for it.
    func fault(_ column: ImportColumn, _ message: String) -> KitError {
        .invalid(field: name(of: column), message: message)
    }

    /// The columns of the file with values that are not read.
    var unread: [String] { values.filter { !ImportColumn.known.contains($0.key) }.map(\.value.column) }

    /// Who is paid.
    var name: String? { text(.name) }
    var plan: String? { text(.plan) }
    /// The kind of the plan: `Student`.
    var planType: String? { text(.planType) }
    var category: String? { text(.category) }
    var label: String? { text(.label) }
    var note: String? { text(.note) }

    /// The day of the next renewal; nil: it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is no day.
    func nextRenewal() throws -> CalendarDate? { try day(.nextRenewal) }

    /// The day on which it began; nil: it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is no day.
    func startDate() throws -> CalendarDate? { try day(.startDate) }

    /// The day of its cancellation, as it is written.
    var cancellation: String? { text(.cancelledOn) }

    /// The day on which it was cancelled; nil: it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is no day.
    func cancelledOn() throws -> CalendarDate? { try day(.cancelledOn) }

    /// How many days before its end to be reminded; nil: it is not said, or as usual.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is no number of days.
    func reminderDays() throws -> Int? {
        guard try flag(.notify) != false, let value = value(.reminderDays) else { return nil }
        // Wallos: as it is set for all of them.
        guard value.text != "-1" else { return nil }
        guard let days = Int(value.text), (0...365).contains(days) else {
            throw fault(.reminderDays, "\"\(value.text.prefix(40))\" is no number of days from 0 to 365")
        }
        return days
    }

    /// Whether it is muted; not so where it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is neither yes nor no.
    func isMuted() throws -> Bool { try flag(.muted) ?? false }

    private static let yes: Set = ["yes", "true", "1", "automatic", "enabled", "on", "y"]
    private static let no: Set = ["no", "false", "0", "manual", "disabled", "off", "n"]

    /// Whether something is so; nil: it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is neither yes nor no.
    func flag(_ column: ImportColumn) throws -> Bool? {
        guard let text = text(column) else { return nil }
        if Self.yes.contains(text.lowercased()) { return true }
        if Self.no.contains(text.lowercased()) { return false }
        throw fault(column, "\"\(text.prefix(40))\" is neither yes nor no")
    }

    private var price: String? { text(.price) }

    /// What a period costs.
    /// - Parameter digits: those of its currency after the point.
    /// - Throws: ``KitError/invalid(field:message:)`` where no number can be read, or one that may be two.
    func fee(digits: Int) throws -> Amount {
        guard price != nil else { throw fault(.price, "is missing") }
        return try amount(.price, digits: digits) ?? Amount(units: 0, digits: digits)
    }

    /// An amount with or without a sign of its currency: `$15.99`, `59,99 €`, `1,299.00`; nil: it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is no single amount.
    func amount(_ column: ImportColumn, digits: Int) throws -> Amount? {
        guard let text = text(column) else { return nil }
        let written = Self.written(text, digits: digits)
        if case .amount(let amount) = written { return amount }
        throw fault(column, written.fault(of: text) ?? "")
    }

    /// The amount in a text that may have the sign of its currency.
    static func written(_ text: String, digits: Int) -> WrittenAmount {
        let isDigit: (Character) -> Bool = { $0.isASCII && $0.isNumber }
        guard let first = text.firstIndex(where: isDigit), let last = text.lastIndex(where: isDigit),
            !text.contains(where: { "-−–(".contains($0) })
        else { return .none }
        return WrittenAmount(String(text[first...last]), digits: digits)
    }

    /// The number that its program has for the currency, where it has numbers.
    var currencyNumber: String? { text(.currencyNumber) }

    /// ISO 4217, by a code or by a sign.
    /// - Parameters:
    ///   - standard: the currency that a sign means which several currencies have.
    ///   - country: the user's, ISO 3166-1 alpha-2, whose currency is meant by such a sign otherwise.
    /// - Returns: nil where it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it cannot be told.
    func currency(or standard: String?, country: String) throws -> String? {
        let sign = (price ?? "").filter { !WrittenAmount.isPart($0) }
        for (column, text) in [(ImportColumn.currency, text(.currency)), (.price, sign.isEmpty ? nil : sign)] {
            guard let text else { continue }
            switch CurrencySign.meaning(of: text) {
            case .currency(let code)?: return code
            case .oneOf(let codes)?:
                let possible = Set(codes.values)
                if let standard, possible.contains(standard) { return standard }
                if let code = codes[country] { return code }
                throw fault(
                    column, "\"\(text)\" may be \(possible.sorted().joined(separator: ", ")); say which (--currency)")
            case nil:
                throw fault(column, "\"\(text.prefix(20))\" is no currency such as EUR or €")
            }
        }
        return nil
    }

    /// `2026-01-31`, also with a time of day behind it. Other ways to write days differ in which number is the month.
    private func day(_ column: ImportColumn) throws -> CalendarDate? {
        guard let text = text(column) else { return nil }
        let rest = text.dropFirst(10)
        guard let day = CalendarDate(String(text.prefix(10))), rest.isEmpty || rest.first == "T" || rest.first == " "
        else { throw fault(column, "\"\(text.prefix(40))\" is no day such as 2026-01-31") }
        return day
    }

    func number(_ column: ImportColumn, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = text(column) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw fault(
                column, "\"\(text.prefix(40))\" is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
