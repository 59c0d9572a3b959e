import Foundation
import SubTrackAPI

/// Reads an operation's input from JSON, a path and a query, and says what is wrong in the words of whoever sent it.
///
/// Beyond `Decodable` it refuses names that the type does not have, and it takes texts from a path or query for numbers
/// and booleans.
enum InputDecoder {
    /// Reads a value.
    /// - Parameter value: an object with the operation's fields.
    /// - Throws: ``SubTrackAPI/Problem`` with the fields that are wrong.
    static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
        do {
            return try decodeOnce(type, from: value)
        } catch is DecodingError {
            throw faults(of: type, in: value)
        } catch is UnknownFields {
            throw faults(of: type, in: value)
        } catch let problem as Problem where problem.errors != nil {
            throw faults(of: type, in: value)
        }
    }

    /// Reads a value.
    /// - Throws: `DecodingError` or ``UnknownFields`` for the first fault; ``SubTrackAPI/Problem`` for those of one object
    ///   that break its type's rules.
    private static func decodeOnce<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
        // A type without fields asks for no container, which is where unknown names are refused otherwise.
        if MemoryLayout<Value>.size == 0 {
            _ = try ValueDecoder(value: value, path: []).container(keyedBy: NoKey.self)
        }
        return try ValueDecoder(value: value, path: []).decode(type)
    }

    /// How many faults are told at the most.
    private static let maximumFaults = 20
    /// How often an input is read to find its faults.
    private static let maximumReadings = 100

    /// All faults of an input that cannot be read.
    ///
    /// A `Decodable` type stops at the first. So that one is noted, something that the type can read is put in its place,
    /// and it is read again, until it can be read or enough faults are known.
    private static func faults<Value: Decodable>(of type: Value.Type, in value: JSONValue) -> Problem {
        var value = value
        var faults: [FieldProblem] = []
        var samples: [String: SampleValues] = [:]
        for _ in 0..<maximumReadings where faults.count < maximumFaults {
            do {
                _ = try decodeOnce(type, from: value)
                break
            } catch let unknown as UnknownFields {
                if !samples.isPlaceholder(path(unknown.path)) { faults += unknown.faults }
                value = value.replacing(unknown.path[...]) { $0?.keeping(unknown.isKnown) }
            } catch let error as DecodingError {
                let (place, fault) = fault(error)
                if !samples.isPlaceholder(fault.field) { faults.append(fault) }
                // The input as a whole has no substitute.
                guard !place.isEmpty, let sample = samples.next(for: fault.field, after: error) else { break }
                value = value.replacing(place[...]) { _ in sample.value }
            } catch let problem as Problem {
                let broken = problem.errors ?? []
                let known = samples
                faults += broken.filter { !known.isPlaceholder($0.field) }
                var isReplaced = false
                for fault in broken {
                    guard let sample = samples.next(for: fault.field, after: problem) else { continue }
                    isReplaced = true
                    let place: [any CodingKey] = fault.field.split(separator: ".").map { PlaceKey(String($0)) }
                    value = value.replacing(place[...]) { _ in sample.value }
                }
                if !isReplaced { break }
            } catch {
                break
            }
        }
        return .input(Array(faults.prefix(maximumFaults)))
    }

    /// A decoding error as the fault of a field, and the place of the field.
    private static func fault(_ error: DecodingError) -> (place: [any CodingKey], fault: FieldProblem) {
        let place: [any CodingKey]
        let code: FieldProblem.Code
        let message: String
        switch error {
        case .keyNotFound(let key, let context):
            (place, code, message) = (context.codingPath + [key], .required, "is needed")
        case .valueNotFound(_, let context):
            (place, code, message) = (context.codingPath, .required, "is needed and must not be null")
        case .typeMismatch(_, let context), .dataCorrupted(let context):
            (place, code, message) = (context.codingPath, .malformed, context.debugDescription)
        @unknown default:
            (place, code, message) = ([], .malformed, "cannot be read")
        }
        return (place, FieldProblem(field: path(place), code: code, message: message))
    }

    static func path(_ codingPath: [any CodingKey]) -> String {
        codingPath.map { key in key.intValue.map(String.init) ?? key.stringValue }.joined(separator: ".")
    }
}

/// Names in an object that its type does not have.
private struct UnknownFields: Error {
    /// The place of the object.
    let path: [any CodingKey]
    /// The names, as they were sent.
    let names: [String]
    /// Whether the type has a name.
    let isKnown: @Sendable (String) -> Bool

    var faults: [FieldProblem] {
        let parent = InputDecoder.path(path)
        return names.prefix(20).map { name in
            let name = String(name.prefix(100))
            return FieldProblem(
                field: parent.isEmpty ? name : "\(parent).\(name)", code: .unknown, message: "there is no such field")
        }
    }
}

