/// The filter of an `addressbook-query` (RFC 6352 §10.5).
struct CardFilter: Sendable {
    /// How many properties a filter may have, and how many texts each.
    static let maximumCount = 20
    /// The size of a text, in bytes.
    static let maximumText = 300

    private struct Match: Sendable {
        var text: String
        var type: String
        var isNegated: Bool

        init?(_ element: DAVElement) {
            guard element.text.utf8.count <= CardFilter.maximumText else { return nil }
            text = element.text.lowercased()
            type = element.attributes["match-type"] ?? "contains"
            isNegated = element.attributes["negate-condition"] == "yes"
        }

        /// - Parameter value: in small letters.
        func matches(_ value: String) -> Bool {
            let isMatch =
                switch type {
                case "equals": value == text
                case "starts-with": value.hasPrefix(text)
                case "ends-with": value.hasSuffix(text)
                default: text.isEmpty || value.contains(text)
                }
            return isMatch != isNegated
        }
    }

    private struct Property: Sendable {
        var name: String
        var isMissing: Bool
        var needsAll: Bool
        var matches: [Match]

        init?(_ element: DAVElement) {
            name = (element.attributes["name"] ?? "").uppercased()
            isMissing = element.child(DAV.cards, "is-not-defined") != nil
            needsAll = element.attributes["test"] == "allof"
            guard element.child(DAV.cards, "param-filter") == nil else { return nil }
            let texts = element.children.filter { $0.name.local == "text-match" }
            matches = texts.prefix(CardFilter.maximumCount + 1).compactMap(Match.init)
            guard matches.count == texts.count, matches.count <= CardFilter.maximumCount else { return nil }
        }

        func holds(_ values: [String]) -> Bool {
            if isMissing { return values.isEmpty }
            if matches.isEmpty { return !values.isEmpty }
            func isMet(_ match: Match) -> Bool { values.contains(where: match.matches) }
            return needsAll ? matches.allSatisfy(isMet) : matches.contains(where: isMet)
        }
    }

    private let needsAll: Bool
    private let properties: [Property]

    /// A filter; without an element all cards are found. Nil: it has conditions on parameters, or too much of others.
    init?(_ element: DAVElement?) {
        needsAll = element?.attributes["test"] == "allof"
        let wanted = (element?.children ?? []).filter { $0.name.local == "prop-filter" }
        properties = wanted.prefix(Self.maximumCount + 1).compactMap(Property.init)
        guard properties.count == wanted.count, properties.count <= Self.maximumCount else { return nil }
    }

    /// Whether a card is found.
    func matches(_ card: String) -> Bool {
        if properties.isEmpty { return true }
        let names = Set(properties.map(\.name))
        var values: [String: [String]] = [:]
        // By lines as they were folded: CR LF is one character.
        for line in card.replacing("\r\n ", with: "").split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let head = line[..<colon].prefix { $0 != ";" }
            let name = (head.split(separator: ".").last ?? head).uppercased()
            guard names.contains(name) else { continue }
            let value = line[line.index(after: colon)...].replacing(#"\,"#, with: ",").replacing(#"\;"#, with: ";")
                .replacing(#"\n"#, with: "\n").replacing(#"\\"#, with: #"\"#)
            values[name, default: []].append(value.lowercased())
        }
        func holds(_ property: Property) -> Bool { property.holds(values[property.name] ?? []) }
        return needsAll ? properties.allSatisfy(holds) : properties.contains(where: holds)
    }
}
