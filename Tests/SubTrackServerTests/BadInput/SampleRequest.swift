import Foundation
import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackServer

/// Requests of an operation that are right in form, made from its types alone, so that a new operation has some at once.
struct SampleRequest: Sendable, Hashable {
    /// What is put into fields, by what they are for; other fields get a value of their type without meaning.
    struct Values: Sendable {
        /// For fields that hold UUIDs, and for the text `id` of a pushed change.
        var id = UUID()
        /// For the numbers of rows.
        var number: Int64 = 1
        /// For texts, by the field's name: `email`, `cursor`.
        var texts: [String: String] = [:]
        /// For all texts; nil: each gets one of its own.
        var everyText: String?
    }

    let method: String
    let path: String
    /// The body; nil where the operation has no field for one.
    private let json: JSONValue?
    /// What is in it beyond what has to be.
    let what: String

    static func == (left: SampleRequest, right: SampleRequest) -> Bool {
        left.method == right.method && left.path == right.path && left.json == right.json
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(path)
    }

    /// Sends it.
    func send(
        by client: APIClient, below prefix: String = "", headers: [(String, String)] = []
    ) async throws -> APIResponse {
        let body = try json.map { try JSONSerialization.data(withJSONObject: $0.foundation, options: .sortedKeys) }
        return try await client.send(method, prefix + path, headers: headers, body: body)
    }

    /// Requests of an operation: with what is needed alone, with each field that may be left out beside it, with all.
    static func all(of entry: OperationRegistry.Entry, _ values: Values = Values()) throws -> [SampleRequest] {
        let fields = try fields(of: entry.operation)
        let needed = fields.filter { !$0.isOptional }
        let free = fields.filter(\.isOptional)
        var sets = [("what is needed", needed)]
        for field in free { sets.append((field.name, needed + [field])) }
        if free.count > 1 { sets.append(("everything", fields)) }
        return sets.map { SampleRequest(entry, $0.1, values, what: $0.0) }
    }

    /// The request with what is needed alone.
    static func smallest(of entry: OperationRegistry.Entry, _ values: Values = Values()) throws -> SampleRequest {
        SampleRequest(entry, try fields(of: entry.operation).filter { !$0.isOptional }, values, what: "what is needed")
    }

    private static func fields<Definition: SubTrackAPI.Operation>(_ type: Definition.Type) throws -> [SchemaField] {
        guard case .object(let object) = try SchemaRecorder.shape(of: type) else { return [] }
        return object.fields
    }

    private static func fields(of type: any SubTrackAPI.Operation.Type) throws -> [SchemaField] { try fields(type) }

    private init(_ entry: OperationRegistry.Entry, _ fields: [SchemaField], _ values: Values, what: String) {
        let endpoint = entry.endpoint
        method = endpoint.method.rawValue
        self.what = what
        var path = endpoint.path
        var members: [JSONValue.Member] = []
        var query: [String] = []
        for field in fields {
            let value = values.value(for: field)
            if endpoint.pathParameters.contains(field.name) {
                path = path.replacing("{\(field.name)}", with: value.plainText)
            } else if endpoint.method.readsQuery {
                query.append("\(field.name)=\(APIClient.encoded(value.plainText))")
            } else {
                members.append(.init(name: field.name, value: value))
            }
        }
        self.path = path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        json = members.isEmpty ? nil : .object(members)
    }
}

extension SampleRequest.Values {
    /// A value for a field.
    fileprivate func value(for field: SchemaField) -> JSONValue { value(field.shape, field) }

    private func value(_ shape: SchemaShape, _ field: SchemaField) -> JSONValue {
        switch shape {
        case .bool: return .bool(true)
        case .integer:
            let isRow = field.name == "id" || field.name.hasSuffix("Id")
            return .integer(isRow ? number : max(1, field.rule.minimum ?? 1))
        case .string:
            if let everyText { return .string(everyText) }
            if field.name == "id" { return .string(id.uuidString) }
            return .string(texts[field.name] ?? field.rule.example ?? "some text")
        case .uuid: return .string(id.uuidString)
        case .date: return .string("2026-01-31")
        case .instant: return .string("2026-01-31T09:30:00Z")
        case .amount: return .string("1.00")
        case .cases(let names): return .string(names.first ?? "")
        case .array(let element): return .array([value(element, field)])
        case .object(let object):
            return .object(object.fields.map { .init(name: $0.name, value: value(for: $0)) })
        case .any: return .null
        case .members: return .object([])
        case .oneOf(let shapes): return shapes.first.map { value($0, field) } ?? .null
        }
    }
}

extension JSONValue {
    /// The same as Foundation has it.
    fileprivate var foundation: Any {
        switch self {
        case .null, .unfit: NSNull()
        case .bool(let flag): flag
        case .integer(let number): number
        case .decimal(let text): Decimal(string: text) as Any
        case .string(let text), .text(let text): text
        case .array(let elements): elements.map(\.foundation)
        case .object(let members):
            Dictionary(members.map { ($0.name, $0.value.foundation) }, uniquingKeysWith: { $1 })
        }
    }

    /// A simple value as it stands in a path or query.
    fileprivate var plainText: String {
        switch self {
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): "\(number)"
        case .decimal(let text), .string(let text): text
        default: ""
        }
    }
}
