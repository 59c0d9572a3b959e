import Foundation
import SubTrackAPI

/// Finds the JSON schema of a type: the type decodes itself, and the recorder notes the members that it asks for.
///
/// A synthesized coding asks for every field once. A type with a coding of its own must ask for all that it may read.
/// It gets values without meaning (0, the empty text, 1970).
enum SchemaRecorder {
    /// A type whose coding shows no schema.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The shape of a type's JSON.
    /// - Throws: ``Unreadable`` when its coding does not show it.
    static func shape<Value: Decodable>(of type: Value.Type) throws -> SchemaShape {
        try sample(of: type, depth: 0).shape
    }

    /// How deep types may hold each other: one that holds itself has no end.
    private static let maximumDepth = 16

    /// A value of a type without any meaning, and the shape of its JSON.
    fileprivate static func sample<Value: Decodable>(
        of type: Value.Type, depth: Int
    ) throws -> (value: Value, shape: SchemaShape) {
        guard depth < maximumDepth else { throw Unreadable(description: "\(type) holds itself") }
        func leaf(_ value: Any, _ shape: SchemaShape) throws -> (value: Value, shape: SchemaShape) {
            guard let value = value as? Value else {
                throw Unreadable(description: "\(type) has a value of another type")
            }
            return (value, shape)
        }
        if type == UUID.self { return try leaf(UUID(), .uuid) }
        if type == CalendarDate.self { return try leaf(CalendarDate(daysSince1970: 0), .date) }
        if type == Instant.self { return try leaf(Instant(secondsSince1970: 0), .instant) }
        if type == Amount.self { return try leaf(Amount(units: 0, digits: 0), .amount) }
        if type == AnyJSON.self { return try leaf(AnyJSON.null, .any) }
        if type == [String: AnyJSON].self { return try leaf([String: AnyJSON](), .members) }
        if let cases = cases(of: type) { return try leaf(cases.first, .cases(cases.names)) }
        let recorder = Recorder(type: type, depth: depth)
        let value = try type.init(from: recorder)
        if let type = type as? any OneOfTypes.Type {
            return (value, .oneOf(try type.alternatives.map { try alternative($0, depth: depth) }))
        }
        return (value, try recorder.shape())
    }

    private static func alternative<Value: Decodable>(_ type: Value.Type, depth: Int) throws -> SchemaShape {
        try sample(of: type, depth: depth + 1).shape
    }

    /// The first case and the texts of all cases of an enumeration of texts; nil for any other type.
    private static func cases(of type: Any.Type) -> (first: Any, names: [String])? {
        func all<Cases: CaseIterable & RawRepresentable>(_ type: Cases.Type) -> (first: Any, names: [String])? {
            guard let first = Cases.allCases.first else { return nil }
            let names = Cases.allCases.compactMap { $0.rawValue as? String }
            return names.count == Cases.allCases.count ? (first, names) : nil
        }
        guard let type = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
        return all(type)
    }

    /// A name for the schema of a type: `ListPlans.Output` is `ListPlansOutput`.
    static func name(of type: Any.Type) -> String { path(of: type).replacing(".", with: "") }

    /// A type's name in its module: `ListPlans.Output`.
    fileprivate static func path(of type: Any.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    }
}

/// Notes the members that one value asks for.
private final class Recorder: Decoder {
    let type: any Decodable.Type
    let depth: Int
    /// The members that were asked for, in order, when a keyed container was.
    var fields: [SchemaField]?
    /// The value's other shape.
    var content: SchemaShape?

    init(type: any Decodable.Type, depth: Int) {
        self.type = type
        self.depth = depth
    }

    func shape() throws -> SchemaShape {
        if let content { return content }
        // A type without fields asks for nothing.
        let fields = fields ?? []
        let sources = [type as Any.Type] + ((type as? any FlattensTypes.Type)?.flattened ?? [])
        let rules = sources.compactMap { ($0 as? any FieldRules.Type)?.fieldRules }
            .reduce(into: [:]) { rules, more in rules.merge(more) { first, _ in first } }
        if let stray = rules.keys.first(where: { name in !fields.contains { $0.name == name } }) {
            throw SchemaRecorder.Unreadable(description: "\(type) has a rule for \(stray) and no such field")
        }
        let paths = sources.map(SchemaRecorder.path(of:))
        return .object(
            SchemaObject(
                name: SchemaRecorder.name(of: type),
                fields: fields.map { field in
                    var field = field
                    field.rule = rules[field.name] ?? FieldRule()
                    field.summary = paths.lazy.compactMap { FieldSummaries.summary(of: field.name, in: $0) }.first
                    if field.rule.refusesNull { field.isNullable = false }
                    return field
                }, omitsNil: type is any OmitsNilFields.Type,
                summary: FieldSummaries.summary(ofType: SchemaRecorder.path(of: type))))
    }

