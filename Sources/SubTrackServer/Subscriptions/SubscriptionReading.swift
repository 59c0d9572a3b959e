import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operations that read one subscription, and their shared parts.
enum SubscriptionReading {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry) {
        registry.register(GetSubscription.self, handler: get)
        registry.register(ListPeriods.self, handler: periods)
    }

    /// Reads rows that are in their right period: where one has to renew first, all of the user's are, and it is read
    /// again.
    static func current(
        of user: UserID, in tenant: Tenant, today: CalendarDate,
        _ read: (Connection) async throws -> [SubscriptionRow]
    ) async throws -> ([SubscriptionRow], [String: Int]) {
        func attempt() async throws -> ([SubscriptionRow], [String: Int]) {
            try await tenant.read { connection in
                (try await read(connection), try await tenant.currencies.table(on: connection))
            }
        }
        let first = try await attempt()
        guard first.0.contains(where: { $0.awaitsRenewal(today: today) }) else { return first }
        try await AutoRenewal.catchUp(tenant, user: user, today: today)
        return try await attempt()
    }

    /// One subscription of a user in its right period.
    /// - Throws: `not_found`, for somebody else's as for one that does not exist.
    static func current(
        _ id: UUID, of user: UserID, in tenant: Tenant, today: CalendarDate
    ) async throws -> (SubscriptionRow, [String: Int]) {
        let (rows, digits) = try await current(of: user, in: tenant, today: today) { connection in
            let row = try await SubscriptionQueries.subscription(id, of: user, today: today, on: connection)
            return row.map { [$0] } ?? []
        }
        guard let row = rows.first else { throw unknown }
        return (row, digits)
    }

    /// The problem of a subscription that is not there, or not this user's.
    static let unknown = Problem(.notFound, "There is no such subscription.")

    @Sendable private static func get(_ input: GetSubscription, _ call: Call) async throws -> Reply<Subscription> {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        let (row, digits) = try await current(input.id, of: session.user, in: call.tenant, today: today)
        return .row(row.subscription(digits: digits, today: today))
    }

    @Sendable private static func periods(
        _ input: ListPeriods, _ call: Call
    ) async throws -> Reply<ListPeriods.Output> {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        let page = try PageRequest(limit: input.limit, cursor: input.cursor, kind: "periods", fields: 1)
        let after = try page.after.map { fields -> Int in
            guard let number = Int(fields[0]) else {
                throw PageRequest.foreignCursor
            }
            return number
        }
        let (row, digits) = try await current(input.id, of: session.user, in: call.tenant, today: today)
        var periods = try await call.tenant.read { connection in
            try await SubscriptionQueries.endedPeriods(
                of: row.id, after: after, limit: page.limit + 1, on: connection)
        }
        // The running period comes last; it is on this page when the ended ones leave room.
        if periods.count <= page.limit, row.state.number > periods.last?.number ?? after ?? -1 {
            periods.append(
                Period(
                    number: row.state.number, startDate: row.state.start, endDate: row.state.end,
                    fee: row.current.fee, currency: row.current.currency, freeTrial: row.state.freeTrial))
        }
        let found = Page(periods, request: page, kind: "periods") { [String($0.number)] }
        return Reply(
            .init(
                periods: found.elements.map { period in
                    var period = period
                    period.fee = period.fee.written(in: period.currency, digits: digits)
                    return period
                }, nextCursor: found.nextCursor)
        ).taggedByContent()
    }
}
