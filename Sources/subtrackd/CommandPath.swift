import ArgumentParser
import SubTrackServer

/// The words of a command line that name a command, such as `tenant list`.
///
/// The parser takes a first word that it does not know for an argument of `serve`, and says how that one is used. It answers
/// `help` for a command that is not there with the help of another one.
enum CommandPath {
    /// A word that names no command.
    struct Unknown: Error, CustomStringConvertible {
        /// The words before it, such as `tenant`.
        let before: [String]
        let word: String
        /// The command that was probably meant.
        let nearest: String?

        var description: String {
            let path = (before + [word]).joined(separator: " ")
            let guess = nearest.map { "; did you mean '\((before + [$0]).joined(separator: " "))'?" } ?? ""
            let help = (["subtrackd", "help"] + before).joined(separator: " ")
            return "there is no command '\(path)'\(guess)\nTry: \(help)"
        }
    }

    /// Looks at the words up to the first option, or to the arguments of a command.
    /// - Throws: ``Unknown``.
    static func check(_ arguments: [String], in root: any ParsableCommand.Type) throws(Unknown) {
        let isHelp = arguments.first == "help"
        let words = arguments.dropFirst(isHelp ? 1 : 0).prefix { !$0.hasPrefix("-") }
        var command: any ParsableCommand.Type = root
        var path: [String] = []
        for word in words {
            let commands = command.configuration.subcommands
            // From here on they are arguments of the command. `help` has none.
            guard isHelp || !commands.isEmpty else { return }
            guard let next = commands.first(where: { Self.names(of: $0).contains(word) }) else {
                let names = commands.flatMap(Self.names)
                throw Unknown(
                    before: path, word: shown(word), nearest: Setting.nearest(to: word, of: names))
            }
            command = next
            path.append(word)
        }
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }

    /// A word as a terminal may show it: short, and without control characters.
    private static func shown(_ word: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in word.unicodeScalars.prefix(60) where scalar.properties.generalCategory != .control {
            shown.append(scalar)
        }
        return String(shown)
    }
}
