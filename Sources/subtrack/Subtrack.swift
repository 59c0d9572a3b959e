import ArgumentParser
import SubTrackKit

/// Keeps track of subscriptions in a terminal.
///
/// Each command says its name: one that is left to be made of its type's costs a search of all conformances in the program, and
/// twenty of them a fifth of the time of a `list`.
@main
struct Subtrack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subtrack",
        abstract: "Keeps track of what you keep paying for, on this machine and all your devices.",
        discussion: """
            Everything works without network: what is changed is here at once, and sent when the service can be reached. \
            Start with `subtrack register` (or `login`, or just `add`), and stay in step with `subtrack watch`.

            Completions: subtrack --generate-completion-script bash|zsh|fish
            """,
        version: "0.1.0",
        subcommands: [
            List.self, Due.self, Show.self, Add.self, Edit.self, Renew.self, Cancel.self, Resume.self, Delete.self,
            Restore.self, Plans.self, Sync.self, Watch.self, Register.self, Login.self, Logout.self, Move.self,
            Export.self, Import.self,
        ],
        defaultSubcommand: List.self)

    /// Runs the command that was typed, and ends the program where that fails.
    static func main() async {
        guard let list = List(plain: CommandLine.arguments.dropFirst()) else { return await main(nil) }
        do { try await list.run() } catch { List.exit(withError: error) }
    }
}
