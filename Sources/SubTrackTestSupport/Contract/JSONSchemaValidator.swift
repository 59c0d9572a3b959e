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

    /// Where a value is in the one that is checked.
    private indirect enum Place: CustomStringConvertible {
        case top(String)
        case member(Place, String)
        case element(Place, Int)

        var description: String {
            switch self {
            case .top(let path): path
            case .member(let place, let name): "\(place).\(name)"
            case .element(let place, let index): "\(place)[\(index)]"
            }
        }
    }

    /// What is wrong, in words that are put together when somebody asks: of several schemas most do not fit.
    private struct Fault {
        let place: Place
        let reason: () -> String

        init(_ place: Place, _ reason: @autoclosure @escaping () -> String) {
            self.place = place
            self.reason = reason
        }
    }

    /// Checks a value.
    /// - Parameter path: where it is, for the fault.
    /// - Throws: ``Violation``.
    public func validate(_ value: JSON, _ schema: JSON, at path: String = "") throws {
        guard let fault = try fault(of: value, schema, at: .top(path)) else { return }
        let place = "\(fault.place)"
        throw Violation(description: "\(place.isEmpty ? "." : place): \(fault.reason())")
    }

    /// What is wrong with a value; nil when nothing is.
    /// - Throws: ``Violation`` when something is wrong with the schema.
    private func fault(of value: JSON, _ schema: JSON, at place: Place) throws -> Fault? {
        for (keyword, argument) in schema.members {
            if let fault = try fault(of: value, keyword, argument, in: schema, at: place) { return fault }
        }
        return nil
    }

    private func fault(
        of value: JSON, _ keyword: String, _ argument: JSON, in schema: JSON, at place: Place
    ) throws -> Fault? {
        switch keyword {
        case "description", "examples", "default", "title": break
        case "$ref": return try fault(of: value, try resolve(schema), at: place)
        case "type":
            let names = argument.text.map { [$0] } ?? argument.elements.compactMap(\.text)
            guard try names.contains(where: { try Self.is(value, $0) }) else {
                return Fault(place, "must be \(names), is \(value)")
            }
        case "enum":
            guard argument.elements.contains(value) else { return Fault(place, "\(value) is none of \(argument)") }
        case "const": guard argument == value else { return Fault(place, "must be \(argument), is \(value)") }
        case "anyOf":
            guard try argument.elements.contains(where: { try fault(of: value, $0, at: place) == nil }) else {
                return Fault(place, "fits none of \(argument.elements.count) schemas: \(value)")
            }
        case "properties":
            for (name, part) in argument.members {
                guard let member = value[name] else { continue }
                if let fault = try fault(of: member, part, at: .member(place, name)) { return fault }
            }
        case "required":
            guard case .object(let members) = value else { break }
            for name in argument.elements.compactMap(\.text) where members[name] == nil {
                return Fault(place, "\(name) is missing")
            }
        case "additionalProperties":
            guard argument != .bool(true) else { break }
            let known = schema["properties"]?.members ?? [:]
            for (name, member) in value.members where known[name] == nil {
                guard argument != .bool(false) else { return Fault(place, "\(name) is unknown") }
                if let fault = try fault(of: member, argument, at: .member(place, name)) { return fault }
            }
        case "items":
            for (index, element) in value.elements.enumerated() {
                if let fault = try fault(of: element, argument, at: .element(place, index)) { return fault }
            }
        case "minimum", "maximum":
            guard case .integer(let bound) = argument else { return Fault(place, "\(keyword) is no whole number") }
            guard case .integer(let number) = value else { break }
            guard keyword == "minimum" ? number >= bound : number <= bound else {
                return Fault(place, "\(number) breaks \(keyword) \(bound)")
            }
        case "minLength", "maxLength":
            guard case .integer(let bound) = argument else { return Fault(place, "\(keyword) is no whole number") }
            guard let count = value.text?.unicodeScalars.count else { break }
            guard keyword == "minLength" ? count >= bound : count <= bound else {
                return Fault(place, "\(count) characters break \(keyword) \(bound)")
            }
        case "pattern":
            guard let pattern = argument.text else { return Fault(place, "the pattern is no text") }
            if let text = value.text, try !Self.matches(text, pattern) {
                return Fault(place, "\(text) is not \(pattern)")
            }
        case "format":
            guard let text = value.text else { break }
            guard try Self.has(text, format: argument.text ?? "") else {
                return Fault(place, "\(text) is no \(argument)")
            }
        default:
            throw Violation(description: "\(place): the schema has the keyword \(keyword), which is not known here")
        }
        return nil
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
