/// An operation's input as JSON, and where it is decoded.
struct OperationInput: Sendable {
    /// An object with the operation's fields.
    let value: JSONValue
    /// Where a large one is decoded; nil: where it is.
    let place: LargeInputs.Place?

    /// An input whose members were read.
    init(_ members: [JSONValue.Member], at place: LargeInputs.Place?) {
        value = .object(members)
        self.place = place
    }

    /// The input of a type.
    /// - Throws: ``SubTrackAPI/Problem`` with the fields that are wrong; `unavailable` where too many large inputs wait.
    func decode<Value: Decodable & Sendable>(as type: Value.Type) async throws -> Value {
        try await read { try InputDecoder.decode(type, from: $0) }
    }

    /// The input as a function reads it.
    /// - Throws: ``SubTrackAPI/Problem`` with the fields that are wrong; `unavailable` where too many large inputs wait.
    func read<Input: Sendable>(_ reading: @escaping @Sendable (JSONValue) throws -> Input) async throws -> Input {
        guard let place else { return try reading(value) }
        return try await place.run { [value] in try reading(value) }
    }
}
