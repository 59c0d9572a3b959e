import Foundation

/// Any JSON value, without a type of the contract.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Reads JSON (RFC 8259), and nothing that is not: no comma too much, no name twice in an object.
    /// - Throws: ``JSONParser/Failure``.
    public init(_ data: Data) throws { self = try JSONParser.value(of: Array(data)) }

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
