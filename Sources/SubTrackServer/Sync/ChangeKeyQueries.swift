import MariaDB

/// The statements that find changes in a scope, in order, without reading the rows themselves.
///
/// Most entities are found by an index that has them in the order of their versions. A page reads as many as it has
/// room for. Rows without a scope of their own are found by way of their parents. Where much is left, they are looked
/// for in a window of versions.
struct ChangeKeyQueries {
    let entities: [any SyncedEntity]

    /// The keys of the next changes.
    func keys(in range: ScopeRange, limit: Int, on connection: Connection) async throws -> [ChangeKey] {
        var window = Int64(4 * limit)
        guard range.width > window else {
            let parts = try await byParent(range, isShort: true, on: connection)
            return try await read(byVersion(range, limit) + parts, limit: limit, on: connection)
        }
        var keys = try await read(byVersion(range, limit), limit: limit, on: connection)
        // Changes behind a full page need not be read.
        let last = keys.count == limit ? keys.last?.version ?? range.head : range.head
        var found: [ChangeKey] = []
        while true {
            let upper = range.first + window
            let parts = try await byParent(range.upTo(min(upper, last)), isShort: false, on: connection)
            guard !parts.isEmpty else { return keys }
            found = try await read(parts, limit: limit, on: connection)
            if found.count == limit || upper >= last { break }
            window *= 4
        }
        keys += found
        return Array(keys.sorted().prefix(limit))
    }

    /// How many changes there are.
    func count(in range: ScopeRange, on connection: Connection) async throws -> Int {
        let nested = try await byParent(range, isShort: false, on: connection)
        let parts = (byVersion(range, nil) + nested).map { part -> SQL in "(\(part.select))" }
        return try await connection.query(
            "SELECT COUNT(*) FROM (\(SQL.joined(parts, separator: " UNION ALL "))) AS Changes"
        ).decode(Int.self).first ?? 0
    }

    /// Whether there are rows in a range.
    func hasRows(in range: ScopeRange, on connection: Connection) async throws -> Bool {
        let parts =
            try await entities.flatMap { $0.keys(in: range, limit: 1) }
            + byParent(range, isShort: false, on: connection)
        guard !parts.isEmpty else { return false }
        return try await !read(parts, limit: 1, on: connection).isEmpty
    }

    private func read(_ parts: [KeyPart], limit: Int, on connection: Connection) async throws -> [ChangeKey] {
        let parts = parts.map { part -> SQL in "(\(part.select) ORDER BY \(part.order) LIMIT \(limit))" }
        return try await connection.query(
            """
            SELECT Ver, Kind, Row_ID, Row_ver FROM (\(SQL.joined(parts, separator: " UNION ALL "))) AS Changes
            ORDER BY Ver, Kind, Row_ID LIMIT \(limit)
            """
        ).decode(as: ChangeKey.self)
    }

    /// Rows that an index has in the order of versions, and deleted rows.
    private func byVersion(_ range: ScopeRange, _ limit: Int?) -> [KeyPart] {
        entities.flatMap { $0.keys(in: range, limit: limit) } + [
            KeyPart(
                select: """
                    SELECT Ver, Entity AS Kind, Row_ID, Ver AS Row_ver FROM Tombstone
                    WHERE Scope_ID = \(range.scope.id) AND Ver >= \(range.firstTombstone) AND Ver <= \(range.head)
                      AND \(range.isBehind("Ver", rank: "Entity", id: "Row_ID"))
                    """, order: "Ver, Entity, Row_ID")
        ]
    }

    /// Rows that are found by way of other rows.
    private func byParent(
        _ range: ScopeRange, isShort: Bool, on connection: Connection
    ) async throws -> [KeyPart] {
        var parts: [KeyPart] = []
        for entity in entities {
            parts += try await entity.keysByParent(in: range, isShort: isShort, on: connection)
        }
        return parts
    }
}
