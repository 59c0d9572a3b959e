import EmbeddedMariaDB
import Foundation
import SubTrackAPI
import SubTrackKit
import SubTrackTestSupport
import Testing

/// The terminal client, as a process, as a person runs it.
@Suite("The terminal client")
struct CommandLineTests {
    /// A person's terminal: a folder of data and a service.
    struct Terminal: Sendable {
        let home: URL
        var server: String

        /// Runs a command.
        /// - Returns: what it wrote.
        /// - Throws: `CommandFailure` unless its exit code is 0.
        @discardableResult
        func run(_ arguments: String..., input: String = "") async throws -> String {
            try await run(arguments, input: input)
        }

        func run(_ arguments: [String], input: String = "") async throws -> String {
            try await Command.run(try Self.program(), arguments, environment: environment, input: input)
        }

        /// Runs a command that must fail.
        /// - Returns: what it wrote.
        func fail(_ arguments: String...) async throws -> String {
            do {
                let output = try await run(arguments)
                throw NeverHappened(description: "\(arguments) fails: \(output)")
            } catch let failure as CommandFailure {
                return "\(failure.end)\n\(failure.output)"
            }
        }

        var environment: [String: String] {
            [
                "SUBTRACK_HOME": home.path, "SUBTRACK_SERVER": server, "SUBTRACK_COUNTRY": "US",
                "SUBTRACK_TIME_ZONE": "UTC",
            ]
        }

        static func program() throws -> String {
            let service = URL(fileURLWithPath: try ServiceProcess.executable())
            return service.deletingLastPathComponent().appendingPathComponent("subtrack").path
        }

        /// A kit on the same data.
        func kit() throws -> Kit {
            try Kit(.init(server: server, folder: home, deviceName: "x", country: "US", timeZone: "UTC"))
        }
    }

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

    @Test("Two terminals: what one adds without network is in the other's list after both have synced")
    func twoTerminals() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let name = "Musicbox\(UUID().uuidString.prefix(6))"
            try await service.addPlan("Family", provider: name, fee: "9.99")
            try await withTerminals(2, service) { terminals in
                let (one, other) = (terminals[0], terminals[1])
                let email = "\(UUID().uuidString.lowercased())@example.org"
                try await one.run("register", email, "--name", "Ada", input: "correct horse battery\n")
                #expect(
                    try await other.run("login", email, input: "correct horse battery\n").contains("Signed in as Ada"))

                var away = one
                away.server = "http://127.0.0.1:9"
                let added = try await away.run(
                    "add", name.lowercased(), "fam", "--auto", "--label", "Songs", "--start", "-0")
                #expect(added.contains("Saved here") && added.contains("2026-02-28"))
                #expect(try await away.run("list").contains("Songs"))
                #expect(try await other.run("list").contains("Nothing yet"))

                #expect(try await one.run("sync").contains("1 sent"))
                try await other.run("sync")
                #expect(try await other.run("list").contains("Songs"))
                #expect(try await other.run("due", "30").contains("Songs"))
                #expect(try await other.run("due", "3").contains("Nothing renews"))

                try await other.run("renew", "songs")
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

    @Test("Errors say what to do, on the standard error, and the exit code tells that it failed")
    func errors() async throws {
        try await TestService.run { service in
            let name = "Filmbox\(UUID().uuidString.prefix(6))"
            try await service.addPlan("Basic", provider: name)
            try await service.addPlan("Standard", provider: name)
            try await withTerminals(1, service) { terminals in
                let one = terminals[0]
                try await one.run("sync")
                #expect(try await one.fail("add", name).contains("add more letters"))
                #expect(try await one.fail("add", "no such thing").contains("--fee 9.99"))
                #expect(try await one.fail("renew", "nothing").contains("subtrack list"))
                #expect(try await one.fail("add", "Gym", "--every", "month").contains("--fee, --currency and --every"))
                #expect(try await one.fail("add", name, "--number", "1", "--start", "2026-02-30").contains("64"))
                try await one.run("add", name, "--number", "1")
                try await one.run("add", name, "--number", "1")
                #expect(try await one.fail("cancel", name).contains("could be 2 subscriptions"))
                var away = one
                away.server = "http://127.0.0.1:9"
                let refused = try await away.fail("sync")
                #expect(refused.contains("69") && refused.contains("127.0.0.1:9 cannot be reached"))
                #expect(try await away.fail("login", "ada@example.org").contains("no password"))
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

    @Test("An export can be imported on another device, and again without doubling anything")
    func exchange() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let name = "Newsbox\(UUID().uuidString.prefix(6))"
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

    @Test(
        "Killed at any moment: what it said to be saved is there, once",
        .enabled(if: TestStage.faults, "script/test --faults"))
    func killed() async throws {
        try await TestService.run { service in
            try await withTerminals(2, service) { terminals in
                let (one, other) = (terminals[0], terminals[1])
                let email = "\(UUID().uuidString.lowercased())@example.org"
                try await one.run("register", email, input: "correct horse battery\n")
                try await other.run("login", email, input: "correct horse battery\n")
                let environment = ProcessInfo.processInfo.environment.merging(one.environment) { $1 }
                let null = open("/dev/null", O_RDWR | O_CLOEXEC)
                defer { close(null) }
                for number in 0..<150 {
                    let child = try ChildProcess.spawn(
                        try Terminal.program(),
                        ["add", "Gym \(number)", "--fee", "1", "--currency", "USD", "--every", "month"],
                        environment: environment, input: null, output: null)
                    // Somewhere between its start and its end.
                    let killing = Task {
                        try await Task.sleep(for: .milliseconds(Int.random(in: 20...250)))
                        child.signal(SIGKILL)
                    }
                    _ = await child.exit()
                    killing.cancel()
                }
                let saved = try one.kit().subscriptions().map(\.subscription.plan.provider)
                #expect(saved.count > 10 && Set(saved).count == saved.count)
                try await one.run("sync")
                try await other.run("sync")
                let (here, there) = (try one.kit().subscriptions(), try other.kit().subscriptions())
                #expect(Set(here.map(\.subscription.plan.provider)) == Set(saved))
                #expect(here == there)
                print("\(saved.count) of 150 were saved before they were killed; all are on both devices, once")
            }
        }
    }
}
