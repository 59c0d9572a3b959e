/// What is put in the place of a faulty value so that the rest of an input can be read: first nothing, for most fields may
/// be left out; then a value of one kind after the other.
struct SampleValues {
    /// A value to try; nil: none at all.
    struct Sample {
        let value: JSONValue?
    }

    private static let all: [JSONValue] = [
        // A text, an amount; a whole number; a day; a boolean; an id; a time; codes; an object; a list.
        .string("0"), .integer(1), .string("1970-01-02"), .bool(false), .string("01900000-0000-7000-8000-000000000000"),
        .string("1970-01-02T00:00:00Z"), .string("AA"), .string("AAA"), .object([]), .array([]),
    ]

    private var tried = 0
    private var wasLeftOut = false

    /// The next value to try.
    /// - Parameter error: what was wrong with the last one.
    mutating func next(after error: any Error) -> Sample? {
        if case DecodingError.keyNotFound = error { wasLeftOut = true }
        if !wasLeftOut {
            wasLeftOut = true
            return Sample(value: nil)
        }
        if case DecodingError.dataCorrupted(let context) = error, let choices = context.underlyingError as? Choices,
            let first = choices.names.first
        {
            return Sample(value: .string(first))
        }
        guard tried < Self.all.count else { return nil }
        defer { tried += 1 }
        return Sample(value: Self.all[tried])
    }
}

/// What a text may be, where it is one of a few.
struct Choices: Error {
    /// All that it may be.
    let names: [String]
}

extension [String: SampleValues] {
    /// The next value to try for a field.
    mutating func next(for field: String, after error: any Error) -> SampleValues.Sample? {
        self[field, default: SampleValues()].next(after: error)
    }

    /// Whether a path leads to or into a value that was put in the place of a faulty one.
    func isPlaceholder(_ path: String) -> Bool {
        guard !isEmpty else { return false }
        var rest = path[...]
        while true {
            if self[String(rest)] != nil { return true }
            guard let dot = rest.lastIndex(of: ".") else { return false }
            rest = rest[..<dot]
        }
    }
}

extension JSONValue {
    /// The same value with another in one place of it.
    /// - Parameters:
    ///   - path: the place.
    ///   - change: gets what is there, if anything is, and gives what shall be; nil: nothing.
    func replacing(_ path: ArraySlice<any CodingKey>, _ change: (JSONValue?) -> JSONValue?) -> JSONValue {
        guard let key = path.first else { return change(self) ?? self }
        let rest = path.dropFirst()
        switch self {
        case .array(var elements):
            guard let index = key.intValue, elements.indices.contains(index) else { return self }
            elements[index] = rest.isEmpty ? change(elements[index]) ?? .null : elements[index].replacing(rest, change)
            return .array(elements)
        case .object(var members):
            let name = key.stringValue
            guard let index = members.firstIndex(where: { $0.name == name }) else {
                guard rest.isEmpty, let value = change(nil) else { return self }
                return .object(members + [Member(name: name, value: value)])
            }
            if !rest.isEmpty {
                members[index].value = members[index].value.replacing(rest, change)
            } else if let value = change(members[index].value) {
                members[index].value = value
            } else {
                members.remove(at: index)
            }
            return .object(members)
        default: return self
        }
    }

    /// An object without the members whose names are not wanted.
    func keeping(_ isWanted: (String) -> Bool) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { isWanted($0.name) })
    }
}
