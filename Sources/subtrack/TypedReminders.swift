import SubTrackAPI
import SubTrackKit

/// A time of day as it is typed: `8:30`, `08:30` or `18`.
struct TypedTime: TypedValue {
    static let wanted = "no time such as 8:30 or 18"

    /// The time as the service has it: `08:30`.
    let text: String

    init?(_ argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let isWritten = parts.allSatisfy { part in
            (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard isWritten, parts.count <= 2, let hour = parts.first.flatMap({ Int($0) }), hour < 24 else { return nil }
        let minute = parts.count == 2 ? Int(parts[1]) : 0
        guard let minute, minute < 60, parts.count == 1 || parts[1].utf8.count == 2 else { return nil }
        text = ClockTime(minute: hour * 60 + minute).description
    }
}

/// Days ahead as they are typed: `14,3`, `none` or `usual`.
struct TypedLeads: TypedValue {
    static let wanted = "no list of days such as 14,3, none or usual"

    let patch: Patch<[Int]>

    init?(_ argument: String) {
        switch argument.lowercased() {
        case "none": patch = .set([])
        case "usual": patch = .remove
        default:
            let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
            let days = parts.compactMap { Int($0.filter { !$0.isWhitespace }) }
            guard days.count == parts.count else { return nil }
            patch = .set(days)
        }
    }
}

/// A day of the week as it is typed: `sun`, `Sunday` or `none`.
struct TypedWeekday: TypedValue {
    static let wanted = "no day of the week such as sun, and not none"
    static let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    let patch: Patch<Int>

    init?(_ argument: String) {
        let text = argument.lowercased()
        guard text != "none" else {
            patch = .remove
            return
        }
        guard text.utf8.count >= 2, let place = Self.names.firstIndex(where: { $0.lowercased().hasPrefix(text) })
        else { return nil }
        patch = .set(place + 1)
    }
}

/// After how many days one is reminded again, as it is typed: `3` or `none`.
struct TypedRepeat: TypedValue {
    static let wanted = "no number of days such as 3, and not none"

    let patch: Patch<Int>

    init?(_ argument: String) {
        if argument.lowercased() == "none" {
            patch = .remove
        } else if let days = Int(argument) {
            patch = .set(days)
        } else {
            return nil
        }
    }
}

/// `on` or `off`, as it is typed.
struct TypedSwitch: TypedValue {
    static let wanted = "neither on nor off"

    let isOn: Bool

    init?(_ argument: String) {
        switch argument.lowercased() {
        case "on", "yes": isOn = true
        case "off", "no": isOn = false
        default: return nil
        }
    }
}

/// The words of the command that makes a change of the reminders' settings anew.
struct TypedReminderSettings {
    private let fields: [String: AnyJSON]

    init(_ mutation: PushChanges.Mutation) { fields = mutation.fields ?? [:] }

    /// The words; nil: nothing was typed that is lost.
    var words: [String]? {
        var words: [String] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            if name == "leads", case .object(let kinds) = value {
                for (kind, days) in kinds.sorted(by: { $0.key < $1.key }) {
                    words += Self.option(kind == "cancelBy" ? "--cancel-by" : "--\(kind)", days, empty: "usual")
                }
            } else if let option = FieldNames.reminders.known(name)?.option {
                words += Self.option(option, value, empty: name == "language" ? "" : "none")
            }
        }
        return words.isEmpty ? nil : ["remind"] + words
    }

    private static func option(_ name: String, _ value: AnyJSON, empty: String) -> [String] {
        switch value {
        case .string(let text): [name, text]
        case .integer(let number):
            [name, name == "--weekly" ? TypedWeekday.names[Int(min(max(number, 1), 7)) - 1].lowercased() : "\(number)"]
        case .bool(let flag): [name, flag ? "on" : "off"]
        case .null: [name, empty]
        case .array(let days):
            [
                name,
                days.isEmpty
                    ? "none"
                    : days.compactMap { if case .integer(let day) = $0 { "\(day)" } else { nil } }.joined(separator: ","),
            ]
        case .object: []
        }
    }
}
