import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// The manual pages that are installed with the programs.
@Suite("Manual", .ownTime)
struct ManualTests {
    /// A program with a page in `docs/man`.
    struct Page: Sendable, CustomTestStringConvertible {
        var program: String
        var section: Int
        var other: String

        var testDescription: String { "\(program)(\(section))" }

        static let all = [
            Page(program: "subtrack", section: 1, other: "subtrackd(8)"),
            Page(program: "subtrackd", section: 8, other: "subtrack(1)"),
        ]
    }

    @Test("Each manual page says what the program's help says", arguments: Page.all)
    func current(_ page: Page) async throws {
        let program = URL(fileURLWithPath: try ServiceProcess.executable()).deletingLastPathComponent()
            .appending(path: page.program).path
        let dump = try await Command.run(program, ["--experimental-dump-help"])
        let help = try JSONDecoder().decode(ProgramHelp.self, from: Data(dump.utf8)).command
        let version = try await Command.run(program, ["--version"]).split(whereSeparator: \.isWhitespace).last
        let made = ManualPage(
            of: help, section: page.section, version: String(try #require(version)), others: [page.other]
        ).text
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/man/\(page.program).\(page.section)").standardized
        if ProcessInfo.processInfo.environment["SUBTRACKIT_WRITE_GOLDEN"] == "1" { try Data(made.utf8).write(to: file) }
        let kept = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let difference = made.split(separator: "\n", omittingEmptySubsequences: false).difference(from: kept)
        #expect(difference.isEmpty, "\(difference.prefix(10)) — if it is meant: script/generate-manual")
    }

    @Test("A page has every command and option, and no character that a terminal could lose")
    func complete() throws {
        let dump = #"""
            {"command": {"commandName": "tool", "abstract": "Does things.", "subcommands": [
                {"commandName": "go", "superCommands": ["tool"], "abstract": "Goes …", "arguments": [
                    {"kind": "option", "shouldDisplay": true, "isOptional": true, "isRepeating": false,
                     "names": [{"kind": "long", "name": "far-off"}], "valueName": "days", "abstract": ".5 \\ day"},
                    {"kind": "flag", "shouldDisplay": true, "isOptional": true, "isRepeating": false,
                     "names": [{"kind": "long", "name": "wet"}], "abstract": "Rain."},
                    {"kind": "flag", "shouldDisplay": true, "isOptional": true, "isRepeating": false,
                     "names": [{"kind": "long", "name": "no-wet"}], "abstract": "Rain.", "defaultValue": "--wet"},
                    {"kind": "positional", "shouldDisplay": true, "isOptional": false, "isRepeating": true,
                     "valueName": "place"}]}]}}
            """#
        let help = try JSONDecoder().decode(ProgramHelp.self, from: Data(dump.utf8)).command
        let text = ManualPage(of: help, section: 1, version: "1.0", others: ["other(8)"]).text
        #expect(text.contains("\n.SS \\fBgo\\fP \\fIplace\\fP ...\nGoes \\[u2026]\n"))
        #expect(text.contains("\n.TP\n\\fB\\-\\-far\\-off\\fP \\fIdays\\fP\n\\&.5 \\e day\n"))
        #expect(text.contains("\n.TP\n\\fB\\-\\-wet\\fP, \\fB\\-\\-no\\-wet\\fP\nRain.\n"))
        let foreign = text.unicodeScalars.filter { !$0.isASCII }
        #expect(foreign.isEmpty)
    }
}
