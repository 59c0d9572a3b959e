import Foundation
import MariaDB

/// The statements that move what is one user's to another.
enum UserMergeQueries {
    /// Two subscriptions that are one.
    struct Pair: Sendable {
        /// The one that goes.
        let from: UUID
        /// The one that stays.
        let to: UUID
        /// What the first one says.
        let label: String?
        let note: String?
        let reminderDays: Int?
    }

    /// Whether two private plans (`p` of the one user, `q` of the other) are the same but for their number. Texts are
    /// compared by their bytes: for the collation, e and é are one.
    private static let isSamePlan: SQL = """
        CAST(p.Provider AS BINARY) = CAST(q.Provider AS BINARY) AND CAST(p.Plan_name AS BINARY) = CAST(q.Plan_name AS BINARY)
        AND CAST(p.Subscription_type AS BINARY) = CAST(q.Subscription_type AS BINARY)
        AND p.Fee = q.Fee AND p.Currency_code = q.Currency_code AND p.Duration_value = q.Duration_value
        AND p.Duration_unit = q.Duration_unit AND p.Country_ID = q.Country_ID AND p.Trial_days <=> q.Trial_days
        AND p.Notice_days = q.Notice_days AND p.Withdrawn_on <=> q.Withdrawn_on
        """

    /// Pairs of subscriptions that agree in all that is billed and planned, and contradict each other in nothing; each
    /// period of the first is one of the second.
    static func alike(_ former: UserID, _ user: UserID, on connection: Connection) async throws -> [Pair] {
        let rows = try await connection.query(
            """
            SELECT a.Subscription_ID, b.Subscription_ID, a.Label, a.Note, a.Reminder_days
            FROM Subscription a
            JOIN Plan p ON p.Plan_ID = a.Plan_ID
            JOIN Subscription b ON b.User_ID = \(user.uuid) AND b.End_date = a.End_date
            JOIN Plan q ON q.Plan_ID = b.Plan_ID
            WHERE a.User_ID = \(former.uuid) AND a.Deleted_at IS NULL AND b.Deleted_at IS NULL
              AND (p.Plan_ID = q.Plan_ID
                OR p.Owner_ID = \(former.uuid) AND q.Owner_ID = \(user.uuid) AND \(isSamePlan))
              AND a.Start_date = b.Start_date AND a.Free_trial = b.Free_trial AND a.Auto_renew = b.Auto_renew
              AND a.Period_fee = b.Period_fee AND a.Period_currency = b.Period_currency
              AND a.Own_fee <=> b.Own_fee AND a.Cancelled_on <=> b.Cancelled_on
              AND a.Anchor_date = b.Anchor_date AND a.Anchor_count = b.Anchor_count
              AND (a.Reminder_days IS NULL OR b.Reminder_days IS NULL OR a.Reminder_days = b.Reminder_days)
              AND (a.Label IS NULL OR b.Label IS NULL OR CAST(a.Label AS BINARY) = CAST(b.Label AS BINARY))
              AND (a.Note IS NULL OR b.Note IS NULL OR CAST(a.Note AS BINARY) = CAST(b.Note AS BINARY))
              AND NOT EXISTS (
                SELECT 1 FROM Subscription_period x WHERE x.Subscription_ID = a.Subscription_ID AND NOT EXISTS (
                    SELECT 1 FROM Subscription_period y
                    WHERE y.Subscription_ID = b.Subscription_ID AND y.Start_date = x.Start_date
                      AND y.End_date = x.End_date AND y.Fee = x.Fee AND y.Currency_code = x.Currency_code
                      AND y.Free_trial = x.Free_trial))
            ORDER BY a.Created_at, a.Subscription_ID, b.Created_at, b.Subscription_ID
            """)
        return try rows.decode((UUID, UUID, String?, String?, Int?).self).map { row in
            Pair(from: row.0, to: row.1, label: row.2, note: row.3, reminderDays: row.4)
        }
    }

    /// Takes over what the subscription that stays does not say.
    static func fillGaps(_ pair: Pair, of user: UserID, on connection: Connection) async throws {
        guard pair.label != nil || pair.note != nil || pair.reminderDays != nil else { return }
        _ = try await connection.execute(
            """
            UPDATE Subscription SET Label = COALESCE(Label, \(pair.label)), Note = COALESCE(Note, \(pair.note)),
                                    Reminder_days = COALESCE(Reminder_days, \(pair.reminderDays))
            WHERE User_ID = \(user.uuid) AND Subscription_ID = \(pair.to)
            """)
    }

    /// Removes a subscription that the other user has too.
    static func drop(_ id: UUID, of former: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "DELETE FROM Subscription WHERE User_ID = \(former.uuid) AND Subscription_ID = \(id)")
    }

    /// Removes private plans that nothing of the first user's needs any more and that the other user has too, with all
    /// their prices.
    static func dropDoubledPlans(_ former: UserID, _ user: UserID, on connection: Connection) async throws {
        let rows = try await connection.query(
            """
            SELECT p.Plan_ID FROM Plan p
            WHERE p.Owner_ID = \(former.uuid)
              AND EXISTS (
                SELECT 1 FROM Plan q WHERE q.Owner_ID = \(user.uuid) AND \(isSamePlan)
                  AND q.Fee_since <= p.Fee_since AND NOT EXISTS (
                    SELECT 1 FROM Plan_price x WHERE x.Plan_ID = p.Plan_ID AND NOT EXISTS (
                        SELECT 1 FROM Plan_price y
                        WHERE y.Plan_ID = q.Plan_ID AND y.Effective_on = x.Effective_on AND y.Fee = x.Fee
                          AND y.Currency_code = x.Currency_code)))
              AND NOT EXISTS (SELECT 1 FROM Subscription s WHERE s.Plan_ID = p.Plan_ID)
              AND NOT EXISTS (SELECT 1 FROM Subscription_period t WHERE t.Plan_ID = p.Plan_ID)
            """)
        for id in try rows.decode(Int64.self) {
            _ = try await connection.execute("DELETE FROM Plan WHERE Plan_ID = \(id)")
        }
    }

    /// Makes the private plans of one user another's.
    static func movePlans(_ former: UserID, to user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "UPDATE Plan SET Owner_ID = \(user.uuid) WHERE Owner_ID = \(former.uuid) ORDER BY Plan_ID")
    }

    /// Makes the subscriptions of one user another's, deleted ones that can be restored included.
    /// - Returns: how many that are not deleted.
    static func moveSubscriptions(
        _ former: UserID, to user: UserID, on connection: Connection
    ) async throws -> Int {
        let live = try await connection.query(
            "SELECT COUNT(*) FROM Subscription WHERE User_ID = \(former.uuid) AND Deleted_at IS NULL")
        _ = try await connection.execute(
            "UPDATE Subscription SET User_ID = \(user.uuid) WHERE User_ID = \(former.uuid) ORDER BY Subscription_ID")
        return try live.decode(Int.self).first ?? 0
    }

    /// Moves devices and the answers that are kept for writes, and takes over the name of a user whose account has none.
    static func moveTheRest(_ former: UserID, to user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute("UPDATE Device SET User_ID = \(user.uuid) WHERE User_ID = \(former.uuid)")
        // A key that both have used stays what it was for the account's user.
        _ = try await connection.execute(
            "UPDATE IGNORE Idempotency SET User_ID = \(user.uuid) WHERE User_ID = \(former.uuid)")
        let names = try await connection.query("SELECT User_name FROM `User` WHERE User_ID = \(former.uuid)")
        try await AccountQueries.nameUser(user, try names.decode(String?.self).first ?? nil, on: connection)
    }
}
