import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// `subtrack watch` on a terminal of its own.
@Suite("Watching in a terminal", .tags(.everyDay), .ownTime)
struct WatchTests {
    @Test("A terminal that becomes another size is drawn anew at once, with what there is room for")
    func resize() async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let home = TerminalHome(home: folder.appendingPathComponent("home"), server: "http://127.0.0.1:9")
        try home.setDay(day("2026-02-10"))
        for number in 1...9 {
            try await home.run(
                "add", "Gym \(number)", "--fee", "29.90", "--currency", "USD", "--every", "month", "--offline")
        }
        let window = try PseudoTerminal(columns: 100, lines: 30)
        let watch = try home.start(["watch", "--offline"], on: window)
        defer { watch.signal(SIGKILL) }
        try await eventually("the list is drawn") {
            window.text.contains("as you asked") && window.text.contains("Gym 9") && window.text.contains("RENEWS")
        }

        let before = window.text.count
        window.resize(columns: 30, lines: 8)
        watch.signal(SIGWINCH)
        try await eventually("it is drawn anew") {
            window.text.dropFirst(before).contains("more")
        }
        let drawn = String(window.text.dropFirst(before))
        // As long as there is room, the period stands behind the fee.
        #expect(window.text.prefix(before).contains("/ month") && !drawn.contains("/ month"))
        // Of nine that end on one day, any four: their order is that of their ids, which count seconds.
        #expect((1...9).count { drawn.contains("Gym \($0)") } == 4 && drawn.contains("… and 5 more"))

        watch.signal(SIGINT)
        #expect(await watch.exit() == .signalled(SIGINT))
    }
}
