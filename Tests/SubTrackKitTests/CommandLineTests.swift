import EmbeddedMariaDB
import Foundation
import SubTrackAPI
import SubTrackKit
import SubTrackTestSupport
import TestTraits
import Testing

/// The terminal client, as a process, as a person runs it.
@Suite("The terminal client", .tags(.everyDay), .ownTime)
struct CommandLineTests {
    typealias Terminal = TerminalHome

    private func withTerminals(
        _ count: Int, _ service: TestService, _ body: ([Terminal]) async throws -> Void
    ) async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(
            (0..<count).map {
                Terminal(home: folder.appendingPathComponent("home-\($0)"), server: service.client.baseURL)
            })
    }

    /// Terminals, and a door through which the first of them reaches the service.
    private func withDoor(
        _ count: Int, _ service: TestService, _ body: ([Terminal], Door) async throws -> Void
    ) async throws {
        try await Door.run(to: service.client.baseURL) { door in
            try await withTerminals(count, service) { try await body($0, door) }
        }
    }

    @Test("Two terminals: what one adds without network is in the other's list after both have synced")
    func twoTerminals() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let name = UniqueName.next("Musicbox")
            try await service.addPlan("Family", provider: name, fee: "9.99")
            try await withDoor(2, service) { terminals, door in
                var (one, other) = (terminals[0], terminals[1])
                one.server = door.url
                other.server = service.client.baseURL
                let email = "\(UUID().uuidString.lowercased())@example.org"
                try await one.run("register", email, "--name", "Ada", input: "correct horse battery\n")
                #expect(
                    try await other.run("login", email, input: "correct horse battery\n").contains("Signed in as Ada"))

                door.isClosed = true
                let added = try await one.run(
                    "add", name.lowercased(), "fam", "--auto", "--label", "Songs", "--start", "-0")
                #expect(added.contains("Saved here") && added.contains("2026-02-28"))
                #expect(try await one.run("list").contains("Songs"))
                #expect(try await other.run("list").contains("Nothing yet"))
                door.isClosed = false

                #expect(try await one.run("sync").contains("1 sent"))
                try await other.run("sync")
                #expect(try await other.run("list").contains("Songs"))
                #expect(try await other.run("due", "30").contains("Songs"))
                #expect(try await other.run("due", "3").contains("Nothing renews"))

                try await other.run("renew", "songs", "--yes")
                try await one.run("sync")
                let shown = try await one.run("show", "songs")
                #expect(shown.contains("2026-03-31") && shown.contains("PERIOD"))
                try await one.run("edit", "songs", "--note", "for the kids")
                try await one.run("cancel", "songs")
                try await one.run("resume", "songs")
                try await one.run("delete", "songs")
                try await other.run("sync")
                #expect(try await other.run("list").contains("Nothing yet"))
                try await other.run("restore", "songs")
                try await one.run("sync")
                let list = try JSONDecoder().decode(
                    [TrackedSubscription].self, from: Data(try await one.run("list", "--json").utf8))
                #expect(list.map(\.subscription.note) == ["for the kids"])
                #expect(list.map(\.subscription.autoRenew) == [true])
                #expect(try await other.run("logout").contains("Signed out"))
                #expect(try await other.run("list").contains("Nothing yet"))
            }
        }
    }

    @Test("A subscription is muted and unmuted by options, which show says, also on the other device")
    func mutes() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            try await withDoor(2, service) { terminals, door in
                var (one, other) = (terminals[0], terminals[1])
                one.server = door.url
                other.server = service.client.baseURL
                let email = "\(UUID().uuidString.lowercased())@example.org"
                try await one.run("register", email, input: "correct horse battery\n")
                try await other.run("login", email, input: "correct horse battery\n")
                try await one.run("add", "Gym", "--fee", "5", "--currency", "USD", "--every", "month", "--mute")
                let muted = "muted        you are told only that it is overdue"
                #expect(try await one.run("show", "gym").contains(muted))
                try await other.run("sync")
                #expect(try await other.run("show", "gym").contains(muted))
                door.isClosed = true
                try await one.run("edit", "gym", "--unmute")
                #expect(try await !one.run("show", "gym").contains("muted"))
                door.isClosed = false
                try await one.run("sync")
                try await other.run("sync")
                #expect(try await !other.run("show", "gym").contains("muted"))
                #expect(try await one.fail("edit", "gym", "--mute", "--unmute").contains("either --mute or --unmute"))
            }
        }
    }

    @Test("edit changes a plan of one's own, without network too and on the other device, and none of the catalogue")
    func ownPlan() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let name = UniqueName.next("Musicbox")
            try await service.addPlan("Family", provider: name, fee: "9.99")
            try await withDoor(2, service) { terminals, door in
                var (one, other) = (terminals[0], terminals[1])
                one.server = door.url
                other.server = service.client.baseURL
                let email = "\(UUID().uuidString.lowercased())@example.org"
                try await one.run("register", email, input: "correct horse battery\n")
                try await other.run("login", email, input: "correct horse battery\n")
                try await one.run(
                    "add", "Gym", "--fee", "29.90", "--currency", "USD", "--every", "month", "--start", "-10")
                try await one.run("add", name.lowercased(), "fam")

                door.isClosed = true
                try await one.run(
                    "edit", "gym", "--provider", "Sports club", "--price", "34.9", "--every", "2months", "--notice", "5"
                )
                // The period that has begun costs what it did.
                let words = [
                    "Sports club", "34.90 USD / 2 months", "21, 29.90 USD", "34.90 USD on 2026-02-21",
                ]
                let here = try await one.run("show", "sports")
                for word in words { #expect(here.contains(word), "\(word) is in \(here)") }
                #expect(try await one.fail("edit", name, "--price", "1.00").contains("only a plan of your own"))
                #expect(try await one.fail("edit", "sports", "--price", "1.234").contains("--price: "))
                #expect(try await one.fail("edit", "sports").contains("--price"))
                door.isClosed = false

                try await one.run("sync")
                try await other.run("sync")
                for terminal in [one, other] {
                    let shown = try await terminal.run("show", "sports")
                    for word in words { #expect(shown.contains(word), "\(word) is in \(shown)") }
                }
            }
        }
    }

    @Test("Errors say what to do, on the standard error, and the exit code tells that it failed")
    func errors() async throws {
        try await TestService.run { service in
            let name = UniqueName.next("Filmbox")
            try await service.addPlan("Basic", provider: name)
            try await service.addPlan("Standard", provider: name)
            try await withTerminals(1, service) { terminals in
                let one = terminals[0]
                try await one.run("sync")
                #expect(try await one.fail("add", name).contains("add more letters"))
                #expect(try await one.fail("add", "no such thing").contains("--fee 9.99"))
                #expect(try await one.fail("renew", "nothing").contains("subtrack list"))
                #expect(
                    try await one.fail("add", "Gym", "--every", "month", "--label", "My gym").contains(
                        "needs --fee too\nTry: subtrack add Gym --every month --label 'My gym' --fee 9.99\n"))
                #expect(
                    try await one.fail("add", "Fit & co", "--fee", "5", "--auto").contains(
                        "Try: subtrack add 'Fit & co' --fee 5 --auto --currency USD --every month\n"))
                #expect(try await one.fail("add", name, "--number", "1", "--start", "2026-02-30").contains("64"))
                try await one.run("add", name, "--number", "1")
                try await one.run("add", name, "--number", "1")
                let unsure = try await one.fail("edit", name, "--note", "x")
                #expect(unsure.contains("could be 2 subscriptions"), "\(unsure)")
                let proposed = try #require(unsure.firstMatch(of: /Try: subtrack edit ([0-9a-f]{6}) --note x\n/))
                try await one.run("edit", String(proposed.1), "--note", "x")
                #expect(try await one.fail("login", "ada@example.org").contains("no password"))
                // Data of one service are given to no other.
                var away = one
                away.server = "http://127.0.0.1:9"
                #expect(try await away.fail("sync").contains("subtrack move"))
                away.home.appendPathComponent("fresh")
                let refused = try await away.fail("sync")
                #expect(refused.contains("69") && refused.contains("127.0.0.1:9 cannot be reached"))
                #expect(try await away.fail("plans", name).contains("127.0.0.1:9 cannot be reached"))
                #expect(try await away.fail("add", name, "--offline").contains("the catalogue is not here yet"))
                // A service that gave the device no user has no claim to what is on it.
                let gym = ["add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month"]
                #expect(try await away.run(gym).contains("Saved here"))
                away.server = one.server
                #expect(try await away.run("sync").contains("1 sent"))
                #expect(try await one.run("sync").contains("In step"))
            }
        }
    }

    @Test("A change that the service refuses ends with an error, and says what was not done")
    func refused() async throws {
        try await TestService.run { service in
            let name = UniqueName.next("Filmbox")
            let plan = try await service.addPlan("Basic", provider: name)
            try await withTerminals(1, service) { terminals in
                let one = terminals[0]
                try await one.run("sync")
                _ = try await service.database.run("DELETE FROM Plan WHERE Plan_ID = \(plan)")
                let refused = try await one.fail("add", name, "--label", "Films")
                #expect(refused.contains("exit code 65") && refused.contains("Not done: add Films"))
                #expect(refused.contains("Typed: subtrack add '\(name) ") && refused.contains(" --label Films"))
                #expect(try await one.run("list").contains("Nothing yet"))
                // It was told, and is no fault of what comes after.
                try await one.run("add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month")
            }
        }
    }

    @Test("Two commands at once on a new device make one user, and what both said to be saved is there")
    func atOnce() async throws {
        try await TestService.run { service in
            try await withTerminals(3, service) { terminals in
                for one in terminals {
                    let add: @Sendable (String) async throws -> String = { name in
                        try await one.run("add", name, "--fee", "1", "--currency", "USD", "--every", "month")
                    }
                    async let first = add("Gym")
                    async let second = add("Pool")
                    _ = try await (first, second)
                    try await one.run("sync")
                    let token = try one.kit().client.tokens.token()
                    let fresh = try service.device(tokens: MemoryTokenStore(token))
                    try await fresh.kit.sync()
                    #expect(Set(try fresh.kit.held().values.map(\.plan.provider)) == ["Gym", "Pool"])
                }
            }
        }
    }

    @Test("A session that ended elsewhere: logout says what was never sent, and leaves nothing when told so")
    func endedSession() async throws {
        try await TestService.run { service in
            try await withTerminals(2, service) { terminals in
                let (one, other) = (terminals[0], terminals[1])
                let email = "\(UUID().uuidString.lowercased())@example.org"
                try await one.run("register", email, input: "correct horse battery\n")
                try await other.run("login", email, input: "correct horse battery\n")
                let client = try one.kit().client
                let sessions = try await client.call(ListSessions()).sessions
                try await client.call(DeleteSession(id: try #require(sessions.first { !$0.current }).id))
                let gym = ["add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month"]
                #expect(try await other.run(gym, input: "").contains("signed out: subtrack login"))
                #expect(try await other.fail("logout").contains("1 change was never sent"))
                #expect(try await other.run("list").contains("Gym"))
                try await other.run("logout", "--discard")
                #expect(try await other.run("list").contains("Nothing yet"))
                try await other.run("login", email, input: "correct horse battery\n")
                _ = try await other.run(gym, input: "")
                try await one.run("sync")
                #expect(try await one.run("list").contains("Gym"))
            }
        }
    }

    @Test("What is written to no terminal has no colours, and texts of others no commands to it")
    func plainOutput() async throws {
        try await TestService.run { service in
            try await withTerminals(1, service) { terminals in
                let one = terminals[0]
                try await one.run("add", "Gym", "--fee", "29,90", "--currency", "eur", "--every", "2weeks")
                let kit = try one.kit()
                let user = try kit.client.tokens.token()
                var client = service.client
                client.token = user
                _ = try await client.call(
                    CreateSubscription(
                        plan: PrivatePlan(
                            provider: "Evil\u{202E}txt", name: "x", fee: amount("1"), currency: "USD",
                            duration: .init(value: 1, unit: .month))))
                try await one.run("sync")
                let list = try await one.run("list")
                #expect(list.contains("29.90 EUR") && list.contains("/ 2 weeks") && list.contains("Evil"))
                #expect(!list.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
            }
        }
    }

    @Test("What cannot be written fails, and who stops reading is no error that is told")
    func brokenOutput() async throws {
        try await TestService.run { service in
            try await withTerminals(1, service) { terminals in
                let one = terminals[0]
                try await one.run("add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month")
                func shell(_ command: String) async throws -> String {
                    try await Command.run(
                        "/bin/sh", ["-c", command, "sh", try Terminal.program()], environment: one.environment)
                }
                #expect(
                    try await shell("\"$1\" export > /dev/full; echo $?").contains("cannot be written: No space left"))
                #expect(try await shell("\"$1\" export 2> /dev/full; echo $?").hasSuffix("0\n"))
                let code = try await shell("{ \"$1\" list; echo $? >&2; } | :")
                #expect(code == "141\n" || code == "0\n")
            }
        }
    }

    @Test("An export can be imported on another device, and again without doubling anything")
    func exchange() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let name = UniqueName.next("Newsbox")
            try await service.addPlan("Daily", provider: name, fee: "5.00")
            try await withTerminals(2, service) { terminals in
                let (one, other) = (terminals[0], terminals[1])
                try await one.run("add", name, "--label", "News, \"quoted\"", "--note", "=SUM(A1)")
                try await one.run("add", "Gym", "--fee", "29.90", "--currency", "EUR", "--every", "month")
                let file = try await one.run("export")
                #expect(try await other.run("import", "-", "--dry-run", input: file).contains("Would add 2"))
                #expect(try await other.run("import", "-", input: file).contains("Added 2"))
                #expect(try await other.run("import", "-", input: file).contains("Added 0, 2 were here already"))
                let held = try other.kit().subscriptions().map(\.subscription)
                #expect(Set(held.map(\.plan.provider)) == [name, "Gym"])
                #expect(held.first { $0.plan.provider == name }?.plan.private == false)
                let table = try await one.run("export", "--format", "csv")
                #expect(table.contains("\"News, \"\"quoted\"\"\"") && table.contains("'=SUM(A1)"))
            }
        }
    }
}
