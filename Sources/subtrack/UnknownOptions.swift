import ArgumentParser

/// The faults of a command line with unknown options. The parser tells the first unknown option alone; these are all others.
enum UnknownOptions {
    /// How many unknown options are told.
    private static let maximum = 16

    /// The faults beside the first one.
    /// - Parameters:
    ///   - words: the command line.
    ///   - first: the parser's message.
    ///   - parse: the parser.
    static func further(
        of words: [String], first: String, parse: ([String]) throws -> any ParsableCommand
    ) -> [String] {
        var (words, message, faults) = (words, first, [String]())
        while faults.count < maximum {
            guard let option = message.firstMatch(of: /^Unknown option '(--?[^' ]+)'/)?.output.1,
                let place = words.firstIndex(where: { $0.prefix { $0 != "=" } == option })
            else { break }
            let hasValue = !words[place].contains("=") && place + 1 < words.count && !words[place + 1].hasPrefix("-")
            words.remove(at: place)
            do {
                return faults + typedFaults(of: try parse(words), "")
            } catch {
                message = Subtrack.message(for: error)
            }
            // The option's value, where no argument can stand.
            if hasValue, message.contains("Unexpected argument '\(words[place])'") {
                words.remove(at: place)
                do {
                    return faults + typedFaults(of: try parse(words), "")
                } catch {
                    message = Subtrack.message(for: error)
                }
            }
            faults.append(message)
        }
        return faults
    }

    /// The faults of values that cannot be read, in a command that was parsed.
    /// - Parameter option: the option that a value is of.
    private static func typedFaults(of value: Any, _ option: String) -> [String] {
        if let typed = value as? any TypedText { return typed.fault.map { ["\(option): \($0)"] } ?? [] }
        return Mirror(reflecting: value).children.flatMap { child in
            guard let label = child.label, label.hasPrefix("_"), label != "_parsedValue" else {
                return typedFaults(of: child.value, option)
            }
            let name = label.dropFirst().reduce(into: "--") { name, letter in
                name += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
            }
            return typedFaults(of: child.value, name)
        }
    }
}
