import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct Answer: ReminderCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer",
        abstract: "Answers a reminder, without network too.",
        discussion: """
            subtrack answer 2 keep
            subtrack answer 2 later 3d

            keep: you have seen it, and nothing else changes. cancel: you have cancelled the subscription. renew: it was renewed, and its next \
            period begins, which cannot be taken back. done: what it was about is done. later: you are reminded again tomorrow, or in 3d, \
            2weeks, or on 2027-03-01.
            """)
    @OptionGroup var home: Home
    @Argument(help: "Its number in `subtrack reminders`, or its id.") var reminder: String
    @Argument(help: "keep, cancel, renew, done or later.") var answer: TypedAnswer
    @Argument(help: ArgumentHelp("With later: when to be reminded again (default: tomorrow).", valueName: "when"))
    var until: TypedLater?
    @OptionGroup var sure: Sure

    /// The answer for programs.
    private struct Given: Encodable {
        var id: String
        var answer: ReminderAnswer
        var until: CalendarDate?
    }

    func validate() throws {
        guard until == nil || answer == .later else {
            throw ValidationError("only later takes a day, such as: later 3d")
        }
    }

    func work(_ session: Session) async throws {
        let kit = session.kit
        let open = try kit.reminders(days: 1).open
        let key = try key(among: open)
        let shown = open.first { $0.key == key }
        let day = try answer == .later ? (until ?? .tomorrow).day(from: kit.today()) : nil
        if answer == .renew, let found = try kit.subscriptions().first(where: { $0.id == key.subject }),
            let effect = try PeriodEffect(.renew(found.id), of: found, on: kit)
        {
            try session.confirm(effect, isSure: sure.yes)
        }
        if answer == .cancel, let url = try kit.details(of: key.subject)?.cancelUrl {
            Output.say("The provider is not told. Cancel at \(Terminal.clean(url))")
        }
        try kit.answer(key, answer.meaning, until: day)
        let id = key.description
        if try await session.isRefused({ $0.entity == StoredReminder.entity.rawValue && $0.id == id }) {
            throw Failure.refused
        }
        guard !home.json else { return try Output.json(Given(id: id, answer: answer.meaning, until: day)) }
        if [.renew, .cancel].contains(answer), let tracked = try kit.details(of: key.subject)?.tracked {
            return try Output.lines(SubscriptionTable.lines([tracked], on: home.terminal))
        }
        let of = shown.map { "\(ReminderTable.text($0)), \($0.occursOn)" } ?? id
        let words = day.map { "you are reminded again on \($0)" } ?? "answered with \(answer.rawValue)"
        try Output.line(home.terminal.fitted(Terminal.clean("\(of): \(words).")))
    }

    /// The reminder of a number or an id.
    private func key(among open: [TrackedReminder]) throws -> ReminderKey {
        if let key = ReminderKey(reminder) { return key }
        guard let number = Int(reminder) else {
            throw Failure(
                "\"\(Terminal.clean(String(reminder.prefix(40))))\" is no number of a reminder",
                hint: "subtrack reminders", code: Exit.usage)
        }
        let ids = ReminderNumbers(home).ids ?? open.map(\.id)
        guard ids.indices.contains(number - 1) else {
            let range = ids.isEmpty ? "none waits for an answer" : ids.count == 1 ? "there is 1" : "there are 1 to \(ids.count)"
            throw Failure(
                "there is no reminder number \(number): \(range)", hint: "subtrack reminders", code: Exit.usage)
        }
        guard let found = open.first(where: { $0.id == ids[number - 1] }) else {
            throw Failure(
                "reminder \(number) of the list that you saw was answered meanwhile, or is over",
                hint: "subtrack reminders")
        }
        return found.key
    }
}

/// An answer as it is typed.
enum TypedAnswer: String, ExpressibleByArgument, CaseIterable {
    case keep, cancel, renew, done, later

    /// The answer that it stands for.
    var meaning: ReminderAnswer {
        switch self {
        case .keep: .keep
        case .cancel: .cancel
        case .renew: .renew
        case .done: .done
        case .later: .snooze
        }
    }
}

/// A later day as it is typed: `3d`, `2weeks`, or a day.
struct TypedLater: ExpressibleByArgument {
    static let tomorrow = TypedLater(form: .days(1))

    private enum Form {
        case days(Int)
        case day(TypedDay)
    }

    private let form: Form

    private init(form: Form) { self.form = form }

    init?(argument: String) {
        if let span = TypedDuration(argument)?.duration, span.unit == .day || span.unit == .week {
            form = .days(span.value * (span.unit == .week ? 7 : 1))
        } else if let day = TypedDay(argument) {
            form = .day(day)
        } else {
            return nil
        }
    }

    func day(from today: CalendarDate) -> CalendarDate {
        switch form {
        case .days(let days): today.adding(days: days)
        case .day(let day): day.day(today)
        }
    }
}
