import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import struct subtrack.CommandWords
@testable import struct subtrack.Failure

/// Commands and options that do not exist.
@Suite("Words that the terminal client does not know", .ownTime)
struct UnknownWordTests {
    private func withHome(_ body: (TerminalHome) async throws -> Void) async throws {
        try await ServiceProcess.withFolder { folder in
            try await body(TerminalHome(home: folder.appendingPathComponent("home"), server: "http://127.0.0.1:9"))
        }
    }

    @Test("A word that is no command is refused with a guess at the command, and without another command's usage")
    func unknownCommands() async throws {
        try await withHome { home in
            let words = CommandWords(names: ["list", "due", "add", "show"])
            #expect(
                try words.arranged(["--json", "--home", "/x", "due", "3"]) == ["due", "--json", "--home", "/x", "3"])
            #expect(try words.arranged(["--all"]) == ["--all"])
            #expect(try words.arranged(["help", "due"]) == ["help", "due"])
            #expect(throws: Failure.self) { try words.arranged(["help", "lst"]) }
            let grouped = CommandWords(names: ["add", "contacts"], groups: ["contacts": ["list", "add", "export"]])
            let arranged: [([String], [String])] = [
                (["contacts"], ["contacts", "list"]), (["contacts", "ada"], ["contacts", "list", "ada"]),
                (
                    ["--json", "contacts", "--home", "/x", "add", "y"],
                    ["contacts", "add", "--json", "--home", "/x", "y"]
                ),
                (["contacts", "--sync", "add"], ["contacts", "list", "--sync", "add"]),
                (["contacts", "--help"], ["contacts", "--help"]),
                (["contacts", "export", "--version=4.0"], ["contacts", "export", "--vcard=4.0"]),
                (["help", "contacts", "add"], ["help", "contacts", "add"]),
            ]
            for (typed, expected) in arranged { #expect(try grouped.arranged(typed) == expected) }
            #expect(throws: Failure.self) { try grouped.arranged(["help", "add", "contacts"]) }
            for (typed, meant) in [("lst", "'list'"), ("ad", "'add'"), ("shwo", "'show'")] {
                let said = try await home.fail(typed)
                #expect(said.contains("64") && said.contains(meant) && !said.contains("Usage"), "\(said)")
            }
            let said = try await home.fail("frobnicate", "--help")
            #expect(said.contains("there is no command 'frobnicate'") && said.contains("subtrack help"))
            #expect(try await home.run("--offline", "--plain", "due").contains("Nothing renews"))
        }
    }

    @Test(
        "Unknown options are told together, and with values that cannot be read; a value of theirs is no fault of its own"
    )
    func unknownOptions() async throws {
        try await withHome { home in
            let said = try await home.fail(
                "add", "Gym", "--fee", "1,2,3", "--evry", "month", "--curency=EUR", "--remind", "many", "--start",
                "soon")
            for text in [
                "exit code 64", "Error: Unknown option '--evry'. Did you mean '--every'?",
                "Unknown option '--curency'. Did you mean '--currency'?", "--remind: \"many\" is no whole number",
                "--start: \"soon\" is no day such as", "--fee: ", "Usage: subtrack add",
            ] {
                #expect(said.contains(text), "\(text) is in \(said)")
            }
            let due = try await home.fail("due", "--within", "30", "--ofline")
            #expect(due.contains("'--within'") && due.contains("'--offline'") && !due.contains("Unexpected"), "\(due)")
            let one = try await home.fail("list", "--ofline")
            #expect(one.contains("Error: Unknown option '--ofline'. Did you mean '--offline'?\nUsage: "), "\(one)")
        }
    }
}
