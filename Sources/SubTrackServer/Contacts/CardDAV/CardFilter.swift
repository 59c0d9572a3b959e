/// The filter of an `addressbook-query` (RFC 6352 §10.5).
struct CardFilter {
    private struct Match {
        var text: String
        var type: String
        var isNegated: Bool

        init(_ element: DAVElement) {
            text = element.text.lowercased()
            type = element.attributes["match-type"] ?? "contains"
            isNegated = element.attributes["negate-condition"] == "yes"
        }

        func matches(_ value: String) -> Bool {
            let value = value.lowercased()
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

    private struct Property {
        var name: String
        var isMissing: Bool
        var needsAll: Bool
        var matches: [Match]

        init(_ element: DAVElement) {
            name = (element.attributes["name"] ?? "").uppercased()
            isMissing = element.child(DAV.cards, "is-not-defined") != nil
            needsAll = element.attributes["test"] == "allof"
            matches = element.children.filter { $0.name.local == "text-match" }.map(Match.init)
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

    /// A filter; without one all cards are found.
    init(_ element: DAVElement?) {
        needsAll = element?.attributes["test"] == "allof"
        properties = (element?.children ?? []).filter { $0.name.local == "prop-filter" }.prefix(20).map(Property.init)
    }

    /// Whether a card is found.
    func matches(_ card: String) -> Bool {
        if properties.isEmpty { return true }
        var values: [String: [String]] = [:]
        for line in card.replacing("\r\n ", with: "").split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let head = line[..<colon].prefix { $0 != ";" }
            let name = (head.split(separator: ".").last ?? head).uppercased()
            let value = line[line.index(after: colon)...].replacing(#"\,"#, with: ",").replacing(#"\;"#, with: ";")
            values[name, default: []].append(String(value.replacing(#"\n"#, with: "\n").replacing(#"\\"#, with: #"\"#)))
        }
        func holds(_ property: Property) -> Bool { property.holds(values[property.name] ?? []) }
        return needsAll ? properties.allSatisfy(holds) : properties.contains(where: holds)
    }
}
