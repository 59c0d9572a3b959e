import SubTrackAPI
import SubTrackKit

/// How words lead to one of several plans.
enum PlanChoice {
    /// The plan that is named in full: provider and plan, with or without its kind; else the plan alone. Case, points and
    /// spaces make no difference.
    /// - Returns: nil where none is, or more than one.
    static func exact(_ text: String, among plans: [Plan]) -> Plan? {
        let text = text.plainName
        let names: [(Plan) -> [String]] = [
            { ["\($0.provider) \($0.name)", "\($0.provider) \($0.name) \($0.type)", $0.title] }, { [$0.name] },
        ]
        for name in names {
            let found = plans.filter { plan in name(plan).contains { $0.plainName == text } }
            if let only = found.first { return found.count == 1 ? only : nil }
        }
        return nil
    }
}
