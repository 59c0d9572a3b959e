import SubTrackAPI

/// Holds the members of an input to the rules of their type.
enum FieldRuleCheck {
    /// Checks the members of one object, whose types are known to be right.
    /// - Parameter path: where the object is in the input; empty for the input itself.
    /// - Throws: ``SubTrackAPI/Problem`` with all members that break a rule.
    static func check(_ members: [JSONValue.Member], by rules: [String: FieldRule], path: String) throws(Problem) {
        let faults = members.compactMap { member -> FieldProblem? in
            guard let rule = rules[member.name], let fault = fault(of: member.value, by: rule) else { return nil }
            return FieldProblem(
                field: path.isEmpty ? member.name : "\(path).\(member.name)", code: fault.code, message: fault.message)
        }
        guard faults.isEmpty else { throw Problem.input(faults) }
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
        case .bool, .decimal, .array, .object: nil
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
