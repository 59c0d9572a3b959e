import SubTrackAPI
import SubTrackCore

/// The operation that shows what a person must know today.
enum DashboardHandler {
    /// Registers the handler.
    static func register(in registry: inout OperationRegistry) {
        registry.register(GetDashboard.self, handler: get)
    }

    @Sendable private static func get(_ input: GetDashboard, _ call: Call) async throws -> Reply<GetDashboard.Output> {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        let within = input.within ?? 7
        guard (0...3660).contains(within) else { throw Problem.input("within", .range, "must be from 0 to 3660") }
        let limit = call.tenant.limits.subscriptions
        let (rows, digits) = try await SubscriptionReading.current(
            of: session.user, in: call.tenant, today: today
        ) { connection in
            try await SubscriptionQueries.list(
                of: session.user, filter: .init(), limit: limit + 1, today: today, on: connection)
        }
        guard rows.count <= limit else {
            // Only SQL makes more. A sum of some of them would be wrong, and nobody would know.
            throw Problem(.tooMany, "There are more than \(limit) subscriptions; delete some first.")
        }
        let standings = rows.map { ($0, $0.standing(today: today)) }
        func shown(_ include: (SubscriptionStanding) -> Bool) -> [Subscription] {
            standings.filter { include($0.1) }.map { $0.0.subscription(digits: digits, today: today) }
        }
        return Reply(
            .init(
                today: today, upcoming: shown { $0.isDue(within: within) }, overdue: shown { $0.isOverdue },
                spend: try spend(standings, digits: digits),
                saved: try await saved(rows, today: today, digits: digits, tenant: call.tenant)))
    }

    /// What the active subscriptions cost: what the current period costs or, in a free trial, what the next one will.
    private static func spend(
        _ standings: [(SubscriptionRow, SubscriptionStanding)], digits: [String: Int]
    ) throws -> [GetDashboard.Spend] {
        var spending = Spending()
        for (row, standing) in standings where standing.status == .active {
            // A trial costs nothing now, and what the plan costs afterwards.
            let price =
                row.state.freeTrial
                ? Price(fee: row.ownFee ?? row.next.fee, currency: row.next.currency) : row.current
            try spending.add(price, terms: SubscriptionInput.terms(row.plan))
        }
        return try spending.totals { digits[$0] ?? 2 }
    }

    private static func saved(
        _ rows: [SubscriptionRow], today: CalendarDate, digits: [String: Int], tenant: Tenant
    ) async throws -> [GetDashboard.Saving] {
        let cancelled = rows.filter { $0.cancelledOn != nil && $0.state.end <= today }
        let plans = Set(cancelled.map(\.plan.id)).sorted()
        let lines = try await tenant.read { try await CatalogueQueries.prices(of: plans, on: $0) }
        var savings = Savings()
        for row in cancelled {
            try savings.add(
                row.state, terms: SubscriptionInput.terms(row.plan),
                prices: PriceLine(lines[row.plan.id] ?? []) ?? PriceLine(always: row.plan.stored), ownFee: row.ownFee,
                today: today)
        }
        return try savings.totals { digits[$0] ?? 2 }
    }
}
