import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Writes subscriptions, periods and private plans of a user's export, page by page.
enum SubscriptionExport {
    /// How many subscriptions or plans are read at once: some milliseconds of work.
    private static let page = 200
    /// How many periods are read at once, about.
    private static let periodsAtOnce = 2000

    /// The sections of the area.
    static let sections = [
        ExportSection(name: "subscriptions") { try await list(to: &$0, subscriptions) },
        ExportSection(name: "deleted") { try await list(to: &$0, deleted) },
        ExportSection(name: "plans") { try await list(to: &$0, plans) },
    ]

    private static func list(
        to export: inout UserExport, _ write: (inout UserExport) async throws -> Void
    ) async throws {
        try await export.raw("[")
        try await write(&export)
        try await export.raw("]")
    }

    private static func digits(_ export: UserExport) async throws -> [String: Int] {
        try await export.tenant.currencies.table(on: export.connection)
    }

    private static func subscriptions(to export: inout UserExport) async throws {
        var last: (end: CalendarDate, id: UUID)?
        while true {
            // It may give more than it was asked for.
            let rows = try await SubscriptionQueries.list(
                of: export.session.user, filter: .init(), after: last, limit: Self.page, today: export.today,
                on: export.connection
            ).prefix(Self.page)
            try await write(rows, isFirst: last == nil, to: &export)
            guard let row = rows.last else { return }
            last = (row.state.end, row.id)
        }
    }

    private static func deleted(to export: inout UserExport) async throws {
        let ids = try await SubscriptionQueries.restorable(of: export.session.user, on: export.connection)
        for start in stride(from: 0, to: ids.count, by: Self.page) {
            let rows = try await SubscriptionQueries.subscriptions(
                Array(ids[start..<min(start + Self.page, ids.count)]), of: export.session.user, today: export.today,
                on: export.connection)
            try await write(rows[...], isFirst: start == 0, to: &export)
        }
    }

    /// Writes subscriptions with their periods, as many together as have not too many of these.
    private static func write(
        _ rows: ArraySlice<SubscriptionRow>, isFirst: Bool, to export: inout UserExport
    ) async throws {
        let digits = try await digits(export)
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
                ? [:] : try await SubscriptionQueries.endedPeriods(of: group.map(\.id), on: export.connection)
            for row in group {
                try await export.raw(isFirst ? "{\"subscription\":" : ",{\"subscription\":")
                isFirst = false
                try await export.put(row.subscription(digits: digits, today: export.today))
                try await export.raw(",\"periods\":[")
                if count > Self.periodsAtOnce {
                    try await writePeriods(of: row.id, digits: digits, to: &export)
                } else {
                    try await write(periods[row.id] ?? [], isFirst: true, digits: digits, to: &export)
                }
                try await export.raw("]}")
            }
            start = end
        }
    }

    /// Writes the periods of one subscription that has many.
    private static func writePeriods(of id: UUID, digits: [String: Int], to export: inout UserExport) async throws {
        var last: Int?
        while true {
            let periods = try await SubscriptionQueries.endedPeriods(
                of: id, after: last, limit: Self.periodsAtOnce, on: export.connection)
            try await write(periods, isFirst: last == nil, digits: digits, to: &export)
            guard let number = periods.last?.number else { return }
            last = number
        }
    }

    private static func write(
        _ periods: [Period], isFirst: Bool, digits: [String: Int], to export: inout UserExport
    ) async throws {
        for (index, period) in periods.enumerated() {
            if index > 0 || !isFirst { try await export.raw(",") }
            var period = period
            period.fee = period.fee.written(in: period.currency, digits: digits)
            try await export.put(period)
        }
    }

    private static func plans(to export: inout UserExport) async throws {
        let digits = try await digits(export)
        let ids = try await CatalogueQueries.ownPlans(of: export.session.user, on: export.connection)
        for start in stride(from: 0, to: ids.count, by: Self.page) {
            let rows = try await CatalogueQueries.plans(
                Array(ids[start..<min(start + Self.page, ids.count)]), today: export.today, on: export.connection)
            let lines = try await CatalogueQueries.prices(of: rows.map(\.id), on: export.connection)
            for (index, row) in rows.enumerated() {
                if start + index > 0 { try await export.raw(",") }
                try await export.put(
                    GetPlan.Output(
                        plan: row.plan(digits: digits, today: export.today),
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
