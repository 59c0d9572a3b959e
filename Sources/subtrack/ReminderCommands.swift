import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct Reminders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders",
        abstract: "Shows reminders that wait for an answer, without network too.",
        discussion: """
            subtrack reminders
            subtrack answer 1 later 3d
            subtrack reminders upcoming --days 60

            `subtrack remind` says when and how far ahead you are reminded.
            """,
        subcommands: [ReminderList.self, ReminderUpcoming.self],
        defaultSubcommand: ReminderList.self)

    /// The names of its commands.
    static var names: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }
}

/// A command about reminders. Where the service has none for this tenant, it says so and does nothing.
protocol ReminderCommand: SessionCommand {
    /// Does the work.
    func work(_ session: Session) async throws
    /// Whether the service is asked for its areas where that is not known: the command goes on to change something.
    static var asksForArea: Bool { get }
}

extension ReminderCommand {
    static var fieldNames: FieldNames { .reminders }
    static var asksForArea: Bool { true }

    func run(_ session: Session) async throws {
        try await session.needArea(RemindersSoon.area, asking: Self.asksForArea)
        try await work(session)
    }
}

struct ReminderList: ReminderCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows reminders that wait for an answer.",
        discussion: "The number of a reminder is good for `subtrack answer` until the list is shown again.")
    @OptionGroup var home: Home
    @Flag(help: "Sync first. Without it what is here is shown at once.") var sync = false
    static var asksForArea: Bool { false }

    func work(_ session: Session) async throws {
        if sync { _ = try await session.isRefused { _ in false } }
        let (kit, today) = (session.kit, try session.kit.today())
        let open = try kit.reminders(days: 1).open
        ReminderNumbers(home).note(open)
        guard !home.json else { return try Output.json(open) }
        guard !open.isEmpty else {
            return try Output.lines(home.terminal.wrapped("No reminder waits for an answer."))
        }
        try Output.lines(ReminderTable.open(open, today: today, on: home.terminal))
    }
}

struct ReminderUpcoming: ReminderCommand {
    static let configuration = CommandConfiguration(
        commandName: "upcoming", abstract: "Shows what you will be reminded of, and when.",
        discussion: """
            This holds as long as nothing changes and nobody answers. Periods that begin meanwhile have no reminders yet.
            """)
    @OptionGroup var home: Home
    @Option(help: "How many days, with today.") var days = 30
    static var asksForArea: Bool { false }

    func validate() throws {
        guard (1...400).contains(days) else { throw ValidationError("--days: 1 to 400") }
    }

    func work(_ session: Session) async throws {
        let upcoming = try session.kit.reminders(days: days).upcoming
        guard !home.json else { return try Output.json(upcoming) }
        guard !upcoming.isEmpty else {
            let span = days == 1 ? "today" : "in the next \(days) days"
            return try Output.lines(home.terminal.wrapped("You will be reminded of nothing \(span)."))
        }
        try Output.lines(ReminderTable.upcoming(upcoming, try ReminderClock(session.kit), on: home.terminal))
    }
}

/// The reminders as they were numbered last: a number means what its reader saw, also after a sync.
struct ReminderNumbers {
    private let file: URL

    init(_ home: Home) { file = home.folder.appendingPathComponent("reminders") }

    /// Notes a list. Where it cannot be written, numbers are those of the list as it is.
    func note(_ list: [TrackedReminder]) {
        let text = list.map(\.id).joined(separator: "\n")
        try? Data(text.utf8).write(to: file, options: .atomic)
    }

    /// The ids of the list; nil: none was shown.
    var ids: [String]? {
        FileManager.default.contents(atPath: file.path).map {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
}
