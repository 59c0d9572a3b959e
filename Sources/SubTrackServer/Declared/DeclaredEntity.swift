import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A kind of row whose statements follow from its declaration. Its rows are in the scopes of their users.
///
/// The triggers that track changes are written from the same declaration (`script/generate-sql`). Rules that only SQL can
/// keep stand beside them, as second triggers of the same events.
struct DeclaredEntity: SyncedEntity {
    /// Values that stay with a row and that clients do not see.
    struct Beside: Sendable {
        /// Columns of the row's table.
        var columns: [String] = []
        /// Tables whose rows belong to the row, each with its columns beside the row's key. They go with the row by a trigger.
        var tables: [(name: String, columns: [String])] = []
    }

    let declaration: EntityDeclaration
    /// The values that clients do not see.
    let beside: Beside
    /// The faults of a row that no single field shows.
    let check: @Sendable (_ row: [String: AnyJSON]) -> [FieldProblem]

    /// A declared kind.
    /// - Parameter check: the faults of a row; nil: by ``RowRules``.
    init<Row: DeclaredRow>(
        _ type: Row.Type, beside: Beside = Beside(),
        check: (@Sendable (_ row: [String: AnyJSON]) -> [FieldProblem])? = nil
    ) {
        let name = type.declaration.name
        declaration = type.declaration
        self.beside = beside
        self.check = check ?? { RowRules.faults(name, $0) }
    }

    var name: String { declaration.name.rawValue }
    var number: EntityNumber { EntityNumber(integerLiteral: declaration.number) }

    /// The names of the declaration are literals of the program, never input.
    static func sql(_ name: String) -> SQL { SQL(unsafeText: name) }
    var table: SQL { Self.sql(declaration.table) }
    var key: SQL { Self.sql(declaration.key) }

    func text(ofID id: [UInt8]) -> String { ChangeKey.uuid(id) }

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard range.scope.isUser else { return [] }
        return [
            KeyPart(
                select: """
                    SELECT Ver, \(number.rank) AS Kind, \(key) AS Row_ID, Ver AS Row_ver FROM \(table)
                    WHERE User_ID = \(range.scope.id) AND Ver >= \(range.first) AND Ver <= \(range.head)
                      AND Deleted_at IS NULL AND \(range.isBehind("Ver", rank: number.rank, id: key))
                    """)
        ]
    }

    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        let versions = keys.map(\.rowVersion)
        guard scope.isUser, let first = versions.min(), let last = versions.max() else { return [:] }
        let rows = try await read(
            of: UserID(uuid: scope.id.uuid), where: "r.Ver >= \(first) AND r.Ver <= \(last) AND r.Deleted_at IS NULL",
            on: connection)
        return Dictionary(try rows.map { ($0.idBytes, try OutputEncoder.encode(AnyJSON.object($0.row))) }) { $1 }
    }

    // MARK: Rows

    /// A row with its parts, as the database has it.
    struct Row: Sendable {
        let id: UUID
        let version: Int64
        let isDeleted: Bool
        /// The versions of the merge groups. Each part is one.
        var groups: [FieldGroup: Int64]
        /// The row as clients hold it.
        var row: [String: AnyJSON]

        var idText: String { id.uuidString.lowercased() }
        var idBytes: [UInt8] { withUnsafeBytes(of: id.uuid) { Array($0) } }
        /// The row as operations answer it.
        var answer: AnyJSON { .object(row.merging(["id": .string(idText), "version": .integer(version)]) { $1 }) }
    }

    /// Some rows of a user: a statement for the rows, and one for each list of parts.
    /// - Parameter condition: on the columns of `r`, the row.
    func read(of user: UserID, where condition: SQL, on connection: Connection) async throws -> [Row] {
        let groups = declaration.groups
        let columns = groups.map(EntityDeclaration.versionColumn) + declaration.fields.map(\.column)
        let found = try await connection.query(
            """
            SELECT r.\(key), r.Ver, r.Deleted_at IS NOT NULL, \(SQL.joined(columns.map { "r.\(Self.sql($0))" }))
            FROM \(table) r WHERE r.User_ID = \(user.uuid) AND \(condition)
            """)
        var rows: [Row] = []
        var places: [UUID: Int] = [:]
        for row in found {
            let id = try row.decode(UUID.self, at: 0)
            places[id] = rows.count
            var versions: [FieldGroup: Int64] = [:]
            for (index, group) in groups.enumerated() {
                versions[FieldGroup(rawValue: group)] = try row.decode(Int64.self, at: 3 + index)
            }
            rows.append(
                Row(
                    id: id, version: try row.decode(Int64.self, at: 1), isDeleted: try row.decode(Bool.self, at: 2),
                    groups: versions, row: try Self.values(declaration.fields, row, from: 3 + groups.count)))
        }
        for list in declaration.parts where !rows.isEmpty {
            for index in rows.indices { rows[index].row[list.name] = .array([]) }
            let columns = [list.key, "Ver"] + list.fields.map(\.column)
            let found = try await connection.query(
                """
                SELECT r.\(key), \(SQL.joined(columns.map { "p.\(Self.sql($0))" }))
                FROM \(table) r JOIN \(Self.sql(list.table)) p ON p.User_ID = r.User_ID AND p.\(key) = r.\(key)
                WHERE r.User_ID = \(user.uuid) AND \(condition) ORDER BY r.\(key), p.\(Self.sql(list.key))
                """)
            for part in found {
                guard let index = places[try part.decode(UUID.self, at: 0)] else { continue }
                let id = try part.decode(UUID.self, at: 1).uuidString.lowercased()
                rows[index].groups[FieldGroup(rawValue: "\(list.name).\(id)")] = try part.decode(Int64.self, at: 2)
                var values = try Self.values(list.fields, part, from: 3)
                values["id"] = .string(id)
                guard case .array(let parts)? = rows[index].row[list.name] else { continue }
                rows[index].row[list.name] = .array(parts + [.object(values)])
            }
        }
        return rows
    }

    /// The values of some fields, each in a column of a row.
    private static func values(
        _ fields: [EntityField], _ row: MariaDB.Row, from first: Int
    ) throws -> [String: AnyJSON] {
        var values: [String: AnyJSON] = [:]
        for (index, field) in fields.enumerated() {
            let column = first + index
            let value: AnyJSON? =
                switch field.kind {
                case .text: try row.decode(String?.self, at: column).map { .string($0) }
                case .integer: try row.decode(Int64?.self, at: column).map { .integer($0) }
                case .flag: try row.decode(Bool?.self, at: column).map { .bool($0) }
                case .day: try row.decode(CalendarDate?.self, at: column).map { .string($0.description) }
                case .id: try row.decode(UUID?.self, at: column).map { .string($0.uuidString.lowercased()) }
                }
            values[field.name] = value ?? .null
        }
        return values
    }
}
