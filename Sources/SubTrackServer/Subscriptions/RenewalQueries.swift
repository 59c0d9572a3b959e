import Foundation
import MariaDB
import SubTrackAPI

/// The statements that begin periods, and those that price them anew.
enum RenewalQueries {
    /// Begins the next period of a user's subscriptions that renew by themselves and whose period has ended: one period of
    /// each, even where more have passed.
    /// - Parameters:
    ///   - id: the one subscription to renew; nil: any.
    ///   - limit: how many to renew at the most.
    /// - Returns: how many were renewed.
    static func renewOnce(
        _ user: UserID, only id: UUID?, today: CalendarDate, limit: Int, on connection: Connection
    ) async throws -> Int {
        var filter: SQL = "User_ID = \(user.uuid) AND End_date <= \(today)"
        if let id { filter += " AND Subscription_ID = \(id)" }
        let result = try await connection.execute(
            """
            UPDATE Subscription SET Start_date = End_date
            WHERE \(filter) AND Auto_renew AND Cancelled_on IS NULL AND Deleted_at IS NULL
            ORDER BY End_date, Subscription_ID LIMIT \(limit)
            """)
        return Int(clamping: result.affectedRows)
    }

    /// Takes what the current periods of a user's subscriptions to a plan cost from the plan's prices anew. Where the price
    /// of a period's first day is the one that was taken, nothing changes; nor does a fee of the user's own.
    static func priceAnew(plan: Int64, of user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            UPDATE Subscription SET Period_currency = ''
            WHERE User_ID = \(user.uuid) AND Plan_ID = \(plan) AND Own_fee IS NULL AND Deleted_at IS NULL
            """)
    }
}
