import Foundation

/// Why a password would be among the first that somebody tries.
public enum PasswordWeakness: Sendable, Equatable, CustomStringConvertible {
    /// It is, but for digits and signs around it, one of the passwords that most people think of.
    case common
    /// It is the same few characters over and over.
    case repeated
    /// It runs along the alphabet, the digits or the keyboard.
    case sequence
    /// It is a date.
    case date
    /// It is the person's own address or name.
    case personal

    /// The fault and its remedy, for a person.
    public var description: String {
        switch self {
        case .common:
            "is one of the most common passwords; several words that have nothing to do with each other are good"
        case .repeated:
            "repeats the same few characters; several words that have nothing to do with each other are good"
        case .sequence: "is a sequence of the alphabet or the keyboard; several words are better"
        case .date: "is a date, which is soon guessed; several words are better"
        case .personal: "is your own address or name; choose words that nobody connects with you"
        }
    }

    /// Looks at a password as an attacker with a list would.
    /// - Parameters:
    ///   - password: the typed text.
    ///   - personal: the person's address and name.
    /// - Returns: the first weakness that is found; nil: none is.
    public static func find(in password: String, personal: [String] = []) -> PasswordWeakness? {
        let small = password.precomposedStringWithCompatibilityMapping.lowercased()
        let characters = Array(small)
        // Long ones are no list's. (And the work below stays small.)
        guard characters.count <= 40 else {
            return isRepeated(Array(characters.prefix(200)), of: characters.count) ? .repeated : nil
        }
        if isRepeated(characters, of: characters.count) { return .repeated }
        if isPersonal(small, personal) { return .personal }
        if isDate(small) { return .date }
        if isSequence(characters) { return .sequence }
        if isCommon(small) { return .common }
        return nil
    }

    /// At most three different characters (two where there are few), or a piece of at most four that is repeated to the end.
    private static func isRepeated(_ characters: [Character], of count: Int) -> Bool {
        if Set(characters).count <= (count >= 8 ? 3 : 2) { return true }
        for length in 1...4 where characters.count >= 2 * length {
            if characters.indices.dropFirst(length).allSatisfy({ characters[$0] == characters[$0 - length] }) {
                return true
            }
        }
        return false
    }

    private static func isPersonal(_ password: String, _ personal: [String]) -> Bool {
        let core = trimmed(password)
        for text in personal {
            let text = text.precomposedStringWithCompatibilityMapping.lowercased()
            let names = [text, text.split(separator: "@").first.map(String.init) ?? text]
            for name in names where name.count >= 3 && (password == name || core == trimmed(name) && !core.isEmpty) {
                return true
            }
        }
        return false
    }

    /// Eight digits, with or without signs between them, that are a day of the last or this century.
    private static func isDate(_ password: String) -> Bool {
        let digits = password.filter(\.isNumber)
        guard digits.count == 8, password.allSatisfy({ $0.isNumber || "-./ _".contains($0) }) else { return false }
        let numbers = digits.compactMap(\.wholeNumberValue)
        guard numbers.count == 8 else { return false }
        func value(_ range: Range<Int>) -> Int { numbers[range].reduce(0) { $0 * 10 + $1 } }
        func isDay(_ year: Int, _ month: Int, _ day: Int) -> Bool {
            (1900...2099).contains(year) && (1...12).contains(month) && (1...31).contains(day)
        }
        return isDay(value(0..<4), value(4..<6), value(6..<8)) || isDay(value(4..<8), value(2..<4), value(0..<2))
            || isDay(value(4..<8), value(0..<2), value(2..<4))
    }

    private static let lines = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm",
        "azertyuiop", "qsdfghjklm", "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "qazwsxedcrfvtgbyhnujm", "!@#$%^&*()",
        "!\"§$%&/()=",
        "йцукенгшщзхъ", "фывапролджэ",
    ].flatMap { [Array($0), Array($0.reversed())] }

    /// Whether it can be cut into at most three pieces of at least three characters that each run along a line.
    private static func isSequence(_ characters: [Character]) -> Bool {
        var rest = characters[...]
        for _ in 0..<3 {
            var longest = 0
            for line in lines {
                for start in line.indices where line[start] == rest.first {
                    let length = zip(line[start...], rest).prefix { $0 == $1 }.count
                    longest = max(longest, length)
                }
            }
            guard longest >= 3 else { return false }
            rest = rest.dropFirst(longest)
            if rest.isEmpty { return true }
        }
        return false
    }

    private static func isCommon(_ password: String) -> Bool {
        let words = CommonPasswords.words
        for candidate in [password, undisguised(password)] {
            if words.contains(candidate) || words.contains(trimmed(candidate)) { return true }
        }
        // password1! and pa55word2024 are password to an attacker.
        let core = undisguised(trimmed(password))
        if words.contains(core) || words.contains(trimmed(core)) { return true }
        // The same word twice.
        let half = core.count / 2
        return core.count % 2 == 0 && half >= 3 && core.prefix(half) == core.suffix(half)
            && words.contains(String(core.prefix(half)))
    }

    /// Without digits and signs at both ends.
    private static func trimmed(_ text: String) -> String {
        var part = Substring(text)
        while let first = part.first, !first.isLetter { part.removeFirst() }
        while let last = part.last, !last.isLetter { part.removeLast() }
        return String(part)
    }

    /// With letters in place of the digits and signs that look like them.
    private static func undisguised(_ text: String) -> String {
        String(text.map { disguises[$0] ?? $0 })
    }

    private static let disguises: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i", "€": "e",
    ]
}
