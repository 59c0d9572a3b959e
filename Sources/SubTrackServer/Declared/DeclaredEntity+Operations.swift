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

    /// Adds a row under an id, or makes the one that has it the same. A list of parts that is not named is empty.
    /// - Throws: `status_conflict` for another value of a field that never changes, `id_taken` for a deleted row.
    func put<Definition: SubTrackAPI.Operation>(
        _ id: UUID, _ input: Definition, _ call: Call
    ) async throws -> Reply<Definition.Output> where Definition.Output: Versioned {
        try await call.write(input) { connection in
            let before = try await find(id, of: try call.requireSession().user, on: connection)
            guard before?.isDeleted != true else {
                throw Problem(.idTaken, "The \(name) of this id was deleted; restore it, or take another id.")
            }
            guard before != nil || call.ifMatch == .any else {
                throw Problem(.notFound, "There is no such \(name).")
            }
            var fields = try fields(of: input)
            for field in declaration.fields where fields[field.name] == nil { fields[field.name] = field.initial }
            for list in declaration.parts where fields[list.name] == nil { fields[list.name] = .array([]) }
            do {
                let row = try await perform(before == nil ? .create : .update, id, before, fields, call, on: connection)
                return .row(try answer(row, as: Definition.Output.self))
            } catch let problem as Problem where problem.code == .inputInvalid && before != nil {
                let fixed = declaration.fields.filter(\.isImmutable).map(\.name)
                let changed = (problem.errors ?? []).filter { $0.code == .conflict && fixed.contains($0.field) }
                guard !changed.isEmpty, changed.count == problem.errors?.count else { throw problem }
                throw Problem(
                    .statusConflict, "The \(name) of this id has another \(changed[0].field), which never changes.",
                    errors: changed)
            }
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
        let before = try await find(id, of: try call.requireSession().user, on: connection)
        return try await perform(op, id, before, try fields(of: input), call, on: connection)
    }

    private func perform(
        _ op: PushChanges.Mutation.Op, _ id: UUID, _ before: Row?, _ fields: [String: AnyJSON], _ call: Call,
        on connection: Connection
    ) async throws -> Row? {
        if let before, op != .create, !call.ifMatch.allows(before.version) {
            throw Problem.stale(before.answer)
        }
        var edit = DeclaredEdit(fields, to: op == .create ? nil : before?.row, of: declaration)
        try await make(op, id, before, &edit, call, on: connection)
        return try await find(id, of: try call.requireSession().user, on: connection)
    }

    /// The fields of an operation's input, without the id.
    private func fields(of input: some Encodable) throws -> [String: AnyJSON] {
        guard case .object(let members) = try AnyJSON(encoding: input) else { return [:] }
        return members.filter { $0.key != "id" }
    }

    /// A row as an operation answers it.
    /// - Throws: `not_found`.
    func answer<Output: Decodable>(_ row: Row?, as type: Output.Type) throws -> Output {
        guard let row else { throw Problem(.notFound, "There is no such \(name).") }
        return try row.answer.decoded(as: type)
    }
}
