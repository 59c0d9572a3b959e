import MariaDB
import SubTrackAPI

/// Reads one page of changes from one consistent snapshot.
struct ChangesPage: Sendable {
    /// How large an answer becomes at the most, in bytes of JSON, about: sockets carry one MiB.
    static let maximumWeight = 640 << 10

    let registry: SyncRegistry
    let tenant: Tenant
    let user: UserID
    let scopes: PullChanges.Scopes
    let limit: Int

    /// The content of a page.
    struct Output: Sendable {
        var dropped: [String] = []
        var changes: [ServedChange] = []
        var more = false
        var weight = 0
    }

    /// Reads a page.
    /// - Parameters:
    ///   - cursor: how far the client is; nil: it has nothing.
    ///   - day: the day on which nothing was due, for the new cursor, at the user's version of this snapshot.
    /// - Returns: the page, and the cursor behind it.
    func read(
        since cursor: SyncCursor?, day: (_ userVersion: Int64) -> CalendarDate?
    ) async throws -> (Output, SyncCursor) {
        // REPEATABLE READ: the counters and all rows are those of one moment. A counter is raised before its row is
        // written, and both become visible together. No row of a version up to the counter can therefore appear later.
        try await tenant.client.withTransaction(tenant.database, isolation: .repeatableRead, isReadOnly: true) {
            connection in
            var output = Output()
            var next =
                cursor
                ?? SyncCursor(
                    user: user, epoch: tenant.epoch.value,
                    positions: [.init(scope: .user(user), version: 0, place: nil, base: 0)],
                    coverage: CursorCoverage(entities: registry.numbers))
            var counters = try await SyncQueries.counters(
                of: Array(Set(next.positions.map(\.scope)).union(registry.always)), on: connection)
            guard try await SyncQueries.exists(user, on: connection) else {
                throw Problem(.userDeleted, "This user was deleted.")
            }
            // Again, for this snapshot: tombstones may have been removed since.
            for position in next.positions where isAsked(position.scope) {
                if cursor != nil, (counters[position.scope]?.floor ?? 0) > position.needed {
                    throw Problem.resync(.floor)
                }
            }
            if next.coverage.entities != registry.numbers {
                output.dropped += try await followAreas(&next, on: connection)
            }
            let userVersion = counters[.user(user)]?.version ?? 0
            if cursor == nil { next.positions[0].base = userVersion }
            if scopes == .all, next.known != userVersion || next.positions.count < 2 {
                try await updateScopes(&next, &counters, &output, on: connection)
                next.known = userVersion
            }
            for index in next.positions.indices where isAsked(next.positions[index].scope) {
                let head = counters[next.positions[index].scope]?.version ?? 0
                try await read(&next.positions[index], upTo: head, into: &output, on: connection)
            }
            try await count(&next, counters, output, on: connection)
            next.day = day(userVersion)
            return (output, next)
        }
    }

    /// Whether the caller wants to hear of a scope; the cursor keeps its place in others.
    private func isAsked(_ scope: SyncScope) -> Bool { scopes == .all || scope.isUser }

    /// Brings the scopes that the user sees up to date: the user's rows have changed since they were looked at.
    private func updateScopes(
        _ cursor: inout SyncCursor, _ counters: inout [SyncScope: ScopeCounter], _ output: inout Output,
        on connection: Connection
    ) async throws {
        var wanted = ScopeList(registry.always)
        var lost: Set<SyncScope> = []
        for source in registry.scopes {
            let gained = wanted.add(try await source.gained(by: user, after: cursor.known, on: connection))
            let others = cursor.positions.map(\.scope).filter { scope in
                scope.kind == source.kind && !gained.contains(scope) && !source.always.contains(scope)
            }
            guard !others.isEmpty else { continue }
            lost.formUnion(try await source.lost(of: others, by: user, since: cursor.known, on: connection))
        }
        output.dropped += cursor.positions.map(\.scope).filter(lost.contains).map(\.name)
        cursor.positions.removeAll { lost.contains($0.scope) }
        let kept = Set(cursor.positions.map(\.scope))
        let new = wanted.scopes.filter { !kept.contains($0) }
        guard !new.isEmpty else { return }
        counters.merge(try await SyncQueries.counters(of: new, on: connection)) { $1 }
        // Those that a user has joined are read from their beginning. All others go on from where they are.
        cursor.positions += new.map {
            .init(scope: $0, version: 0, place: nil, base: counters[$0]?.version ?? 0)
        }
    }

