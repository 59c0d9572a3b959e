import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Brings subscriptions that renew by themselves into the period in which the user's today lies.
///
/// It is done whenever somebody looks, so that nothing depends on a job having run: each passed period is recorded with
/// the price that held on its first day.
enum AutoRenewal {
    /// How many periods a new subscription that renews by itself may be behind: a daily one for more than five years.
    static let maximumBehind = 2000
    /// How many renewals one transaction makes at the most, so that no lock is held for long.
    static let renewalsPerTransaction = 200

    /// Renews what has to be renewed, in as many transactions as it takes.
    static func catchUp(_ tenant: Tenant, user: UserID, today: CalendarDate) async throws {
        var isDone = false
        while !isDone {
            isDone = try await tenant.write(scope: user) { connection in
                try await catchUp(user, today: today, limit: renewalsPerTransaction, on: connection)
            }
        }
    }

    /// Refuses a subscription that renews by itself and began so long ago that its periods would take long to record.
    static func checkBehind(_ period: BillingState, plan: PlanRow, today: CalendarDate) throws {
        let terms = try SubscriptionInput.terms(plan)
        guard let due = try? period.renewalsDue(on: today, terms: terms), due <= maximumBehind else {
            throw Problem.input(
                "startDate", .range,
                "lies more than \(maximumBehind) periods back; give nextRenewal, or a later start")
        }
    }

    /// Renews what has to be renewed, in a transaction that has the user's scope locked.
    /// - Parameters:
    ///   - id: the one subscription to look after; nil: all of the user's.
    ///   - limit: how often to renew at the most.
    /// - Returns: whether all is in its period now.
    @discardableResult
    static func catchUp(
        _ user: UserID, only id: UUID? = nil, today: CalendarDate, limit: Int = .max, on connection: Connection
    ) async throws -> Bool {
        var left = limit
        for behind in try await SubscriptionQueries.awaitingRenewal(of: user, today: today, on: connection)
        where id == nil || behind.id == id {
            var (number, end) = (behind.period, behind.end)
            while end <= today {
                guard left > 0 else { return false }
                left -= 1
                try await SubscriptionQueries.renew(behind.id, of: user, period: number, on: connection)
                guard let now = try await SubscriptionQueries.period(of: behind.id, user: user, on: connection),
                    now.number > number
                else { break }
                (number, end) = (now.number, now.end)
            }
        }
        return true
    }
}
