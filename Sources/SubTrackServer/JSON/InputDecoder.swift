import Foundation
import SubTrackAPI

/// Reads an operation's input from JSON, a path and a query, and names its faults in the words of the sender.
///
/// Beyond `Decodable` it refuses names that the type does not have, and it takes texts from a path or query for numbers
/// and booleans. It reads an input once. It notes the fault of a member, gives the type a ``Placeholder``, and the type
/// goes on to the next member. Time is bounded by the input's size.
enum InputDecoder {
    /// How many faults are told at the most.
    static let maximumFaults = 20
    /// How much of a name is repeated to its sender, in Unicode scalars.
    static let shownName = 100

    /// Reads a value.
    /// - Parameter value: an object with the operation's fields.
    /// - Throws: ``SubTrackAPI/Problem`` with the fields that are wrong.
    static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
        let faults = FoundFaults()
        let decoder = ValueDecoder(value: value, place: .input, faults: faults)
        do {
            // A type without fields asks for no container, which is where unknown names are refused otherwise.
            if MemoryLayout<Value>.size == 0 { _ = try decoder.container(keyedBy: NoKey.self) }
            let decoded = try decoder.decode(type)
            if faults.all.isEmpty { return decoded }
        } catch let error as DecodingError {
            try? faults.note([fault(error)])
        } catch is FoundFaults.Enough {
            // Known faults are named.
        }
        throw Problem.input(faults.all)
    }

    /// A decoding error as the fault of a field.
    fileprivate static func fault(_ error: DecodingError) -> FieldProblem {
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
        return FieldProblem(field: path(place), code: code, message: message)
    }

    static func path(_ codingPath: [any CodingKey]) -> String {
        codingPath.map { key in key.intValue.map(String.init) ?? key.stringValue.excerpt(shownName) }
            .joined(separator: ".")
    }
}

/// The faults of one input, in the order in which they were found. It never leaves the call that reads the input.
private final class FoundFaults {
    /// Thrown to end the reading: enough faults are known, or nothing can stand for a faulty member.
    struct Enough: Error {}

    private(set) var all: [FieldProblem] = []

    /// Notes faults.
    /// - Throws: ``Enough`` when there are as many as are told.
    func note(_ faults: [FieldProblem]) throws(Enough) {
        all += faults.prefix(InputDecoder.maximumFaults - all.count)
        if all.count >= InputDecoder.maximumFaults { throw Enough() }
    }
}

