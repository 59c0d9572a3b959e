import MariaDB
import SubTrackAPI

/// The operation that gives changes.
enum ChangesPull {
    /// How many changes a page has unless asked otherwise, and at the most.
    static let (defaultLimit, maximumLimit) = (500, 1000)

    /// Registers the handler.
    static func register(in registry: inout OperationRegistry) {
        registry.register(PullChanges.self, handler: pull)
    }

    @Sendable private static func pull(
        _ input: PullChanges, _ call: Call
    ) async throws -> Reply<PullChanges.Output> {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        if let limit = input.limit, limit < 1 { throw Problem.input("limit", .range, "must be at least 1") }
        let cursor: SyncCursor? =
            if let text = input.cursor { try await CursorCheck.read(text, call) } else { nil }
        let found = try await look(cursor, scopes: input.scopes ?? .all, user: session.user, today: today, call.tenant)
        if let text = input.cursor, found.isSettled {
            return Reply(.init(dropped: [], changes: [], cursor: text, more: false, total: 0))
        }
        if found.awaitsRenewal { try await AutoRenewal.catchUp(call.tenant, user: session.user, today: today) }
        let page = ChangesPage(
            tenant: call.tenant, user: session.user, scopes: input.scopes ?? .all,
            limit: min(input.limit ?? defaultLimit, maximumLimit))
        let (output, next) = try await page.read(since: cursor) { userVersion in
            // Changes of the meantime are read next time.
            found.awaitsRenewal || userVersion != found.userVersion ? nil : today
        }
        return Reply(
            .init(
                dropped: output.dropped, changes: output.changes,
                cursor: try next.text(key: try await call.tenant.cursorKey.bytes(epoch: call.tenant.epoch.value)),
                more: output.more,
                total: next.left))
    }

    /// The result of a first read of the counters.
    private struct Look {
        /// Nothing is new.
        var isSettled: Bool
        /// Something renews by itself and has not yet.
        var awaitsRenewal: Bool
        /// The counter of the user's scope.
        var userVersion: Int64
    }

    /// Looks whether there is anything new: one read of the counters when there is not.
    ///
    /// As long as the user's counter stands still, nothing can become due on the same day, and the visible scopes are
    /// the same.
    private static func look(
        _ cursor: SyncCursor?, scopes: PullChanges.Scopes, user: UserID, today: CalendarDate, _ tenant: Tenant
    ) async throws -> Look {
        let positions = cursor?.positions.filter { scopes == .all || $0.scope.isUser } ?? []
        // The user's own comes first.
        let counters = try await tenant.counters.counters(of: [.user(user)] + positions.map(\.scope.id))
        let (userVersion, positionCounters) = (counters.first?.version ?? 0, Array(counters.dropFirst()))
        if let cursor { try await CursorCheck.check(cursor, positions, positionCounters, tenant) }
        let isDayKnown = cursor?.day == today
        let isRead = zip(positions, positionCounters).allSatisfy { $0.place == nil && $0.version == $1.version }
        if let cursor, isRead, isDayKnown, scopes == .user || cursor.known == userVersion {
            return Look(isSettled: true, awaitsRenewal: false, userVersion: userVersion)
        }
        return try await tenant.read { connection in
            // On the connection that finds due rows: the counters above may be those of a server that is ahead of it.
            let userVersion = try await SyncQueries.counter(of: user, on: connection)
            let awaitsRenewal =
                if let cursor, isDayKnown {
                    try await SyncQueries.awaitsRenewal(
                        of: user, after: cursor.userVersion, today: today, on: connection)
                } else {
                    try await !SubscriptionQueries.awaitingRenewal(of: user, today: today, on: connection).isEmpty
                }
            return Look(isSettled: false, awaitsRenewal: awaitsRenewal, userVersion: userVersion)
        }
    }
}
