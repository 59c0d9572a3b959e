import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sends what was changed here, and pulls what is new.")
    @OptionGroup var home: Home

    func run() async throws {
        try await perform {
            let session = try Session(home)
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
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows subscriptions and stays in step: whatever changes anywhere shows at once. Ctrl-C ends it.")
    @OptionGroup var home: Home

    func run() async throws {
        try await perform {
            let session = try Session(home)
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
                        try session.tellReports()
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    /// What is shown: on a terminal the list in place of the former one, elsewhere one after the other.
    private actor Screen {
        private let home: Home
        private let terminal: Terminal
        private var list: [TrackedSubscription] = []
        private var status = "connecting"

        init(home: Home) {
            self.home = home
            terminal = home.terminal
        }

        func show(_ list: [TrackedSubscription]) {
            self.list = list.filter { $0.subscription.status != .ended }
            draw()
        }

        func say(_ status: String) {
            guard self.status != status else { return }
            self.status = status
            if terminal.width != nil { draw() } else { Session.say(status) }
        }

        private func draw() {
            guard !home.json else {
                if let text = try? json(list, isPretty: false) { write(Data((text + "\n").utf8)) }
                return
            }
            var lines = SubscriptionTable.lines(list, on: terminal)
            guard terminal.width != nil else { return write(Data((lines.joined(separator: "\n") + "\n\n").utf8)) }
            lines.append("")
            lines.append(terminal.styled(Terminal.clean(status), .dim))
            // Home, then line by line, and what was below goes.
            let text = "\u{1B}[H" + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
            write(Data(text.utf8))
        }

        private func write(_ data: Data) { FileHandle.standardOutput.write(data) }
    }
}
