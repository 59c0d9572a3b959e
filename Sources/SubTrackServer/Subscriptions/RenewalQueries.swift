import Foundation
import MariaDB
import SubTrackAPI

/// Some of a user's subscriptions.
enum SubscriptionChoice: Sendable {
    case all
    case one(UUID)
    /// Those to a plan.
    case plan(Int64)
}

/// The statements that begin periods, and those that price them anew.
enum RenewalQueries {
    /// The day on which the first of a user's subscriptions that renew by themselves should have; nil when none is behind.
    /// - Parameter choice: the subscriptions to look at.
    static func firstDue(
        _ user: UserID, _ choice: SubscriptionChoice, today: CalendarDate, on connection: Connection
    ) async throws -> CalendarDate? {
        try await connection.query(
            "SELECT End_date FROM Subscription WHERE \(behind(user, choice, today)) ORDER BY End_date LIMIT 1"
        ).decode(CalendarDate.self).first
    }

    /// Begins the period in which today lies, of a user's subscriptions that renew by themselves and whose period has ended.
    /// The triggers record all periods that have passed, up to 4,000 of each subscription.
    /// - Parameters:
    ///   - choice: the subscriptions to renew.
    ///   - limit: how many to renew at the most.
    static func renew(
        _ user: UserID, _ choice: SubscriptionChoice, today: CalendarDate, limit: Int, on connection: Connection
    ) async throws {
        try await connection.execute(
            """
            UPDATE Subscription SET Start_date = End_date, End_date = \(today.adding(days: 1)), Ver = 0
            WHERE \(behind(user, choice, today)) ORDER BY End_date, Subscription_ID LIMIT \(limit)
            """)
    }

    /// The number of the period in which a subscription was on a day. It is the first ended one behind which all
    /// periods began by themselves, and after that day; nil when there is none.
    /// - Parameters:
    ///   - base: a version by which the periods that had ended are to stay.
    ///   - isFollowed: whether periods are recorded anew afterwards. The plan may have another duration since: those that began
    ///     by the former one stay, for they would become others. So does one that is its own anchor: no duration leads to it.
    static func periodToReturnTo(
        _ id: UUID, of user: UserID, on day: CalendarDate, since base: Int64, isFollowed: Bool,
        on connection: Connection
    ) async throws -> Int? {
        var stays: SQL = "NOT q.Auto_renewed"
        var isOfToday: SQL = "TRUE"
        if isFollowed { (stays, isOfToday) = (staysBefore, endsByPlan) }
        return try await connection.query(
            """
            SELECT MIN(p.Period)
            FROM Subscription s JOIN Subscription_period p ON p.Subscription_ID = s.Subscription_ID
                JOIN Plan l ON l.Plan_ID = s.Plan_ID
            WHERE s.User_ID = \(user.uuid) AND s.Subscription_ID = \(id) AND s.Deleted_at IS NULL AND s.Auto_renewed
              AND p.End_date > \(day) AND p.Ver > \(base) AND p.Anchor_date IS NOT NULL AND (\(isOfToday))
              AND p.Period >= (
                  SELECT COALESCE(MAX(q.Period), 0) FROM Subscription_period q JOIN Plan l ON l.Plan_ID = q.Plan_ID
                  WHERE q.Subscription_ID = \(id) AND (\(stays)))
            """
        ).decode(Int?.self).first ?? nil
    }

