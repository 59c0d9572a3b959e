import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

extension DeclaredEntity: ChangeableEntity {
    func id(_ text: String, of user: UserID) -> String? { UUID(uuidString: text)?.uuidString.lowercased() }

    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot? {
        guard let id = UUID(uuidString: id) else { return nil }
        return try await find(id, of: try call.requireSession().user, on: connection).map(snapshot)
    }

    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange {
        guard let id = UUID(uuidString: change.mutation.id) else {
            throw Problem.input("id", .malformed, "must be a UUID: 8-4-4-4-12 hexadecimal digits")
        }
        guard [.create, .update, .delete, .restore].contains(change.op) else {
            throw Problem.input("op", .range, "of a \(name) there are create, update, delete and restore")
        }
        let before = try await find(id, of: change.user, on: connection)
        var edit = DeclaredEdit(change.fields, to: change.op == .create ? nil : before?.row, of: declaration)
        var lost: [LostField] = []
        if change.op == .update, let before {
            // A part that its sender knew, and that is not there, was removed by somebody else.
            (edit.fields, lost) = change.split(
                snapshot(before), fields: edit.fields,
                group: { path in
                    edit.part(at: path).map { _ in FieldGroup(rawValue: path) }
                        ?? declaration.fields.first { $0.name == path && !$0.isImmutable }.map {
                            FieldGroup(rawValue: $0.group)
                        }
                }, isTaken: { !isThere($0, in: before) && edit.fields[$0] != .null && !edit.added.contains($0) })
        }
        try await make(change.op, id, before, &edit, change.call, on: connection)
        let after = try await find(id, of: change.user, on: connection)
        return AppliedChange(before: before.map(snapshot), after: after.map(snapshot), lost: lost)
    }

    private func isThere(_ path: String, in row: Row) -> Bool {
        !path.contains(".") || row.groups[FieldGroup(rawValue: path)] != nil
    }

    /// A row of a user, deleted or not.
    func find(_ id: UUID, of user: UserID, on connection: Connection) async throws -> Row? {
        try await read(of: user, where: "r.\(key) = \(id)", on: connection).first
    }

    private func snapshot(_ row: Row) -> RowSnapshot {
        var values = row.row
        for list in declaration.parts {
            for (path, members) in DeclaredEdit.parts(list, of: row.row) {
                values[path] = .object(members.filter { $0.key != "id" })
            }
        }
        return RowSnapshot(
            id: row.idText, version: row.version, groups: row.groups,
            row: row.isDeleted ? nil : try? OutputEncoder.encode(AnyJSON.object(row.row)), values: values)
    }

    // MARK: The change itself

    /// Makes a change, in a transaction that has the user's scope locked.
    /// - Parameters:
    ///   - before: the row as it is.
    ///   - edit: the changed fields of a creation and an update.
    /// - Throws: a problem, when the change is refused.
    func make(
        _ op: PushChanges.Mutation.Op, _ id: UUID, _ before: Row?, _ edit: inout DeclaredEdit, _ call: Call,
        on connection: Connection
    ) async throws {
        let user = try call.requireSession().user
        let unknown = Problem(.notFound, "There is no such \(name).")
        switch op {
        case .create:
            if let before {
                // Two devices that read one file give its rows the same ids.
                try checked(&edit)
                guard before.isDeleted || edit.applied() != before.row else { return }
                return try await meet(
                    before, edit, DeclaredWrites(entity: self, user: user, id: id), call, on: connection)
            }
            try await limit.check(call.tenant.limits, of: user, on: connection)
            let writes = DeclaredWrites(entity: self, user: user, id: try InputID.checked(id))
            try checked(&edit)
            try await writes.insert(edit, call, on: connection)
        case .update:
            guard let before, !before.isDeleted else { throw unknown }
            try checked(&edit)
            try await DeclaredWrites(entity: self, user: user, id: id).update(edit, call, on: connection)
        case .delete:
            guard let before else { throw unknown }
            // Two devices deleted it: both are served.
            guard !before.isDeleted else { return }
            try await DeclaredWrites(entity: self, user: user, id: id).setDeleted(true, on: connection)
            try await call.tenant.limits.boundTombstones(of: user, on: connection)
        default:
            guard let before else { throw unknown }
            guard before.isDeleted else { return }
            try await limit.check(call.tenant.limits, of: user, on: connection)
            try await DeclaredWrites(entity: self, user: user, id: id).setDeleted(false, on: connection)
        }
    }

    /// Does the work of a creation that meets a row of its id.
    /// - Throws: `id_taken`.
    private func meet(
        _ row: Row, _ edit: DeclaredEdit, _ writes: DeclaredWrites, _ call: Call, on connection: Connection
    ) async throws {
        let isSame = declaration.fields.allSatisfy { !$0.isImmutable || edit.fields[$0.name] == row.row[$0.name] }
        switch declaration.twin {
        case .kept where isSame:
            if row.isDeleted { try await writes.setDeleted(false, on: connection) }
        case .completed where isSame:
            let missing = edit.fields.filter { row.row[$0.key] == .null && $0.value != .null }
            guard !row.isDeleted, !missing.isEmpty else { return }
            var filling = DeclaredEdit(missing, to: row.row, of: declaration)
            try checked(&filling)
            try await writes.update(filling, call, on: connection)
        case .kept, .completed, .refused: throw Problem(.idTaken, "There is a \(name) of this id already.")
        }
    }

    /// Holds a change to the declaration and the rules.
    /// - Throws: `input_invalid` with all faults.
    func checked(_ edit: inout DeclaredEdit) throws {
        let faults = check(try edit.check())
        guard faults.isEmpty else { throw Problem.input(edit.told(faults)) }
    }
}
