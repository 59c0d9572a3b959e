import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// `subtrack list` with nothing but flags, which does without the parser of arguments.
@Suite("List with flags alone", .tags(.everyDay), .ownTime)
struct ListCommandTests {
    private func withHome(_ body: (TerminalHome) async throws -> Void) async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let home = TerminalHome(home: folder.appendingPathComponent("home"), server: "http://127.0.0.1:9")
        try home.setDay(day("2026-02-10"))
        try await home.run(
            "add", "Gym", "--fee", "29.90", "--currency", "EUR", "--every", "month", "--auto", "--offline")
        try await home.run(
            "add", "Fair", "--fee", "5", "--currency", "USD", "--every", "day", "--start", "2024-02-28", "--offline")
        try await home.run("cancel", "Fair", "--offline")
        try await body(home)
    }

    /// All subsets of some flags.
    private static func subsets(_ flags: ArraySlice<String>) -> [[String]] {
        guard let first = flags.first else { return [[]] }
        return subsets(flags.dropFirst()).flatMap { [$0, [first] + $0] }
    }

    @Test("Whichever flags are given, and with or without its name, the list is the one that the parser's way shows")
    func sameList() async throws {
        try await withHome { home in
            var lists: Set<String> = []
            for flags in Self.subsets(["--offline", "--json", "--plain", "--all"]) {
                // An option with a value is the parser's.
                let parsed = try await home.run(["list", "--home", home.home.path] + flags)
                let (named, unnamed) = (try await home.run(["list"] + flags), try await home.run(flags.reversed()))
                #expect(named == parsed && unnamed == parsed)
                lists.insert(parsed)
            }
            // As a table and as JSON, with and without what has ended.
            #expect(lists.count == 4)
        }
    }

    @Test("With --sync the service is tried first, unless --offline forbids it")
    func sync() async throws {
        try await withHome { home in
            for flags in [["--sync"], ["--sync", "--offline"]] {
                let program = try TerminalHome.program()
                let said = try await Command.run(
                    "/bin/sh", ["-c", "exec \"$0\" list \"$@\" 2>&1", program] + flags, environment: home.environment)
                #expect(said.contains("Saved here; 3 changes will be sent by the next sync"))
                #expect(said.contains("offline, as you asked") == flags.contains("--offline"))
            }
        }
    }

    @Test("What is no such flag, or there twice, is the parser's: it knows the word or says what is wrong")
    func others() async throws {
        try await withHome { home in
            #expect(try await home.fail("list", "--ofline").contains("Did you mean '--offline'?"))
            #expect(try await home.fail("list", "list").contains("Unexpected argument 'list'"))
            #expect(try await home.fail("list", "--all=yes").contains("--all"))
            #expect(try await home.run("list", "--help").contains("USAGE: subtrack list"))
            let twice = try await home.run("list", "--all", "--all")
            #expect(try await home.run("list", "--all") == twice)
            #expect(try await home.run("due", "--offline").contains("Nothing renews"))
        }
    }
}
