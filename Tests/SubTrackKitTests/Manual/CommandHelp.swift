/// The help of a command as ArgumentParser prints it for other programs (`--experimental-dump-help`).
struct CommandHelp: Decodable {
    /// An option, a flag or a positional argument.
    struct Argument: Decodable, Hashable {
        struct Name: Decodable, Hashable {
            var kind: String
            var name: String

            /// The name as it is typed.
            var typed: String { (kind == "long" ? "--" : "-") + name }
        }

        var kind: String
        var shouldDisplay: Bool
        var isOptional: Bool
        var isRepeating: Bool
        var names: [Name]?
        var valueName: String?
        var defaultValue: String?
        var allValues: [String]?
        var abstract: String?
        var discussion: String?
    }

    var commandName: String
    var superCommands: [String]?
    var abstract: String?
    var discussion: String?
    var defaultSubcommand: String?
    var subcommands: [CommandHelp]?
    var arguments: [Argument]?

    /// The words that are typed after the program's name to reach the command.
    var words: [String] { ((superCommands ?? []) + [commandName]).dropFirst().map(\.self) }

    /// What is to be shown of the arguments. A flag and its opposite have one description, and are shown as one.
    var shown: [Argument] {
        var shown: [Argument] = []
        for argument in arguments ?? [] where argument.shouldDisplay {
            if let last = shown.last, argument.isOpposite(of: last) {
                shown[shown.count - 1].names? += argument.names ?? []
            } else {
                shown.append(argument)
            }
        }
        return shown
    }

    /// The command and all below it, as they come in the help; not the command `help`.
    var all: [CommandHelp] {
        [self] + (subcommands ?? []).filter { $0.commandName != "help" }.flatMap(\.all)
    }
}

extension CommandHelp.Argument {
    fileprivate func isOpposite(of other: Self) -> Bool {
        guard kind == "flag", abstract == other.abstract, let name = names?.first?.name else { return false }
        return other.names?.contains { name == "no-" + $0.name } == true
    }
}

/// What a program prints for `--experimental-dump-help`.
struct ProgramHelp: Decodable {
    var command: CommandHelp
}
