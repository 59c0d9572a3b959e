import Foundation
import Passwords
import SubTrackAPI

/// A change of a push as it came. One that cannot be read is refused alone, under its key.
struct ReceivedChange: Sendable {
    /// The change. Of one that cannot be read it has the key, and those of `entity`, `id`, `op` and `after` that can be.
    let mutation: PushChanges.Mutation
    /// Why the change cannot be read; nil: it can be.
    let fault: Problem?
    /// A hash of the change without its base. The identity of a change does not depend on its sender's knowledge.
    let identity: [UInt8]

    /// The key under which the answer is stored.
    var key: IdempotencyKey { IdempotencyKey(mutation.key) }

    /// Reads a change.
    /// - Parameter place: the place of the change in the input.
    /// - Throws: `input_invalid` for a change without a key: no answer could name it.
    init(_ value: JSONValue, at place: String) throws {
        guard case .object(let members) = value else {
            throw Problem.input(place, .malformed, "must be an object, is \(value.kind)")
        }
        switch Result(catching: { try InputDecoder.decode(PushChanges.Mutation.self, from: value) }) {
        case .success(let read):
            mutation = read
            fault = nil
            // Members in the order of their names, not in the order of the request.
            let said = AnyJSON.object([
                "entity": .string(read.entity), "id": .string(read.id), "op": .string(read.op),
                "fields": .object(read.fields ?? [:]),
            ])
            identity = try Self.hash(said, domain: 0)
        case .failure(let error):
            guard let problem = error as? Problem else { throw error }
            mutation = try Self.readable(members, at: place)
            fault = Self.ofFields(problem)
            let said = members.filter { ["entity", "id", "op", "fields"].contains($0.name) }
            identity = try Self.hash(Self.text(of: .object(said)), domain: 1)
        }
    }

    /// The members that can be read.
    private static func readable(_ members: [JSONValue.Member], at place: String) throws -> PushChanges.Mutation {
        func text(_ name: String) -> String? {
            guard case .string(let text)? = members.first(where: { $0.name == name })?.value else { return nil }
            return text
        }
        guard members.contains(where: { $0.name == "key" }) else {
            throw Problem.input("\(place).key", .required, "is needed")
        }
        guard let key = text("key").flatMap(UUID.init(uuidString:)) else {
            throw Problem.input("\(place).key", .malformed, "must be a UUID: 8-4-4-4-12 hexadecimal digits")
        }
        // The engine finds no entity and no op of an empty name.
        var mutation = PushChanges.Mutation(
            key: key, entity: .me, id: text("id") ?? "", op: .update,
            after: text("after").flatMap(UUID.init(uuidString:)))
        mutation.entity = text("entity") ?? ""
        mutation.op = text("op") ?? ""
        return mutation
    }

    /// Faults by the names of the direct operation, as for a change that can be read.
    private static func ofFields(_ problem: Problem) -> Problem {
        let prefix = "fields."
        return .input(
            (problem.errors ?? []).map { fault in
                guard fault.field.hasPrefix(prefix) else { return fault }
                var fault = fault
                fault.field = String(fault.field.dropFirst(prefix.count))
                return fault
            })
    }

    private static func hash(_ value: AnyJSON, domain: UInt8) throws -> [UInt8] {
        try Digest.sha256(Array(PushChanges.name.utf8) + [domain] + OutputEncoder.encode(value))
    }

    /// A value of which ``SubTrackAPI/AnyJSON`` may have no equal, told apart from other values.
    private static func text(of value: JSONValue) -> AnyJSON {
        switch value {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .string(let text), .text(let text): .string(text)
        case .decimal(let text): .array([.null, .string(text)])
        case .unfit(let reason): .array([.null, .null, .string(reason)])
        case .array(let elements): .array(elements.map(text(of:)))
        case .object(let members):
            .object(Dictionary(members.map { ($0.name, text(of: $0.value)) }) { first, _ in first })
        }
    }
}
