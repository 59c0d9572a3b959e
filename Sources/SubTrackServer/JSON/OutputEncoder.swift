import Foundation
import SubTrackAPI

/// Writes any `Encodable` as JSON, members in the order in which they are declared and nil as `null`.
///
/// Foundation's encoder builds a tree first; this one writes while it goes.
enum OutputEncoder {
    /// The JSON of a value.
    static func encode(_ value: some Encodable, capacity: Int = 4096) throws -> [UInt8] {
        if let writable = value as? any JSONWritable {
            var json = JSONWriter(capacity: capacity)
            writable.write(to: &json)
            return json.bytes
        }
        let shared = SharedWriter(capacity: capacity)
        try write(value, to: shared)
        return shared.json.bytes
    }

    /// Writes a value where a value is due.
    static func write<Value: Encodable>(_ value: Value, to json: inout JSONWriter) throws {
        let shared = SharedWriter(capacity: 0)
        swap(&json, &shared.json)
        defer { swap(&json, &shared.json) }
        try write(value, to: shared)
    }

    /// Writes a value where a value is due.
    fileprivate static func write<Value: Encodable>(_ value: Value, to shared: SharedWriter) throws {
        switch value {
        case let text as String: shared.json.write(text)
        case let writable as any JSONWritable: writable.write(to: &shared.json)
        case let date as CalendarDate: shared.json.write(date)
        case let amount as Amount: shared.json.write(amount)
        case let id as UUID: shared.json.write(id)
        default:
            let encoder = ValueEncoder(shared, omitsNil: value is any OmitsNilFields)
            try value.encode(to: encoder)
            encoder.finish()
        }
    }
}

/// A writer that the containers of an encoder share. It belongs to one answer and never crosses tasks.
private final class SharedWriter {
    var json: JSONWriter

    init(capacity: Int) { json = JSONWriter(capacity: capacity) }
}

/// Encodes one value; an object that was opened is closed by ``finish()``, so that a type may ask for its keyed
/// container more than once.
private final class ValueEncoder: Encoder {
    private enum State { case empty, object, array, done }

    let shared: SharedWriter
    /// Whether members that are nil are left out.
    let omitsNil: Bool
    private var state = State.empty

    init(_ shared: SharedWriter, omitsNil: Bool) {
        self.shared = shared
        self.omitsNil = omitsNil
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func finish() {
        switch state {
        case .object: shared.json.endObject()
        case .array: shared.json.endArray()
        case .empty:
            shared.json.beginObject()
            shared.json.endObject()
        case .done: break
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if state == .empty {
            shared.json.beginObject()
            state = .object
        }
        return KeyedEncodingContainer(MemberContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if state == .empty {
            shared.json.beginArray()
            state = .array
        }
        return ElementContainer(shared)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        state = .done
        return ValueContainer(shared: shared)
    }
}

private struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var shared: SharedWriter { encoder.shared }
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        shared.json.name(key.stringValue)
        shared.json.writeNull()
    }
    func encode(_ value: Bool, forKey key: Key) {
        shared.json.name(key.stringValue)
        shared.json.write(value)
    }
    func encode(_ value: String, forKey key: Key) {
        shared.json.name(key.stringValue)
        shared.json.write(value)
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
        shared.json.name(key.stringValue)
        try OutputEncoder.write(value, to: shared)
    }
    // An optional that is nil is written, so that an answer always has the same members; unless its type says otherwise.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { optional(value, key) { shared.json.write($0) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) { optional(value, key) { shared.json.write($0) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { optional(value, key) { shared.json.write($0) } }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { optional(value, key) { shared.json.write($0) } }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if value == nil, encoder.omitsNil { return }
        shared.json.name(key.stringValue)
        if let value { try OutputEncoder.write(value, to: shared) } else { shared.json.writeNull() }
    }
    // The user of a nested container never closes it, so that its end could not be written. Types ask for one in their
    // `encode(to:)`, and none of this package does: no input leads here.
    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        preconditionFailure("encode a type of its own in place of a nested container")
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        preconditionFailure("encode a type of its own in place of a nested container")
    }
    func superEncoder() -> any Encoder { encoder }
    // As above.
    func superEncoder(forKey key: Key) -> any Encoder {
        preconditionFailure("encode a type of its own in place of a nested container")
    }

    private func number(_ value: some BinaryInteger, _ key: Key) {
        shared.json.name(key.stringValue)
        shared.json.write(value)
    }
    private func optional<Value>(_ value: Value?, _ key: Key, _ write: (Value) -> Void) {
        if value == nil, encoder.omitsNil { return }
        shared.json.name(key.stringValue)
        if let value { write(value) } else { shared.json.writeNull() }
    }
}

private struct ElementContainer: UnkeyedEncodingContainer {
    let shared: SharedWriter
    var count = 0
    var codingPath: [any CodingKey] { [] }

    init(_ shared: SharedWriter) { self.shared = shared }

    mutating func encodeNil() {
        shared.json.element()
        shared.json.writeNull()
        count += 1
    }
    mutating func encode(_ value: some Encodable) throws {
        shared.json.element()
        try OutputEncoder.write(value, to: shared)
        count += 1
    }
    // As for keyed containers: no type of this package asks for one, so that no input leads here.
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
    let shared: SharedWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { shared.json.writeNull() }
    func encode(_ value: Bool) { shared.json.write(value) }
    func encode(_ value: String) { shared.json.write(value) }
    func encode(_ value: Int) { shared.json.write(value) }
    func encode(_ value: Int8) { shared.json.write(value) }
    func encode(_ value: Int16) { shared.json.write(value) }
    func encode(_ value: Int32) { shared.json.write(value) }
    func encode(_ value: Int64) { shared.json.write(value) }
    func encode(_ value: UInt) { shared.json.write(value) }
    func encode(_ value: UInt8) { shared.json.write(value) }
    func encode(_ value: UInt16) { shared.json.write(value) }
    func encode(_ value: UInt32) { shared.json.write(value) }
    func encode(_ value: UInt64) { shared.json.write(value) }
    func encode(_ value: Double) throws { throw noFloatingPoint(value) }
    func encode(_ value: Float) throws { throw noFloatingPoint(value) }
    func encode(_ value: some Encodable) throws { try OutputEncoder.write(value, to: shared) }
}

/// Nothing in the contract is a floating-point number.
private func noFloatingPoint(_ value: some BinaryFloatingPoint) -> EncodingError {
    .invalidValue(value, .init(codingPath: [], debugDescription: "floating-point numbers are not in the contract"))
}
