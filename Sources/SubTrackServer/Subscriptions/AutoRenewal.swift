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
    /// How many periods one statement records at the most, so that no lock is held for long: half a second of work. Of one
    /// subscription the triggers record 4,000 at once.
    private static let periodsPerStatement = 5000

    /// Renews what has to be renewed, in as many transactions as it takes.
    static func catchUp(_ tenant: Tenant, user: UserID, today: CalendarDate) async throws {
        var isDone = false
        while !isDone {
            isDone = try await tenant.write(scope: user) { connection in
                try await step(user, only: nil, today: today, on: connection)
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
    /// - Parameter id: the one subscription to look after.
    static func catchUp(
        _ user: UserID, only id: UUID, today: CalendarDate, on connection: Connection
    ) async throws {
        while try await !step(user, only: id, today: today, on: connection) {}
    }

    /// Renews by one statement: the triggers record what has passed, and decide what each period is and costs. As many
    /// subscriptions as have no more periods together than one statement may record, were they all daily ones.
    /// - Parameter id: the one subscription to look after; nil: all of the user's.
    /// - Returns: whether all were in their periods before.
    private static func step(
        _ user: UserID, only id: UUID?, today: CalendarDate, on connection: Connection
    ) async throws -> Bool {
        guard let due = try await RenewalQueries.firstDue(user, only: id, today: today, on: connection) else {
            return true
        }
        let periods = max(due.days(to: today), 0) + 1
        try await RenewalQueries.renew(
            user, only: id, today: today, limit: max(periodsPerStatement / periods, 1), on: connection)
        return false
    }
}
