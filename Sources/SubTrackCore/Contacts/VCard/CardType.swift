/// The words for parts of a contact: `TYPE` and Apple's `X-ABLABEL` of a card, one word or some of a contact.
enum CardType {
    /// Words with a `TYPE` of their own, in the order in which a contact's type has them.
    private static let known = ["home", "work", "main", "cell", "fax", "pager", "car"]
    private static let ranks = Dictionary(uniqueKeysWithValues: zip(known, known.indices))

    /// Types without a word of their own: abilities of a number, and the mark of the preferred one.
    private static let plain: Set<String> = [
        "voice", "pref", "internet", "iphone", "dom", "intl", "postal", "parcel", "msg", "text", "textphone", "video",
        "other", "",
    ]

    /// The longest type, in characters.
    static let maximum = 30

    /// A contact's type. `other` stands where the card has none.
    /// - Parameters:
    ///   - types: the values of `TYPE`.
    ///   - label: the value of `X-ABLABEL`, which is for custom words.
    static func read(_ types: [String], label: String?) -> String {
        if let label = label.flatMap({ VCardText.line($0) }) { return read(label: label) }
        var words: [String] = []
        for type in types.prefix(20) {
            let word = VCardText.line(type) ?? ""
            let small = word.lowercased()
            let named = small == "mobile" ? "cell" : ranks[small] == nil ? word : small
            if !plain.contains(small), !words.contains(named) { words.append(named) }
        }
        let sorted = words.enumerated().sorted {
            (ranks[$0.element] ?? known.count, $0.offset) < (ranks[$1.element] ?? known.count, $1.offset)
        }
        return sorted.isEmpty ? "other" : sorted.map(\.element).joined(separator: " ")
    }

    private static func read(label: String) -> String {
        guard label.hasPrefix("_$!<"), label.hasSuffix(">!$_"), label.count > 8 else { return label }
        return switch label.dropFirst(4).dropLast(4).lowercased() {
        case "mobile": "cell"
        case "homefax": "home fax"
        case "workfax": "work fax"
        case let word: word
        }
    }

    /// The values of `TYPE` for a contact's type; nil where it wants a label.
    static func types(of type: String) -> [String]? {
        if type == "other" { return [] }
        let words = type.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let found = words.compactMap { ranks[$0] }
        guard found.count == words.count, zip(found, found.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        return words
    }

    /// The value of `X-ABLABEL` for a contact's type.
    static func label(of type: String) -> String {
        switch type {
        case "anniversary": "_$!<Anniversary>!$_"
        case "other": "_$!<Other>!$_"
        default: type
        }
    }
}
