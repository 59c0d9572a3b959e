import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// A declared row as it stands on this device.
public struct TrackedRow<Row: DeclaredRow>: Sendable, Hashable, Identifiable {
    /// The row's id.
    public var id: UUID
    /// The row.
    public var row: Row
    /// Whether something of it waits to be sent.
    public var isPending: Bool
}

/// Rows of any declared kind. Changes are checked here by the declaration, are here at once, and wait to be sent.
extension Kit {
    /// All rows of a kind in the order of their ids.
    public func rows<Row: DeclaredRow>(_ type: Row.Type) throws -> [TrackedRow<Row>] {
        try store.read { try Self.rows(type, isDeleted: false, in: $0) }
    }

    /// A row; nil when there is none of this id.
    public func row<Row: DeclaredRow>(_ type: Row.Type, _ id: UUID) throws -> TrackedRow<Row>? {
        try store.read { database in
            try DeclaredRows.entries(of: type.declaration, ids: [id.lowercased], in: database).first
                .flatMap { $0.isDeleted ? nil : TrackedRow($0) }
        }
    }

    /// The rows of a kind that were deleted and can be restored.
    public func deletedRows<Row: DeclaredRow>(_ type: Row.Type) throws -> [TrackedRow<Row>] {
        try store.read { try Self.rows(type, isDeleted: true, in: $0) }
    }

    /// All rows of a kind, and again whenever they have become others.
    public func rowUpdates<Row: DeclaredRow>(_ type: Row.Type) -> AsyncThrowingStream<[TrackedRow<Row>], any Error> {
        updates { _, database in try Self.rows(type, isDeleted: false, in: database) }
    }

    /// All faults of a row that can be told on this device, each ``KitError/invalid(field:message:)``.
    /// - Parameter id: the id of the row that it takes the place of; nil: it is a new one.
    /// - Throws: ``KitError/unknown(_:)``, ``KitError/store(_:)``.
    public func faults<Row: DeclaredRow>(of row: Row, id: UUID? = nil) throws -> [KitError] {
        try store.read { database in
            let held = try id.map { try entry(Row.declaration, $0, in: database).row }
            return try Self.examined(Self.members(of: row), to: held, of: Row.declaration).faults
                .map { .invalid(field: $0.field, message: $0.message) }
        }
    }

    /// Adds a row.
    /// - Returns: its id.
    /// - Throws: ``KitError/invalid(field:message:)``, ``KitError/store(_:)``.
    @discardableResult
    public func add<Row: DeclaredRow>(_ row: Row, id: UUID? = nil) throws -> UUID {
        try store.write { try add(row, id: id, in: $0) }
    }

    func add<Row: DeclaredRow>(_ row: Row, id: UUID?, in database: Database) throws -> UUID {
        let id = try id ?? UUID.v7(at: now(in: database))
        let fields = try Self.checked(try Self.members(of: row), to: nil, of: Row.declaration)
        try Store.enqueue(
            Row.declaration.name, id: id.lowercased, op: .create, fields: fields, today: try today(in: database),
            in: database)
        return id
    }

    /// Makes a row another one. Only the differences are sent: fields and parts that others change meanwhile stay theirs.
    /// - Throws: ``KitError/invalid(field:message:)``, ``KitError/unknown(_:)``, ``KitError/store(_:)``.
    public func save<Row: DeclaredRow>(_ row: Row, id: UUID) throws {
        try store.write { try save(row, id: id, in: $0) }
    }

    func save<Row: DeclaredRow>(_ row: Row, id: UUID, in database: Database) throws {
        let held = try entry(Row.declaration, id, in: database)
        let wanted = try Self.checked(try Self.members(of: row), to: held.row, of: Row.declaration)
        let fields = DeclaredEdit.difference(from: held.row, to: wanted, of: Row.declaration)
        guard !fields.isEmpty else { return }
        try Store.enqueue(
            Row.declaration.name, id: id.lowercased, op: .update, fields: fields, today: try today(in: database),
            in: database)
    }

    /// Deletes a row.
    public func delete<Row: DeclaredRow>(_ type: Row.Type, _ id: UUID) throws {
        try store.write { database in
            _ = try entry(type.declaration, id, in: database)
            try Store.enqueue(
                type.declaration.name, id: id.lowercased, op: .delete, today: try today(in: database), in: database)
        }
    }

    /// Brings a deleted row back.
    public func restore<Row: DeclaredRow>(_ type: Row.Type, _ id: UUID) throws {
        try store.write { database in
            let held = try DeclaredRows.entries(of: type.declaration, ids: [id.lowercased], in: database).first
            guard held?.isDeleted != false else { return }
            try Store.enqueue(
                type.declaration.name, id: id.lowercased, op: .restore, today: try today(in: database), in: database)
        }
    }

    private static func rows<Row: DeclaredRow>(
        _ type: Row.Type, isDeleted: Bool, in database: Database
    ) throws -> [TrackedRow<Row>] {
        try DeclaredTexts(of: type.declaration, isDeleted: isDeleted, in: database).rows(type, in: database)
    }

    /// A row as it stands here.
    private func entry(
        _ declaration: EntityDeclaration, _ id: UUID, in database: Database
    ) throws -> DeclaredRows.Entry {
        let entry = try DeclaredRows.entries(of: declaration, ids: [id.lowercased], in: database).first
        guard let entry, !entry.isDeleted else {
            throw KitError.unknown("there is no such \(declaration.name) on this device")
        }
        return entry
    }

    /// The members of a row, each by its name: what its type leaves out is null.
    private static func members<Row: DeclaredRow>(of row: Row) throws -> [String: AnyJSON] {
        guard case .object(var members) = try AnyJSON(encoding: row) else { return [:] }
        for field in Row.declaration.fields where field.isOptional && members[field.name] == nil {
            members[field.name] = .null
        }
        return members
    }

    /// The row that a change makes, as the service would store it.
    private static func checked(
        _ fields: [String: AnyJSON], to row: [String: AnyJSON]?, of declaration: EntityDeclaration
    ) throws -> [String: AnyJSON] {
        let (changed, faults) = try examined(fields, to: row, of: declaration)
        if let fault = faults.first { throw KitError.invalid(field: fault.field, message: fault.message) }
        return changed
    }

    /// The row that a change makes, and its faults.
    private static func examined(
        _ fields: [String: AnyJSON], to row: [String: AnyJSON]?, of declaration: EntityDeclaration
    ) throws -> (row: [String: AnyJSON], faults: [FieldProblem]) {
        var edit = DeclaredEdit(fields, to: row, of: declaration)
        do {
            let changed = try edit.check()
            return (changed, RowRules.faults(declaration.name, changed))
        } catch let problem as Problem {
            let found = problem.errors ?? [.init(field: "", code: .malformed, message: problem.detail)]
            let changed = edit.applied()
            let known = Set(found.map(\.field))
            return (changed, found + RowRules.faults(declaration.name, changed).filter { !known.contains($0.field) })
        }
    }
}
