import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Writes an export as the JSON of ``SubTrackAPI/ExportMe/Output``, page by page. Its memory does not depend on the
/// number of rows.
struct OwnDataWriter {
    /// How many subscriptions or plans are read at once: some milliseconds of work.
    private static let page = 200
    /// How many periods are read at once, about.
    private static let periodsAtOnce = 2000

    let session: Session
    let now: Instant
    let today: CalendarDate
    let digits: [String: Int]
    /// In a transaction whose snapshot the export shows.
    let connection: Connection
    private(set) var spool: AnswerSpool

    /// Writes all of it.
    /// - Throws: `user_deleted`.
    mutating func write() async throws {
        guard let user = try await UserQueries.user(session.user, on: connection) else {
            throw AccountHandlers.userGone
        }
        try await raw("{\"exportedAt\":")
        try await put(now)
        try await raw(",\"user\":")
        try await put(user)
        try await raw(",\"sessions\":")
        try await put(try await sessions())
        try await raw(",\"subscriptions\":[")
        try await writeSubscriptions()
        try await raw("],\"deleted\":[")
        try await writeDeleted()
        try await raw("],\"plans\":[")
        try await writePlans()
        try await raw("]}")
    }

    /// Writes JSON as it stands.
    private mutating func raw(_ text: StaticString) async throws {
        let bytes = text.withUTF8Buffer { Array($0) }
        try await spool.write(bytes)
    }

    /// Writes a value as JSON.
    private mutating func put(_ value: some Encodable) async throws {
        try await spool.write(try OutputEncoder.encode(value))
    }

    private func sessions() async throws -> [ListSessions.Session] {
        let rows = try await SessionQueries.list(of: session.user, after: nil, limit: 1000, on: connection)
        return rows.map { row in
            ListSessions.Session(
                id: row.id, device: row.device, createdAt: row.createdAt, lastUsedAt: row.lastUsedAt,
                current: row.id == session.id)
        }
    }

    // MARK: Subscriptions

    private mutating func writeSubscriptions() async throws {
        var last: (end: CalendarDate, id: UUID)?
        while true {
            // It may give more than it was asked for.
            let rows = try await SubscriptionQueries.list(
                of: session.user, filter: .init(), after: last, limit: Self.page, today: today, on: connection
            ).prefix(Self.page)
            try await write(rows, isFirst: last == nil)
            guard let row = rows.last else { return }
            last = (row.state.end, row.id)
        }
    }

    private mutating func writeDeleted() async throws {
        let ids = try await SubscriptionQueries.restorable(of: session.user, on: connection)
        for start in stride(from: 0, to: ids.count, by: Self.page) {
            let rows = try await SubscriptionQueries.subscriptions(
                Array(ids[start..<min(start + Self.page, ids.count)]), of: session.user, today: today, on: connection)
            try await write(rows[...], isFirst: start == 0)
        }
    }

    /// Writes subscriptions with their periods, as many together as have not too many of these.
    private mutating func write(_ rows: ArraySlice<SubscriptionRow>, isFirst: Bool) async throws {
        var isFirst = isFirst
        var start = rows.startIndex
        while start < rows.endIndex {
            var end = start
            var count = 0
            // The number of a period is how many came before it.
            repeat {
                count += rows[end].state.number
                end += 1
            } while end < rows.endIndex && count + rows[end].state.number <= Self.periodsAtOnce
            let group = rows[start..<end]
            let periods =
                count > Self.periodsAtOnce
                ? [:] : try await UserQueries.endedPeriods(of: group.map(\.id), on: connection)
            for row in group {
                try await raw(isFirst ? "{\"subscription\":" : ",{\"subscription\":")
                isFirst = false
                try await put(row.subscription(digits: digits, today: today))
                try await raw(",\"periods\":[")
                if count > Self.periodsAtOnce {
                    try await writePeriods(of: row.id)
                } else {
                    try await write(periods[row.id] ?? [], isFirst: true)
                }
                try await raw("]}")
            }
            start = end
        }
    }

    /// Writes the periods of one subscription that has many.
    private mutating func writePeriods(of id: UUID) async throws {
        var last: Int?
        while true {
            let periods = try await SubscriptionQueries.endedPeriods(
                of: id, after: last, limit: Self.periodsAtOnce, on: connection)
            try await write(periods, isFirst: last == nil)
            guard let number = periods.last?.number else { return }
            last = number
        }
    }

    private mutating func write(_ periods: [Period], isFirst: Bool) async throws {
        for (index, period) in periods.enumerated() {
            if index > 0 || !isFirst { try await raw(",") }
            var period = period
            period.fee = period.fee.written(in: period.currency, digits: digits)
            try await put(period)
        }
    }

    // MARK: Plans

    private mutating func writePlans() async throws {
        let ids = try await CatalogueQueries.ownPlans(of: session.user, on: connection)
        for start in stride(from: 0, to: ids.count, by: Self.page) {
            let rows = try await CatalogueQueries.plans(
                Array(ids[start..<min(start + Self.page, ids.count)]), today: today, on: connection)
            let lines = try await CatalogueQueries.prices(of: rows.map(\.id), on: connection)
            for (index, row) in rows.enumerated() {
                if start + index > 0 { try await raw(",") }
                try await put(
                    GetPlan.Output(
                        plan: row.plan(digits: digits, today: today),
                        prices: (lines[row.id] ?? []).map { entry in
                            GetPlan.Price(
                                effectiveOn: entry.effectiveOn,
                                fee: entry.price.fee.written(in: entry.price.currency, digits: digits),
                                currency: entry.price.currency)
                        }))
            }
        }
    }
}