    /// Has a cursor follow the entities that are given now: an area was switched on or off since it was written.
    ///
    /// A scope with rows of new entities is read from its beginning: the client has the other rows already, and takes them
    /// again. Its copy is of no use where it has rows of an area that was off meanwhile, for it was not told of deletions.
    /// - Returns: the names of scopes that are no longer given.
    private func followAreas(_ cursor: inout SyncCursor, on connection: Connection) async throws -> [String] {
        let new = registry.entities.filter { !cursor.coverage.entities.contains($0.number.value) }
        guard cursor.coverage.left.isDisjoint(with: new.map(\.number.value)) else { throw Problem.resync(.floor) }
        let dropped = cursor.positions.map(\.scope).filter { !registry.gives($0.kind) }
        cursor.positions.removeAll { dropped.contains($0.scope) }
        for (index, position) in cursor.positions.enumerated() where !new.isEmpty {
            let whole = SyncCursor.Position(scope: position.scope, version: 0, place: nil, base: position.needed)
            let range = ScopeRange(position: whole, head: position.version)
            if try await ChangeKeyQueries(entities: new).hasRows(in: range, on: connection) {
                cursor.positions[index] = whole
            }
        }
        // Scopes that the user saw before the area was on are not among those of later changes.
        if !new.isEmpty { cursor.known = 0 }
        cursor.coverage = cursor.coverage.following(registry.numbers)
        return dropped.map(\.name)
    }

    /// Reads a scope as far as there is room.
    private func read(
        _ position: inout SyncCursor.Position, upTo head: Int64, into output: inout Output, on connection: Connection
    ) async throws {
        guard position.place != nil || position.version < head else { return }
        let room = limit - output.changes.count
        guard room > 0, !output.more else {
            output.more = true
            return
        }
        let keys = try await ChangeKeyQueries(entities: registry.entities).keys(
            in: .init(position: position, head: head), limit: room + 1, on: connection)
        let rows = try await rows(of: keys.prefix(room), in: position.scope, on: connection)
        var taken = 0
        for key in keys.prefix(room) {
            guard let entity = registry.entity(ofRank: key.rank), key.isDeletion || rows[key] != nil else {
                taken += 1
                continue
            }
            let change = ServedChange(
                scope: position.scope.name, version: key.rowVersion, entity: entity.name,
                id: entity.text(ofID: key.id), row: rows[key])
            output.weight += change.weight
            guard output.weight <= Self.maximumWeight || output.changes.isEmpty else { break }
            output.changes.append(change)
            taken += 1
        }
        if taken < keys.count, taken > 0 {
            position.since = position.since ?? position.version
            let last = keys[taken - 1]
            position.version = last.version
            // A page may end inside a version: its other rows are on the next one.
            position.place = keys[taken].version == last.version ? .init(rank: last.rank, id: last.id) : nil
            output.more = true
        } else if taken < keys.count {
            output.more = true
        } else {
            position.version = head
            position.place = nil
            position.since = nil
        }
        if position.version >= position.base, position.place == nil { position.base = 0 }
    }

    /// The rows of some keys.
    private func rows(
        of keys: ArraySlice<ChangeKey>, in scope: SyncScope, on connection: Connection
    ) async throws -> [ChangeKey: [UInt8]] {
        var rows: [ChangeKey: [UInt8]] = [:]
        for entity in registry.entities {
            let rank = EntityNumber.live + entity.number.value
            let wanted = keys.filter { $0.rank == rank }
            guard !wanted.isEmpty else { continue }
            let found = try await entity.rows(wanted, in: scope, tenant, on: connection)
            for key in wanted { rows[key] = found[key.id] }
        }
        return rows
    }

    /// Notes how much is left: counted once, on the first of several pages.
    private func count(
        _ cursor: inout SyncCursor, _ counters: [SyncScope: ScopeCounter], _ output: Output,
        on connection: Connection
    ) async throws {
        guard output.more else {
            cursor.left = 0
            return
        }
        guard cursor.left == 0 else {
            cursor.left = max(1, cursor.left - output.changes.count)
            return
        }
        for position in cursor.positions where isAsked(position.scope) {
            let head = counters[position.scope]?.version ?? 0
            guard position.place != nil || position.version < head else { continue }
            cursor.left += try await ChangeKeyQueries(entities: registry.entities).count(
                in: .init(position: position, head: head), on: connection)
        }
    }
}
