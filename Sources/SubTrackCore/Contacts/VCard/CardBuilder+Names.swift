/// The names of a card: `N`, or the words of `FN`.
extension CardBuilder {
    /// The text that stands for a missing name.
    static let missing = "?"
    private static let maximumName = 100

    mutating func takeNames() throws(CardRefusal) -> (first: String, middle: String?, last: String) {
        var parts: [String?] = [nil, nil, nil]
        if let name {
            let components = VCardText.split(try value(of: name)[...], at: UInt8(ascii: ";"))
            parts = (0..<3).map { $0 < components.count ? Self.part(components[$0]) : nil }
            keepAffixes(of: name, components)
        }
        var (last, first, middle) = (parts[0], parts[1], parts[2])
        if first == nil, middle == nil, last == nil {
            (first, middle, last) = try splitFullName()
        }
        try dropFullNames(equalTo: Self.fullName(first, middle, last))
        let fields = [("first", first), ("middle", middle), ("last", last)]
        for (field, value) in fields {
            let count = value?.unicodeScalars.count ?? 0
            guard count <= Self.maximumName else {
                throw CardRefusal("the \(field) name has \(count) characters; may have \(Self.maximumName)")
            }
        }
        if !fillNames {
            guard first != nil || last != nil else { throw CardRefusal("the names are missing") }
            guard first != nil else { throw CardRefusal("the first name is missing") }
            guard last != nil else { throw CardRefusal("the last name is missing") }
        }
        return (first ?? Self.missing, middle, last ?? Self.missing)
    }

    /// The name for `FN`, without the missing ones.
    static func fullName(_ first: String?, _ middle: String?, _ last: String?) -> String {
        let present = [first, middle, last].compactMap { $0 == missing ? nil : $0 }
        return present.isEmpty ? missing : present.joined(separator: " ")
    }

    private static func part(_ component: ArraySlice<UInt8>) -> String? {
        let words = VCardText.split(component, at: UInt8(ascii: ",")).compactMap {
            VCardText.line(VCardText.unescaped($0), joint: " ")
        }
        let part = words.joined(separator: " ")
        return part.isEmpty || part == missing ? nil : part
    }

    /// Keeps prefixes and suffixes (`Dr.`, `PhD`) and the order of sorting as `N:;;;Dr.;PhD`, for the next writing.
    private mutating func keepAffixes(of name: Property, _ components: [ArraySlice<UInt8>]) {
        let affixes = components.dropFirst(3)
        let parameters = name.parameters.filter { !["CHARSET", "ENCODING", "TYPE", "VALUE"].contains($0.name) }
        guard affixes.contains(where: { !$0.isEmpty }) || !parameters.isEmpty else { return }
        let kept = parameters.map { String(decoding: name.line.bytes[$0.range], as: UTF8.self) }.joined()
        let value = affixes.map { String(decoding: $0, as: UTF8.self).replacing("\n", with: #"\n"#) }
        keepFirst("N\(kept):;;;\(value.joined(separator: ";"))")
    }

    /// The last word is the last name, the first word the first, and the words between are the middle name.
    private func splitFullName() throws(CardRefusal) -> (first: String?, middle: String?, last: String?) {
        for property in fullNames {
            guard let text = VCardText.line(try text(of: property), joint: " ") else { continue }
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let last = words.last, text != Self.missing else { continue }
            let middle = words.dropFirst().dropLast().joined(separator: " ")
            return (words.count > 1 ? words[0] : nil, middle.isEmpty ? nil : middle, last)
        }
        return (nil, nil, nil)
    }

    /// Keeps each `FN` that says something else than the names do.
    private mutating func dropFullNames(equalTo name: String) throws(CardRefusal) {
        for property in fullNames {
            guard let text = VCardText.line(try text(of: property), joint: " "), text != name else { continue }
            keep(property, because: nil)
        }
    }
}
