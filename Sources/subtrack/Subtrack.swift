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

            The data are in $SUBTRACK_HOME, else in $XDG_DATA_HOME/subtrack, else in $HOME/.local/share/subtrack. The service is the one that \
            --server or $SUBTRACK_SERVER names, else the last one. Country and time zone come from the machine: `subtrack me` shows and changes them.

            Exit codes: 0 done, 1 not done, 64 wrong use, or a value that cannot be taken, 65 the service refused a change (`subtrack \
            refused` shows it), or nothing of a file could be taken, 66 the file of --ca-file cannot be read, 69 the service is away, 74 the \
            data or the output cannot be read or written, 75 the service asks to try again later, 76 the connection to it is not safe, 77 \
            signed out, or a wrong password.

            Completions: subtrack --generate-completion-script bash|zsh|fish
            """,
        version: "0.1.0",
        subcommands: [
            List.self, Due.self, Show.self, Add.self, Edit.self, Renew.self, Cancel.self, Resume.self, Delete.self,
            Restore.self, Plans.self, Reminders.self, Answer.self, Remind.self, Contacts.self, Sync.self,
            Refused.self, Watch.self, Me.self, Register.self, Login.self, Password.self, Logout.self, Move.self,
            Export.self, Import.self,
        ],
        defaultSubcommand: List.self)

    /// Runs the command that was typed, and ends the program where that fails.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let list = List(plain: arguments) {
            do { try await list.run() } catch { List.exit(withError: error) }
            return
        }
        do {
            let names = configuration.subcommands.compactMap { $0.configuration.commandName }
            let words = CommandWords(names: names, groups: ["contacts": Contacts.names, "reminders": Reminders.names])
            let arranged = try words.arranged(arguments)
            var command = try parsed(arranged)
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch let failure as Failure {
            failure.say()
            exit(withError: failure.code)
        } catch {
            exit(withError: error)
        }
    }

    /// The command that was typed. Where the parser refuses it, the program ends with all faults.
    private static func parsed(_ words: [String]) throws -> any ParsableCommand {
        do {
            return try parseAsRoot(words)
        } catch {
            let further = UnknownOptions.further(of: words, first: message(for: error)) { try parseAsRoot($0) }
            guard !further.isEmpty else { throw error }
            // The usage follows the faults.
            let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init)
            Output.say((lines.prefix(1) + further.map(Terminal.clean) + lines.dropFirst()).joined(separator: "\n"))
            throw exitCode(for: error)
        }
    }
}
