import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Checks of typed values, as the service makes them. It collects the faults of all fields.
struct InputFaultList {
    /// Each is ``KitError/invalid(field:message:)``.
    private(set) var all: [KitError] = []

    /// Notes a fault.
    mutating func note(_ field: String, _ message: String) { all.append(.invalid(field: field, message: message)) }

    /// Notes where both days of a period are given.
    mutating func checkDates(_ start: CalendarDate?, _ nextRenewal: CalendarDate?) {
        if start != nil, nextRenewal != nil { note("nextRenewal", "give either the start or the next renewal") }
    }

    /// Notes what billing does not allow.
    mutating func checkBilling(_ field: String, _ body: () throws(BillingError) -> Void) {
        do throws(BillingError) {
            try body()
        } catch {
            note(field, error.description)
        }
    }

    mutating func check(label: String?, note: String?, reminderDays: Int?) {
        check(label, field: "label", maximum: 100, isMultiline: false)
        check(note, field: "note", maximum: 1000, isMultiline: true)
        if let reminderDays, !(0...365).contains(reminderDays) { self.note("reminderDays", "must be from 0 to 365") }
    }

    private mutating func check(_ text: String?, field: String, maximum: Int, isMultiline: Bool) {
        guard let text else { return }
        guard text.unicodeScalars.count <= maximum else { return note(field, "may have \(maximum) characters") }
        let isClean = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x0A, 0x0D, 0x09: isMultiline
            case 0..<0x20, 0x7F..<0xA0: false
            default: true
            }
        }
        if !isClean { note(field, "must not have control characters") }
    }

    mutating func check(_ plan: PrivatePlan, in database: Database) throws {
        for (field, text, maximum) in [
            ("plan.provider", plan.provider, 100), ("plan.name", plan.name, 100),
            ("plan.type", plan.type ?? "Standard", 30),
        ] {
            check(text, field: field, maximum: maximum, isMultiline: false)
            if !text.contains(where: { !$0.isWhitespace }) { note(field, "must not be empty") }
        }
        check(plan.category, field: "plan.category", maximum: 50, isMultiline: false)
        if !BillingTerms.durationValues.contains(plan.duration.value) {
            note("plan.duration", "must be from 1 to 1200")
        }
        if let days = plan.noticeDays, !(0...1200).contains(days) { note("plan.noticeDays", "must be from 0 to 1200") }
        try check(plan.fee, plan.currency, field: "plan.fee", in: database)
    }

    /// Checks an amount by the digits of its currency: those of the service, else those of ISO 4217.
    mutating func check(_ fee: Amount, _ currency: String, field: String, in database: Database) throws {
        let known = try database.firstRow("SELECT minorDigits FROM currency WHERE id = ?", [currency]) { try $0.int() }
        if known == nil {
            // Before the first pull the service's currencies are not known.
            let isEmpty = try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM currency)") ?? true
            guard isEmpty, currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
                return note("plan.currency", "is no code such as EUR")
            }
        }
        do throws(FeeError) {
            _ = try Money.fee(
                fee, currency: currency, digits: known ?? ISO4217.digits[currency] ?? Amount.maximumDigits)
        } catch {
            note(field, error.description)
        }
    }
}

extension SubTrackAPI.Operation {
    /// The fields of the operation, without its id.
    func fields() throws -> [String: AnyJSON] {
        let encoded = try JSONDecoder().decode(AnyJSON.self, from: JSONEncoder().encode(self))
        guard case .object(var fields) = encoded else { return [:] }
        fields["id"] = nil
        return fields
    }
}
