import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operation that lists a user's subscriptions: from memory where nothing has changed since.
struct SubscriptionList: Sendable {
    /// The cache of lists.
    let lists: RememberedLists

    /// Registers the handler.
    func register(in registry: inout OperationRegistry) {
        registry.register(ListSubscriptions.self, handler: list)
    }

    /// Handles ``ListSubscriptions``.
    @Sendable private func list(
        _ input: ListSubscriptions, _ call: Call
    ) async throws -> Reply<ListSubscriptions.Output> {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        let page = try PageRequest(limit: input.limit, cursor: input.cursor, kind: "subscriptions", fields: 2)
        let after = try page.after.map { fields -> (CalendarDate, UUID) in
            guard let end = CalendarDate(fields[0]), let id = UUID(uuidString: fields[1]) else {
                throw PageRequest.foreignCursor
            }
            return (end, id)
        }
        let filter = try Self.filter(input, today: today)
        if after != nil {
            // A due subscription may lie before this page: it would be on none.
            let behind = try await call.tenant.read { connection in
                try await SubscriptionQueries.awaitingRenewal(of: session.user, today: today, on: connection)
            }
            if !behind.isEmpty { try await AutoRenewal.catchUp(call.tenant, user: session.user, today: today) }
        }
        // The type is written, for a closure without one runs on the concurrent pool.
        let read: (Connection) async throws -> [SubscriptionRow] = { connection in
            try await SubscriptionQueries.list(
                of: session.user, filter: filter, after: after.map { (end: $0.0, id: $0.1) }, limit: page.limit + 1,
                today: today, on: connection)
        }
        let place = after == nil ? lists.place(of: input, page.limit, session.user, call.tenant) : nil
        var found: Reading?
        if let place, let known = place.known {
            if let answer = known.answer, let digits = call.tenant.currencies.known,
                answer.holds(today: today, digits: digits),
                answer.versions == (try await call.tenant.counters.versions(of: known.scopes))
            {
                return Reply(replaying: answer.body, tag: answer.tag)
            }
            found = try await Self.reread(known, today: today, in: call.tenant, read)
        }
        let reading: Reading
        if let found {
            reading = found
        } else {
            let (rows, digits) = try await SubscriptionReading.current(
                of: session.user, in: call.tenant, today: today, read)
            reading = Reading(rows: rows, digits: digits, versions: nil)
        }
        let shown = Page(reading.rows, request: page, kind: "subscriptions") { row in
            [row.state.end.description, row.id.uuidString]
        }
        let output = ListSubscriptions.Output(
            subscriptions: shown.elements.map { $0.subscription(digits: reading.digits, today: today) },
            nextCursor: shown.nextCursor)
        let tag = Self.tag(
            of: shown, user: session.user, today: today, digits: reading.digits, epoch: call.tenant.epoch.value)
        let reply = Reply(output, tag: tag)
        return try place?.remember(reply, scopes: Self.scopes(of: shown, user: session.user), reading, today: today)
            ?? reply
    }

    /// Rows with the values that were read beside them, on the same connection.
    struct Reading {
        let rows: [SubscriptionRow]
        let digits: [String: Int]
        /// Where the counters of the known list's scopes stood before the rows were read; nil: they were not looked at.
        let versions: [Int64]?
    }

    /// Reads a list that was answered before, and where its counters stand: on one connection, for another may be to a
    /// server that is behind.
    /// - Returns: nil where something has to renew first.
    private static func reread(
        _ known: RememberedLists.Entry, today: CalendarDate, in tenant: Tenant,
        _ read: (Connection) async throws -> [SubscriptionRow]
    ) async throws -> Reading? {
        try await tenant.read { connection in
            let versions = try await ScopeID.versions(of: known.scopes, on: connection)
            let digits = try await tenant.currencies.table(on: connection)
            let rows = try await read(connection)
            guard !rows.contains(where: { $0.awaitsRenewal(today: today) }) else { return nil }
            return Reading(rows: rows, digits: digits, versions: versions)
        }
    }

    /// The scopes of all rows that a list is made of.
    private static func scopes(of page: Page<SubscriptionRow>, user: UserID) -> [ScopeID] {
        let countries = Set(page.elements.lazy.filter { $0.plan.owner == nil }.map(\.plan.country))
        // An admin can give a plan of somebody's own to somebody else by SQL.
        let owners = Set(page.elements.lazy.compactMap(\.plan.owner)).subtracting([user.uuid])
        return [.user(user), .reference] + countries.sorted().map { .country($0) }
            + owners.sorted { $0.uuidString < $1.uuidString }.map { .user(UserID(uuid: $0)) }
    }

    /// A subscription that renews in so many days is active: a cancelled one does not renew.
    private static func filter(
        _ input: ListSubscriptions, today: CalendarDate
    ) throws -> SubscriptionQueries.Filter {
        guard let days = input.dueWithin else { return .init(endsBy: nil, status: input.status) }
        guard (0...3660).contains(days) else { throw Problem.input("dueWithin", .range, "must be from 0 to 3660") }
        guard input.status == nil || input.status == .active else {
            throw Problem.input("dueWithin", .conflict, "only active subscriptions renew; leave out status")
        }
        return .init(endsBy: today.adding(days: days), status: .active)
    }

    /// The list's tag: the user, the versions of the shown rows, the epoch, the form of amounts, and the user's today.
    private static func tag(
        of page: Page<SubscriptionRow>, user: UserID, today: CalendarDate, digits: [String: Int], epoch: [UInt8]
    ) -> EntityTag {
        var hash = StableHash()
        hash.combine(epoch)
        hash.combine(ScopeID.user(user).bytes)
        hash.combine(today.daysSince1970)
        for row in page.elements {
            hash.combine(ScopeID.user(UserID(uuid: row.id)).bytes)
            hash.combine(row.version)
            hash.combine(row.plan.version)
            // Prices and categories change without the plan's row.
            hash.combine(row.next.fee.units)
            hash.combine(row.next.currency)
            hash.combine(row.plan.today.fee.units)
            hash.combine(row.plan.today.currency)
            hash.combine(row.plan.category)
            for price in [row.current, row.next, row.plan.today] { hash.combine(digits[price.currency] ?? 2) }
        }
        hash.combine(page.nextCursor ?? "")
        return EntityTag(hash: hash.value)
    }
}
