import Foundation
import SubTrackAPI
import SubTrackCore

/// A subscription as a file tells it: names and texts, whatever program wrote them. What stands there and cannot be read is
/// told, never guessed: a wrong day or currency would be believed.
struct ImportedRow: Sendable {
    /// Where it stands: `line 3`, `entry 3`.
    var place: String
    /// What is wrong with it as a whole.
    var fault: String?
    /// The values by names in lower case, without anything but letters.
    private var values: [String: String] = [:]

    init(_ values: [String: String], place: String, fault: String? = nil) {
        self.place = place
        self.fault = fault
        for (name, value) in values {
            let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
            if !value.isEmpty { self.values[name.lowercased().filter(\.isLetter)] = value }
        }
    }

    private func value(_ names: String...) -> String? { names.lazy.compactMap { values[$0] }.first }

    /// Who is paid.
    var name: String? { value("name", "provider", "service", "servicename", "subscription", "title") }
    var plan: String? { value("plan", "planname") }
    /// The kind of the plan: `Student`.
    var planType: String? { value("plantype") }
    var category: String? { value("category", "categoryname") }
    var label: String? { value("label") }
    var note: String? { value("note", "notes", "description") }

    /// The day of the next renewal; nil: it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is no day.
    func nextRenewal() throws -> CalendarDate? {
        try day(
            value("nextrenewal", "nextpayment", "renewaldate", "renewsat", "nextbilling", "nextbillingdate"),
            field: "nextRenewal")
    }

    /// The day on which it began; nil: it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is no day.
    func startDate() throws -> CalendarDate? { try day(value("startdate", "start", "since"), field: "startDate") }

    /// Whether its provider renews it without being asked; nil: it is not said.
    var autoRenew: Bool? { value("autorenew", "renewal", "autorenewal").map(Self.isYes) }

    /// Whether it goes on, and is not disabled, paused or cancelled. A date of Wallos is a reminder to cancel. A date counts as a
    /// cancellation only where the row has no status.
    var isActive: Bool {
        if let active = value("active") { return Self.isYes(active) }
        if let inactive = value("inactive") { return !Self.isYes(inactive) }
        switch value("status", "state")?.lowercased() {
        case "cancelled", "canceled", "disabled", "paused", "ended", "expired", "inactive", "no": return false
        case nil: return cancellation == nil
        default: return true
        }
    }

    /// The day of its cancellation, as it is written.
    var cancellation: String? { value("cancellationdate", "cancelationdate", "cancelledon") }

    /// The day on which it was cancelled; nil: it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is no day.
    func cancelledOn() throws -> CalendarDate? { try day(cancellation, field: "cancellationDate") }

    /// How many days before its end to be reminded; nil: it is not said, or as usual.
    var reminderDays: Int? {
        if let notify = value("notify"), !Self.isYes(notify) { return nil }
        return value("reminderdays", "notifydaysbefore").flatMap { Int($0) }.flatMap {
            (0...365).contains($0) ? $0 : nil
        }
    }

    var isTrial: Bool { value("freetrial").map(Self.isYes) ?? (value("status")?.lowercased() == "trial") }

    private static func isYes(_ text: String) -> Bool {
        ["yes", "true", "1", "automatic", "enabled", "on", "y"].contains(text.lowercased())
    }

    private var price: String? { value("price", "cost", "fee", "amount") }

    /// What a period costs.
    /// - Throws: ``KitError/invalid(field:message:)`` where no number can be read.
    func fee() throws -> Amount {
        guard let price else { throw KitError.invalid(field: "price", message: "is missing") }
        return try Self.amount(price, field: "price")
    }

    private static func amount(_ text: String, field: String) throws -> Amount {
        guard let amount = Self.amount(text) else {
            throw KitError.invalid(field: field, message: "\"\(text.prefix(40))\" is no amount such as 15.99")
        }
        return amount
    }

