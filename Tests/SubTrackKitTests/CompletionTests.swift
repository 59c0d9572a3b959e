import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// The scripts by which shells complete what is typed, in those shells.
@Suite("Completions", .ownTime)
struct CompletionTests {
    /// What is typed before a tab, and what is offered then.
    private static let cases: [(line: String, offered: [String])] = [
        ("subtrack re", ["renew", "resume", "restore", "refused", "register"]),
        ("subtrack add netflix --st", ["--start"]), ("subtrack pas", ["password"]),
        ("subtrack contacts dup", ["duplicates"]), ("subtrack contacts export --vcard ", ["3.0", "4.0"]),
        ("subtrack password --fo", ["--forgot"]),
        ("subtrack export --format ", ["json", "csv"]),
    ]

    /// Why a shell is not tried.
    private static func missing(_ shell: String) -> Comment {
        "SKIPPED: \(shell) is not installed: the completions for it were not tried"
    }

    private static func has(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    /// Has a shell's script in a folder, with a file that can be completed.
    private func withScript(_ shell: String, named name: String, _ body: (URL) async throws -> Void) async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = try await Command.run(TerminalHome.program(), ["--generate-completion-script", shell])
        try Data(script.utf8).write(to: folder.appendingPathComponent(name))
        try Data().write(to: folder.appendingPathComponent("wallos.json"))
        try await body(folder)
    }

    /// What finds `subtrack`: the scripts for some shells ask it.
    private func environment(_ folder: URL) throws -> [String: String] {
        let programs = URL(fileURLWithPath: try TerminalHome.program()).deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return ["PATH": "\(programs):\(path)", "HOME": folder.path, "TERM": "dumb"]
    }

    @Test("bash completes commands, options, values and files by the script that subtrack prints")
    func bash() async throws {
        try await withScript("bash", named: "subtrack.bash") { folder in
            func complete(_ words: [String]) async throws -> Set<String> {
                // As bash does at a tab (Programmable Completion).
                let driver = """
                    set -u
                    source "$1"
                    shift
                    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMPREPLY=()
                    COMP_POINT=${#COMP_LINE}
                    function=$(complete -p subtrack | sed 's/.*-F \\([^ ]*\\).*/\\1/')
                    "$function" subtrack "${@: -1}" "${@: -2:1}"
                    printf '%s\\n' "${COMPREPLY[@]-}"
                    """
                let printed = try await Command.run(
                    "bash", ["-c", driver, "bash", folder.path + "/subtrack.bash"] + words,
                    environment: environment(folder))
                return Set(printed.split(separator: "\n").map(String.init))
            }
            for (line, offered) in Self.cases {
                let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
                let found = try await complete(words)
                #expect(found == Set(offered), "\(line)")
            }
            let files = try await complete(["subtrack", "import", folder.path + "/wal"])
            #expect(files == [folder.path + "/wallos.json"])
        }
    }

    @Test(
        "zsh completes commands, options, values and files by the script that subtrack prints",
        .enabled(if: has("zsh"), missing("zsh")))
    func zsh() async throws {
        try await withScript("zsh", named: "_subtrack") { folder in
            // A shell at a terminal of its own, whose first prompt has come when it can be typed to.
            let driver = """
                zmodload zsh/zpty
                zpty shell "env PS1= zsh -f -i"
                zpty -w shell "PROMPT=; cd $1; fpath=($1 \\$fpath); autoload -Uz compinit; compinit -u -d $1/dump; print rea\\"\\"dy"
                zpty -r -m shell begun '*ready*'
                zpty -n -w shell "$2"$'\\t'
                zpty -r -m shell shown "*$3*" && print -r -- "$shown"
                zpty -d shell
                """
            func offers(_ line: String, _ pattern: String) async throws -> Bool {
                // What is waited for and does not come is not waited for any longer.
                let shown = try? await Command.run(
                    "timeout", ["60", "zsh", "-f", "-c", driver, "zsh", folder.path, line, pattern],
                    environment: environment(folder))
                return shown?.isEmpty == false
            }
            for (line, offered) in Self.cases {
                let isOffered = try await offers(line, offered.joined(separator: "*"))
                #expect(isOffered, "\(line)")
            }
            let isOffered = try await offers("subtrack import wal", "import wallos.json")
            #expect(isOffered)
        }
    }

    @Test(
        "fish completes commands, options, values and files by the script that subtrack prints",
        .enabled(if: has("fish"), missing("fish")))
    func fish() async throws {
        try await withScript("fish", named: "subtrack.fish") { folder in
            func complete(_ line: String) async throws -> Set<String> {
                let printed = try await Command.run(
                    "fish",
                    [
                        "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", folder.path + "/subtrack.fish",
                        line,
                    ],
                    environment: environment(folder))
                // Each with a description behind a tab.
                return Set(
                    printed.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) })
            }
            for (line, offered) in Self.cases {
                let found = try await complete(line)
                #expect(found == Set(offered), "\(line)")
            }
            let files = try await complete("subtrack import \(folder.path)/wal")
            #expect(files == [folder.path + "/wallos.json"])
        }
    }
}
