/// A manual page (man(7)) of a program's help.
struct ManualPage {
    private let program: CommandHelp
    private let section: Int
    private let version: String
    private let others: [String]
    /// The options that nearly all commands have, in the order of the first of them.
    private let common: [CommandHelp.Argument]
    private let leaves: [CommandHelp]

    /// A page of a program.
    /// - Parameters:
    ///   - help: the program's help.
    ///   - section: the manual's section: 1 for people's commands, 8 for operators'.
    ///   - others: the pages to see also, such as `subtrackd(8)`.
    init(of help: CommandHelp, section: Int, version: String, others: [String]) {
        program = help
        self.section = section
        self.version = version
        self.others = others
        let leaves = help.all.filter { ($0.subcommands ?? []).isEmpty }
        var counts: [CommandHelp.Argument: Int] = [:]
        for argument in leaves.flatMap(\.shown) where argument.kind != "positional" {
            counts[argument, default: 0] += 1
        }
        // Described once, they do not hide what is a command's own.
        let common = counts.filter { $0.value > 1 && $0.value * 4 >= leaves.count * 3 }
        self.common = leaves.max { $0.sharing(common) < $1.sharing(common) }?.shown.filter { common[$0] != nil } ?? []
        self.leaves = leaves
    }

    /// The page's text.
    var text: String {
        let name = program.commandName
        var lines = [
            #".\" Written by script/generate-manual from the program's own help."#,
            ".TH \(name.uppercased()) \(section) \"\" \"SubTrackIt \(Roff.escaped(version))\"",
            // Paths and options are not broken in two.
            ".nh", ".ad l",
            ".SH NAME", "\(Roff.escaped(name)) \\- \(Roff.escaped(program.abstract ?? ""))",
            ".SH SYNOPSIS", "\\fB\(Roff.escaped(name))\\fP \\fIcommand\\fP [\\fIoptions\\fP]",
            ".SH DESCRIPTION",
        ]
        lines += Roff.paragraphs(program.discussion ?? program.abstract ?? "")
        if let command = program.defaultSubcommand {
            lines += [".PP", "Without a command it does \\fB\(Roff.escaped(command))\\fP."]
        }
        lines += [".SH COMMANDS"]
        for command in program.all.dropFirst() { lines += entry(command) }
        lines += [".SH OPTIONS", commonSentence]
        for argument in common { lines += entry(argument) }
        lines += [".SH SEE ALSO", others.map(Roff.escaped).joined(separator: ", ")]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The commands that take the common options.
    private var commonSentence: String {
        let without = leaves.filter { leaf in !common.allSatisfy(Set(leaf.shown).contains) }
        let names = without.map { "\\fB\(Roff.escaped($0.words.joined(separator: " ")))\\fP" }
        return "Of each command" + (names.isEmpty ? ":" : " but \(names.joined(separator: ", ")):")
    }

    private func entry(_ command: CommandHelp) -> [String] {
        let own = command.shown.filter { !common.contains($0) }
        let isGroup = command.subcommands?.isEmpty == false
        var usage = ["\\fB\(Roff.escaped(command.words.joined(separator: " ")))\\fP"]
        if isGroup {
            usage.append("\\fIcommand\\fP")
        } else {
            usage += own.filter { $0.kind == "option" && !$0.isOptional }.map(title)
            usage += own.filter { $0.kind == "positional" }.map(title)
        }
        var lines = [".SS \(usage.joined(separator: " "))", Roff.line(command.abstract ?? "")]
        if let discussion = command.discussion, !discussion.isEmpty { lines += [".PP"] + Roff.paragraphs(discussion) }
        // What a group has, its commands have.
        if !isGroup { for argument in own { lines += entry(argument) } }
        return lines
    }

    private func entry(_ argument: CommandHelp.Argument) -> [String] {
        var words = [argument.abstract ?? "", argument.discussion ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        if let values = argument.allValues, !values.isEmpty, !values.allSatisfy(words.contains) {
            words += " (values: \(values.joined(separator: ", ")))"
        }
        if let value = argument.defaultValue { words += " (default: \(value))" }
        return [".TP", title(argument)] + (words.isEmpty ? [] : Roff.paragraphs(words))
    }

    /// How an argument is typed.
    private func title(_ argument: CommandHelp.Argument) -> String {
        let dots = argument.isRepeating ? " ..." : ""
        let value = "\\fI\(Roff.escaped(argument.valueName ?? "value"))\\fP\(dots)"
        guard argument.kind != "positional" else { return argument.isOptional ? "[\(value)]" : value }
        let names = (argument.names ?? []).map { "\\fB\(Roff.escaped($0.typed))\\fP" }.joined(separator: ", ")
        return argument.kind == "option" ? "\(names) \(value)" : names
    }
}

extension CommandHelp {
    fileprivate func sharing(_ counts: [Argument: Int]) -> Int { shown.count { counts[$0] != nil } }
}

/// Text in the language of manual pages.
enum Roff {
    /// A text within a line. A hyphen of a page that is copied is typed as it was meant.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\"": escaped += "\\(dq"
            case "\n": escaped += " "
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                escaped += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
    }

    /// A line of text. What stands between grave accents is bold; a line's first character is never that of a macro.
    static func line(_ text: String) -> String {
        var line = ""
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isQuoted = !index.isMultiple(of: 2) && index < parts.count - 1
            line += isQuoted ? "\\fB\(escaped(String(part)))\\fP" : escaped(String(part))
        }
        return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }

    /// Paragraphs, between which the text has empty lines; its other ends of lines are kept.
    static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if part.isEmpty {
                lines.append(".PP")
            } else {
                if let last = lines.last, last != ".PP" { lines.append(".br") }
                lines.append(line(String(part)))
            }
        }
        return lines
    }
}
