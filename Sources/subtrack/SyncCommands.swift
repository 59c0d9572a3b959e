import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct Sync: SessionCommand {
    static let configuration = CommandConfiguration(abstract: "Sends what was changed here, and pulls what is new.")
    @OptionGroup var home: Home

    func run(_ session: Session) async throws {
        let progress = Task {
            // A first sync of many rows takes a while: say how far it is.
            for try await state in session.kit.progressUpdates() where state.left != nil && Prompt.isInteractive {
                FileHandle.standardError.write(Data("\r\(Int(state.fraction * 100)) %".utf8))
            }
        }
        let summary = try await session.kit.sync()
        progress.cancel()
        home.rememberServer()
        try session.tellReports()
        guard !home.json else { return try printJSON(summary) }
        print("In step: \(summary.sent) sent, \(summary.received) received.")
    }
}

struct Watch: SessionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows subscriptions and stays in step: whatever changes anywhere shows at once. Ctrl-C ends it.")
    @OptionGroup var home: Home

    func run(_ session: Session) async throws {
        let screen = Screen(home: home)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await list in session.kit.subscriptionUpdates() { await screen.show(list) }
            }
            group.addTask {
                for try await event in session.kit.live() {
                    switch event {
                    case .connected:
                        home.rememberServer()
                        await screen.say("in step")
                    case .synced(let summary): await screen.say("in step, \(summary.received) received")
                    case .disconnected(let reason, let wait):
                        let seconds = Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18
                        await screen.say("\(reason); again in \(Int(seconds.rounded(.up))) s")
                    }
                    var told: [String] = []
                    try session.tellReports { told.append($0) }
                    await screen.tell(told)
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// What is shown: on a terminal the list in place of the former one, elsewhere one after the other.
    private actor Screen {
        private let home: Home
        private let terminal: Terminal
        private var frame = WatchFrame()

        init(home: Home) {
            self.home = home
            terminal = home.terminal
        }

        func show(_ list: [TrackedSubscription]) {
            frame.list = list.filter { $0.subscription.status != .ended }
            draw()
        }

        func say(_ status: String) {
            guard frame.status != status else { return }
            frame.status = status
            if terminal.redraws { redraw() } else { Session.say(status) }
        }

        /// Shows what was not done as it was made.
        func tell(_ lines: [String]) {
            guard !lines.isEmpty else { return }
            guard terminal.redraws else { return lines.forEach(Session.say) }
            frame.tell(lines)
            redraw()
        }

        private func draw() {
            if home.json {
                if let text = try? json(frame.list, isPretty: false) { write(text + "\n") }
            } else if terminal.redraws {
                redraw()
            } else {
                write(SubscriptionTable.lines(frame.list, on: terminal).joined(separator: "\n") + "\n\n")
            }
        }

        private func redraw() {
            if home.json { return Session.say(frame.status) }
            // Home, then line by line, and what was below goes.
            write("\u{1B}[H" + frame.lines(on: terminal).map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
        }

        private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
    }
}

/// What `subtrack watch` shows on a terminal that it draws over.
struct WatchFrame {
    var list: [TrackedSubscription] = []
    var status = "connecting"
    /// What was not done as it was made. It stays below the list until as much that is newer takes its place.
    private(set) var told: [String] = []

    /// Shows some lines more.
    mutating func tell(_ lines: [String]) { told = Array((told + lines).suffix(8)) }

    /// All of it, line by line.
    func lines(on terminal: Terminal) -> [String] {
        let width = terminal.width ?? 80
        return SubscriptionTable.lines(list, on: terminal) + [""]
            + told.map { terminal.styled(Terminal.cut(Terminal.clean($0), to: width), .yellow) }
            + [terminal.styled(Terminal.cut(Terminal.clean(status), to: width), .dim)]
    }
}
