import Foundation
import MariaDB
import SubTrackAPI

/// The rows of declared kinds that an area keeps for users.
struct DeclaredData: UserData {
    let entities: [DeclaredEntity]
    let preparations: [any UserPreparation] = []

    var tables: [UserTable] {
        entities.map { entity in
            UserTable(
                name: entity.declaration.table, column: "User_ID",
                parts: entity.declaration.parts.map(\.table) + entity.beside.tables.map(\.name), merge: .covered,
                erase: .covered, export: .section(entity.plural), data: .covered)
        }
    }

    var limits: [UserLimit] { entities.map(\.limit) }

    var export: [ExportSection] {
        entities.map { entity in
            ExportSection(name: entity.plural) { export in
                let ids = try await entity.ids(of: export.session.user, isDeleted: false, on: export.connection)
                try await export.raw("[")
                for start in stride(from: 0, to: ids.count, by: Self.page) {
                    let page = Array(ids[start..<min(start + Self.page, ids.count)])
                    let rows = try await entity.read(
                        of: export.session.user, where: "r.\(entity.key) IN (\(list: page))", on: export.connection)
                    for (index, row) in rows.enumerated() {
                        if start + index > 0 { try await export.raw(",") }
                        try await export.put(row.answer)
                    }
                }
                try await export.raw("]")
            }
        }
    }

    /// How many rows are read, moved or removed at once.
    private static let page = 200

    /// Moves the rows, deleted ones left out. Of two rows of one id the other user's stays.
    func merge(
        _ merge: UserMerge, into merged: inout CreateSession.Merged, on connection: Connection
    ) async throws {
        for entity in entities {
            try await entity.limit.check(merge.limits, merging: merge.former, into: merge.user, on: connection)
            let theirs = Set(try await entity.ids(of: merge.user, on: connection))
            let ids = try await entity.ids(of: merge.former, isDeleted: false, on: connection)
                .filter { !theirs.contains($0) }
            for start in stride(from: 0, to: ids.count, by: Self.page) {
                let page = Array(ids[start..<min(start + Self.page, ids.count)])
                try await entity.copy(page, from: merge.former, to: merge.user, on: connection)
            }
            while try await entity.remove(merge.former, limit: UserMerge.batch, on: connection) == UserMerge.batch {}
        }
    }

    func erase(_ user: UserID, upTo limit: Int, on connection: Connection) async throws -> Int {
        var room = limit
        for entity in entities where room > 0 {
            room -= try await entity.remove(user, limit: room, on: connection)
        }
        return limit - room
    }
}

extension DeclaredEntity {
    /// The name of many rows, for people and exports.
    var plural: String { name + "s" }

    /// The bound on the rows of a user that are not deleted.
    var limit: UserLimit {
        let (table, plural) = (table, plural)
        return UserLimit(
            name: plural, standard: declaration.limit,
            count: { "SELECT COUNT(*) FROM \(table) WHERE User_ID = \($0.uuid) AND Deleted_at IS NULL" },
            refusal: { "A user may have \($0) \(plural); delete some." },
            mergeRefusal: {
                "Together with the account's these would be more than \($0) \(plural); delete some on this device first."
            })
    }

    /// The removal of rows that were deleted too long ago to be restored.
    var upkeep: Job {
        removal("deleted-\(plural)", by: "Deleted_at") { _ in
            "Deleted_at < UTC_TIMESTAMP() - INTERVAL \(declaration.restorableDays) DAY"
        }
    }

    /// The removal of old rows.
    /// - Parameters:
    ///   - column: a column with an index. The rows go in its order.
    ///   - isOld: the condition on rows that go.
    func removal(_ name: String, by column: SQL, where isOld: @escaping @Sendable (_ now: Instant) -> SQL) -> Job {
        Job(name: name) { tenant, now in
            let old = isOld(now)
            let found = try await tenant.read { connection in
                try await connection.query(
                    "SELECT User_ID, \(key) FROM \(table) WHERE \(old) ORDER BY \(column) LIMIT \(UserMerge.batch)"
                ).decode((UUID, UUID).self)
            }
            for (user, id) in found {
                try await tenant.write(scope: UserID(uuid: user)) { connection in
                    _ = try await connection.execute(
                        "DELETE FROM \(table) WHERE User_ID = \(user) AND \(key) = \(id) AND \(old)")
                }
            }
            return found.count == UserMerge.batch
        }
    }

    /// The ids of a user's rows.
    /// - Parameter isDeleted: of deleted ones alone, or of the others; nil: of all.
    fileprivate func ids(
        of user: UserID, isDeleted: Bool? = nil, on connection: Connection
    ) async throws -> [UUID] {
        let condition: SQL = isDeleted.map { $0 ? " AND Deleted_at IS NOT NULL" : " AND Deleted_at IS NULL" } ?? ""
        return try await connection.query(
            "SELECT \(key) FROM \(table) WHERE User_ID = \(user.uuid)\(condition) ORDER BY \(key)"
        ).decode(UUID.self)
    }

    /// Gives a user copies of another's rows, under the same ids.
    fileprivate func copy(
        _ ids: [UUID], from former: UserID, to user: UserID, on connection: Connection
    ) async throws {
        // Not joined: the triggers of the parts change the rows.
        let tables =
            [(declaration.table, declaration.fields.map(\.column) + beside.columns)]
            + declaration.parts.map { ($0.table, [$0.key] + $0.fields.map(\.column)) } + beside.tables
        for (index, (table, columns)) in tables.enumerated() {
            let columns = SQL.joined(([declaration.key] + columns).map(Self.sql))
            // Beside a row there may be a value that the other user has already.
            let insert: SQL = index > declaration.parts.count ? "INSERT IGNORE INTO" : "INSERT INTO"
            _ = try await connection.execute(
                """
                \(insert) \(Self.sql(table)) (User_ID, \(columns))
                SELECT \(user.uuid), \(columns) FROM \(Self.sql(table))
                WHERE User_ID = \(former.uuid) AND \(key) IN (\(list: ids))
                """)
        }
    }

    /// Removes some rows of a user, with their parts, for good.
    /// - Returns: how many.
    fileprivate func remove(_ user: UserID, limit: Int, on connection: Connection) async throws -> Int {
        let result = try await connection.execute(
            "DELETE FROM \(table) WHERE User_ID = \(user.uuid) ORDER BY \(key) LIMIT \(limit)")
        return Int(clamping: result.affectedRows)
    }
}
