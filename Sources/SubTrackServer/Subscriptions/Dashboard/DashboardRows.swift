import MariaDB
import SubTrackAPI
import SubTrackCore

/// The subscriptions of a dashboard: all of a user's.
///
/// Most users have few, which one statement reads. Ten thousand with their notes are tens of megabytes: they are read page by
/// page, and keep label and note where they are shown.
struct DashboardRows {
    /// How many are read at once: some milliseconds of work for a loop.
    static let page = 500

    let tenant: Tenant
    let user: UserID
    let today: CalendarDate
    /// Dashboards of more than a page that are made at a time, of all users together.
    let turns: RequestTurns<Int>

    /// Dashboards of more than a page: two at a time, for the rows of each and its answer are in memory. The others wait, for
    /// each takes some seconds at most.
    static func turnsOfLarge(longestWait: Duration = .seconds(15)) -> RequestTurns<Int> {
        RequestTurns(atOnce: { 2 }, longestWait: longestWait)
    }

    /// Reads the subscriptions in their right periods, and makes a dashboard of them.
    /// - Parameters:
    ///   - limit: how many there may be. One more is given where there are more.
    ///   - isShown: whether a subscription is in the answer, with its label and its note.
    ///   - make: gets the subscriptions with the digits of each currency.
    func read<Result>(
        limit: Int, isShown: (SubscriptionRow) -> Bool,
        make: (_ rows: [SubscriptionRow], _ digits: [String: Int]) async throws -> Result
    ) async throws -> Result {
        // Those that have to renew first come first.
        let (few, digits) = try await SubscriptionReading.current(of: user, in: tenant, today: today) { connection in
            try await SubscriptionQueries.list(
                of: user, filter: .init(), limit: min(Self.page, limit) + 1, today: today, on: connection)
        }
        guard few.count > min(Self.page, limit) else { return try await make(few, digits) }
        var hasTurn = false
        do {
            return try await turns.run(0) {
                hasTurn = true
                let (rows, digits) = try await all(limit: limit, isShown: isShown)
                return try await make(rows, digits)
            }
        } catch is TurnMissed where !hasTurn {
            var problem = Problem(
                .unavailable,
                "Other dashboards of more than \(Self.page) subscriptions are being made; try again in a few seconds.")
            problem.retryAfter = 5
            throw problem
        }
    }

    /// Reads all pages out of one snapshot: a subscription that renews meanwhile is on one of them.
    private func all(
        limit: Int, isShown: (SubscriptionRow) -> Bool
    ) async throws -> ([SubscriptionRow], [String: Int]) {
        try await tenant.client.withTransaction(tenant.database, isolation: .repeatableRead, isReadOnly: true) {
            connection in
            let digits = try await tenant.currencies.table(on: connection)
            var rows: [SubscriptionRow] = []
            while rows.count <= limit {
                let page = try await SubscriptionQueries.page(
                    of: user, after: rows.last.map { (end: $0.state.end, id: $0.id) },
                    limit: min(Self.page, limit + 1 - rows.count), today: today, on: connection)
                guard !page.isEmpty else { break }
                rows += page.map { row in
                    var row = row
                    if !isShown(row) { row.dropTexts() }
                    return row
                }
            }
            return (rows, digits)
        }
    }
}
