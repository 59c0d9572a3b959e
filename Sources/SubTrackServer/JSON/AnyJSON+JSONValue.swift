import SubTrackAPI

extension AnyJSON {
    /// The value that a client sent; nil where it has a number with a fraction.
    init?(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(number)
        case .string(let text), .text(let text): self = .string(text)
        case .decimal: return nil
        case .array(let elements):
            var all: [AnyJSON] = []
            all.reserveCapacity(elements.count)
            for element in elements {
                guard let element = AnyJSON(element) else { return nil }
                all.append(element)
            }
            self = .array(all)
        case .object(let members):
            var all: [String: AnyJSON] = [:]
            for member in members {
                guard let value = AnyJSON(member.value) else { return nil }
                all[member.name] = value
            }
            self = .object(all)
        }
    }
}

extension AnyJSON: JSONWritable {
    /// Writes members in the order of their names, as the type's own coding does.
    func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.writeNull()
        case .bool(let flag): json.write(flag)
        case .integer(let number): json.write(number)
        case .string(let text): json.write(text)
        case .array(let elements):
            json.beginArray()
            for part in elements {
                json.element()
                part.write(to: &json)
            }
            json.endArray()
        case .object(let members):
            json.beginObject()
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                json.name(name)
                value.write(to: &json)
            }
            json.endObject()
        }
    }
}
