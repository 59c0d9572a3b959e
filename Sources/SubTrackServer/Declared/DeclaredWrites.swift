import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements that write one declared row and its parts.
struct DeclaredWrites {
    let entity: DeclaredEntity
    let user: UserID
    let id: UUID

    private func sql(_ name: String) -> SQL { DeclaredEntity.sql(name) }
    private var isRow: SQL { "User_ID = \(user.uuid) AND \(entity.key) = \(id)" }

    /// Adds a row with its parts.
    /// - Parameter call: the call that is charged with the parts; nil: none.
    func insert(_ edit: DeclaredEdit, _ call: Call?, on connection: Connection) async throws {
        let fields = entity.declaration.fields
        try await execute(
            """
            INSERT INTO \(entity.table) (User_ID, \(entity.key), \(SQL.joined(fields.map { sql($0.column) })))
            VALUES (\(user.uuid), \(id), \(SQL.joined(fields.map { bound(edit.fields[$0.name], $0) })))
            """, on: connection)
        try await writeParts(edit, call, on: connection)
    }

    /// Writes the fields and parts that differ from the row.
    func update(_ edit: DeclaredEdit, _ call: Call?, on connection: Connection) async throws {
        let changed = entity.declaration.fields.filter { field in
            edit.fields[field.name].map { $0 != edit.row?[field.name] } ?? false
        }
        if !changed.isEmpty {
            let assignments = changed.map { assignment($0, edit.fields[$0.name]) }
            try await execute(
                "UPDATE \(entity.table) SET \(SQL.joined(assignments)) WHERE \(isRow)", on: connection)
        }
        try await writeParts(edit, call, on: connection)
    }

    /// Marks the row as deleted, or no longer.
    func setDeleted(_ isDeleted: Bool, on connection: Connection) async throws {
        let time: SQL = isDeleted ? "UTC_TIMESTAMP()" : "NULL"
        try await execute("UPDATE \(entity.table) SET Deleted_at = \(time) WHERE \(isRow)", on: connection)
    }

    private func writeParts(_ edit: DeclaredEdit, _ call: Call?, on connection: Connection) async throws {
        var count = 0
        for list in entity.declaration.parts {
            let held = DeclaredEdit.parts(list, of: edit.row)
            let paths = edit.fields.filter { edit.part(at: $0.key)?.list == list }.sorted { $0.key < $1.key }
            let isPart: (UUID) -> SQL = { "\(isRow) AND \(sql(list.key)) = \($0)" }
            var new: [SQL] = []
            for (path, value) in paths {
                guard let part = edit.part(at: path).flatMap({ UUID(uuidString: $0.id) }) else { continue }
                switch (value, held[path]) {
                case (.object(let members), nil):
                    let values = list.fields.map { bound(members[$0.name], $0) }
                    new.append("(\(user.uuid), \(id), \(part), \(SQL.joined(values)))")
                case (.object(let members), let former?):
                    let changed = list.fields.filter { field in
                        members[field.name].map { $0 != former[field.name] } ?? false
                    }
                    guard !changed.isEmpty else { continue }
                    let assignments = changed.map { assignment($0, members[$0.name]) }
                    try await execute(
                        "UPDATE \(sql(list.table)) SET \(SQL.joined(assignments)) WHERE \(isPart(part))",
                        on: connection)
                case (_, nil): continue
                default: try await execute("DELETE FROM \(sql(list.table)) WHERE \(isPart(part))", on: connection)
                }
                count += 1
            }
            guard !new.isEmpty else { continue }
            let columns = ["User_ID", entity.declaration.key, list.key] + list.fields.map(\.column)
            try await execute(
                """
                INSERT INTO \(sql(list.table)) (\(SQL.joined(columns.map(sql)))) VALUES \(SQL.joined(new))
                """, on: connection)
        }
        // Each part gives the row another version.
        if let call { try call.tenant.writes.charge(call, rows: count) }
    }

    private func assignment(_ field: EntityField, _ value: AnyJSON?) -> SQL {
        "\(sql(field.column)) = \(bound(value, field))"
    }

    /// A checked value as a bound one.
    private func bound(_ value: AnyJSON?, _ field: EntityField) -> SQL {
        switch (value, field.kind) {
        case (.string(let text)?, .id): "\(UUID(uuidString: text))"
        case (.string(let text)?, .day): "\(CalendarDate(text))"
        case (.string(let text)?, _): "\(text)"
        case (.integer(let number)?, _): "\(number)"
        case (.bool(let flag)?, _): "\(flag)"
        default: "NULL"
        }
    }

    /// Runs a statement. The refusal of a trigger is a fault of the field whose column it names. A key may be another row's.
    private func execute(_ statement: SQL, on connection: Connection) async throws {
        do {
            _ = try await connection.execute(statement)
        } catch let error as MariaDBError where error.isSignal {
            throw refusal(error.message) ?? error
        } catch let error as MariaDBError where error.isDuplicate {
            throw Problem(.idTaken, "There is a \(entity.name) already that says the same.")
        }
    }

    /// The problem of a refusal such as `Recipe_step.Minutes: must be from 0 to 600`; nil for a text of another form.
    private func refusal(_ message: String) -> Problem? {
        guard let colon = message.firstRange(of: ": "), let dot = message[..<colon.lowerBound].firstIndex(of: ".")
        else { return nil }
        let (table, column) = (message[..<dot], message[message.index(after: dot)..<colon.lowerBound])
        let tables =
            [(entity.declaration.table, "", entity.declaration.fields)]
            + entity.declaration.parts.map { ($0.table, "\($0.name).", $0.fields) }
        guard let (_, prefix, fields) = tables.first(where: { $0.0 == table }),
            let field = fields.first(where: { $0.column == column })
        else { return nil }
        return .input(prefix + field.name, .range, String(message[colon.upperBound...]))
    }
}
