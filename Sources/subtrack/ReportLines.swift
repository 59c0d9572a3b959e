import Foundation
import SubTrackAPI
import SubTrackKit

/// A change that was not done as it was made, in lines for people.
enum ReportLines {
    /// The lines.
    /// - Parameter list: the subscriptions that are here.
    static func lines(_ report: ChangeReport, among list: [TrackedSubscription]) -> [String] {
        let names = FieldNames.of(report.mutation)
        let title = title(report)
        var lines: [String] = []
        if let problem = report.problem {
            let verb = verbs[report.mutation.op] ?? report.mutation.op
            lines.append("Not done: \(Terminal.clean("\(verb) \(title): \(names.text(problem))"))")
            if let command = TypedAgain(report, target: target(report, among: list)).line {
                lines.append(typed + command)
            }
        }
        for field in report.lost.flatMap(\.parts) {
            let (kept, yours) = TypedContact.texts(field) ?? (field.kept.written, field.yours.written)
            lines.append(
                "Changed elsewhere first: \(names.words(field.field)) of \(title) is "
                    + "\(Terminal.clean(kept)), not \(Terminal.clean(yours))")
        }
        return lines
    }

    /// The last digits of a subscription's id, where its name leads to another one too.
    private static func target(_ report: ChangeReport, among list: [TrackedSubscription]) -> String? {
        guard let found = list.first(where: { $0.id == UUID(uuidString: report.mutation.id) }) else { return nil }
        return Matching.best(report.name ?? "", among: list).map(\.id) == [found.id] ? nil : found.shortID
    }

    /// Says a line on the standard error. A command stays on one line: it is there to be copied.
    static func say(_ line: String) {
        if line.hasPrefix(typed) { Output.mutter(line + "\n") } else { Output.say(line) }
    }

    /// The beginning of the line that has the typed values.
    private static let typed = "Typed: "

    /// The commands by the operation that they send.
    private static let verbs = ["create": "add", "update": "edit"]

    /// The name of the changed row.
    private static func title(_ report: ChangeReport) -> String {
        if let name = report.name {
            let isReminder = report.mutation.entity == StoredReminder.entity.rawValue
            return isReminder ? "the reminder of \(Terminal.clean(name))" : Terminal.clean(name)
        }
        return switch SyncEntity(rawValue: report.mutation.entity) {
        case .me: "your own data"
        case .plan: "a plan of yours"
        case StoredReminderSettings.entity: "the settings of your reminders"
        case .subscription: "a subscription that is no longer on this device"
        case let kind: "a \(kind) that is no longer on this device"
        }
    }
}

extension LostField {
    /// The field, or where it has fields of its own those of which another value was kept.
    var parts: [LostField] {
        guard !TypedContact.isPart(field) else { return [self] }
        guard case .object(let mine) = yours, case .object(let theirs) = kept else { return [self] }
        let parts = mine.sorted { $0.key < $1.key }.compactMap { name, value -> LostField? in
            guard let kept = theirs[name], !kept.isSame(as: value) else { return nil }
            return LostField(field: "\(field).\(name)", kept: kept, yours: value)
        }
        return parts.isEmpty ? [self] : parts
    }
}

extension AnyJSON {
    /// Whether both are one value; amounts may have other digits.
    fileprivate func isSame(as other: AnyJSON) -> Bool {
        guard case .string(let one) = self, case .string(let two) = other, let amount = Amount(one) else {
            return self == other
        }
        return amount == Amount(two)
    }

    /// A value for people.
    fileprivate var written: String {
        switch self {
        case .null: "nothing"
        case .bool(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .string(let text): "\"\(text)\""
        case .object(let members):
            if case .integer(let value)? = members["value"], case .string(let unit)? = members["unit"] {
                "\(value) \(unit)\(value == 1 ? "" : "s")"
            } else {
                "another"
            }
        case .array: "another"
        }
    }
}