    /// The number of a text such as `$15.99`, `59,99 €`, `1,299.00`; nil where there is none, or more than one.
    static func amount(_ text: String) -> Amount? {
        let isPart: (Character) -> Bool = { $0.isASCII && $0.isNumber || "., '’\u{A0}\u{202F}".contains($0) }
        guard let first = text.firstIndex(where: { $0.isASCII && $0.isNumber }),
            let last = text.lastIndex(where: { $0.isASCII && $0.isNumber }), text[first...last].allSatisfy(isPart),
            !text.contains(where: { "-−–(".contains($0) })
        else { return nil }
        let number = text[first...last].map { $0 == "," || $0 == "." ? $0 : $0.isNumber ? $0 : " " }
        let (points, commas) = (number.count { $0 == "." }, number.count { $0 == "," })
        let separators = number.filter { !$0.isNumber }
        // The last of two kinds is the decimal point. A single comma is one unless three digits stand behind it; a point always.
        let decimal: Character? =
            if points > 0, commas > 0 {
                separators.last == " " ? nil : separators.last
            } else if points == 1 {
                "."
            } else if commas == 1, number.count - 1 - (number.firstIndex(of: ",") ?? 0) != 3 {
                ","
            } else {
                nil
            }
        guard decimal.map({ mark in number.count { $0 == mark } == 1 }) ?? true else { return nil }
        let parts = number.split(omittingEmptySubsequences: false) { $0 == decimal }
        guard let whole = parts.first else { return nil }
        // What parts thousands does so.
        let groups = whole.split(omittingEmptySubsequences: false) { !$0.isNumber }
        guard Set(whole.filter { !$0.isNumber }).count <= 1, groups.dropFirst().allSatisfy({ $0.count == 3 }) else {
            return nil
        }
        let fraction = parts.count > 1 ? "." + String(parts[1]) : ""
        return Amount(groups.map { String($0) }.joined() + fraction)
    }

    /// The number that its program has for the currency, where it has numbers.
    var currencyNumber: String? { value("currencyid") }

    /// ISO 4217, by a code or by a sign.
    /// - Parameters:
    ///   - standard: the currency that a sign means which several currencies have.
    ///   - country: the user's, ISO 3166-1 alpha-2, whose currency is meant by such a sign otherwise.
    /// - Returns: nil where it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it cannot be told.
    func currency(or standard: String?, country: String) throws -> String? {
        let sign = (price ?? "").filter { !($0.isASCII && $0.isNumber) && !"., '’\u{A0}\u{202F}".contains($0) }
        for text in [value("currency", "originalcurrency", "currencycode"), sign.isEmpty ? nil : sign] {
            guard let text else { continue }
            switch CurrencySign.meaning(of: text) {
            case .currency(let code)?: return code
            case .oneOf(let codes)?:
                let possible = Set(codes.values)
                if let standard, possible.contains(standard) { return standard }
                if let code = codes[country] { return code }
                throw KitError.invalid(
                    field: "currency",
                    message: "\"\(text)\" may be \(possible.sorted().joined(separator: ", ")); say which (--currency)")
            case nil:
                throw KitError.invalid(
                    field: "currency", message: "\"\(text.prefix(20))\" is no currency such as EUR or €")
            }
        }
        return nil
    }

    /// How long a period lasts; a month where it is not said.
    /// - Throws: ``KitError/invalid(field:message:)`` where it is said and cannot be read.
    func duration() throws -> PlanDuration {
        if let numbered = try numberedDuration() { return numbered }
        guard let text = value("cycle", "paymentcycle", "schedule", "billingcycle", "frequency", "period") else {
            return PlanDuration(value: 1, unit: .month)
        }
        let known: [String: PlanDuration] = [
            "daily": .init(value: 1, unit: .day), "weekly": .init(value: 1, unit: .week),
            "biweekly": .init(value: 2, unit: .week), "fortnightly": .init(value: 2, unit: .week),
            "monthly": .init(value: 1, unit: .month), "bimonthly": .init(value: 2, unit: .month),
            "quarterly": .init(value: 3, unit: .month), "semiannually": .init(value: 6, unit: .month),
            "semiannual": .init(value: 6, unit: .month), "yearly": .init(value: 1, unit: .year),
            "annual": .init(value: 1, unit: .year), "annually": .init(value: 1, unit: .year),
        ]
        let word = text.lowercased().filter(\.isLetter)
        let digits = text.filter { $0.isASCII && $0.isNumber }
        if digits.isEmpty, let duration = known[word] { return duration }
        let single = word.replacingOccurrences(of: "every", with: "")
        let unit = PlanDuration.Unit.allCases.first { single == $0.rawValue || single == $0.rawValue + "s" }
        guard let unit, let number = digits.isEmpty ? 1 : Int(digits), BillingTerms.durationValues.contains(number),
            !text.contains("."), !text.contains(","), !text.contains("-")
        else {
            throw KitError.invalid(field: "cycle", message: "\"\(text.prefix(40))\" is no length such as 3 months")
        }
        return PlanDuration(value: number, unit: unit)
    }

