import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// Changes at a terminal that cannot be taken back, or can.
@Suite("Changes that cannot be taken back, at a terminal", .ownTime)
struct LastingChangeTests {
    private func withHome(_ body: (TerminalHome) async throws -> Void) async throws {
        try await ServiceProcess.withFolder { folder in
            try await body(TerminalHome(home: folder.appendingPathComponent("home"), server: "http://127.0.0.1:9"))
        }
    }

    /// Runs a command with its remarks.
    private func said(_ home: TerminalHome, _ arguments: String...) async throws -> String {
        try await Command.run(
            "/bin/sh", ["-c", "exec \"$0\" \"$@\" 2>&1", try TerminalHome.program()] + arguments,
            environment: home.environment)
    }

    private let gym = ["add", "Gym", "--fee", "29.90", "--currency", "EUR", "--every", "month", "--offline"]

    @Test("A renewal needs --yes without a terminal, says what it ends, and names the way back")
    func renewal() async throws {
        try await withHome { home in
            try await home.run(gym + ["--start", "2026-01-05"])
            let before = try home.kit().subscriptions()
            let asked = try await home.fail("renew", "gym", "--offline")
            #expect(asked.hasPrefix("exit code 64\n"), "\(asked)")
            #expect(asked.contains("Try: subtrack renew gym --offline --yes"), "\(asked)")
            #expect(asked.contains("this ends the period 2026-01-05 to 2026-02-05 and begins 2026-02-05"), "\(asked)")
            #expect(asked.contains("cannot be taken back; nothing was changed"), "\(asked)")
            #expect(try home.kit().subscriptions() == before)
            let done = try await said(home, "renew", "gym", "--offline", "--yes")
            let id = try #require(before.first).id.uuidString.lowercased().suffix(6)
            #expect(done.contains("  subtrack delete \(id)\n"), "\(done)")
            #expect(
                done.contains(
                    "  subtrack add Gym --fee 29.90 --currency EUR --every month --start 2026-01-05\n"), "\(done)")
        }
    }

    @Test("At a terminal a renewal is asked for, and nothing but a yes makes it")
    func question() async throws {
        try await withHome { home in
            try await home.run(gym)
            let before = try home.kit().subscriptions()
            let terminal = try PseudoTerminal(columns: 80, lines: 24)
            let process = try home.start(["renew", "gym", "--offline"], on: terminal)
            try await eventually("it asks") { terminal.text.contains("Go on? [y/N]") }
            terminal.type("\n")
            #expect(await process.exit() == .exited(1))
            #expect(try home.kit().subscriptions() == before)
            let again = try PseudoTerminal(columns: 80, lines: 24)
            let renewal = try home.start(["renew", "gym", "--offline"], on: again)
            try await eventually("it asks") { again.text.contains("Go on? [y/N]") }
            again.type("y\n")
            #expect(await renewal.exit() == .exited(0))
            #expect(try home.kit().subscriptions().first?.subscription.period == 1)
        }
    }

    @Test("A corrected start names the command that goes back to the former days, and it does")
    func correction() async throws {
        try await withHome { home in
            try await home.run(gym + ["--start", "-10"])
            let before = try home.kit().subscriptions().map(\.subscription)
            let id = try #require(before.first).id.uuidString.lowercased().suffix(6)
            let moved = try await said(home, "edit", "gym", "--start", "-20", "--offline")
            let undo = try #require(moved.firstMatch(of: #/ {2}subtrack (edit [0-9a-f]{6} --start [0-9\-]{10})\n/#))
            #expect(undo.1.contains(id))
            try await home.run(undo.1.split(separator: " ").map(String.init) + ["--offline"])
            #expect(try home.kit().subscriptions().map(\.subscription) == before)
        }
    }

    @Test("A start or a renewal day after the present period ends that, and needs --yes")
    func laterStart() async throws {
        try await withHome { home in
            try await home.run(gym + ["--start", "-10"])
            for option in [["--start", "+60"], ["--renews", "+120"]] {
                let asked = try await home.fail(["edit", "gym", "--offline"] + option)
                #expect(asked.hasPrefix("exit code 64\n") && asked.contains("this ends the period"), "\(asked)")
            }
            try await home.run("edit", "gym", "--start", "+60", "--offline", "--yes")
            // Automatic renewals since an earlier start are periods too.
            try await home.run(["add", "Pool"] + gym.dropFirst(2) + ["--auto"])
            #expect(
                try await home.fail("edit", "pool", "--start", "-400", "--offline").contains("this ends 13 periods"))
            try await home.run("edit", "pool", "--note", "x", "--offline")
        }
    }

    @Test("All faults of a command line are told at once")
    func allFaults() async throws {
        try await withHome { home in
            let long = String(repeating: "x", count: 101)
            let added = try await home.fail(
                "add", "Gym", "--every", "never", "--fee", "1,500", "--currency", "EUR", "--start", "2026-02-30",
                "--remind",
                "400", "--label", long, "--offline")
            for fault in [
                "--every: \"never\" is no length", "--fee: \"1,500\" may be 1500 or 1.50",
                "--start: \"2026-02-30\" is no day",
                "--remind: must be from 0 to 365", "--label: may have 100 characters",
            ] { #expect(added.contains(fault), "\(fault) is in \(added)") }
            #expect(added.hasPrefix("exit code 64\n"))
            try await home.run(gym)
            let edited = try await home.fail(
                "edit", "gym", "--price", "1,500", "--notice", "x", "--fee", "1.234", "--start", "soon", "--remind",
                "x",
                "--offline")
            for fault in [
                "--price: \"1,500\" may be", "--notice: \"x\" is no whole number", "--fee: EUR has 2 digits",
                "--start: \"soon\" is no day",
            ] { #expect(edited.contains(fault), "\(fault) is in \(edited)") }
            let place = try await home.fail(
                "me", "--country", "Atlantis", "--time-zone", "Mars", "--currency", "EURO", "--offline")
            for fault in ["--country: ", "--time-zone: ", "--currency: "] { #expect(place.contains(fault), "\(place)") }
            #expect(try await home.run("me", "--offline").contains("USD"))
        }
    }

    @Test("A refused change of one of two like subscriptions is typed again for that one")
    func likeNames() async throws {
        try await TestService.run { service in
            try await ServiceProcess.withFolder { folder in
                let home = TerminalHome(home: folder.appendingPathComponent("home"), server: service.client.baseURL)
                for _ in 0..<2 {
                    try await home.run(
                        "add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month", "--start", "-40")
                }
                let ids = try home.kit().subscriptions().map { String($0.id.uuidString.lowercased().suffix(6)) }
                let second = try #require(ids.last)
                try await home.run("renew", second, "--yes")
                // Before the end of the period that has ended: the service alone knows.
                let said = try await home.fail("edit", second, "--start", "-35", "--note", "x", "--yes")
                #expect(said.contains("Typed: subtrack edit \(second) --note x --start "), "\(said)")
            }
        }
    }

    @Test("A plan that is named in full is taken, whatever else is like it")
    func exactPlan() async throws {
        try await TestService.run { service in
            let name = UniqueName.next("Filmbox")
            for plan in ["Standard", "Standard with ads", "Premium"] {
                try await service.addPlan(plan, provider: name)
            }
            try await ServiceProcess.withFolder { folder in
                let home = TerminalHome(home: folder.appendingPathComponent("home"), server: service.client.baseURL)
                try await home.run("add", name.lowercased(), "standard")
                #expect(try home.kit().subscriptions().map(\.subscription.plan.name) == ["Standard"])
                #expect(try await home.fail("add", name, "stand").contains("could be any of these"))
            }
        }
    }
}
