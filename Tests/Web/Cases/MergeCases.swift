import SubTrackAPI
import SubTrackCore

/// What becomes of an offline change when the row has changed meanwhile.
enum MergeCases {
    static let fields = [
        "startDate", "nextRenewal", "freeTrial", "planId", "plan", "fee", "autoRenew", "reminderDays", "muted", "label",
        "note", "nonsense",
    ]

    static func split(_ random: inout CaseRandom) -> RuleCase {
        var (sent, kept, taken) = ([String: AnyJSON](), [String: AnyJSON](), [String: AnyJSON]())
        for field in fields where random.once(in: 3) {
            sent[field] = value(of: field, &random)
            kept[field] = random.once(in: 3) ? sent[field] : value(of: field, &random)
            if let group = FieldGroup(field: field) { taken[group.rawValue] = .bool(random.once(in: 2)) }
        }
        return split(sent, kept: kept, taken: taken)
    }

    /// - Parameter taken: for each group of fields whether somebody else has changed it.
    static func split(_ sent: [String: AnyJSON], kept: [String: AnyJSON], taken: [String: AnyJSON]) -> RuleCase {
        let (written, lost) = FieldMerge.split(
            sent, isTaken: { field in FieldGroup(field: field).map { taken[$0.rawValue] == .bool(true) } },
            kept: { kept[$0] ?? .null })
        return RuleCase(
            kind: "split", input: ["fields": .object(sent), "kept": .object(kept), "taken": .object(taken)],
            expected: .object([
                "written": .object(written),
                "lost": .array(lost.map { .object(["field": .string($0.field), "kept": $0.kept, "yours": $0.yours]) }),
            ]))
    }

    private static func value(of field: String, _ random: inout CaseRandom) -> AnyJSON {
        switch field {
        case "fee": random.pick([.null, "1.5", "1.50", "1.500", "2", .amount(random.fee()), "nonsense"])
        case "plan":
            .object(
                random.pick([
                    ["fee": "9.9"], ["fee": "9.90", "name": "A"], ["name": "A"],
                    ["name": "A", "duration": .object(["value": .int(1), "unit": "month"])],
                    ["duration": .object(["value": .int(2), "unit": "month"])], ["trialDays": .null], [:],
                ]))
        case "freeTrial", "autoRenew", "muted": .bool(random.once(in: 2))
        case "planId", "reminderDays": random.pick([.null, .int(1), .int(2)])
        default: random.pick([.null, "a", "b", "2026-01-31"])
        }
    }
}
