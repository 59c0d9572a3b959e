import SubTrackAPI

/// The rules of the rows of reminders that no single field shows. The triggers of the database keep the same ones.
enum ReminderRowRules {
    /// The languages of mails.
    private static let languages = ["en", "de", "zh"]

    /// The faults of settings.
    @Sendable static func setting(_ row: [String: AnyJSON]) -> [FieldProblem] {
        var faults: [FieldProblem] = []
        if let time = text(row["remindAt"]), ReminderSettings.minute(time) == nil {
            faults.append(.init(field: "remindAt", code: .range, message: "must be a time from 00:00 to 23:59"))
        }
        if let language = text(row["language"]), !languages.contains(language) {
            faults.append(.init(field: "language", code: .range, message: "must be en, de or zh"))
        }
        return faults
    }

    /// The faults of a number of days ahead.
    @Sendable static func lead(_ row: [String: AnyJSON]) -> [FieldProblem] {
        guard let kind = text(row["kind"]), ReminderKind(rawValue: kind)?.hasLeads != true else { return [] }
        let kinds = ReminderKind.allCases.filter(\.hasLeads)
        return [.init(field: "kind", code: .range, message: "must be one of \(list(kinds.map(\.rawValue)))")]
    }

    /// The faults of a reminder.
    @Sendable static func reminder(_ row: [String: AnyJSON]) -> [FieldProblem] {
        var faults: [FieldProblem] = []
        let kind = text(row["kind"]).flatMap(ReminderKind.init(rawValue:))
        if kind == nil {
            let kinds = list(ReminderKind.allCases.map(\.rawValue))
            faults.append(.init(field: "kind", code: .range, message: "must be one of \(kinds)"))
        }
        let answer = text(row["answer"]).map(ReminderAnswer.init(rawValue:))
        if let kind, let answer, !(answer.map(kind.answers.contains) ?? false) {
            let answers = list(kind.answers.map(\.rawValue))
            faults.append(.init(field: "answer", code: .range, message: "must be one of \(answers)"))
        }
        if text(row["snoozedUntil"]) != nil, answer != .snooze {
            faults.append(.init(field: "snoozedUntil", code: .conflict, message: "is for the answer snooze alone"))
        }
        return faults
    }

    private static func text(_ value: AnyJSON?) -> String? { if case .string(let text)? = value { text } else { nil } }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
