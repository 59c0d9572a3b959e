import Foundation

/// Any JSON value, without a type of the contract.
public enum JSON: Sendable, Hashable, Decodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode([String: JSON].self) {
            self = .object(value)
        } else {
            self = .array(try container.decode([JSON].self))
        }
    }

    /// Reads JSON.
    public init(_ data: Data) throws { self = try JSONDecoder().decode(JSON.self, from: data) }

    /// A member of an object; nil where there is none, or this is no object.
    public subscript(_ name: String) -> JSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text; nil for anything else.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The members of an object; none for anything else.
    public var members: [String: JSON] { if case .object(let members) = self { members } else { [:] } }

    /// The elements of an array; none for anything else.
    public var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
