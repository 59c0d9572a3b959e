import SubTrackAPI
import SubTrackKit

/// A refused change as the command that makes it anew, with all that was typed.
struct TypedAgain {
    private let report: ChangeReport
    /// The words that lead to the subscription; nil: its name.
    private let target: String?

    init(_ report: ChangeReport, target: String?) {
        self.report = report
        self.target = target
    }

    private var fields: [String: AnyJSON] { report.mutation.fields ?? [:] }

    private var plan: [String: AnyJSON] {
        if case .object(let plan)? = fields["plan"] { plan } else { [:] }
    }

    /// The command; nil: nothing was typed that is lost.
    var line: String? {
        if report.mutation.entity == StoredContact.declaration.name.rawValue {
            return TypedContact(report.mutation, name: report.name).words.map(TypedCommand.line)
        }
        guard let command, !fields.isEmpty else { return nil }
        return TypedCommand.line(command + options)
    }

    private var command: [String]? {
        switch (SyncEntity(rawValue: report.mutation.entity), PushChanges.Mutation.Op(rawValue: report.mutation.op)) {
        case (.me, .update?): ["me"]
        case (.subscription, .create?): ["add", text(plan["provider"]) ?? report.plan ?? report.name ?? "NAME"]
        case (.subscription, .update?): ["edit", target ?? report.name ?? "NAME"]
        default: nil
        }
    }

    private var options: [String] {
        let isNew = report.mutation.op == PushChanges.Mutation.Op.create.rawValue
        var options: [String] = []
        for (name, field) in plan.sorted(by: { $0.key < $1.key }) {
            if isNew, name == "provider" || name == "name" && field == "Standard" { continue }
            options += Self.option(isNew ? Self.newPlan[name] : Self.changedPlan[name], field)
        }
        for (name, field) in fields.sorted(by: { $0.key < $1.key }) where name != "plan" {
            options += Self.option(Self.options[name], field)
        }
        return options
    }

    private static let options = [
        "startDate": "--start", "nextRenewal": "--renews", "freeTrial": "--trial", "autoRenew": "--auto",
        "fee": "--fee", "label": "--label", "reminderDays": "--remind", "muted": "--mute", "note": "--note",
        "userName": "--name", "country": "--country", "timeZone": "--time-zone",
    ]
    private static let newPlan = [
        "fee": "--fee", "currency": "--currency", "duration": "--every", "category": "--category",
    ]
    private static let changedPlan = [
        "provider": "--provider", "name": "--plan", "fee": "--price", "currency": "--currency", "duration": "--every",
        "category": "--category", "noticeDays": "--notice",
    ]

    /// An option with its value as it is typed; nothing for a field that has no option.
    private static func option(_ name: String?, _ value: AnyJSON) -> [String] {
        guard let name else { return [] }
        switch value {
        case .string(let text): return [name, text]
        case .integer(let number): return [name, String(number)]
        case .bool(false) where name == "--mute": return ["--unmute"]
        case .bool(let flag): return [flag ? name : "--no-\(name.dropFirst(2))"]
        case .null where ["--fee", "--remind"].contains(name): return ["--no-\(name.dropFirst(2))"]
        case .null: return [name, ""]
        case .object(let members):
            guard case .integer(let count)? = members["value"], case .string(let unit)? = members["unit"] else {
                return []
            }
            return [name, count == 1 ? unit : "\(count)\(unit)s"]
        case .array: return []
        }
    }

    private func text(_ value: AnyJSON?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }
}