    /// The numbers of the periods in which a user's subscriptions to a plan were on a day. They have renewed by themselves
    /// since. ``periodToReturnTo(_:of:on:since:isFollowed:on:)`` has the rule; periods are recorded anew afterwards.
    /// - Parameter base: a version by which the periods that had ended are to stay.
    /// - Returns: each subscription with the number, and that of its present period.
    static func periodsToReturnTo(
        plan: Int64, of user: UserID, on day: CalendarDate, since base: Int64, on connection: Connection
    ) async throws -> [(id: UUID, period: Int, present: Int)] {
        // The periods that stay are looked for once for each subscription, and not once for each of its periods.
        try await connection.query(
            """
            SELECT s.Subscription_ID, MIN(p.Period), s.Period
            FROM Subscription s FORCE INDEX (PRIMARY) JOIN Plan l ON l.Plan_ID = s.Plan_ID
                JOIN (
                    SELECT q.Subscription_ID, MAX(IF(\(staysBefore), q.Period, 0)) AS Kept
                    FROM Subscription x FORCE INDEX (PRIMARY)
                        JOIN Subscription_period q ON q.Subscription_ID = x.Subscription_ID
                        JOIN Plan l ON l.Plan_ID = q.Plan_ID
                    WHERE x.User_ID = \(user.uuid) AND x.Plan_ID = \(plan) AND x.Auto_renewed AND x.Start_date > \(day)
                    GROUP BY q.Subscription_ID
                ) k ON k.Subscription_ID = s.Subscription_ID
                JOIN Subscription_period p ON p.Subscription_ID = s.Subscription_ID AND p.Period >= k.Kept
            WHERE s.User_ID = \(user.uuid) AND s.Plan_ID = \(plan) AND s.Auto_renew AND s.Cancelled_on IS NULL
              AND s.Deleted_at IS NULL AND s.Auto_renewed AND s.Start_date > \(day) AND (\(endsByPlan))
              AND p.End_date > \(day) AND p.Ver > \(base) AND p.Anchor_date IS NOT NULL
            GROUP BY s.Subscription_ID, s.Period
            """
        ).decode((UUID, Int, Int).self).map { (id: $0.0, period: $0.1, present: $0.2) }
    }

    /// Whether no period before one that has ended, with the alias `q`, is taken back where periods are recorded anew.
    private static var staysBefore: SQL { "NOT q.Auto_renewed OR q.Anchor_count = 0 OR q.End_date <> \(end("q"))" }

    /// Whether the present period of a subscription, with the alias `s`, ends where the plan's duration puts it.
    private static var endsByPlan: SQL { "s.Anchor_count > 0 AND s.End_date = \(end("s"))" }

    /// The end of a period by its plan's present duration. The period's table has the alias that is given, its plan's has `l`.
    private static func end(_ period: SQL) -> SQL {
        """
        IF(
            l.Duration_unit IN ('month', 'year'),
            \(period).Anchor_date
                + INTERVAL \(period).Anchor_count * l.Duration_value * IF(l.Duration_unit = 'year', 12, 1) MONTH,
            \(period).Anchor_date
                + INTERVAL \(period).Anchor_count * l.Duration_value * IF(l.Duration_unit = 'week', 7, 1) DAY)
        """
    }

    /// Takes back periods that began by themselves behind a period, of subscriptions that all return to that number. The
    /// triggers refuse it where another one did not.
    static func takeBack(
        to period: Int, _ ids: [UUID], of user: UserID, on connection: Connection
    ) async throws {
        for start in stride(from: 0, to: ids.count, by: changedAtOnce) {
            let part = Array(ids[start..<min(start + changedAtOnce, ids.count)])
            try await connection.execute(
                """
                UPDATE Subscription SET Period = \(period), Ver = 0
                WHERE User_ID = \(user.uuid) AND Subscription_ID IN (\(list: part)) AND Deleted_at IS NULL
                """)
        }
    }

    /// The number of the first period that began by itself after a day; nil when there is none.
    static func firstAutomatic(
        _ id: UUID, of user: UserID, after day: CalendarDate, on connection: Connection
    ) async throws -> Int? {
        try await connection.query(
            """
            SELECT MIN(Period) FROM (
                SELECT Period FROM Subscription_period
                WHERE Subscription_ID = \(id) AND Auto_renewed AND Start_date > \(day)
                UNION ALL
                SELECT Period FROM Subscription
                WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id) AND Auto_renewed AND Start_date > \(day)) p
            """
        ).decode(Int?.self).first ?? nil
    }

    /// The version in which the last period ended before the present one; nil when none has, or the present one has begun
    /// by a day.
    static func lastEnd(_ id: UUID, after day: CalendarDate?, on connection: Connection) async throws -> Int64? {
        var filter: SQL = "s.Subscription_ID = \(id)"
        if let day { filter += " AND s.Start_date > \(day)" }
        return try await connection.query(
            """
            SELECT MAX(p.Ver) FROM Subscription s JOIN Subscription_period p ON p.Subscription_ID = s.Subscription_ID
            WHERE \(filter)
            """
        ).decode(Int64?.self).first ?? nil
    }

