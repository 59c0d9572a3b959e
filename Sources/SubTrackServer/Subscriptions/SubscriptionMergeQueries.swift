import Foundation
import MariaDB

/// The statements that move one user's subscriptions and private plans to another.
enum SubscriptionMergeQueries {
    /// A subscription that may be the same as one of another user's.
    struct Candidate: Sendable {
        let id: UUID
        /// Equal for subscriptions that agree in all that is billed and planned.
        let key: [UInt8]
        let label: String?
        let note: String?
        let reminderDays: Int?
        let muted: Bool
        /// How many periods of it have ended.
        let endedPeriods: Int

        /// Whether two contradict each other in nothing that a person said. Texts are compared by their bytes: two
        /// spellings of é are not changed into one another. That one is not muted was said by nobody.
        func fits(_ other: Candidate) -> Bool {
            func agree(_ one: String?, _ two: String?) -> Bool {
                guard let one, let two else { return true }
                return one.utf8.elementsEqual(two.utf8)
            }
            return (reminderDays == nil || other.reminderDays == nil || reminderDays == other.reminderDays)
                && agree(label, other.label) && agree(note, other.note)
        }
    }

    /// A private plan.
    struct OwnPlan: Sendable {
        let id: Int64
        /// Equal for plans that are the same but for their number and their prices so far.
        let key: [UInt8]
    }

    /// The condition that two private plans `p` of different users are the same: all but their number and their prices
    /// so far. Texts by their bytes: for the collation, e and é are one.
    private static let planKey: SQL = """
        CONCAT_WS('|', HEX(p.Provider), HEX(p.Plan_name), HEX(p.Subscription_type), p.Fee, HEX(p.Currency_code),
            p.Duration_value, HEX(p.Duration_unit), HEX(p.Country_ID), COALESCE(p.Trial_days, '-'), p.Notice_days,
            COALESCE(p.Withdrawn_on, '-'))
        """

    /// A user's subscriptions, the oldest first.
    static func subscriptions(of user: UserID, on connection: Connection) async throws -> [Candidate] {
        let rows = try await connection.query(
            """
            SELECT s.Subscription_ID,
                UNHEX(SHA2(CONCAT_WS('|', IF(p.Owner_ID IS NULL, p.Plan_ID, \(planKey)), s.Start_date, s.End_date,
                    s.Free_trial, s.Auto_renew, s.Period_fee, HEX(s.Period_currency), COALESCE(s.Own_fee, '-'),
                    COALESCE(s.Cancelled_on, '-'), s.Anchor_date, s.Anchor_count), 256)),
                s.Label, s.Note, s.Reminder_days, s.Muted, s.Period
            FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID
            WHERE s.User_ID = \(user.uuid) AND s.Deleted_at IS NULL
            ORDER BY s.Created_at, s.Subscription_ID
            """)
        return try rows.decode((UUID, [UInt8], String?, String?, Int?, Bool, Int).self).map { row in
            Candidate(
                id: row.0, key: row.1, label: row.2, note: row.3, reminderDays: row.4, muted: row.5,
                endedPeriods: row.6)
        }
    }

    /// Whether each period of a subscription that has ended is one of another's.
    static func hasPeriods(of id: UUID, in other: UUID, on connection: Connection) async throws -> Bool {
        let rows = try await connection.query(
            """
            SELECT NOT EXISTS (
                SELECT 1 FROM Subscription_period x LEFT JOIN Subscription_period y
                    ON y.Subscription_ID = \(other) AND y.Start_date = x.Start_date AND y.End_date = x.End_date
                    AND y.Fee = x.Fee AND y.Currency_code = x.Currency_code AND y.Free_trial = x.Free_trial
                WHERE x.Subscription_ID = \(id) AND y.Subscription_ID IS NULL)
            """)
        return try rows.decode(Bool.self).first ?? false
    }

    /// Copies values that the remaining subscription lacks.
    static func fillGaps(
        of id: UUID, from other: Candidate, user: UserID, on connection: Connection
    ) async throws {
        guard other.label != nil || other.note != nil || other.reminderDays != nil || other.muted else { return }
        _ = try await connection.execute(
            """
            UPDATE Subscription SET Label = COALESCE(Label, \(other.label)), Note = COALESCE(Note, \(other.note)),
                                    Reminder_days = COALESCE(Reminder_days, LEAST(\(other.reminderDays), 365)),
                                    Muted = Muted OR \(other.muted)
            WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id)
            """)
    }

