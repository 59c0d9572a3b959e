import SubTrackTestSupport

@testable import SubTrackServer

/// The API description as types of TypeScript, for the scripts of `web/`: each schema, and each operation's input and output.
struct TypeScriptDescription {
    /// The text of `web/types/api.d.ts`.
    let text: String

    /// Types of an API description.
    init(_ document: JSON) {
        var text = """
            // Made from the API description: SUBTRACKIT_WRITE_GOLDEN=1 script/test --filter OpenAPI writes it anew.

            """
        let schemas = document["components"]?["schemas"]?.members ?? [:]
        for (name, schema) in schemas.sorted(by: { $0.key < $1.key }) {
            text += "\n" + Self.comment(schema["description"]?.text, indent: "")
            text += "export type \(name) = \(Self.type(schema, indent: ""));\n"
        }
        text +=
            "\n/** Each operation: its method and path, what it takes and what it gives. */\nexport interface Operations {\n"
        var operations: [(name: String, text: String)] = []
        for (path, methods) in document["paths"]?.members ?? [:] {
            for (method, operation) in methods.members {
                guard let name = operation["operationId"]?.text, !name.hasPrefix("system.") else { continue }
                operations.append((name, Self.operation(operation, method: method, path: path)))
            }
        }
        for (name, operation) in operations.sorted(by: { $0.name < $1.name }) {
            text += "  \"\(name)\": \(operation);\n"
        }
        self.text = text + "}\n"
    }

    private static func operation(_ operation: JSON, method: String, path: String) -> String {
        var fields: [String] = []
        for parameter in operation["parameters"]?.elements ?? []
        where ["path", "query"].contains(parameter["in"]?.text) {
            let isRequired = parameter["required"] == .bool(true)
            fields.append(
                "\(parameter["name"]?.text ?? "")\(isRequired ? "" : "?"): \(type(parameter["schema"] ?? .null, indent: "    "))"
            )
        }
        var input = fields.isEmpty ? "" : "{ \(fields.joined(separator: "; ")) }"
        if let body = operation["requestBody"]?["content"]?["application/json"]?["schema"] {
            input += (input.isEmpty ? "" : " & ") + type(body, indent: "    ")
        }
        let answers = (operation["responses"]?.members ?? [:]).filter { $0.key.hasPrefix("2") }.sorted {
            $0.key < $1.key
        }
        let output = answers.first?.value["content"]?["application/json"]?["schema"].map { type($0, indent: "    ") }
        return """
            {
                method: "\(method.uppercased())";
                path: "\(path)";
                input: \(input.isEmpty ? "Record<string, never>" : input);
                output: \(output ?? "null");
              }
            """
    }

    /// A schema as a type.
    private static func type(_ schema: JSON, indent: String) -> String {
        if let reference = schema["$ref"]?.text {
            return reference.split(separator: "/").last.map(String.init) ?? "unknown"
        }
        if let cases = schema["enum"]?.elements {
            return cases.map { $0.text.map { "\"\($0)\"" } ?? "null" }.joined(separator: " | ")
        }
        if let alternatives = schema["anyOf"]?.elements {
            return alternatives.map { type($0, indent: indent) }.joined(separator: " | ")
        }
        let names = schema["type"]?.text.map { [$0] } ?? schema["type"]?.elements.compactMap(\.text) ?? []
        guard !names.isEmpty else { return "unknown" }
        return names.map { name in
            switch name {
            case "integer", "number": "number"
            case "array":
                schema["items"].map { item in
                    let element = type(item, indent: indent)
                    return element.contains(" | ") ? "(\(element))[]" : "\(element)[]"
                } ?? "unknown[]"
            case "object": object(schema, indent: indent)
            default: name
            }
        }.joined(separator: " | ")
    }

    private static func object(_ schema: JSON, indent: String) -> String {
        guard let properties = schema["properties"]?.members, !properties.isEmpty else {
            return schema["additionalProperties"] == .bool(true) ? "Record<string, unknown>" : "Record<string, never>"
        }
        let required = Set(schema["required"]?.elements.compactMap(\.text) ?? [])
        var text = "{\n"
        for (name, property) in properties.sorted(by: { $0.key < $1.key }) {
            text += comment(property["description"]?.text, indent: indent + "  ")
            text +=
                "\(indent)  \(name)\(required.contains(name) ? "" : "?"): \(type(property, indent: indent + "  "));\n"
        }
        return text + indent + "}"
    }

    private static func comment(_ text: String?, indent: String) -> String {
        text.map { "\(indent)/** \($0.replacing("*/", with: "* /")) */\n" } ?? ""
    }
}
