import MariaDB
import SubTrackAPI

/// The operation that gives changes.
struct ChangesPull: Sendable {
    /// How many changes a page has unless asked otherwise, and at the most.
    static let (defaultLimit, maximumLimit) = (500, 1000)

    let registry: SyncRegistry

    /// Registers the handler.
    static func register(in operations: inout OperationRegistry, _ registries: SyncRegistries) {
        operations.register(PullChanges.self) { input, call in
            try await ChangesPull(registry: registries.registry(of: call.tenant)).pull(input, call)
        }
    }

    private func pull(
        _ input: PullChanges, _ call: Call
    ) async throws -> Reply<PullChanges.Output> {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        if let limit = input.limit, limit < 1 { throw Problem.input("limit", .range, "must be at least 1") }
        let cursor: SyncCursor? =
            if let text = input.cursor { try await CursorCheck(registry: registry).read(text, call) } else { nil }
        let found = try await look(cursor, scopes: input.scopes ?? .all, user: session.user, today: today, call.tenant)
        if let text = input.cursor, found.isSettled {
            return .page(.init(), cursor: text, total: 0)
        }
        if found.isUnprepared {
            for preparation in registry.preparations {
                try await preparation.prepare(call.tenant, user: session.user, today: today)
            }
        }
        let page = ChangesPage(
            registry: registry, tenant: call.tenant, user: session.user, scopes: input.scopes ?? .all,
            limit: min(input.limit ?? Self.defaultLimit, Self.maximumLimit))
        let (output, next) = try await page.read(since: cursor) { userVersion in
            // Changes of the meantime are read next time.
            found.isUnprepared || userVersion != found.userVersion ? nil : today
        }
        let key = try await call.tenant.cursorKey.bytes(epoch: call.tenant.epoch.value)
        return .page(output, cursor: try next.text(key: key, registry), total: next.left)
    }

    /// The result of a first read of the counters.
    private struct Look {
        /// Nothing is new.
        var isSettled: Bool
        /// Something has to be done before the user's rows are read.
        var isUnprepared: Bool
        /// The counter of the user's scope.
        var userVersion: Int64
    }

    /// Looks whether there is anything new: one read of the counters when there is not.
    ///
    /// As long as the user's counter stands still, nothing can become due on the same day, and the visible scopes are
    /// the same.
    private func look(
        _ cursor: SyncCursor?, scopes: PullChanges.Scopes, user: UserID, today: CalendarDate, _ tenant: Tenant
    ) async throws -> Look {
        let positions = cursor?.positions.filter { scopes == .all || $0.scope.isUser } ?? []
        // The user's own comes first.
        let counters = try await tenant.counters.counters(of: [.user(user)] + positions.map(\.scope.id))
        let (userVersion, positionCounters) = (counters.first?.version ?? 0, Array(counters.dropFirst()))
        if let cursor { try await CursorCheck.check(cursor, positions, positionCounters, tenant) }
        let isDayKnown = cursor?.day == today
        let isCovered = cursor?.coverage.entities == registry.numbers
        let isRead =
            isCovered && zip(positions, positionCounters).allSatisfy { $0.place == nil && $0.version == $1.version }
        if let cursor, isRead, isDayKnown, scopes == .user || cursor.known == userVersion {
            return Look(isSettled: true, isUnprepared: false, userVersion: userVersion)
        }
        return try await tenant.read { connection in
            // On the connection that finds due rows: the counters above may be those of a server that is ahead of it.
            let userVersion = try await SyncQueries.counter(of: .user(user), on: connection)
            let version = isDayKnown ? cursor?.userVersion : nil
            var isUnprepared = false
            for preparation in registry.preparations where !isUnprepared {
                isUnprepared = try await preparation.isDue(for: user, after: version, today: today, on: connection)
            }
            return Look(isSettled: false, isUnprepared: isUnprepared, userVersion: userVersion)
        }
    }
}

extension Reply where Output == PullChanges.Output {
    /// A page of changes.
    fileprivate static func page(_ page: ChangesPage.Output, cursor: String, total: Int) -> Reply {
        var json = JSONWriter(capacity: page.weight + cursor.utf8.count + 200)
        json.beginObject()
        json.key("dropped")
        json.beginArray()
        for scope in page.dropped {
            json.element()
            json.write(scope)
        }
        json.endArray()
        json.key("changes")
        json.beginArray()
        for change in page.changes {
            json.element()
            change.write(to: &json)
        }
        json.endArray()
        json.key("cursor")
        json.write(cursor)
        json.key("more")
        json.write(page.more)
        json.key("total")
        json.write(total)
        json.endObject()
        return Reply(replaying: json.bytes, tag: nil)
    }
}
