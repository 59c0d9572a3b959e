import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

struct ContactDuplicateList: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates", abstract: "Shows contacts that may be one person, and why.",
        discussion: """
            `contacts merge` makes them one. --different leaves a pair out from now on, on this device.
            """)
    @OptionGroup var home: Home
    @Flag(help: "The two contacts that follow are different people.") var different = false
    @Argument(help: "With --different, the two: a part of the name of each, or the last digits of its id.")
    var contacts: [String] = []
    static var asksForArea: Bool { false }

    func validate() throws {
        guard different ? contacts.count == 2 : contacts.isEmpty else {
            throw ValidationError(
                different
                    ? "--different takes two contacts, such as --different 0a1b2c 3d4e5f"
                    : "only with --different contacts are named")
        }
    }

    /// Two contacts for programs.
    private struct Pair: Encodable {
        var first: ShownContact
        var second: ShownContact
        var reasons: [ListContactDuplicates.Reason]
    }

    func work(_ session: Session) async throws {
        let all = try session.kit.contacts()
        if different {
            let (one, other) = (
                try session.findContact(contacts[0], among: all), try session.findContact(contacts[1], among: all)
            )
            guard one.id != other.id else { throw Failure("both are the same contact", code: Exit.usage) }
            try session.kit.areDifferent(one.id, other.id)
        }
        let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        let pairs = try session.kit.contactDuplicates().compactMap {
            pair -> (TrackedContact, TrackedContact, [ListContactDuplicates.Reason])? in
            guard let first = byID[pair.first], let second = byID[pair.second] else { return nil }
            return (first, second, pair.reasons)
        }
        guard !home.json else {
            return try Output.json(
                pairs.map { Pair(first: ShownContact($0), second: ShownContact($1), reasons: $2) })
        }
        guard !pairs.isEmpty else {
            return try Output.lines(home.terminal.wrapped("No two contacts look like one person."))
        }
        for (first, second, reasons) in pairs {
            let why = reasons.map { "\(Self.words[$0.kind] ?? "value") \($0.value)" }.joined(separator: ", ")
            try Output.lines(
                home.terminal.wrapped(
                    Terminal.clean("\(first.row.fullName) and \(second.row.fullName) have the same \(why)")))
            try Output.line("  " + TypedCommand.line(["contacts", "merge", first.shortID, second.shortID]))
        }
    }

    private static let words: [ListContactDuplicates.Reason.Kind: String] = [
        .phone: "number", .email: "e-mail address", .date: "names and day", .address: "names and address",
    ]
}

struct ContactMerge: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Makes contacts one: the first keeps its names and gets the parts of the others.",
        discussion: """
            subtrack contacts merge "Ada Lovelace" "A. Lovelace"

            It needs the service. The others can be restored for 30 days.
            """)
    @OptionGroup var home: Home
    @Argument(help: "The contacts, the one that stays first: a part of the name of each, or the last digits of its id.")
    var contacts: [String]

    func validate() throws {
        guard contacts.count > 1 else {
            throw ValidationError("name two contacts or more, such as subtrack contacts merge ada lovelace")
        }
    }

    func work(_ session: Session) async throws {
        try session.needService()
        let all = try session.kit.contacts()
        let found = try contacts.map { try session.findContact($0, among: all) }
        guard Set(found.map(\.id)).count == found.count, let first = found.first else {
            throw Failure("two of them are the same contact", hint: "subtrack contacts", code: Exit.usage)
        }
        let others = found.dropFirst()
        do {
            _ = try await session.notingPlace { try await session.kit.mergeContacts(others.map(\.id), into: first.id) }
        } catch KitError.refused(let problem) where problem.code == .stale {
            throw Failure(
                "another device has changed one of them meanwhile; look at them before they are merged",
                hint: "subtrack contacts show \(first.shortID)")
        }
        home.rememberServer()
        try session.tellReports()
        guard let merged = try session.kit.row(StoredContact.self, first.id) else { return }
        guard !home.json else { return try Output.json(ShownContact(merged)) }
        try Output.lines(ContactLines.lines(merged, today: try session.kit.today(), on: home.terminal))
        for other in others {
            Output.say("\(Terminal.clean(other.row.fullName)) is part of it now, and can be restored for 30 days.")
            Output.mutter("Try: \(TypedCommand.line(["contacts", "restore", other.shortID]))\n")
        }
    }
}

struct ContactDateList: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "dates", abstract: "Shows birthdays and other days of contacts that come soon.")
    @OptionGroup var home: Home
    @Argument(help: "How many days ahead to look.") var days = 30
    static var asksForArea: Bool { false }

    func validate() throws {
        guard (0...3660).contains(days) else { throw ValidationError("days: 0 to 3660") }
    }

    /// A day for programs.
    private struct Shown: Encodable {
        var contact: UUID
        var name: String
        var type: String
        var date: String
        var on: CalendarDate
        var days: Int
        var years: Int?
    }

    func work(_ session: Session) async throws {
        let (kit, today) = (session.kit, try session.kit.today())
        let contacts = Dictionary(try kit.contacts().map { ($0.id, $0.row.fullName) }) { first, _ in first }
        let shown = try kit.contactDates(within: days).map { one in
            Shown(
                contact: one.contact, name: contacts[one.contact] ?? "", type: one.date.type, date: one.date.date,
                on: one.occurrence.day, days: today.days(to: one.occurrence.day), years: one.occurrence.years)
        }
        guard !home.json else { return try Output.json(shown) }
        guard !shown.isEmpty else {
            let span = days == 0 ? "today" : days == 1 ? "today or tomorrow" : "in the next \(days) days"
            return try Output.lines(home.terminal.wrapped("No day of a contact comes \(span)."))
        }
        var table = Table(columns: [
            .init(title: "NAME", minimum: 12, keepsEnd: true), .init(title: "DAY", minimum: 6, rank: 1),
            .init(title: "ON"), .init(title: "", rank: 2), .init(title: "YEARS", isNumber: true, rank: 3),
        ])
        for one in shown {
            table.rows.append([
                .init(one.name, .bold), .init(one.type), .init(one.on.description),
                .init(ContactLines.days(one.days), one.days < 2 ? .yellow : .dim),
                .init(one.years.map(String.init) ?? ""),
            ])
        }
        try Output.lines(table.lines(on: home.terminal))
    }
}
