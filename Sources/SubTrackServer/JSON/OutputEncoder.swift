import Foundation
import SubTrackAPI

/// Writes any `Encodable` as JSON, members in the order in which they are declared and nil as `null`.
///
/// Foundation's encoder builds a tree first; this one writes while it goes.
enum OutputEncoder {
    /// The JSON of a value.
    static func encode(_ value: some Encodable, capacity: Int = 1024) throws -> [UInt8] {
        let json = JSONWriter(capacity: capacity)
        try write(value, to: json)
        return json.bytes
    }

    /// Writes a value where a value is due.
    static func write<Value: Encodable>(_ value: Value, to json: JSONWriter) throws {
        switch value {
        case let text as String: json.write(text)
        case let writable as any JSONWritable: writable.write(to: json)
        case let date as CalendarDate: json.write(date)
        case let amount as Amount: json.write(amount)
        case let id as UUID: json.write(id)
        default:
            let encoder = ValueEncoder(json: json)
            try value.encode(to: encoder)
            encoder.finish()
        }
    }
}

/// Encodes one value; an object that was opened is closed by ``finish()``, so that a type may ask for its keyed
/// container more than once.
private final class ValueEncoder: Encoder {
    private enum State { case empty, object, array, done }

    let json: JSONWriter
    private var state = State.empty

    init(json: JSONWriter) { self.json = json }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func finish() {
        switch state {
        case .object: json.endObject()
        case .array: json.endArray()
        case .empty:
            json.beginObject()
            json.endObject()
        case .done: break
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if state == .empty {
            json.beginObject()
            state = .object
        }
        return KeyedEncodingContainer(MemberContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if state == .empty {
            json.beginArray()
            state = .array
        }
        return ElementContainer(json: json)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        state = .done
        return ValueContainer(json: json)
    }
}

private struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var json: JSONWriter { encoder.json }
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        json.name(key.stringValue)
        json.writeNull()
    }
    func encode(_ value: Bool, forKey key: Key) {
        json.name(key.stringValue)
        json.write(value)
    }
    func encode(_ value: String, forKey key: Key) {
        json.name(key.stringValue)
        json.write(value)
    }
    func encode(_ value: Int, forKey key: Key) { number(value, key) }
    func encode(_ value: Int8, forKey key: Key) { number(value, key) }
    func encode(_ value: Int16, forKey key: Key) { number(value, key) }
    func encode(_ value: Int32, forKey key: Key) { number(value, key) }
    func encode(_ value: Int64, forKey key: Key) { number(value, key) }
    func encode(_ value: UInt, forKey key: Key) { number(value, key) }
    func encode(_ value: UInt8, forKey key: Key) { number(value, key) }
    func encode(_ value: UInt16, forKey key: Key) { number(value, key) }
    func encode(_ value: UInt32, forKey key: Key) { number(value, key) }
    func encode(_ value: UInt64, forKey key: Key) { number(value, key) }
    func encode(_ value: Double, forKey key: Key) throws { throw noFloatingPoint(value) }
    func encode(_ value: Float, forKey key: Key) throws { throw noFloatingPoint(value) }
    func encode(_ value: some Encodable, forKey key: Key) throws {
        json.name(key.stringValue)
        try OutputEncoder.write(value, to: json)
    }
    // An optional that is nil is written, so that an answer always has the same members.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { optional(value, key) { json.write($0) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) { optional(value, key) { json.write($0) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { optional(value, key) { json.write($0) } }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { optional(value, key) { json.write($0) } }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        json.name(key.stringValue)
        if let value { try OutputEncoder.write(value, to: json) } else { json.writeNull() }
    }
    // A nested container is never closed by its user, so that its end could not be written: no type of the contract has
    // one, and none can be made by input.
    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        preconditionFailure("encode a type of its own in place of a nested container")
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        preconditionFailure("encode a type of its own in place of a nested container")
    }
    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder {
        preconditionFailure("encode a type of its own in place of a nested container")
    }

    private func number(_ value: some BinaryInteger, _ key: Key) {
        json.name(key.stringValue)
        json.write(value)
    }
    private func optional<Value>(_ value: Value?, _ key: Key, _ write: (Value) -> Void) {
        json.name(key.stringValue)
        if let value { write(value) } else { json.writeNull() }
    }
}

private struct ElementContainer: UnkeyedEncodingContainer {
    let json: JSONWriter
    var count = 0
    var codingPath: [any CodingKey] { [] }

    init(json: JSONWriter) { self.json = json }

    mutating func encodeNil() {
        json.element()
        json.writeNull()
        count += 1
    }
    mutating func encode(_ value: some Encodable) throws {
        json.element()
        try OutputEncoder.write(value, to: json)
        count += 1
    }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        preconditionFailure("encode a type of its own in place of a nested container")
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        preconditionFailure("encode a type of its own in place of a nested container")
    }
    mutating func superEncoder() -> any Encoder {
        preconditionFailure("encode a type of its own in place of a nested container")
    }
}

private struct ValueContainer: SingleValueEncodingContainer {
    let json: JSONWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { json.writeNull() }
    func encode(_ value: Bool) { json.write(value) }
    func encode(_ value: String) { json.write(value) }
    func encode(_ value: Int) { json.write(value) }
    func encode(_ value: Int8) { json.write(value) }
    func encode(_ value: Int16) { json.write(value) }
    func encode(_ value: Int32) { json.write(value) }
    func encode(_ value: Int64) { json.write(value) }
    func encode(_ value: UInt) { json.write(value) }
    func encode(_ value: UInt8) { json.write(value) }
    func encode(_ value: UInt16) { json.write(value) }
    func encode(_ value: UInt32) { json.write(value) }
    func encode(_ value: UInt64) { json.write(value) }
    func encode(_ value: Double) throws { throw noFloatingPoint(value) }
    func encode(_ value: Float) throws { throw noFloatingPoint(value) }
    func encode(_ value: some Encodable) throws { try OutputEncoder.write(value, to: json) }
}

/// Nothing in the contract is a floating-point number.
private func noFloatingPoint(_ value: some BinaryFloatingPoint) -> EncodingError {
    .invalidValue(value, .init(codingPath: [], debugDescription: "floating-point numbers are not in the contract"))
}
