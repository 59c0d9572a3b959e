import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

extension DeclaredEntity {
    /// Makes a change by a direct operation, whose fields are those of the row.
    /// - Parameter id: the row's id; nil: a new one.
    /// - Returns: the row as it is afterwards.
    func change<Definition: SubTrackAPI.Operation>(
        _ op: PushChanges.Mutation.Op, _ id: UUID?, _ input: Definition, _ call: Call
    ) async throws -> Reply<Definition.Output> where Definition.Output: Versioned {
        try await call.write(input) { connection in
            let row = try await perform(op, id ?? UUIDv7.make(now: call.now), input, call, on: connection)
            return .row(try answer(row, as: Definition.Output.self))
        }
    }

    /// Deletes a row by a direct operation.
    func delete<Definition: SubTrackAPI.Operation>(
        _ id: UUID, _ input: Definition, _ call: Call
    ) async throws -> Reply<Empty> where Definition.Output == Empty {
        try await call.write(input) { connection in
            _ = try await perform(.delete, id, input, call, on: connection)
            return Reply(Empty())
        }
    }

    /// A row of the caller's, as an operation answers it.
    /// - Throws: `not_found`.
    func get<Output: Codable & Versioned>(_ id: UUID, _ call: Call) async throws -> Reply<Output> {
        let user = try call.requireSession().user
        let row = try await call.tenant.read { try await find(id, of: user, on: $0) }
        return .row(try answer(row.flatMap { $0.isDeleted ? nil : $0 }, as: Output.self))
    }

    private func perform(
        _ op: PushChanges.Mutation.Op, _ id: UUID, _ input: some Encodable, _ call: Call, on connection: Connection
    ) async throws -> Row? {
        let user = try call.requireSession().user
        let before = try await find(id, of: user, on: connection)
        if let before, op != .create, !call.ifMatch.allows(before.version) {
            throw Problem.stale(before.answer)
        }
        var fields: [String: AnyJSON] = [:]
        if case .object(let members) = try AnyJSON(encoding: input) { fields = members.filter { $0.key != "id" } }
        var edit = DeclaredEdit(fields, to: op == .create ? nil : before?.row, of: declaration)
        try await make(op, id, before, &edit, call, on: connection)
        return try await find(id, of: user, on: connection)
    }

    private func answer<Output: Decodable>(_ row: Row?, as type: Output.Type) throws -> Output {
        guard let row else { throw Problem(.notFound, "There is no such \(name).") }
        return try row.answer.decoded(as: type)
    }
}
