import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operations that change a subscription.
enum SubscriptionChanges {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry) {
        registry.register(UpdateSubscription.self) { try await change($0.id, $0, $1, update) }
        registry.register(RenewSubscription.self) { try await change($0.id, $0, $1, renew) }
        registry.register(CancelSubscription.self) { try await change($0.id, $0, $1, cancel) }
        registry.register(ResumeSubscription.self) { try await change($0.id, $0, $1, resume) }
        registry.register(RestoreSubscription.self) { try await change($0.id, $0, $1, restore) }
        registry.register(DeleteSubscription.self) { input, call in
            try await call.write(input) { connection in
                try await delete(input, call, found: nil, on: connection)
                return Reply(Empty())
            }
        }
    }

    /// Changes one subscription in a transaction of its own.
    /// - Parameter change: makes the change; it may throw a problem.
    /// - Returns: the row as it is afterwards.
    private static func change<Definition: SubTrackAPI.Operation>(
        _ id: UUID, _ input: Definition, _ call: Call,
        _ change: @Sendable (Definition, Call, SubscriptionRow?, Connection) async throws -> Void
    ) async throws -> Reply<Subscription> where Definition.Output == Subscription {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        return try await call.write(input) { connection in
            try await change(input, call, nil, connection)
            return .row(try await answer(id, user: session.user, today: today, tenant: call.tenant, on: connection))
        }
    }

    /// The row in the period of the day on which a change was made, if it has the version that the caller knows.
    /// - Parameters:
    ///   - isTakenBack: whether the change alters periods that renewed by themselves after that day. These are taken back, and
    ///     renew again by the change. A subscription that a user has ended since renews no more: its periods stay.
    ///   - isCancelling: whether the change ends the subscription, so that nothing is to follow.
    ///   - found: the row, where the caller has read it for that day in this transaction.
    static func checked(
        _ id: UUID, madeOn: CalendarDate? = nil, isTakenBack: Bool = false, isCancelling: Bool = false, _ call: Call,
        found: SubscriptionRow? = nil, on connection: Connection
    ) async throws -> SubscriptionRow {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        let day = try day(madeOn, call)
        let row: SubscriptionRow
        if let found, !found.awaitsRenewal(today: day) {
            row = found
        } else {
            row = try await current(id, user: session.user, today: day, limits: call.tenant.limits, on: connection)
        }
        guard call.ifMatch.allows(row.version) else {
            let digits = try await call.tenant.currencies.table(on: connection)
            throw Problem.stale(row.subscription(digits: digits, today: today))
        }
        guard isTakenBack, row.state.start > day, isCancelling || (row.autoRenew && row.cancelledOn == nil),
            let period = try await AutoRenewal.takeBack(
                session.user, id, after: day, since: call.knownVersion(of: row.version), isFollowed: !isCancelling,
                on: connection)
        else { return row }
        try call.tenant.writes.charge(call, rows: row.state.number - period)
        // Each period that is taken back has left a tombstone.
        try await call.tenant.limits.boundTombstones(of: session.user, on: connection)
        return try await current(id, user: session.user, today: day, limits: call.tenant.limits, on: connection)
    }

    /// The user's day on which a change was made: today unless it says so, and never a day to come.
    static func day(_ madeOn: CalendarDate?, _ call: Call) throws -> CalendarDate {
        let today = try call.requireSession().today(at: call.now)
        return min(madeOn ?? today, today)
    }

    /// The day on which something was undone: today unless it says so, and today where it says a day before that was done.
    static func day(
        _ madeOn: CalendarDate?, after done: CalendarDate?, _ call: Call
    ) throws -> CalendarDate {
        let day = try day(madeOn, call)
        guard let done, day < done else { return day }
        return try call.requireSession().today(at: call.now)
    }

    /// Brings a subscription to the day on which a pushed change of it was made, before anybody compares versions.
    /// - Parameter found: the row, where the caller has read it for that day in this transaction.
    @discardableResult
    static func settle(
        _ id: UUID, madeOn: CalendarDate?, isTakenBack: Bool, isCancelling: Bool = false, _ call: Call,
        found: SubscriptionRow? = nil, on connection: Connection
    ) async throws -> SubscriptionRow {
        try await checked(
            id, madeOn: madeOn, isTakenBack: isTakenBack, isCancelling: isCancelling, call, found: found, on: connection
        )
    }

    /// Brings all of a user's subscriptions to a plan to the day on which a change of that plan was made. Its fee and
    /// duration hold for later renewals, and for nothing before.
    static func settle(
        plan: Int64, madeOn: CalendarDate?, _ call: Call, on connection: Connection
    ) async throws {
        let user = try call.requireSession().user
        let day = try day(madeOn, call)
        let limits = call.tenant.limits
        let moved = try await RenewalQueries.periodsApart(
            from: day, plan: plan, of: user, since: call.baseVersion ?? 0, on: connection)
        guard !moved.isEmpty else { return }
        try limits.checkPlanChange(of: moved.count, periods: moved.reduce(0, +))
        // Each is looked at, also where nothing of it is taken back.
        try call.tenant.writes.charge(call, rows: moved.count)
        try await AutoRenewal.catchUp(user, .plan(plan), today: day, limits: limits, on: connection)
        let taken = try await AutoRenewal.takeBack(
            user, plan: plan, after: day, since: call.baseVersion, on: connection)
        try call.tenant.writes.charge(call, rows: taken)
        // Each period that is taken back has left a tombstone.
        if taken > 0 { try await limits.boundTombstones(of: user, on: connection) }
    }

    /// Gives periods the fee that was corrected: one that began on the day from which it holds was given the one before.
    static func priceAnew(
        plan: Int64, _ patch: PrivatePlanPatch, _ call: Call, on connection: Connection
    ) async throws {
        guard patch.fee.isNamed || patch.currency.isNamed else { return }
        let count = try await RenewalQueries.priceAnew(
            plan: plan, of: try call.requireSession().user, on: connection)
        try call.tenant.writes.charge(call, rows: count)
    }

    /// A subscription as its user sees it, inside of a transaction that has the user's scope locked.
    static func answer(
        _ id: UUID, user: UserID, today: CalendarDate, tenant: Tenant, on connection: Connection
    ) async throws -> Subscription {
        let row = try await current(
            id, user: user, today: today, limits: tenant.limits, isChanged: true, on: connection)
        return row.subscription(digits: try await tenant.currencies.table(on: connection), today: today)
    }

    /// A row in its right period, inside of a transaction that has the user's scope locked.
    /// - Parameter isChanged: whether the caller has just changed it, and may be refused. An untouched row is brought
    ///   up to date in any case.
    @discardableResult
    static func current(
        _ id: UUID, user: UserID, today: CalendarDate, limits: UserLimits, isChanged: Bool = false,
        on connection: Connection
    ) async throws -> SubscriptionRow {
        var row = try await SubscriptionQueries.subscription(id, of: user, today: today, on: connection)
        if row?.awaitsRenewal(today: today) == true {
            if let row, isChanged { try AutoRenewal.checkBehind(row.state, plan: row.plan, today: today) }
            try await AutoRenewal.catchUp(user, .one(id), today: today, limits: limits, on: connection)
            row = try await SubscriptionQueries.subscription(id, of: user, today: today, on: connection)
        }
        guard let row else { throw SubscriptionReading.unknown }
        return row
    }
}
