/// A field of a merge patch (RFC 7396): left out, removed (`null`), or set.
public enum Patch<Value: Codable & Sendable>: Sendable {
    /// The field was left out: the stored value stays.
    case keep
    /// The field was `null`: the stored value is removed.
    case remove
    /// The field has a new value.
    case set(Value)

    /// The new value, or nil when there is none.
    public var value: Value? {
        if case .set(let value) = self { value } else { nil }
    }

    /// Whether the field was named in the patch at all.
    public var isNamed: Bool {
        if case .keep = self { false } else { true }
    }
}

extension Patch: Equatable where Value: Equatable {}

extension Patch: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .remove : .set(try container.decode(Value.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .keep, .remove: try container.encodeNil()
        case .set(let value): try container.encode(value)
        }
    }
}

// The compiler's synthesized coding calls these overloads, so that a field that was left out is not an error
// and is not written.
extension KeyedDecodingContainer {
    /// Decodes a field of a merge patch; ``Patch/keep`` when it was left out.
    public func decode<Value>(_ type: Patch<Value>.Type, forKey key: Key) throws -> Patch<Value> {
        guard contains(key) else { return .keep }
        return try decodeNil(forKey: key) ? .remove : .set(decode(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Encodes a field of a merge patch; nothing when it is ``Patch/keep``.
    public mutating func encode<Value>(_ patch: Patch<Value>, forKey key: Key) throws {
        switch patch {
        case .keep: break
        case .remove: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}
