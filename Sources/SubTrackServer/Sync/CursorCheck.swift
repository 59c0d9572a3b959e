import MariaDB
import SubTrackAPI

/// Whether a client's cursor still leads somewhere.
struct CursorCheck {
    let registry: SyncRegistry

    /// Reads a cursor that a client sent.
    /// - Throws: `input_invalid` for a text that is no cursor of this tenant, `resync` for a cursor that leads nowhere
    ///   any more.
    func read(_ text: String, _ call: Call) async throws -> SyncCursor {
        let tenant = call.tenant
        let caller = try call.requireSession().user
        let cursor: SyncCursor
        do {
            cursor = try await decode(text, tenant)
        } catch CursorFailure.foreign(let user, let epoch)
            where epoch != tenant.epoch.value || user == caller
        {
            // Of data that are no more, and their key with them: a backup may be of a time before there were cursors.
            throw Problem.resync(.epoch)
        } catch is CursorFailure {
            throw Problem.input("cursor", .malformed, "is not one that this service gave; leave it out to start over")
        }
        guard cursor.user == caller else { throw Problem.resync(.user) }
        // Another replica may have made a new epoch, and this one not know it yet.
        if cursor.epoch != tenant.epoch.value, cursor.epoch != (try await tenant.epoch.refresh()) {
            throw Problem.resync(.epoch)
        }
        return cursor
    }

    private func decode(_ text: String, _ tenant: Tenant) async throws -> SyncCursor {
        let epoch = tenant.epoch.value
        do {
            return try SyncCursor(text, key: try await tenant.cursorKey.bytes(epoch: epoch), registry)
        } catch CursorFailure.foreign {
            // Written by another replica, which has read the key later.
            return try SyncCursor(text, key: try await tenant.cursorKey.reread(epoch: epoch), registry)
        }
    }

    /// Refuses a cursor that is older than the kept tombstones, or from ahead of the data.
    /// - Parameters:
    ///   - positions: those that matter.
    ///   - counters: where their scopes stand, in their order.
    /// - Throws: `resync`; with a cursor from ahead, which nobody can have unless the data went back in time, a new
    ///   epoch is made first.
    static func check(
        _ cursor: SyncCursor, _ positions: [SyncCursor.Position], _ counters: [ScopeCounter], _ tenant: Tenant
    ) async throws {
        for (position, counter) in zip(positions, counters) {
            if position.version > counter.version { try await confirmAhead(position, cursor, tenant) }
            guard counter.floor <= position.needed else { throw Problem.resync(.floor) }
        }
    }

    /// Makes a new epoch when the data really lie behind a cursor: a reading from a node that lags would not show it.
    private static func confirmAhead(
        _ position: SyncCursor.Position, _ cursor: SyncCursor, _ tenant: Tenant
    ) async throws {
        let isAhead = try await tenant.client.withTransaction(tenant.database) { connection in
            let versions = try await connection.query(
                "SELECT Ver FROM Scope WHERE Scope_ID = \(position.scope.id) FOR UPDATE"
            ).decode(Int64.self)
            return position.version > versions.first ?? 0
        }
        guard isAhead else { return }
        try await tenant.epoch.renew(insteadOf: cursor.epoch)
        throw Problem.resync(.epoch)
    }
}
