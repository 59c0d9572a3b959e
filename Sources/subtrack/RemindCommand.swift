import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct Remind: ReminderCommand {
    static let configuration = CommandConfiguration(
        commandName: "remind",
        abstract: "Shows and changes when and how far ahead you are reminded.",
        discussion: """
            subtrack remind --at 8:30 --renewal 14,3 --weekly sun --mail off

            Days ahead are numbers between commas, none for a kind of which you want no reminder, or usual. The days of `edit --remind` take \
            the place of those that are farther ahead for one subscription, and `contacts edit --remind` does so for one day of a contact.
            """)
    @OptionGroup var home: Home
    @Option(help: ArgumentHelp("The time of day: 8:30, or 18.", valueName: "time")) var at: Typed<TypedTime>?
    @Option(help: ArgumentHelp("Days before a renewal.", valueName: "days")) var renewal: Typed<TypedLeads>?
    @Option(help: ArgumentHelp("Days before the end of a free trial.", valueName: "days")) var trial: Typed<TypedLeads>?
    @Option(help: ArgumentHelp("Days before the last day to cancel.", valueName: "days"))
    var cancelBy: Typed<TypedLeads>?
    @Option(
        help: ArgumentHelp("Days before the last day to cancel ahead of other prices or terms.", valueName: "days"))
    var price: Typed<TypedLeads>?
    @Option(help: ArgumentHelp("Days before a cancelled subscription ends.", valueName: "days"))
    var ended: Typed<TypedLeads>?
    @Option(help: ArgumentHelp("Days after the end of one that you renew yourself.", valueName: "days"))
    var overdue: Typed<TypedLeads>?
    @Option(help: ArgumentHelp("Days before a birthday or another day of a contact.", valueName: "days"))
    var date: Typed<TypedLeads>?
    @Option(help: ArgumentHelp("The day of the week's renewals: mon to sun, or none.", valueName: "day"))
    var weekly: Typed<TypedWeekday>?
    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Be reminded again after so many days without an answer, or none.", valueName: "days"))
    var again: Typed<TypedRepeat>?
    @Option(help: ArgumentHelp("Whether reminders come by mail: on or off.", valueName: "on|off"))
    var mail: Typed<TypedSwitch>?
    @Option(help: "The language of mails: en, de or zh; an empty one is that of your country.") var language: String?

    /// The options of days ahead, with their kinds.
    private var leads: [(option: String, kind: WritableKeyPath<ReminderLeadsPatch, Patch<[Int]>>, Typed<TypedLeads>?)] {
        [
            ("--renewal", \.renewal, renewal), ("--trial", \.trial, trial), ("--cancel-by", \.cancelBy, cancelBy),
            ("--price", \.price, price), ("--ended", \.ended, ended), ("--overdue", \.overdue, overdue),
            ("--date", \.date, date),
        ]
    }

    func work(_ session: Session) async throws {
        let change = try change(session.kit)
        if !change.isEmpty {
            _ = try await session.pullOnce()
            try session.kit.change(change)
            let kind = StoredReminderSettings.entity.rawValue
            if try await session.isRefused({ $0.entity == kind }) { throw Failure.refused }
        }
        let settings = try session.kit.reminderSettings()
        guard !home.json else { return try Output.json(settings) }
        try Output.lines(ReminderSettingLines.lines(settings, try session.kit.user(), on: home.terminal))
    }

    /// The change that was typed.
    private func change(_ kit: Kit) throws -> UpdateReminderSettings {
        var faults = OptionFaults()
        faults.check("--at", at)
        for (option, _, typed) in leads { faults.check(option, typed) }
        faults.check("--weekly", weekly)
        faults.check("--repeat", again)
        faults.check("--mail", mail)
        var (change, patch) = (UpdateReminderSettings(), ReminderLeadsPatch())
        if let time = at?.value { change.remindAt = .set(time.text) }
        for case (_, let kind, let typed?) in leads {
            if let days = typed.value { patch[keyPath: kind] = days.patch }
        }
        if !patch.changes.isEmpty { change.leads = .set(patch) }
        if let day = weekly?.value { change.weeklyOn = day.patch }
        if let days = again?.value { change.repeatDays = days.patch }
        if let isOn = mail?.value { change.byMail = .set(isOn.isOn) }
        if let language { change.language = language.isEmpty ? .remove : .set(language.lowercased()) }
        faults.note(kit.faults(of: change), .reminders)
        try faults.throwAny()
        return change
    }
}

extension UpdateReminderSettings {
    /// Whether it changes nothing.
    fileprivate var isEmpty: Bool {
        !(remindAt.isNamed || language.isNamed || repeatDays.isNamed || weeklyOn.isNamed || byMail.isNamed
            || leads.isNamed)
    }
}

/// The settings of reminders, in lines.
enum ReminderSettingLines {
    static func lines(_ settings: StoredReminderSettings, _ user: StoredUser, on terminal: Terminal) -> [String] {
        let weekday = settings.weeklyOn.flatMap { TypedWeekday.names.indices.contains($0 - 1) ? $0 - 1 : nil }
        let mail = user.accounts.first.map { "to \($0.email)" } ?? "once you have an account: subtrack register"
        let again = settings.repeatDays.map { "after \(SubscriptionTable.days($0)) without an answer" }
        let fields: [(String, String)] =
            [("time", "\(settings.remindAt) in \(user.timeZone)")]
            + Self.kinds.map { kind, name, place in (name, days(settings.leads[kind], place)) }
            + [
                ("the week", weekday.map { "its renewals on \(TypedWeekday.names[$0])" } ?? "no list of its renewals"),
                ("again", again ?? "no"), ("by mail", settings.byMail ? mail : "no"),
                ("language", settings.language ?? "that of your country"),
            ]
        return fields.flatMap { name, value in
            terminal.wrapped(Terminal.clean(value), indent: 15).enumerated().map { index, line in
                let head = (index == 0 ? name : "").padding(toLength: 15, withPad: " ", startingAt: 0)
                return terminal.styled(head, .dim) + line
            }
        }
    }

    /// The kinds with days ahead, their names, and where their days lie.
    private static let kinds: [(ReminderKind, String, String)] = [
        (.renewal, "renewal", "before"), (.trial, "free trial", "before its end"),
        (.cancelBy, "cancel by", "before the last day"), (.price, "other price", "before the last day to cancel"),
        (.ended, "ended", "before"), (.overdue, "overdue", "after the end"), (.date, "day of contact", "before"),
    ]

    private static func days(_ days: [Int], _ place: String) -> String {
        guard !days.isEmpty else { return "no" }
        let ahead = days.filter { $0 > 0 }
        let words = ahead.map(String.init)
        var parts: [String] = []
        if let last = words.last {
            let all = words.count == 1 ? last : "\(words.dropLast().joined(separator: ", ")) and \(last)"
            parts.append("\(all) \(ahead == [1] ? "day" : "days") \(place)")
        }
        if ahead.count < days.count { parts.append("on the day") }
        return parts.joined(separator: ", ")
    }
}