    /// Notes that somebody said of a period that it is as it should be: it is not taken back any more.
    /// - Parameter isCurrent: whether the period runs, or has ended.
    static func confirm(
        period: Int, isCurrent: Bool, _ id: UUID, of user: UserID, on connection: Connection
    ) async throws {
        try await connection.execute(
            isCurrent
                ? """
                UPDATE Subscription SET Auto_renewed = FALSE
                WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id) AND Period = \(period) AND Deleted_at IS NULL
                """
                : """
                UPDATE Subscription_period SET Auto_renewed = FALSE
                WHERE Subscription_ID = \(id) AND Period = \(period)
                """)
    }

    /// Numbers of periods between a day and a user's subscriptions to a plan, about. These renew by themselves, and are not in
    /// the period of that day: they have to renew up to it, or have renewed since.
    /// - Parameter base: a version by which the periods that had ended are to stay. A subscription without a later one has
    ///   nothing that could be taken back.
    static func periodsApart(
        from day: CalendarDate, plan: Int64, of user: UserID, since base: Int64, on connection: Connection
    ) async throws -> [Int] {
        try await connection.query(
            """
            SELECT CAST(IF(
                s.End_date <= \(day),
                1 + DATEDIFF(\(day), s.End_date) DIV (
                    l.Duration_value * CASE l.Duration_unit WHEN 'day' THEN 1 WHEN 'week' THEN 7 WHEN 'month' THEN 28 ELSE 365 END),
                (SELECT COUNT(*) FROM Subscription_period p
                 WHERE p.Subscription_ID = s.Subscription_ID AND p.End_date > \(day) AND p.Ver > \(base))) AS SIGNED)
            FROM Subscription s FORCE INDEX (PRIMARY) JOIN Plan l ON l.Plan_ID = s.Plan_ID
            WHERE s.User_ID = \(user.uuid) AND s.Plan_ID = \(plan) AND s.Auto_renew AND s.Cancelled_on IS NULL
              AND s.Deleted_at IS NULL AND (s.End_date <= \(day) OR s.Auto_renewed AND s.Start_date > \(day))
            """
        ).decode(Int.self).filter { $0 > 0 }
    }

    /// The subscription of a user that should have renewed first; nil when none is behind.
    /// - Parameter choice: the subscriptions to look at.
    static func firstBehind(
        _ user: UserID, _ choice: SubscriptionChoice, today: CalendarDate, on connection: Connection
    ) async throws -> UUID? {
        try await connection.query(
            """
            SELECT Subscription_ID FROM Subscription WHERE \(behind(user, choice, today))
            ORDER BY End_date, Subscription_ID LIMIT 1
            """
        ).decode(UUID.self).first
    }

    /// Renews one subscription until its period ends on a day or later.
    static func renew(_ id: UUID, of user: UserID, until day: CalendarDate, on connection: Connection) async throws {
        try await connection.execute(
            """
            UPDATE Subscription SET Start_date = End_date, End_date = \(day), Ver = 0
            WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id)
            """)
    }

    private static func behind(_ user: UserID, _ choice: SubscriptionChoice, _ today: CalendarDate) -> SQL {
        var filter: SQL = "User_ID = \(user.uuid) AND End_date <= \(today)"
        switch choice {
        case .all: break
        case .one(let id): filter += " AND Subscription_ID = \(id)"
        case .plan(let plan): filter += " AND Plan_ID = \(plan)"
        }
        return filter + " AND Auto_renew AND Cancelled_on IS NULL AND Deleted_at IS NULL"
    }

    /// How many subscriptions one statement changes: it has to end in time.
    private static let changedAtOnce = 500

    /// Takes the costs of the current periods of a user's subscriptions to a plan from its prices anew. A period with
    /// the same price of its first day does not change; nor does a fee of the user's own.
    /// - Returns: how many subscriptions there are.
    static func priceAnew(plan: Int64, of user: UserID, on connection: Connection) async throws -> Int {
        let ids = try await connection.query(
            """
            SELECT Subscription_ID FROM Subscription FORCE INDEX (PRIMARY)
            WHERE User_ID = \(user.uuid) AND Plan_ID = \(plan) AND Own_fee IS NULL AND Deleted_at IS NULL
            ORDER BY Subscription_ID
            """
        ).decode(UUID.self)
        for start in stride(from: 0, to: ids.count, by: changedAtOnce) {
            let part = Array(ids[start..<min(start + changedAtOnce, ids.count)])
            _ = try await connection.execute(
                """
                UPDATE Subscription SET Period_currency = ''
                WHERE User_ID = \(user.uuid) AND Subscription_ID IN (\(list: part))
                """)
        }
        return ids.count
    }
}
