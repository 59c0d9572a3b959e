import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

struct Sync: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Sends what was changed here, and pulls what is new.",
        discussion: "The exit code is 65 where the service refused a change: `subtrack refused` shows it.")
    @OptionGroup var home: Home

    func run(_ session: Session) async throws {
        try session.needService()
        let progress = Task {
            // A first sync of many rows takes a while: say how far it is.
            for try await state in session.kit.progressUpdates() where state.left != nil && Prompt.isInteractive {
                Output.mutter("\r\(Int(state.fraction * 100)) %")
            }
        }
        let summary = try await session.sync()
        progress.cancel()
        _ = await progress.result
        if Prompt.isInteractive { Output.mutter("\r\u{1B}[K") }
        let refused = try session.tellReports().count { $0.problem != nil }
        if home.json {
            try Output.json(summary)
        } else {
            let note = refused == 0 ? "" : " (\(refused) refused)"
            try Output.line("In step: \(summary.sent) sent\(note), \(summary.received) received.")
        }
        if refused > 0 { throw Exit.dataRefused }
    }
}

struct Refused: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "refused",
        abstract: "Shows changes that were not done as you made them, with the values that you typed.",
        discussion: "They are kept for 90 days, and 200 at most.")
    @OptionGroup var home: Home
    @Flag(help: "Forget them.") var forget = false

    func run(_ session: Session) async throws {
        let reports = try session.kit.allReports()
        if home.json {
            try Output.json(reports)
        } else if reports.isEmpty {
            try Output.line(home.terminal.fitted("All changes of this device were done as you made them."))
        } else {
            let (zone, list) = (try session.kit.user().timeZone, try session.kit.subscriptions())
            for report in reports {
                let day = LocalDay.today(at: report.at, timeZone: zone) ?? report.at.date(secondsFromUTC: 0)
                let lines = ReportLines.lines(report, among: list).map { Terminal.clean($0) }
                try Output.lines([day.description] + lines.map { "  \($0)" })
            }
        }
        if let last = reports.last { try session.kit.dismissReports(through: last.id) }
        if forget { try session.kit.forgetDismissedReports() }
    }
}

struct Watch: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows subscriptions and stays in step: whatever changes anywhere shows at once. Ctrl-C ends it.")
    @OptionGroup var home: Home
    /// It has no end at which to say it.
    var introducesItself: Bool { true }

    func run(_ session: Session) async throws {
        try session.introduce()
        let screen = Screen(home: home)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await list in session.kit.subscriptionUpdates() { try await screen.show(list) }
            }
            group.addTask {
                for try await _ in session.kit.reminderUpdates(days: Self.remindedDays) {
                    try await screen.show(try session.remindersSoon(days: Self.remindedDays))
                }
            }
            group.addTask {
                for await _ in Terminal.resizes() { try await screen.fit() }
            }
            if home.offline {
                try await screen.say("offline, as you asked")
            } else {
                group.addTask { try await stayInStep(session, screen) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// For how many days reminders are shown.
    private static let remindedDays = 8

    private func stayInStep(_ session: Session, _ screen: Screen) async throws {
        var place = try session.kit.place()
        for try await event in session.kit.live() {
            switch event {
            case .connected:
                home.rememberServer()
                try await screen.say("in step")
            case .synced(let summary): try await screen.say("in step, \(summary.received) received")
            case .disconnected(let reason, let wait):
                let seconds = Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18
                try await screen.say("\(reason); again in \(Int(seconds.rounded(.up))) s")
            }
            var told: [String] = []
            let now = try session.kit.place()
            if now != place {
                place = now
                told += try session.placeLines(isOfService: true)
            }
            try session.tellReports { told.append($0) }
            try await screen.tell(told)
        }
    }

    /// What is shown: on a terminal the list in place of the former one, elsewhere one after the other.
    private actor Screen {
        private let home: Home
        private var frame = WatchFrame()

        init(home: Home) { self.home = home }

        /// As it is now: a window may have become another size.
        private var terminal: Terminal { home.terminal }

        func show(_ list: [TrackedSubscription]) throws {
            frame.list = list.filter { $0.subscription.status != .ended }
            if home.json {
                try Output.line(Output.text(frame.list, isPretty: false))
            } else if terminal.redraws {
                try redraw()
            } else {
                try Output.lines(SubscriptionTable.lines(frame.list, on: terminal) + [""])
            }
        }

        /// Shows what is said soon.
        func show(_ soon: RemindersSoon?) throws {
            guard frame.soon?.reminders != soon?.reminders, !home.json else { return }
            frame.soon = soon
            if terminal.redraws { return try redraw() }
            let lines = soon?.lines(limit: WatchFrame.reminders, on: terminal) ?? []
            if !lines.isEmpty { try Output.lines(lines.dropFirst() + [""]) }
        }

        func say(_ status: String) throws {
            guard frame.status != status else { return }
            frame.status = status
            if terminal.redraws { try redraw() } else { Output.say(status) }
        }

        /// Fits what is shown to a terminal that has another size now.
        func fit() throws {
            if terminal.redraws, !home.json { try redraw() }
        }

        /// Shows what was not done as it was made.
        func tell(_ lines: [String]) throws {
            guard !lines.isEmpty else { return }
            guard terminal.redraws else { return lines.forEach(Output.say) }
            frame.tell(lines)
            try redraw()
        }

        private func redraw() throws {
            if home.json { return Output.say(frame.status) }
            // Home, then line by line, and what was below goes. The last line has no end: it would move all of them up.
            try Output.write(
                "\u{1B}[H" + frame.lines(on: terminal).map { $0 + "\u{1B}[K" }.joined(separator: "\n") + "\u{1B}[J")
        }
    }
}

/// What `subtrack watch` shows on a terminal that it draws over.
struct WatchFrame {
    var list: [TrackedSubscription] = []
    var status = "connecting"
    /// What is said soon; nil where the service has no reminders.
    var soon: RemindersSoon?
    /// How many reminders are shown.
    static let reminders = 5
    /// What was not done as it was made. It stays below the list until as much that is newer takes its place.
    private(set) var told: [String] = []

    /// Shows some lines more.
    mutating func tell(_ lines: [String]) { told = Array((told + lines).suffix(8)) }

    /// All of it, line by line; of a list that is longer than the terminal those that end first, and how many more there are.
    func lines(on terminal: Terminal) -> [String] {
        let width = terminal.width ?? 80
        let news =
            [""] + told.map { terminal.styled(Terminal.cut(Terminal.clean($0), to: width), .yellow) }
            + [terminal.styled(Terminal.cut(Terminal.clean(status), to: width), .dim)]
        let reminders = soon?.lines(limit: Self.reminders, on: terminal) ?? []
        // Subscriptions have the first half of a low terminal for themselves.
        let hasRoom = terminal.height.map { reminders.count + news.count <= $0 / 2 } ?? true
        let below = (hasRoom ? reminders : []) + news
        var table = SubscriptionTable.lines(list, on: terminal)
        if let height = terminal.height, table.count > height - below.count {
            // The names of the columns and the line that tells how many are not shown take one each.
            let shown = max(height - below.count - 2, 0)
            let rest = terminal.styled("… and \(list.count - shown) more", .dim)
            table = table.prefix(1 + shown) + [rest]
        }
        return Array((table + below).suffix(max(terminal.height ?? .max, 1)))
    }
}