/// The place of a value in an input. It becomes a path only where there is a fault.
private indirect enum Place {
    case input
    case member(Place, any CodingKey)
    case element(Place, Int)

    var path: [any CodingKey] {
        switch self {
        case .input: []
        case .member(let parent, let key): parent.path + [key]
        case .element(let parent, let index): parent.path + [IndexKey(index)]
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

/// A name as it was sent.
private struct SentKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
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
    let place: Place
    let faults: FoundFaults

    var codingPath: [any CodingKey] { place.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func malformed(_ message: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
    }

    func mismatch(_ wanted: String) -> DecodingError {
        switch value {
        case .null: return malformed("must not be null")
        case .unfit(let reason): return malformed(reason)
        default: break
        }
        return .typeMismatch(
            Any.self, .init(codingPath: codingPath, debugDescription: "must be \(wanted), is \(value.kind)"))
    }

    /// A member or element of the value.
    func part(_ value: JSONValue, _ place: Place) -> ValueDecoder {
        ValueDecoder(value: value, place: place, faults: faults)
    }

    /// Returns the value that `read` reads. Where the input has a fault, the decoder notes it and goes on with a stand-in.
    func orPlaceholder<Value: Decodable>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as DecodingError {
            try faults.note([InputDecoder.fault(error)])
            do { return try Placeholder.value(of: Value.self) } catch { throw FoundFaults.Enough() }
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == UUID.self {
            guard let text = try? string(), let id = UUID(uuidString: text), let id = id as? Value else {
                throw malformed("must be a UUID: 8-4-4-4-12 hexadecimal digits")
            }
            return id
        }
        // By its own coding such a value tries one type after the other, and each failure makes an error.
        if type == AnyJSON.self, let any = try anything() as? Value { return any }
        if type == [String: AnyJSON].self, let members = try anyMembers() as? Value { return members }
        do {
            let known = faults.all.count
            let decoded = try type.init(from: self)
            if case .object(let members) = value, let ruled = type as? any FieldRules.Type {
                try check(members, by: ruled.fieldRules, known: known)
            }
            return decoded
        } catch DecodingError.dataCorrupted(let context) where context.debugDescription.hasPrefix("Cannot initialize") {
            // Swift's message for a text that is not a case of an enumeration.
            let names = Self.cases(of: type)
            let list = names.isEmpty ? "the documented values" : names.joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                .init(codingPath: context.codingPath, debugDescription: "must be one of \(list)"))
        }
    }

    /// Notes which members break a rule, but for those whose faults are known.
    /// - Parameter known: how many faults were known before the object was read.
    private func check(_ members: [JSONValue.Member], by rules: [String: FieldRule], known: Int) throws {
        let broken = FieldRuleCheck.faults(of: members, by: rules, path: InputDecoder.path(codingPath))
        guard !broken.isEmpty else { return }
        let faulty = faults.all[known...].map(\.field)
        try faults.note(
            broken.filter { fault in !faulty.contains { $0 == fault.field || $0.hasPrefix("\(fault.field).") } })
    }

    private static func cases(of type: Any.Type) -> [String] {
        func names<Cases: CaseIterable>(_ type: Cases.Type) -> [String] { type.allCases.map { "\($0)" } }
        return (type as? any CaseIterable.Type).map { names($0) } ?? []
    }

    private func anything() throws -> AnyJSON {
        switch value {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .string(let text), .text(let text): .string(text)
        case .decimal: throw mismatch("a whole number, or an amount in quotation marks such as \"17.99\"")
        case .unfit: throw mismatch("a value")
        case .array(let elements):
            .array(try elements.indices.map { try part(elements[$0], .element(place, $0)).anything() })
        case .object(let members):
            .object(
                try members.reduce(into: [:]) { all, member in
                    all[member.name] = try part(member.value, .member(place, SentKey(member.name))).anything()
                })
        }
    }

    private func anyMembers() throws -> [String: AnyJSON] {
        guard case .object(let members) = value else { throw mismatch("an object") }
        var all: [String: AnyJSON] = [:]
        all.reserveCapacity(members.count)
        for member in members {
            let part = part(member.value, .member(place, SentKey(member.name)))
            all[member.name] = try orPlaceholder { try part.anything() }
        }
        return all
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
            guard let number = Value(text), text.utf8.first != UInt8(ascii: "+") else {
                throw mismatch("a whole number")
            }
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
        let unknown = members.lazy.filter { Key(stringValue: $0.name) == nil }.prefix(InputDecoder.maximumFaults)
        for member in unknown {
            let field = InputDecoder.path(codingPath + [SentKey(member.name)])
            try faults.note([FieldProblem(field: field, code: .unknown, message: "there is no such field")])
        }
        return KeyedDecodingContainer(ObjectContainer<Key>(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch("a list") }
        return ArrayContainer(decoder: self, elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        if case .null = value { true } else { false }
    }
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
    let decoder: ValueDecoder
    let members: [JSONValue.Member]
    /// Where names stand, so that many are found in as many steps; empty for few.
    private let indices: [String: Int]

    init(decoder: ValueDecoder, members: [JSONValue.Member]) {
        self.decoder = decoder
        self.members = members
        guard members.count > 16 else {
            indices = [:]
            return
        }
        indices = Dictionary(zip(members.map(\.name), members.indices)) { first, _ in first }
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    func value(_ key: Key) -> JSONValue? {
        let name = key.stringValue
        guard indices.isEmpty else { return indices[name].map { members[$0].value } }
        return members.first { $0.name == name }?.value
    }

    func part(_ key: Key) throws -> ValueDecoder {
        guard let value = value(key) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "is needed"))
        }
        return decoder.part(value, .member(decoder.place, key))
    }

    func contains(_ key: Key) -> Bool { value(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool {
        if case .null? = value(key) { true } else { false }
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.orPlaceholder { try part(key).decode(type) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try part(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try part(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try part(key) }
}

private struct ArrayContainer: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let elements: [JSONValue]
    var currentIndex = 0

    init(decoder: ValueDecoder, elements: [JSONValue]) {
        self.decoder = decoder
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func next() throws -> ValueDecoder {
        guard currentIndex < elements.count else { throw decoder.malformed("has too few elements") }
        defer { currentIndex += 1 }
        return decoder.part(elements[currentIndex], .element(decoder.place, currentIndex))
    }

    mutating func decodeNil() throws -> Bool {
        guard currentIndex < elements.count, case .null = elements[currentIndex] else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let part = try next()
        return try decoder.orPlaceholder { try part.decode(type) }
    }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}