/// The name of a field of a type that has none.
private struct NoKey: CodingKey {
    var stringValue: String { "" }
    var intValue: Int? { nil }
    init?(stringValue: String) { return nil }
    init?(intValue: Int) { return nil }
}

/// A part of a field's path: a name, or a place in a list.
private struct PlaceKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }
    init(_ part: String) { stringValue = part }
    init?(intValue: Int) { self.init(String(intValue)) }
    init?(stringValue: String) { self.init(stringValue) }
}

/// A place in a list.
private struct IndexKey: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue.map(String.init) ?? "" }
    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { return nil }
}

private struct ValueDecoder: Decoder {
    let value: JSONValue
    let path: [any CodingKey]

    var codingPath: [any CodingKey] { path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func mismatch(_ wanted: String) -> DecodingError {
        if case .null = value {
            return .dataCorrupted(.init(codingPath: path, debugDescription: "must not be null"))
        }
        return .typeMismatch(
            Any.self, .init(codingPath: path, debugDescription: "must be \(wanted), is \(value.kind)"))
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == UUID.self {
            guard let text = try? string(), let id = UUID(uuidString: text), let id = id as? Value else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: path, debugDescription: "must be a UUID: 8-4-4-4-12 hexadecimal digits"))
            }
            return id
        }
        do {
            let decoded = try type.init(from: self)
            if case .object(let members) = value, let ruled = type as? any FieldRules.Type {
                try FieldRuleCheck.check(members, by: ruled.fieldRules, path: InputDecoder.path(path))
            }
            return decoded
        } catch DecodingError.dataCorrupted(let context) where context.debugDescription.hasPrefix("Cannot initialize") {
            // What Swift says when a text is not a case of an enumeration.
            let choices = Choices(names: Self.cases(of: type))
            let list = choices.names.isEmpty ? "the documented values" : choices.names.joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: context.codingPath, debugDescription: "must be one of \(list)", underlyingError: choices
                )
            )
        }
    }

    private static func cases(of type: Any.Type) -> [String] {
        func names<Cases: CaseIterable>(_ type: Cases.Type) -> [String] { type.allCases.map { "\($0)" } }
        return (type as? any CaseIterable.Type).map { names($0) } ?? []
    }

    func string() throws -> String {
        switch value {
        case .string(let text), .text(let text): text
        default: throw mismatch("a text")
        }
    }

    func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        switch value {
        case .integer(let number):
            guard let number = Value(exactly: number) else { throw mismatch("a smaller number") }
            return number
        case .text(let text):
            guard let number = Value(text), !text.hasPrefix("+") else { throw mismatch("a whole number") }
            return number
        default: throw mismatch("a whole number")
        }
    }

    func bool() throws -> Bool {
        switch value {
        case .bool(let bool): bool
        case .text("true"): true
        case .text("false"): false
        default: throw mismatch("true or false")
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch("an object") }
        let unknown = members.filter { Key(stringValue: $0.name) == nil }
        guard unknown.isEmpty else {
            throw UnknownFields(path: path, names: unknown.map(\.name), isKnown: { Key(stringValue: $0) != nil })
        }
        return KeyedDecodingContainer(ObjectContainer<Key>(members: members, path: path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch("a list") }
        return ArrayContainer(elements: elements, path: path)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try bool() }
    func decode(_ type: String.Type) throws -> String { try string() }
    func decode(_ type: Double.Type) throws -> Double { throw mismatch("something else") }
    func decode(_ type: Float.Type) throws -> Float { throw mismatch("something else") }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
}

private struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [JSONValue.Member]
    let path: [any CodingKey]

    var codingPath: [any CodingKey] { path }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    func value(_ key: Key) -> JSONValue? { members.first { $0.name == key.stringValue }?.value }

    func decoder(_ key: Key) throws -> ValueDecoder {
        guard let value = value(key) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: path, debugDescription: "is needed"))
        }
        return ValueDecoder(value: value, path: path + [key])
    }

    func contains(_ key: Key) -> Bool { value(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { value(key) == .null }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).bool() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).string() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key).integer(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(key).integer(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(key).integer(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(key).integer(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key).integer(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(key).integer(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(key).integer(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(key).integer(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(key).integer(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { ValueDecoder(value: .object(members), path: path) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct ArrayContainer: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let path: [any CodingKey]
    var currentIndex = 0

    init(elements: [JSONValue], path: [any CodingKey]) {
        self.elements = elements
        self.path = path
    }

    var codingPath: [any CodingKey] { path }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func next() throws -> ValueDecoder {
        guard currentIndex < elements.count else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "has too few elements"))
        }
        defer { currentIndex += 1 }
        return ValueDecoder(value: elements[currentIndex], path: path + [IndexKey(currentIndex)])
    }

    mutating func decodeNil() throws -> Bool {
        guard currentIndex < elements.count, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}
