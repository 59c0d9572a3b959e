import Foundation
import SubTrackAPI

/// A subscription as a file tells it: names and texts, whatever program wrote them.
struct ImportedRow {
    /// The values by names in lower case, without anything but letters.
    private let values: [String: String]

    init(_ values: [String: String]) {
        var known: [String: String] = [:]
        for (name, value) in values {
            let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
            if !value.isEmpty { known[name.lowercased().filter(\.isLetter)] = value }
        }
        self.values = known
    }

    private func value(_ names: String...) -> String? { names.lazy.compactMap { values[$0] }.first }

    /// Who is paid.
    var name: String? { value("name", "provider", "service", "servicename", "subscription", "title") }
    var plan: String? { value("plan", "planname") }
    var category: String? { value("category") }
    var label: String? { value("label") }
    var note: String? { value("note", "notes", "description") }
    var nextRenewal: CalendarDate? {
        day(value("nextrenewal", "nextpayment", "renewaldate", "renewsat", "nextbilling"))
    }
    var startDate: CalendarDate? { day(value("startdate", "start", "since")) }

    /// Whether its provider renews it without being asked; nil: it is not said.
    var autoRenew: Bool? { value("autorenew", "renewal", "autorenewal").map(Self.isYes) }

    /// Whether it goes on: what is disabled, paused or cancelled does not.
    var isActive: Bool {
        if value("cancellationdate", "cancelledon") != nil { return false }
        if let active = value("active") { return Self.isYes(active) }
        switch value("status", "state")?.lowercased() {
        case "cancelled", "canceled", "disabled", "paused", "ended", "inactive", "no": return false
        default: return true
        }
    }

    var isTrial: Bool { value("freetrial").map(Self.isYes) ?? (value("status")?.lowercased() == "trial") }

    private static func isYes(_ text: String) -> Bool {
        ["yes", "true", "1", "automatic", "enabled", "on", "y"].contains(text.lowercased())
    }

    /// What a period costs; nil where no number can be read.
    var fee: Amount? {
        guard let text = value("price", "cost", "fee", "amount") else { return nil }
        return Self.amount(text)
    }

    /// The number of a text such as `$15.99`, `59,99 €`, `1,299.00`.
    static func amount(_ text: String) -> Amount? {
        var digits = text.filter { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
        let (point, comma) = (digits.lastIndex(of: "."), digits.lastIndex(of: ","))
        switch (point, comma) {
        case (let point?, let comma?):
            // The last of both is the decimal point, the other one parts thousands.
            digits = digits.filter { $0 != (point > comma ? "," : ".") }
            digits = digits.replacingOccurrences(of: ",", with: ".")
        case (nil, let comma?):
            // One comma with three digits behind it parts thousands; with fewer it is the decimal point.
            let isDecimal = digits.count { $0 == "," } == 1 && digits.distance(from: comma, to: digits.endIndex) != 4
            digits = digits.replacingOccurrences(of: ",", with: isDecimal ? "." : "")
        default: break
        }
        return Amount(digits)
    }

    /// ISO 4217, by a code or by a sign that means one currency.
    /// - Parameter standard: what an ambiguous or missing one is taken for.
    func currency(or standard: String?) -> String? {
        if let code = value("currency", "originalcurrency", "currencycode")?.uppercased(), code.count == 3 {
            return code
        }
        let text = value("price", "cost", "fee", "amount") ?? ""
        let letters = text.filter { $0.isASCII && $0.isLetter }.uppercased()
        if letters.count == 3 { return letters }
        let signs: [Character: String] = [
            "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₫": "VND",
            "₱": "PHP", "₦": "NGN", "฿": "THB",
        ]
        if let code = text.lazy.compactMap({ signs[$0] }).first { return code }
        // A dollar or yen sign has several owners.
        if let standard { return standard }
        return text.contains("$") ? "USD" : text.contains("¥") ? "JPY" : nil
    }

    /// How long a period lasts; a month where it is not said.
    /// - Returns: nil where it is said and cannot be read.
    var duration: PlanDuration? {
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
        if let duration = known[word] { return duration }
        let number = Int(text.filter { $0.isASCII && $0.isNumber }) ?? 1
        let single = word.replacingOccurrences(of: "every", with: "")
        let unit = PlanDuration.Unit.allCases.first { single == $0.rawValue || single == $0.rawValue + "s" }
        guard let unit, (1...1200).contains(number) else { return nil }
        return PlanDuration(value: number, unit: unit)
    }

    private func day(_ text: String?) -> CalendarDate? { text.flatMap { CalendarDate(String($0.prefix(10))) } }
}

extension ImportedRow {
    /// A JSON value of any form, numbers as they are written.
    private enum Loose: Decodable {
        case text(String)
        case list([Loose])
        case object([String: Loose])
        case none

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .none
            } else if let flag = try? container.decode(Bool.self) {
                self = .text(flag ? "yes" : "no")
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let number = try? container.decode(Decimal.self) {
                self = .text("\(number)")
            } else if let list = try? container.decode([Loose].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: Loose].self))
            }
        }
    }

    /// The rows of a file, whichever of the known forms it has.
    /// - Throws: ``KitError/invalid(field:message:)`` when it has none of them.
    static func rows(of data: Data) throws -> [ImportedRow] {
        guard data.count <= 32 << 20 else {
            throw KitError.invalid(field: "", message: "the file is larger than 32 MiB")
        }
        let start = data.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        guard start == UInt8(ascii: "{") || start == UInt8(ascii: "[") else {
            let lines = CSVText.rows(String(decoding: data, as: UTF8.self))
            guard let names = lines.first, names.count > 1 else {
                throw KitError.invalid(
                    field: "",
                    message: "the file is neither JSON nor CSV with a line of names, such as name,price,currency")
            }
            return lines.dropFirst().map { line in
                ImportedRow(Dictionary(zip(names, line), uniquingKeysWith: { first, _ in first }))
            }
        }
        guard let value = try? JSONDecoder().decode(Loose.self, from: data) else {
            throw KitError.invalid(field: "", message: "the file is no JSON")
        }
        let list: [Loose]? =
            switch value {
            case .list(let list): list
            case .object(let members):
                if case .list(let list)? = members["subscriptions"] ?? members["data"] { list } else { nil }
            default: nil
            }
        guard let list else {
            throw KitError.invalid(field: "", message: "the file has no list of subscriptions")
        }
        return list.compactMap { one in
            guard case .object(let members) = one else { return nil }
            var values: [String: String] = [:]
            for (name, value) in members {
                switch value {
                case .text(let text): values[name] = text
                // A category with its own fields.
                case .object(let inner): if case .text(let text)? = inner["name"] { values[name] = text }
                default: break
                }
            }
            return ImportedRow(values)
        }
    }
}
