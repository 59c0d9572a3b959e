/// The command line that was typed, to be proposed again in another form.
struct TypedCommand {
    /// The words after the program's name.
    var arguments = Array(CommandLine.arguments.dropFirst())

    /// The command with more at its end.
    func line(adding more: [String]) -> String { Self.line(arguments + more) }

    /// The command with other words in place of some.
    func line(replacing words: [String], with others: [String]) -> String {
        var (rest, place) = (arguments, arguments.endIndex)
        // The last ones: the name of the command may be among them.
        for word in words.reversed() {
            guard let index = rest.lastIndex(of: word) else { continue }
            rest.remove(at: index)
            place = index
        }
        rest.insert(contentsOf: others, at: min(place, rest.endIndex))
        return Self.line(rest)
    }

    /// A command as a shell reads it.
    static func line(_ arguments: [String]) -> String { (["subtrack"] + arguments).map(quoted).joined(separator: " ") }

    /// A word as a shell reads it (POSIX.1 XCU 2.2.2).
    static func quoted(_ word: String) -> String {
        let word = Terminal.clean(word)
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_-+=:,./@%".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
