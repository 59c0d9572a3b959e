// Documents that the service writes itself read as JSON in the source.

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSONValue {
    /// The object with one member more; the same where there is no value.
    func with(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard let value, case .object(let members) = self else { return self }
        return .object(members + [Member(name: name, value: value)])
    }
}

extension JSONWriter {
    /// Writes a value as it stands.
    mutating func write(_ value: JSONValue) {
        switch value {
        case .null, .unfit: writeNull()
        case .bool(let bool): write(bool)
        case .integer(let number): write(number)
        case .decimal(let text): write(text)
        case .string(let text), .text(let text): write(text)
        case .array(let elements):
            beginArray()
            for part in elements {
                element()
                write(part)
            }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                name(member.name)
                write(member.value)
            }
            endObject()
        }
    }
}
