import Foundation

/// A JSON value whose type another field decides. Numbers are whole: nothing in the contract has a fraction.
public indirect enum AnyJSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([AnyJSON])
    case object([String: AnyJSON])
}

extension AnyJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AnyJSON: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let elements = try? container.decode([AnyJSON].self) {
            self = .array(elements)
        } else if let members = try? container.decode([String: AnyJSON].self) {
            self = .object(members)
        } else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "must have no number with a fraction")
        }
    }

    /// Members are written in the order of their names, so that equal values have equal texts.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                try container.encode(value, forKey: Name(stringValue: name))
            }
        case .array(let elements): try elements.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let flag): try flag.encode(to: encoder)
        case .integer(let number): try number.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        }
    }

    /// The name of a member.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }
}

extension AnyJSON {
    /// The value as another type that is written so.
    /// - Throws: `DecodingError`.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
    }

    /// The value as which another type is written.
    public init(encoding value: some Encodable) throws {
        self = try JSONDecoder().decode(AnyJSON.self, from: JSONEncoder().encode(value))
    }
}
