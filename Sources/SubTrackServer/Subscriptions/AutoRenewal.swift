import Foundation
import MariaDB
import SubTrackAPI

/// Brings subscriptions that renew by themselves into the period in which the user's today lies.
///
/// It is done whenever somebody looks, so that nothing depends on a job having run: each passed period is recorded with
/// the price that held on its first day.
enum AutoRenewal {
    /// How many periods a new subscription that renews by itself may be behind: a daily one for more than five years.
    static let maximumBehind = 2000
    /// How many renewals one transaction makes at the most, so that no lock is held for long.
    static let renewalsPerTransaction = 200

    /// Renews what has to be renewed.
    static func catchUp(_ tenant: Tenant, user: UserID, today: CalendarDate) async throws {
        while try await !renewSome(tenant, user: user, today: today) {}
    }

    /// Renews up to ``renewalsPerTransaction`` times.
    /// - Returns: whether all is in its period now.
    private static func renewSome(_ tenant: Tenant, user: UserID, today: CalendarDate) async throws -> Bool {
        try await tenant.write(scope: user) { connection in
            var left = renewalsPerTransaction
            for (id, period, end) in try await SubscriptionQueries.awaitingRenewal(
                of: user, today: today, on: connection)
            {
                var (number, end) = (period, end)
                while end <= today {
                    guard left > 0 else { return false }
                    left -= 1
                    try await SubscriptionQueries.renew(id, of: user, period: number, on: connection)
                    guard let now = try await SubscriptionQueries.period(of: id, user: user, on: connection),
                        now.number > number
                    else { break }
                    (number, end) = (now.number, now.end)
                }
            }
            return true
        }
    }
}
