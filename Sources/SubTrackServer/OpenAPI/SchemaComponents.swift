import SubTrackAPI

/// The JSON Schemas (draft 2020-12, the dialect of OpenAPI 3.1) of the types that operations take and give.
struct SchemaComponents {
    /// The direction of a value. An input has known members alone. An output has all of its members, and may have more
    /// of them one day.
    enum Direction { case input, output }

    /// The schemas by name, in the order in which they were needed.
    private(set) var schemas: [JSONValue.Member] = []

    /// The schema of a value: in place where it is simple, by reference where it is an object.
    mutating func schema(
        of shape: SchemaShape, _ direction: Direction, rule: FieldRule = FieldRule(), isNullable: Bool = false,
        summary: String? = nil
    ) -> JSONValue {
        var schema: JSONValue
        switch shape {
        case .bool: schema = ["type": type("boolean", isNullable)]
        case .integer:
            schema = ["type": type("integer", isNullable)]
            schema = schema.with("minimum", rule.minimum.map(JSONValue.integer))
            schema = schema.with("maximum", rule.maximum.map(JSONValue.integer))
        case .string:
            schema = ["type": type("string", isNullable)]
            if let lengths = rule.lengths {
                if lengths.lowerBound > 0 { schema = schema.with("minLength", .integer(Int64(lengths.lowerBound))) }
                schema = schema.with("maxLength", .integer(Int64(lengths.upperBound)))
            }
            schema = schema.with("pattern", rule.form.map { .string($0.pattern) })
        case .uuid: schema = ["type": type("string", isNullable), "format": "uuid"]
        case .date: schema = ["type": type("string", isNullable), "format": "date", "examples": ["2026-01-31"]]
        case .instant:
            schema = [
                "type": type("string", isNullable), "format": "date-time", "pattern": .string(Self.instantPattern),
                "examples": ["2026-01-31T09:30:00Z"],
            ]
        case .amount:
            let pattern = rule.form?.pattern ?? Self.amountPattern
            schema = ["type": type("string", isNullable), "pattern": .string(pattern)]
            if rule.example == nil { schema = schema.with("examples", ["17.99"]) }
        case .cases(let names):
            let cases = names.map(JSONValue.string) + (isNullable ? [.null] : [])
            schema = ["type": type("string", isNullable), "enum": .array(cases)]
        case .array(let element):
            schema = ["type": type("array", isNullable), "items": self.schema(of: element, direction)]
            schema = schema.with("maxItems", rule.maximumCount.map { .integer(Int64($0)) })
        case .object(let object):
            schema = orNull(["$ref": .string(reference(to: object, direction))], isNullable)
        case .any: schema = .object([])
        case .members:
            schema = ["type": type("object", isNullable), "additionalProperties": true]
            schema = schema.with("maxProperties", rule.members.map { .integer(Int64($0.names)) })
        case .oneOf(let alternatives):
            var schemas: [JSONValue] = []
            for alternative in alternatives { schemas.append(self.schema(of: alternative, direction)) }
            schema = ["anyOf": .array(schemas + (isNullable ? [["type": "null"]] : []))]
        }
        schema = schema.with("description", summary.map(JSONValue.string))
        guard let example = rule.example else { return schema }
        return schema.with(
            "examples", [shape == .integer ? Int64(example).map(JSONValue.integer) ?? 0 : .string(example)])
    }

    /// The schema of an object, without reference.
    mutating func schema(of object: SchemaObject, _ direction: Direction) -> JSONValue {
        var properties: [JSONValue.Member] = []
        var required: [JSONValue] = []
        for field in object.fields {
            // A member that an answer leaves out is not null.
            let isNullable = field.isNullable && !(direction == .output && object.omitsNil)
            let schema = schema(
                of: field.shape, direction, rule: field.rule, isNullable: isNullable, summary: field.summary)
            properties.append(.init(name: field.name, value: schema))
            let isRequired =
                direction == .input
                ? !field.isOptional : !(field.isOptional && object.omitsNil) && !field.rule.mayBeLeftOut
            if isRequired { required.append(.string(field.name)) }
        }
        var schema: JSONValue = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { schema = schema.with("required", .array(required)) }
        if direction == .input { schema = schema.with("additionalProperties", false) }
        return schema.with("description", object.summary.map(JSONValue.string))
    }

    /// Adds an object under its name and gives the reference to it. A type that goes both ways has a name for each.
    private mutating func reference(to object: SchemaObject, _ direction: Direction) -> String {
        let name = direction == .input ? object.name + "Input" : object.name
        if !schemas.contains(where: { $0.name == name }) {
            let index = schemas.count
            schemas.append(.init(name: name, value: .null))
            schemas[index].value = schema(of: object, direction)
        }
        return "#/components/schemas/\(name)"
    }

    private func type(_ name: String, _ isNullable: Bool) -> JSONValue {
        isNullable ? [.string(name), "null"] : .string(name)
    }

    private func orNull(_ schema: JSONValue, _ isNullable: Bool) -> JSONValue {
        isNullable ? ["anyOf": [schema, ["type": "null"]]] : schema
    }

    private static let amountPattern = #"^-?[0-9]+(\.[0-9]{1,6})?$"#
    private static let instantPattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
}
