import SubTrackAPI

/// The rules of a contact that no single field shows. The triggers of the database keep the same ones.
public enum ContactRules {
    /// The faults of a contact as it is to be stored, each with its path: `phones.9f2c….area`.
    public static func faults(_ row: [String: AnyJSON]) -> [FieldProblem] {
        let checks: [(list: String, check: ([String: AnyJSON]) -> [FieldProblem])] = [
            ("phones", phone), ("addresses", address), ("emails", email), ("dates", date),
        ]
        return checks.flatMap { list, check -> [FieldProblem] in
            guard case .array(let parts)? = row[list] else { return [] }
            return parts.flatMap { part -> [FieldProblem] in
                guard case .object(let members) = part else { return [] }
                let place = text(members["id"]).map { "\(list).\($0)." } ?? "\(list)."
                return check(members).map { fault in
                    FieldProblem(field: place + fault.field, code: fault.code, message: fault.message)
                }
            }
        }
    }

    /// The faults of a contact.
    public static func faults(_ contact: StoredContact) -> [FieldProblem] {
        guard case .object(let row)? = try? AnyJSON(encoding: contact) else { return [] }
        return faults(row)
    }

    // MARK: Parts

    private static func phone(_ part: [String: AnyJSON]) -> [FieldProblem] {
        let (area, number, whole) = (text(part["area"]), text(part["number"]), text(part["e164"]))
        if let whole {
            guard area == nil, number == nil else {
                return [fault("e164", .conflict, "stands in place of area and number, not beside them")]
            }
            let digits = whole.utf8.dropFirst()
            let isWhole =
                whole.utf8.first == UInt8(ascii: "+") && (2...15).contains(digits.count)
                && digits.allSatisfy(isDigit) && digits.first != UInt8(ascii: "0")
            return isWhole
                ? [] : [fault("e164", .malformed, "must be + and 2 to 15 digits, the first not 0")]
        }
        let faults = [digits(area, "area", 3, beside: "number"), digits(number, "number", 7, beside: "area")]
        return faults.compactMap { $0 }
    }

    private static func digits(_ text: String?, _ name: String, _ count: Int, beside other: String) -> FieldProblem? {
        guard let text else {
            return fault(name, .required, "needs \(count) digits beside \(other); a whole number is e164")
        }
        guard text.utf8.allSatisfy(isDigit) else {
            return fault(name, .malformed, "has more than digits; needs \(count)")
        }
        guard text.utf8.count == count else {
            return fault(name, .range, "has \(text.utf8.count) digits; needs \(count)")
        }
        return nil
    }

    private static func address(_ part: [String: AnyJSON]) -> [FieldProblem] {
        let needed = ["street", "apt", "city", "state", "zip"]
        guard needed.allSatisfy({ text(part[$0]) == nil }) else { return [] }
        return [fault("street", .required, "at least one of street, apt, city, state and zip is needed")]
    }

    private static func email(_ part: [String: AnyJSON]) -> [FieldProblem] {
        guard let email = text(part["email"]), isEmail(email) else {
            return [fault("email", .malformed, "must be an address such as ada@example.org")]
        }
        return []
    }

    /// Whether a text can be an address of mail: something before an `@`, something behind it, and no white space.
    public static func isEmail(_ text: String) -> Bool {
        guard !text.unicodeScalars.contains(where: \.properties.isWhitespace) else { return false }
        return text.unicodeScalars.dropFirst().dropLast().contains("@")
    }

    private static func date(_ part: [String: AnyJSON]) -> [FieldProblem] {
        guard let text = text(part["date"]), let day = ContactDay(text) else {
            return [
                fault(
                    "date", .malformed, "must be a day from 1000 to 2999 such as 1995-06-25, or --06-25 without a year")
            ]
        }
        guard day.year == nil, part["yearly"] == false else { return [] }
        return [fault("yearly", .conflict, "must be true: a day without a year comes each year")]
    }

    // MARK: Pieces

    private static func fault(_ field: String, _ code: FieldProblem.Code, _ message: String) -> FieldProblem {
        FieldProblem(field: field, code: code, message: message)
    }

    private static func text(_ value: AnyJSON?) -> String? {
        guard case .string(let text)? = value, !text.isEmpty else { return nil }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
