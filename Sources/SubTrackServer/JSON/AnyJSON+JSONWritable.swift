import SubTrackAPI

extension AnyJSON: JSONWritable {
    /// Writes members in the order of their names, as the type's own coding does.
    func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.writeNull()
        case .bool(let flag): json.write(flag)
        case .integer(let number): json.write(number)
        case .string(let text): json.write(text)
        case .array(let elements): elements.write(to: &json)
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