    /// Notes that a member is looked for.
    func note(_ name: String, _ change: (inout SchemaField) -> Void) {
        var all = fields ?? []
        let index: Int
        if let found = all.firstIndex(where: { $0.name == name }) {
            index = found
        } else {
            index = all.count
            all.append(
                SchemaField(name: name, shape: .string, isOptional: false, isNullable: false, rule: FieldRule()))
        }
        change(&all[index])
        fields = all
    }

    func sample<Value: Decodable>(_ type: Value.Type) throws -> (value: Value, shape: SchemaShape) {
        try SchemaRecorder.sample(of: type, depth: depth + 1)
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if fields == nil { fields = [] }
        return KeyedDecodingContainer(Members<Key>(recorder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Elements(recorder: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(recorder: self) }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: Recorder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    // A member that is looked for before it is decoded may be left out. One that is compared with null may be null.
    func contains(_ key: Key) -> Bool {
        recorder.note(key.stringValue) { $0.isOptional = true }
        return true
    }
    func decodeNil(forKey key: Key) throws -> Bool {
        recorder.note(key.stringValue) { $0.isNullable = true }
        return false
    }
    private func number<Value: FixedWidthInteger>(_ key: Key) -> Value {
        recorder.note(key.stringValue) { $0.shape = .integer }
        return 0
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        recorder.note(key.stringValue) { $0.shape = .bool }
        return false
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        recorder.note(key.stringValue) { $0.shape = .string }
        return ""
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { throw noFloatingPoint(key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw noFloatingPoint(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { number(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { number(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { number(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { number(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { number(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { number(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { number(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { number(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { number(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { number(key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let sample = try recorder.sample(type)
        recorder.note(key.stringValue) { $0.shape = sample.shape }
        return sample.value
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw nested(key) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw nested(key) }
    func superDecoder() throws -> any Decoder { recorder }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw nested(key) }

    private func nested(_ key: Key) -> SchemaRecorder.Unreadable {
        .init(description: "\(recorder.type).\(key.stringValue) has a nested container; give it a type of its own")
    }
    private func noFloatingPoint(_ key: Key) -> SchemaRecorder.Unreadable {
        .init(description: "\(recorder.type).\(key.stringValue) is a floating-point number")
    }
}

/// A list that has one element, so that its type is asked for.
private struct Elements: UnkeyedDecodingContainer {
    let recorder: Recorder
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }

    init(recorder: Recorder) { self.recorder = recorder }

    mutating func decodeNil() throws -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let sample = try recorder.sample(type)
        recorder.content = .array(sample.shape)
        currentIndex += 1
        return sample.value
    }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { throw nested }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw nested }
    mutating func superDecoder() throws -> any Decoder { throw nested }

    private var nested: SchemaRecorder.Unreadable {
        .init(description: "\(recorder.type) has a nested container; give it a type of its own")
    }
}

private struct Single: SingleValueDecodingContainer {
    let recorder: Recorder
    var codingPath: [any CodingKey] { [] }

    private func number<Value: FixedWidthInteger>() -> Value {
        recorder.content = .integer
        return 0
    }
    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) throws -> Bool {
        recorder.content = .bool
        return false
    }
    func decode(_ type: String.Type) throws -> String {
        recorder.content = .string
        return ""
    }
    func decode(_ type: Double.Type) throws -> Double { throw noFloatingPoint }
    func decode(_ type: Float.Type) throws -> Float { throw noFloatingPoint }
    func decode(_ type: Int.Type) throws -> Int { number() }
    func decode(_ type: Int8.Type) throws -> Int8 { number() }
    func decode(_ type: Int16.Type) throws -> Int16 { number() }
    func decode(_ type: Int32.Type) throws -> Int32 { number() }
    func decode(_ type: Int64.Type) throws -> Int64 { number() }
    func decode(_ type: UInt.Type) throws -> UInt { number() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { number() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { number() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { number() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { number() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let sample = try recorder.sample(type)
        recorder.content = sample.shape
        return sample.value
    }

    private var noFloatingPoint: SchemaRecorder.Unreadable {
        .init(description: "\(recorder.type) is a floating-point number")
    }
}