    /// Removes subscriptions that the other user has too.
    static func drop(_ doubled: [Candidate], of former: UserID, on connection: Connection) async throws {
        for part in UserMerge.parts(doubled.map { (id: $0.id, rows: 1 + $0.endedPeriods) }) {
            _ = try await connection.execute(
                "DELETE FROM Subscription WHERE User_ID = \(former.uuid) AND Subscription_ID IN (\(list: part))")
        }
    }

    /// The private plans of a user that none of the user's subscriptions needs, and none of their periods. The newest first, as
    /// for a deletion (``SubscriptionErasureQueries/plans(of:limit:on:)``).
    static func plansWithoutUse(of user: UserID, on connection: Connection) async throws -> [OwnPlan] {
        let rows = try await connection.query(
            """
            SELECT p.Plan_ID, UNHEX(SHA2(\(planKey), 256)) FROM Plan p
            WHERE p.Owner_ID = \(user.uuid)
              AND NOT EXISTS (SELECT 1 FROM Subscription s WHERE s.Plan_ID = p.Plan_ID)
              AND NOT EXISTS (SELECT 1 FROM Subscription_period t WHERE t.Plan_ID = p.Plan_ID)
            ORDER BY p.Plan_ID DESC
            """)
        return try rows.decode((Int64, [UInt8]).self).map { OwnPlan(id: $0.0, key: $0.1) }
    }

    /// The private plans of a user.
    static func plans(of user: UserID, on connection: Connection) async throws -> [OwnPlan] {
        let rows = try await connection.query(
            """
            SELECT p.Plan_ID, UNHEX(SHA2(\(planKey), 256)) FROM Plan p
            WHERE p.Owner_ID = \(user.uuid) ORDER BY p.Plan_ID
            """)
        return try rows.decode((Int64, [UInt8]).self).map { OwnPlan(id: $0.0, key: $0.1) }
    }

    /// Whether a plan has all prices of another one, from when that one has them.
    static func hasPrices(of plan: Int64, in other: Int64, on connection: Connection) async throws -> Bool {
        let rows = try await connection.query(
            """
            SELECT q.Fee_since <= p.Fee_since AND NOT EXISTS (
                SELECT 1 FROM Plan_price x LEFT JOIN Plan_price y
                    ON y.Plan_ID = \(other) AND y.Effective_on = x.Effective_on AND y.Fee = x.Fee
                    AND y.Currency_code = x.Currency_code
                WHERE x.Plan_ID = \(plan) AND y.Plan_ID IS NULL)
            FROM Plan p JOIN Plan q ON q.Plan_ID = \(other) WHERE p.Plan_ID = \(plan)
            """)
        return try rows.decode(Bool.self).first ?? false
    }

    /// Removes a private plan.
    static func drop(plan: Int64, on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM Plan WHERE Plan_ID = \(plan)")
    }

    /// Makes the private plans of one user another's, with their prices; the newest first, as for a deletion.
    static func movePlans(_ former: UserID, to user: UserID, on connection: Connection) async throws {
        let plans = try await connection.query(
            """
            SELECT p.Plan_ID, COUNT(x.Plan_ID) FROM Plan p LEFT JOIN Plan_price x ON x.Plan_ID = p.Plan_ID
            WHERE p.Owner_ID = \(former.uuid) GROUP BY p.Plan_ID ORDER BY p.Plan_ID DESC
            """
        ).decode((Int64, Int).self)
        for part in UserMerge.parts(plans.map { (id: $0.0, rows: 1 + $0.1) }) {
            _ = try await connection.execute(
                """
                UPDATE Plan SET Owner_ID = \(user.uuid)
                WHERE Owner_ID = \(former.uuid) AND Plan_ID IN (\(list: part))
                """)
        }
    }

    /// Makes the subscriptions of one user another's, with their periods; deleted ones that can be restored included.
    static func moveSubscriptions(_ former: UserID, to user: UserID, on connection: Connection) async throws {
        let all = try await connection.query(
            """
            SELECT Subscription_ID, Period FROM Subscription WHERE User_ID = \(former.uuid) ORDER BY Subscription_ID
            """
        ).decode((UUID, Int).self)
        for part in UserMerge.parts(all.map { (id: $0.0, rows: 1 + $0.1) }) {
            _ = try await connection.execute(
                """
                UPDATE Subscription SET User_ID = \(user.uuid)
                WHERE User_ID = \(former.uuid) AND Subscription_ID IN (\(list: part))
                """)
        }
    }
}
