import MariaDB
import NIOPosix
import SubTrackAPI
import SubTrackCore

/// The operation that shows the due, overdue and changed subscriptions of today.
enum DashboardHandler {
    /// How many subscriptions are looked at before others have their turn: the plan of each may have a thousand prices.
    static let atOnce = 20
    /// How many subscriptions an answer may show that is written on the loop.
    private static let shownAtOnce = 100

    /// Registers the handler.
    static func register(in registry: inout OperationRegistry) {
        let turns = DashboardRows.turnsOfLarge()
        registry.register(GetDashboard.self) { try await get($0, $1, turns) }
    }

    private static func get(
        _ input: GetDashboard, _ call: Call, _ turns: RequestTurns<Int>
    ) async throws -> Reply<GetDashboard.Output> {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        guard input.within.map({ (0...3660).contains($0) }) ?? true else {
            throw Problem.input("within", .range, "must be from 0 to 3660")
        }
        func isDue(_ row: SubscriptionRow, _ standing: SubscriptionStanding) -> Bool {
            standing.isDue(within: input.within ?? row.reminderDays ?? SubscriptionStanding.usualReminderDays)
        }
        let rows = DashboardRows(tenant: call.tenant, user: session.user, today: today, turns: turns)
        let limit = call.tenant.limits.subscriptions
        return try await rows.read(limit: limit) { row in
            let standing = row.standing(today: today)
            return standing.isOverdue || isDue(row, standing)
        } make: { rows, digits in
            guard rows.count <= limit else {
                // Only SQL makes more. A sum of some of them would be wrong, and nobody would know.
                throw Problem(.tooMany, "There are more than \(limit) subscriptions; delete some first.")
            }
            let standings = rows.map { ($0, $0.standing(today: today)) }
            let active = standings.filter { $0.1.status == .active }.map(\.0)
            let cancelled = rows.filter { $0.cancelledOn != nil && $0.state.end <= today }
            let plans = Set((active + cancelled).map(\.plan.id)).sorted()
            let (lines, former) = try await call.tenant.read { connection in
                (
                    try await CatalogueQueries.lines(of: plans, on: connection),
                    try await DashboardQueries.formerTerms(of: plans, on: connection)
                )
            }
            let spend = try spend(standings, digits: digits)
            let output = GetDashboard.Output(
                today: today, upcoming: [], overdue: [], spend: spend,
                saved: try await saved(cancelled, lines: lines, today: today, digits: digits),
                notices: await SubscriptionNotices.all(for: active, lines: lines, former: former, digits: digits),
                total: try await total(of: spend, in: input.currency, today: today, digits: digits, tenant: call.tenant)
            )
            return try await reply(
                output, upcoming: standings.filter { isDue($0.0, $0.1) }.map(\.0),
                overdue: standings.filter(\.1.isOverdue).map(\.0), digits: digits)
        }
    }

    /// The answer with the subscriptions that it shows. A large one is written on another thread: ten thousand with their
    /// notes are 50 MB of JSON.
    private static func reply(
        _ output: GetDashboard.Output, upcoming: [SubscriptionRow], overdue: [SubscriptionRow], digits: [String: Int]
    ) async throws -> Reply<GetDashboard.Output> {
        let reply: @Sendable () throws -> Reply<GetDashboard.Output> = {
            var output = output
            output.upcoming = upcoming.map { $0.subscription(digits: digits, today: output.today) }
            output.overdue = overdue.map { $0.subscription(digits: digits, today: output.today) }
            return try Reply(output).encoded()
        }
        let count = upcoming.count + overdue.count + output.notices.count
        guard count > shownAtOnce else { return try reply() }
        return try await NIOThreadPool.singleton.runIfActive(reply)
    }

    /// Spending in one currency, as far as there are rates.
    private static func total(
        of spend: [GetDashboard.Spend], in currency: String?, today: CalendarDate, digits: [String: Int], tenant: Tenant
    ) async throws -> GetDashboard.Total? {
        guard let currency else { return nil }
        guard let wanted = digits[currency] else {
            throw Problem.input("currency", .missing, "there is no currency \(currency)")
        }
        // An amount in that currency needs no rate.
        guard spend.contains(where: { $0.currency != currency }) else {
            let none = Amount(units: 0, digits: wanted)
            return .init(
                currency: currency, month: spend.first?.month ?? none, year: spend.first?.year ?? none, rates: [],
                missing: [])
        }
        let currencies = Set(spend.map(\.currency) + [currency]).sorted()
        let rates = try await tenant.read { connection in
            try await DashboardQueries.rates(of: currencies, on: today, connection: connection)
        }
        let conversion = CurrencyConversion(
            perEuro: Dictionary(rates.map { ($0.currency, $0.perEuro) }, uniquingKeysWith: { first, _ in first }))
        let missing = conversion.missing(of: currencies)
        func sum(_ amount: KeyPath<GetDashboard.Spend, Amount>) throws -> Amount? {
            guard missing.isEmpty else { return nil }
            let prices = spend.map { Price(fee: $0[keyPath: amount], currency: $0.currency) }
            guard let sum = conversion.sum(prices, in: currency, digits: wanted) else {
                throw TotalTooLarge(currency: currency)
            }
            return sum
        }
        return .init(
            currency: currency, month: try sum(\.month), year: try sum(\.year), rates: rates, missing: missing)
    }

    /// Costs of the active subscriptions: of the current period or, in a free trial, of the next one.
    private static func spend(
        _ standings: [(SubscriptionRow, SubscriptionStanding)], digits: [String: Int]
    ) throws -> [GetDashboard.Spend] {
        var spending = Spending()
        for (row, standing) in standings where standing.status == .active {
            // A trial costs nothing now, and the plan's price afterwards.
            let price =
                row.state.freeTrial
                ? Price(fee: row.ownFee ?? row.next.fee, currency: row.next.currency) : row.current
            try spending.add(price, terms: SubscriptionInput.terms(row.plan))
        }
        return try spending.totals { digits[$0] ?? 2 }
    }

    /// Payments that were saved by subscriptions that were cancelled and have ended.
    private static func saved(
        _ cancelled: [SubscriptionRow], lines: [Int64: PriceLine], today: CalendarDate, digits: [String: Int]
    ) async throws -> [GetDashboard.Saving] {
        var savings = Savings()
        for (index, row) in cancelled.enumerated() {
            if index % atOnce == atOnce - 1 { await DatabaseLoopGroup.shared.here.yield() }
            try savings.add(
                row.state, terms: SubscriptionInput.terms(row.plan),
                prices: lines[row.plan.id] ?? PriceLine(always: row.plan.stored), ownFee: row.ownFee,
                today: today)
        }
        return try savings.totals { digits[$0] ?? 2 }
    }
}
