import Foundation
import SubTrackAPI

/// Values without meaning. One stands for a faulty member of an input while the members after it are read.
enum Placeholder {
    /// A type of which no value can be made without knowing one.
    struct Missing: Error {}

    /// How deep types may hold each other.
    private static let maximumDepth = 16

    /// A value of a type.
    /// - Throws: ``Missing``.
    static func value<Value: Decodable>(of type: Value.Type) throws(Missing) -> Value { try value(of: type, depth: 0) }

    fileprivate static func value<Value: Decodable>(of type: Value.Type, depth: Int) throws(Missing) -> Value {
        guard depth < maximumDepth else { throw Missing() }
        let known: Any? =
            if type == UUID.self {
                UUID()
            } else if type == CalendarDate.self {
                CalendarDate(daysSince1970: 1)
            } else if type == Instant.self {
                Instant(secondsSince1970: 0)
            } else if type == Amount.self {
                Amount(units: 0, digits: 0)
            } else if type == AnyJSON.self {
                AnyJSON.null
            } else if let cases = type as? any CaseIterable.Type {
                firstCase(of: cases)
            } else {
                nil
            }
        if let value = known as? Value { return value }
        guard let value = try? type.init(from: PlaceholderDecoder(depth: depth)) else { throw Missing() }
        return value
    }

    private static func firstCase<Cases: CaseIterable>(of type: Cases.Type) -> Any? { type.allCases.first }
}

/// Decodes 0, false, the empty text and the empty list; all that may be left out is.
private struct PlaceholderDecoder: Decoder, SingleValueDecodingContainer {
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(PlaceholderMembers(decoder: self))
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { PlaceholderElements() }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) -> Bool { false }
    func decode(_ type: String.Type) -> String { "" }
    func decode(_ type: Double.Type) -> Double { 0 }
    func decode(_ type: Float.Type) -> Float { 0 }
    func decode(_ type: Int.Type) -> Int { 0 }
    func decode(_ type: Int8.Type) -> Int8 { 0 }
    func decode(_ type: Int16.Type) -> Int16 { 0 }
    func decode(_ type: Int32.Type) -> Int32 { 0 }
    func decode(_ type: Int64.Type) -> Int64 { 0 }
    func decode(_ type: UInt.Type) -> UInt { 0 }
    func decode(_ type: UInt8.Type) -> UInt8 { 0 }
    func decode(_ type: UInt16.Type) -> UInt16 { 0 }
    func decode(_ type: UInt32.Type) -> UInt32 { 0 }
    func decode(_ type: UInt64.Type) -> UInt64 { 0 }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Placeholder.value(of: type, depth: depth + 1)
    }
}

private struct PlaceholderMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder.decode(type) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { decoder.container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { PlaceholderElements() }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

private struct PlaceholderElements: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw Placeholder.Missing() }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        throw Placeholder.Missing()
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Placeholder.Missing() }
    func superDecoder() throws -> any Decoder { throw Placeholder.Missing() }
}
