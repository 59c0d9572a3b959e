import SubTrackAPI
import SubTrackKit

/// The words of the command that makes a change of a contact anew.
struct TypedContact {
    private let mutation: PushChanges.Mutation
    private let name: String?

    /// - Parameter name: the contact's name; nil: it is not known.
    init(_ mutation: PushChanges.Mutation, name: String?) {
        self.mutation = mutation
        self.name = name
    }

    /// The words; nil: nothing was typed that is lost.
    var words: [String]? {
        let fields = mutation.fields ?? [:]
        func text(_ name: String) -> String? { Self.text(fields[name]) }
        var words: [String]
        switch PushChanges.Mutation.Op(rawValue: mutation.op) {
        case .create?:
            words = ["contacts", "add"]
            for (option, field) in [("--first", "firstName"), ("--middle", "middleName"), ("--last", "lastName")] {
                if let value = text(field) { words += [option, value] }
            }
        case .update?: words = ["contacts", "edit", name ?? "NAME"]
        default: return nil
        }
        for list in ["phones", "emails", "addresses", "dates"] {
            for part in Self.parts(fields[list]) { words += Self.option(list, part) }
        }
        if let note = fields["note"], note != .null || mutation.op == PushChanges.Mutation.Op.update.rawValue {
            words += ["--note", Self.text(note) ?? ""]
        }
        return words.count > 3 ? words : nil
    }

    /// The parts of a list, or those that a change adds.
    private static func parts(_ value: AnyJSON?) -> [[String: AnyJSON]] {
        switch value {
        case .array(let parts)?: parts.compactMap { if case .object(let members) = $0 { members } else { nil } }
        case .object(let byID)?:
            byID.sorted { $0.key < $1.key }.compactMap {
                if case .object(let members) = $0.value { members } else { nil }
            }
        default: []
        }
    }

    /// An option with a part; nothing for a part of which a word alone was changed.
    private static func option(_ list: String, _ part: [String: AnyJSON]) -> [String] {
        func value(_ name: String) -> String? { text(part[name]) }
        let type = value("type").map { "\($0)=" } ?? ""
        switch list {
        case "phones":
            let number = value("area").flatMap { area in value("number").map { "\(area)-\($0)" } }
            return (value("e164") ?? number).map { ["--phone", type + $0] } ?? []
        case "emails": return value("email").map { ["--email", type + $0] } ?? []
        case "addresses":
            let fields = ["street", "apt", "city", "state", "zip", "country"].compactMap { name in
                value(name).map { "\(name)=\($0)" }
            }
            return fields.isEmpty ? [] : ["--address", type + fields.joined(separator: "; ")]
        default:
            guard let date = value("date") else { return [] }
            let option = [part["yearly"] == .bool(false) ? "--once" : "--date", type + date]
            guard case .integer(let days)? = part["reminderDays"] else { return option }
            return option + ["--remind", "\(type)\(days)"]
        }
    }

    private static func text(_ value: AnyJSON?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }

    // MARK: Parts that both sides have changed

    /// The lists of parts.
    private static let lists = StoredContact.declaration.parts.map(\.name)

    /// Whether a field is a part of a contact.
    static func isPart(_ field: String) -> Bool { lists.contains { field.hasPrefix("\($0).") } }

    /// Both values of a part for people; nil for a field that is none.
    static func texts(_ field: LostField) -> (kept: String, yours: String)? {
        guard isPart(field.field), let list = lists.first(where: { field.field.hasPrefix("\($0).") }) else {
            return nil
        }
        // A change has the changed members alone.
        let whole: [String: AnyJSON] = if case .object(let members) = field.kept { members } else { [:] }
        func text(_ value: AnyJSON) -> String {
            guard case .object(let members) = value else { return "taken away" }
            let words = option(list, whole.merging(members) { $1 }).dropFirst().first
            return words.map { "\"\($0)\"" } ?? "another"
        }
        return (text(field.kept), text(field.yours))
    }
}
