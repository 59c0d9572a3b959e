import ArgumentParser

/// The words of a command line, before they are parsed.
///
/// The parser takes a first word that it does not know for an argument of the default command, and says how that one is used.
struct CommandWords {
    /// The names of all commands.
    let names: [String]
    /// The names of the commands in a group, by its name. The first is meant where none is typed.
    var groups: [String: [String]] = [:]

    /// Options of every command that have a value.
    private static let valued: Set<String> = ["--home", "--server", "--ca-file"]
    /// Options of every command without one.
    private static let flags: Set<String> = ["--offline", "--json", "--plain"]

    /// The words with the command in front: options of every command may stand before it.
    /// - Throws: ``Failure`` where the first word is no command.
    func arranged(_ arguments: [String]) throws -> [String] {
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("-") {
            let name = String(arguments[index].prefix { $0 != "=" })
            if Self.flags.contains(name) {
                index += 1
            } else if Self.valued.contains(name) {
                index += arguments[index].contains("=") ? 1 : 2
            } else {
                return arguments
            }
        }
        guard index < arguments.count else { return arguments }
        let word = arguments[index]
        if word == "help" {
            let asked = arguments[(index + 1)...].prefix { !$0.hasPrefix("-") }
            if let first = asked.first { try check(first) }
            let isOfGroup = asked.count == 2 && groups[asked.first ?? ""]?.contains(asked.last ?? "") == true
            guard asked.count < 2 || isOfGroup else {
                let words = asked.map(Terminal.clean).joined(separator: " ")
                throw Failure(
                    "there is no command '\(words)'", hint: TypedCommand.line(["help"] + asked.prefix(1)),
                    code: Exit.usage)
            }
            return Array(arguments[index...])
        }
        try check(word)
        let (before, after) = (arguments[..<index], Array(arguments[(index + 1)...]))
        guard let inner = groups[word] else { return [word] + before + after }
        return Self.withProgramsVersion([word] + ofGroup(inner, Array(before), after))
    }

    /// The words behind a group's name, with the command in front.
    private func ofGroup(_ names: [String], _ before: [String], _ words: [String]) -> [String] {
        var index = 0
        while index < words.count, words[index].hasPrefix("-") {
            let name = String(words[index].prefix { $0 != "=" })
            if ["-h", "--help"].contains(name) { return before + words }
            guard Self.flags.contains(name) || Self.valued.contains(name) else { break }
            index += Self.valued.contains(name) && !words[index].contains("=") ? 2 : 1
        }
        guard index < words.count, names.contains(words[index]) else { return names.prefix(1) + before + words }
        return [words[index]] + before + words[..<index] + words[(index + 1)...]
    }

    /// The parser takes `--version` for that of the program wherever it stands; `contacts export` has a version of its own.
    private static func withProgramsVersion(_ words: [String]) -> [String] {
        guard words.starts(with: ["contacts", "export"]) else { return words }
        return words.map { $0 == "--version" || $0.hasPrefix("--version=") ? "--vcard" + $0.dropFirst(9) : $0 }
    }

    /// The names that a word may have been meant for.
    static func near(_ word: String, among names: [String]) -> [String] { names.filter { isNear(word, $0) } }

    private func check(_ word: String) throws {
        guard word != "help", !names.contains(word) else { return }
        let near = Self.near(word, among: names)
        let guess = near.isEmpty ? "" : " Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
        throw Failure(
            "there is no command '\(Terminal.clean(word))'.\(guess)", hint: "subtrack help", code: Exit.usage)
    }

    /// Whether a word may have been meant: one begins the other, or two letters differ at the most.
    private static func isNear(_ typed: String, _ name: String) -> Bool {
        if typed.count > 1, name.hasPrefix(typed) { return true }
        return distance(Array(typed), Array(name)) <= (name.count > 3 ? 2 : 1)
    }

    /// How many letters must be added, taken away or changed (Levenshtein).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for place in other.indices {
                let changed = corner + (letter == other[place] ? 0 : 1)
                corner = row[place + 1]
                row[place + 1] = min(changed, corner + 1, row[place] + 1)
            }
        }
        return row[other.count]
    }
}
