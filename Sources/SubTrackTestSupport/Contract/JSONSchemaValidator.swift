import Foundation
import SubTrackAPI
import Synchronization

/// Holds JSON to a JSON Schema (draft 2020-12), of which it knows those keywords that the service's description uses. One
/// that it does not know is a fault: it would go unchecked.
public struct JSONSchemaValidator: Sendable {
    /// What is wrong with a value, and where.
    public struct Violation: Error, CustomStringConvertible {
        public let description: String
    }

    /// The document in which references are found.
    let document: JSON

    /// A validator for the schemas of a document.
    public init(document: JSON) { self.document = document }

    /// What a reference such as `#/components/schemas/Plan` leads to.
    public func resolve(_ value: JSON) throws -> JSON {
        guard let reference = value["$ref"]?.text else { return value }
        var found = document
        for part in reference.split(separator: "/").dropFirst() {
            guard let next = found[String(part)] else { throw Violation(description: "\(reference) leads nowhere") }
            found = next
        }
        return found
    }

    /// Checks a value.
    /// - Parameter path: where it is, for the fault.
    /// - Throws: ``Violation``.
    public func validate(_ value: JSON, _ schema: JSON, at path: String = "") throws {
        func fail(_ reason: String) -> Violation { Violation(description: "\(path.isEmpty ? "." : path): \(reason)") }
        for (keyword, argument) in schema.members {
            switch keyword {
            case "description", "examples", "default", "title": break
            case "$ref": try validate(value, try resolve(schema), at: path)
            case "type":
                let names = argument.text.map { [$0] } ?? argument.elements.compactMap(\.text)
                guard try names.contains(where: { try Self.is(value, $0) }) else {
                    throw fail("must be \(names), is \(value)")
                }
            case "enum": guard argument.elements.contains(value) else { throw fail("\(value) is none of \(argument)") }
            case "const": guard argument == value else { throw fail("must be \(argument), is \(value)") }
            case "anyOf":
                guard argument.elements.contains(where: { (try? validate(value, $0, at: path)) != nil }) else {
                    throw fail("fits none of \(argument.elements.count) schemas: \(value)")
                }
            case "allOf": for part in argument.elements { try validate(value, part, at: path) }
            case "properties":
                for (name, part) in argument.members {
                    if let member = value[name] { try validate(member, part, at: "\(path).\(name)") }
                }
            case "required":
                guard case .object(let members) = value else { break }
                for name in argument.elements.compactMap(\.text) where members[name] == nil {
                    throw fail("\(name) is missing")
                }
            case "additionalProperties":
                if argument == .bool(false) {
                    let known = schema["properties"]?.members ?? [:]
                    for name in value.members.keys where known[name] == nil { throw fail("\(name) is unknown") }
                } else if argument != .bool(true) {
                    let known = schema["properties"]?.members ?? [:]
                    for (name, member) in value.members where known[name] == nil {
                        try validate(member, argument, at: "\(path).\(name)")
                    }
                }
            case "items":
                for (index, element) in value.elements.enumerated() {
                    try validate(element, argument, at: "\(path)[\(index)]")
                }
            case "minimum", "maximum":
                guard case .integer(let bound) = argument else { throw fail("\(keyword) is no whole number") }
                guard case .integer(let number) = value else { break }
                guard keyword == "minimum" ? number >= bound : number <= bound else {
                    throw fail("\(number) breaks \(keyword) \(bound)")
                }
            case "minLength", "maxLength":
                guard case .integer(let bound) = argument else { throw fail("\(keyword) is no whole number") }
                guard let count = value.text?.unicodeScalars.count else { break }
                guard keyword == "minLength" ? count >= bound : count <= bound else {
                    throw fail("\(count) characters break \(keyword) \(bound)")
                }
            case "pattern":
                guard let pattern = argument.text else { throw fail("the pattern is no text") }
                if let text = value.text, try !Self.matches(text, pattern) { throw fail("\(text) is not \(pattern)") }
            case "format":
                guard let text = value.text else { break }
                guard try Self.has(text, format: argument.text ?? "") else { throw fail("\(text) is no \(argument)") }
            default: throw fail("the schema has the keyword \(keyword), which is not known here")
            }
        }
    }

    private static func `is`(_ value: JSON, _ type: String) throws -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("integer", .integer), ("number", .integer), ("number", .number),
            ("string", .string), ("array", .array), ("object", .object):
            return true
        case ("null", _), ("boolean", _), ("integer", _), ("number", _), ("string", _), ("array", _), ("object", _):
            return false
        default: throw Violation(description: "the schema has the type \(type), which is not known here")
        }
    }

    private static func has(_ text: String, format: String) throws -> Bool {
        switch format {
        // Given in lower case.
        case "uuid": UUID(uuidString: text)?.uuidString.lowercased() == text
        case "date": CalendarDate(text) != nil
        case "date-time": Instant(text) != nil
        default: throw Violation(description: "the schema has the format \(format), which is not known here")
        }
    }

    private static let patterns = Mutex<[String: NSRegularExpression]>([:])

    private static func matches(_ text: String, _ pattern: String) throws -> Bool {
        try patterns.withLock { patterns in
            let expression = try patterns[pattern] ?? NSRegularExpression(pattern: pattern)
            patterns[pattern] = expression
            return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
        }
    }
}
