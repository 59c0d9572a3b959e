import SubTrackAPI

/// Holds the members of an input to the rules of their type.
enum FieldRuleCheck {
    /// The faults of the members of one object that break a rule.
    /// - Parameter path: where the object is in the input; empty for the input itself.
    static func faults(
        of members: [JSONValue.Member], by rules: [String: FieldRule], path: String
    ) -> [FieldProblem] {
        members.compactMap { member -> FieldProblem? in
            guard let rule = rules[member.name], let fault = fault(of: member.value, by: rule) else { return nil }
            return FieldProblem(
                field: path.isEmpty ? member.name : "\(path).\(member.name)", code: fault.code, message: fault.message)
        }
    }

    private static func fault(
        of value: JSONValue, by rule: FieldRule
    ) -> (code: FieldProblem.Code, message: String)? {
        switch value {
        case .null: rule.refusesNull ? (.required, "cannot be removed") : nil
        case .integer(let number): fault(of: number, by: rule)
        case .string(let text): fault(of: text, by: rule)
        case .text(let text):
            if rule.minimum == nil, rule.maximum == nil {
                fault(of: text, by: rule)
            } else {
                Int64(text).flatMap { fault(of: $0, by: rule) }
            }
        case .object(let members): fault(of: members, by: rule)
        case .bool, .decimal, .array, .unfit: nil
        }
    }

    private static func fault(
        of members: [JSONValue.Member], by rule: FieldRule
    ) -> (code: FieldProblem.Code, message: String)? {
        guard let bounds = rule.members else { return nil }
        if members.count > bounds.names { return (.range, "may have \(bounds.names) names, has \(members.count)") }
        let values = count(members.map(\.value))
        guard values > bounds.values else { return nil }
        return (.range, "may hold \(bounds.values) values, holds \(values)")
    }

    /// How many values there are, those inside of others included.
    private static func count(_ values: [JSONValue]) -> Int {
        values.reduce(values.count) { count, value in
            switch value {
            case .array(let elements): count + self.count(elements)
            case .object(let members): count + self.count(members.map(\.value))
            default: count
            }
        }
    }

    private static func fault(of number: Int64, by rule: FieldRule) -> (code: FieldProblem.Code, message: String)? {
        switch (rule.minimum, rule.maximum) {
        case (let minimum?, let maximum?) where number < minimum || number > maximum:
            (.range, "must be from \(minimum) to \(maximum), is \(number)")
        case (let minimum?, nil) where number < minimum: (.range, "must be at least \(minimum), is \(number)")
        case (nil, let maximum?) where number > maximum: (.range, "must be at most \(maximum), is \(number)")
        default: nil
        }
    }

    private static func fault(of text: String, by rule: FieldRule) -> (code: FieldProblem.Code, message: String)? {
        if let form = rule.form, !form.holds(text) { return (form.fault(of: text), form.wanted) }
        guard let lengths = rule.lengths else { return nil }
        let count = text.unicodeScalars.count
        if count < lengths.lowerBound { return (.range, "must not be empty") }
        if count > lengths.upperBound {
            return (.range, "may have \(lengths.upperBound) characters, has \(count)")
        }
        return nil
    }
}
