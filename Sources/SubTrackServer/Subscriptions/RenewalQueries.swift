import Foundation
import MariaDB
import SubTrackAPI

/// The statements that begin periods, and those that price them anew.
enum RenewalQueries {
    /// The day on which the first of a user's subscriptions that renew by themselves should have; nil when none is behind.
    /// - Parameter id: the one subscription to look at; nil: any.
    static func firstDue(
        _ user: UserID, only id: UUID?, today: CalendarDate, on connection: Connection
    ) async throws -> CalendarDate? {
        try await connection.query(
            "SELECT End_date FROM Subscription WHERE \(behind(user, id, today)) ORDER BY End_date LIMIT 1"
        ).decode(CalendarDate.self).first
    }

    /// Begins the period in which today lies, of a user's subscriptions that renew by themselves and whose period has ended.
    /// The triggers record all periods that have passed, up to 4,000 of each subscription.
    /// - Parameters:
    ///   - id: the one subscription to renew; nil: any.
    ///   - limit: how many to renew at the most.
    static func renew(
        _ user: UserID, only id: UUID?, today: CalendarDate, limit: Int, on connection: Connection
    ) async throws {
        try await connection.execute(
            """
            UPDATE Subscription SET Start_date = End_date, End_date = \(today.adding(days: 1)), Ver = 0
            WHERE \(behind(user, id, today)) ORDER BY End_date, Subscription_ID LIMIT \(limit)
            """)
    }

    private static func behind(_ user: UserID, _ id: UUID?, _ today: CalendarDate) -> SQL {
        var filter: SQL = "User_ID = \(user.uuid) AND End_date <= \(today)"
        if let id { filter += " AND Subscription_ID = \(id)" }
        return filter + " AND Auto_renew AND Cancelled_on IS NULL AND Deleted_at IS NULL"
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
