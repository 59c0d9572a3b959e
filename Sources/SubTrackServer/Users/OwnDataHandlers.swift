import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Taking one's data along, and leaving.
enum OwnDataHandlers {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry, services: AccountServices) {
        registry.register(DeleteMe.self) { try await delete($0, $1, services) }
        registry.register(ExportMe.self, handler: export)
    }

    private static func delete(_ input: DeleteMe, _ call: Call, _ services: AccountServices) async throws -> Reply<
        Empty
    > {
        let session = try call.requireSession()
        let confirmed = try await AccountHandlers.confirm(input.currentPassword, call, services)
        try await call.tenant.write(scope: session.user) { connection in
            for account in try await confirmed.check(on: connection, user: session.user) {
                try await MailQueries.deleteAll(to: account.email, on: connection)
                try await MailQueries.deleteSecrets(of: account.email, purpose: nil, on: connection)
            }
            try await UserQueries.delete(session.user, on: connection)
        }
        call.tenant.sessions.forget(session.user)
        return Reply(Empty())
    }

    @Sendable private static func export(_ input: ExportMe, _ call: Call) async throws -> Reply<ExportMe.Output> {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        try await AutoRenewal.catchUp(call.tenant, user: session.user, today: today)
        // One snapshot: what is exported was so at one moment.
        return try await call.tenant.client.withTransaction(
            call.tenant.database, isolation: .repeatableRead, isReadOnly: true
        ) { connection in
            guard let user = try await UserQueries.user(session.user, on: connection) else {
                throw AccountHandlers.userGone
            }
            let digits = try await call.tenant.currencies.table(on: connection)
            return Reply(
                .init(
                    exportedAt: call.now, user: user,
                    sessions: try await sessions(session, on: connection),
                    subscriptions: try await subscriptions(session.user, digits, today, on: connection),
                    deleted: try await deleted(session.user, digits, today, on: connection),
                    plans: try await plans(session.user, digits, today, on: connection)))
        }
    }

    private static func sessions(_ own: Session, on connection: Connection) async throws -> [ListSessions.Session] {
        let rows = try await SessionQueries.list(of: own.user, after: nil, limit: 10_000, on: connection)
        return rows.map { row in
            ListSessions.Session(
                id: row.id, device: row.device, createdAt: row.createdAt, lastUsedAt: row.lastUsedAt,
                current: row.id == own.id)
        }
    }

    private static func subscriptions(
        _ user: UserID, _ digits: [String: Int], _ today: CalendarDate, on connection: Connection
    ) async throws -> [ExportMe.Entry] {
        let periods = try await UserQueries.endedPeriods(of: user, on: connection)
        var entries: [ExportMe.Entry] = []
        var last: (end: CalendarDate, id: UUID)?
        while true {
            let rows = try await SubscriptionQueries.list(
                of: user, filter: .init(), after: last, limit: 1000, today: today, on: connection)
            entries += rows.map { entry($0, periods, digits, today) }
            guard rows.count == 1000, let row = rows.last else { return entries }
            last = (row.state.end, row.id)
        }
    }

    private static func deleted(
        _ user: UserID, _ digits: [String: Int], _ today: CalendarDate, on connection: Connection
    ) async throws -> [ExportMe.Entry] {
        let rows = try await SubscriptionQueries.restorable(of: user, limit: 10_000, today: today, on: connection)
        guard !rows.isEmpty else { return [] }
        let periods = try await UserQueries.endedPeriods(of: user, areDeleted: true, on: connection)
        return rows.map { entry($0, periods, digits, today) }
    }

    private static func entry(
        _ row: SubscriptionRow, _ periods: [UUID: [Period]], _ digits: [String: Int], _ today: CalendarDate
    ) -> ExportMe.Entry {
        ExportMe.Entry(
            subscription: row.subscription(digits: digits, today: today),
            periods: (periods[row.id] ?? []).map { period in
                var period = period
                period.fee = period.fee.written(in: period.currency, digits: digits)
                return period
            })
    }

    private static func plans(
        _ user: UserID, _ digits: [String: Int], _ today: CalendarDate, on connection: Connection
    ) async throws -> [GetPlan.Output] {
        let rows = try await CatalogueQueries.ownPlans(of: user, today: today, on: connection)
        let lines = try await CatalogueQueries.prices(of: rows.map(\.id), on: connection)
        return rows.map { row in
            GetPlan.Output(
                plan: row.plan(digits: digits, today: today),
                prices: (lines[row.id] ?? []).map { entry in
                    GetPlan.Price(
                        effectiveOn: entry.effectiveOn,
                        fee: entry.price.fee.written(in: entry.price.currency, digits: digits),
                        currency: entry.price.currency)
                })
        }
    }
}
