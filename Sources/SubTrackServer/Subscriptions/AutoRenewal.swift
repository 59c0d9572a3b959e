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
    static let renewalsPerTransaction = 500

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
    ///
    /// A statement renews each subscription that is behind by one period; it is run until none is. That is one round trip
    /// for a period of all of them, and the triggers decide what each is and costs.
    /// - Parameters:
    ///   - id: the one subscription to look after; nil: all of the user's.
    ///   - limit: how often to renew at the most.
    /// - Returns: whether all is in its period now.
    @discardableResult
    static func catchUp(
        _ user: UserID, only id: UUID? = nil, today: CalendarDate, limit: Int = .max, on connection: Connection
    ) async throws -> Bool {
        var left = limit
        while left > 0 {
            let renewed = try await RenewalQueries.renewOnce(
                user, only: id, today: today, limit: min(left, renewalsPerTransaction), on: connection)
            guard renewed > 0 else { return true }
            left -= renewed
        }
        return false
    }
}