    /// How long a period lasts in the API of Wallos: a number for the unit, and how many of them.
    /// - Returns: nil where it is not said so.
    private func numberedDuration() throws -> PlanDuration? {
        guard let cycle = value("cycle").flatMap({ Int($0) }), let count = value("frequency").flatMap({ Int($0) })
        else {
            return nil
        }
        let units: [Int: PlanDuration.Unit] = [1: .day, 2: .week, 3: .month, 4: .year]
        guard let unit = units[cycle], BillingTerms.durationValues.contains(count) else {
            throw KitError.invalid(
                field: "cycle", message: "cycle \(cycle) with frequency \(count) is no length such as 3 months")
        }
        return PlanDuration(value: count, unit: unit)
    }

    /// `2026-01-31`, also with a time of day behind it. Other ways to write days differ in which number is the month.
    private func day(_ text: String?, field: String) throws -> CalendarDate? {
        guard let text else { return nil }
        let rest = text.dropFirst(10)
        guard let day = CalendarDate(String(text.prefix(10))), rest.isEmpty || rest.first == "T" || rest.first == " "
        else {
            throw KitError.invalid(field: field, message: "\"\(text.prefix(40))\" is no day such as 2026-01-31")
        }
        return day
    }

    /// The subscription of a table that ``SubscriptionExport/csv`` gave.
    /// - Parameters:
    ///   - plan: the plan that the row says, with the price that the user pays.
    ///   - country: the user's, for a row that does not say the plan's.
    /// - Returns: nil where the row does not say whose the plan is, or has no dates: it is read as a row of another program then.
    /// - Throws: ``KitError/invalid(field:message:)`` where it says something that cannot be read.
    func exported(_ plan: PrivatePlan, country: String) throws -> ExportedSubscription? {
        guard let source = value("plansource")?.lowercased(), ["own", "catalog", "catalogue"].contains(source),
            let start = try startDate(), let end = try nextRenewal()
        else { return nil }
        let listed = try value("planprice").map { try Self.amount($0, field: "plan_price") }
        let full = Plan(
            id: 0, provider: plan.provider, name: plan.name, type: plan.type ?? "Standard",
            category: plan.category ?? "Other", country: value("country") ?? country, fee: listed ?? plan.fee,
            currency: plan.currency, duration: plan.duration,
            trialDays: try number("trialdays", in: 1...1200, field: "trial_days"),
            noticeDays: try number("noticedays", in: 0...1200, field: "notice_days") ?? 0, withdrawn: false,
            private: source == "own")
        return ExportedSubscription(
            subscription: Subscription(
                id: UUID(), plan: full, label: label, startDate: start, endDate: end, remaining: 0, period: 0,
                fee: plan.fee, currency: plan.currency, next: nil, freeTrial: isTrial, autoRenew: autoRenew ?? false,
                status: isActive ? .active : .cancelled, cancelBy: end, reminderDays: reminderDays, note: note,
                version: 0), ownFee: listed == nil ? nil : plan.fee, cancelledOn: nil)
    }

    private func number(_ name: String, in range: ClosedRange<Int>, field: String) throws -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw KitError.invalid(
                field: field,
                message: "\"\(text.prefix(40))\" is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
