import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements on subscriptions and their periods.
enum SubscriptionQueries {
    /// Which of a user's subscriptions a list shows.
    struct Filter: Sendable {
        /// Only those whose end date is at most this.
        var endsBy: CalendarDate?
        /// Only those that stand so.
        var status: Subscription.Status?
    }

    /// The place of a subscription in a list.
    typealias Place = (end: CalendarDate, id: UUID)

    /// The due dates of a user stand in the index in the order of the list: a page is read, and nothing sorted.
    private static let (listed, listedApart) = (list(.joined), list(.apart))

    private static func list(_ join: PricedJoin) -> SQL {
        """
        \(SubscriptionRow.selection(join))
        FROM Subscription s FORCE INDEX (Subscription_due) JOIN Plan p ON p.Plan_ID = s.Plan_ID \(PlanRow.joins(join))
        WHERE s.Deleted_at IS NULL AND s.User_ID =
        """
    }

    /// A user's subscriptions by end date: at least as many as wanted, if there are so many.
    static func list(
        of user: UserID, filter: Filter, after: Place? = nil, limit: Int, today: CalendarDate,
        on connection: Connection
    ) async throws -> [SubscriptionRow] {
        let condition = condition(user, filter, after, today)
        return try await PricedRows.decode(atLeast: limit, today: today, on: connection) { rows, join in
            try await connection.query(
                (join == .joined ? listed : listedApart) + condition
                    + " ORDER BY s.End_date, s.Subscription_ID LIMIT \(rows)")
        }
    }

    /// A page of all subscriptions of a user by end date. No row comes more than once, however many prices its plan has.
    static func page(
        of user: UserID, after: Place?, limit: Int, today: CalendarDate, on connection: Connection
    ) async throws -> [SubscriptionRow] {
        let rows = try await connection.query(
            listedApart + condition(user, Filter(), after, today)
                + " ORDER BY s.End_date, s.Subscription_ID LIMIT \(limit)")
        return try await PricedRows.decodeApart(rows, today: today, on: connection)
    }

    private static func condition(_ user: UserID, _ filter: Filter, _ after: Place?, _ today: CalendarDate) -> SQL {
        var condition: SQL = " \(user.uuid) AND \(user.isNotErased)"
        if let day = filter.endsBy { condition += " AND s.End_date <= \(day)" }
        switch filter.status {
        case nil: break
        case .active: condition += " AND s.Cancelled_on IS NULL"
        case .cancelled: condition += " AND s.Cancelled_on IS NOT NULL AND s.End_date >= \(today)"
        case .ended: condition += " AND s.Cancelled_on IS NOT NULL AND s.End_date < \(today)"
        }
        if let after {
            condition += " AND (s.End_date > \(after.end)"
            condition += " OR (s.End_date = \(after.end) AND s.Subscription_ID > \(after.id)))"
        }
        return condition
    }

    /// One subscription of a user; nil when there is none of this id, or it is somebody else's.
    static func subscription(
        _ id: UUID, of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> SubscriptionRow? {
        let rows = try await connection.query(
            """
            \(SubscriptionRow.selection) FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID \(PlanRow.joins)
            WHERE s.User_ID = \(user.uuid) AND s.Subscription_ID = \(id) AND s.Deleted_at IS NULL
              AND \(user.isNotErased)
            """)
        return try PricedRows.decode(rows, as: SubscriptionRow.self, today: today).first
    }

    /// A subscription of a user that was deleted, and the day of that by UTC; nil when there is none of this id.
    static func deleted(
        _ id: UUID, of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> (row: SubscriptionRow, on: CalendarDate)? {
        let rows = try await connection.query(
            """
            \(SubscriptionRow.selection), DATE(s.Deleted_at) FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID \(PlanRow.joins)
            WHERE s.User_ID = \(user.uuid) AND s.Subscription_ID = \(id) AND s.Deleted_at IS NOT NULL
            """)
        guard let first = rows.first,
            let row = try PricedRows.decode(rows, as: SubscriptionRow.self, today: today).first
        else { return nil }
        return (row, try first.decode(CalendarDate.self, at: first.count - 1))
    }

    /// A subscription that was added in this transaction, and how many its user has with it; nil when it is not there.
    static func added(
        _ id: UUID, of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> (row: SubscriptionRow, count: SubscriptionCount)? {
        let rows = try await connection.query(
            """
            \(SubscriptionRow.selection),
                   (SELECT COUNT(*) FROM Subscription o WHERE o.User_ID = \(user.uuid)),
                   (SELECT COUNT(*) FROM Subscription o WHERE o.User_ID = \(user.uuid) AND o.Deleted_at IS NULL)
            FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID \(PlanRow.joins)
            WHERE s.User_ID = \(user.uuid) AND s.Subscription_ID = \(id) AND s.Deleted_at IS NULL
            """)
        guard let first = rows.first,
            let row = try PricedRows.decode(rows, as: SubscriptionRow.self, today: today).first
        else { return nil }
        return (
            row,
            SubscriptionCount(
                active: try first.decode(Int.self, at: first.count - 1),
                kept: try first.decode(Int.self, at: first.count - 2))
        )
    }

    /// The ids of a user's subscriptions that renew by themselves and have not yet, with their periods.
    static func awaitingRenewal(
        of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> [(id: UUID, period: Int, end: CalendarDate)] {
        let rows = try await connection.query(
            """
            SELECT Subscription_ID, Period, End_date FROM Subscription
            WHERE User_ID = \(user.uuid) AND End_date <= \(today) AND Auto_renew AND Cancelled_on IS NULL
              AND Deleted_at IS NULL
            ORDER BY End_date
            """)
        return try rows.decode((UUID, Int, CalendarDate).self).map { (id: $0.0, period: $0.1, end: $0.2) }
    }

    /// Whether a subscription that changed after a version renews by itself and has not yet.
    static func awaitsRenewal(
        of user: UserID, after version: Int64, today: CalendarDate, on connection: Connection
    ) async throws -> Bool {
        let rows = try await connection.query(
            """
            SELECT 1 FROM Subscription
            WHERE User_ID = \(user.uuid) AND Ver > \(version) AND End_date <= \(today) AND Auto_renew
              AND Cancelled_on IS NULL AND Deleted_at IS NULL
            LIMIT 1
            """)
        return !rows.isEmpty
    }

    /// Ends the period of this number and begins the next; nothing when it has ended already.
    static func renew(
        _ id: UUID, of user: UserID, period: Int, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            UPDATE Subscription SET Start_date = End_date
            WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id) AND Period = \(period) AND Deleted_at IS NULL
            """)
    }

    /// Adds a subscription.
    static func insert(_ new: NewSubscription, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Anchor_date, Free_trial,
                                      Auto_renew, Own_fee, Label, Reminder_days, Muted, Note)
            VALUES (\(new.id), \(new.user.uuid), \(new.plan), \(new.start), \(new.anchor), \(new.freeTrial),
                    \(new.autoRenew), \(new.ownFee), \(new.label), \(new.reminderDays), \(new.muted),
                    \(new.note))
            """)
    }

    /// Writes some columns of a subscription.
    static func update(
        _ id: UUID, of user: UserID, set assignments: [SQL], on connection: Connection
    ) async throws {
        guard !assignments.isEmpty else { return }
        _ = try await connection.execute(
            """
            UPDATE Subscription SET \(SQL.joined(assignments))
            WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id)
            """)
    }

    /// Marks a subscription as deleted; it can be restored for a while.
    static func delete(_ id: UUID, of user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP()
            WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id) AND Deleted_at IS NULL
            """)
    }

    /// How long a deleted subscription can be restored, in days.
    static let restorableDays = 30

    /// The ids of the deleted subscriptions of a user that can be restored, the last deleted first.
    static func restorable(of user: UserID, on connection: Connection) async throws -> [UUID] {
        try await connection.query(
            """
            SELECT Subscription_ID FROM Subscription
            WHERE User_ID = \(user.uuid) AND Deleted_at > UTC_TIMESTAMP() - INTERVAL \(restorableDays) DAY
            ORDER BY Deleted_at DESC, Subscription_ID
            """
        ).decode(UUID.self)
    }

    /// Some subscriptions of a user, deleted or not, in the order of their ids' list; those that are not there are left out.
    /// The prices of each plan are read once: all may have one plan with a thousand.
    static func subscriptions(
        _ ids: [UUID], of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> [SubscriptionRow] {
        let rows = try await connection.query(
            """
            \(SubscriptionRow.selection(.apart)) FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID
            \(PlanRow.joins(.apart))
            WHERE s.User_ID = \(user.uuid) AND s.Subscription_ID IN (\(list: ids)) ORDER BY s.Subscription_ID
            """)
        let found = Dictionary(
            try await PricedRows.decodeApart(rows, as: SubscriptionRow.self, today: today, on: connection).map {
                ($0.id, $0)
            }, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { found[$0] }
    }

    /// Brings a deleted subscription back, if it was deleted not too long ago.
    /// - Parameter start: the first day of the period that it begins; nil: it is in the period in which it was.
    static func restore(
        _ id: UUID, of user: UserID, beginningOn start: CalendarDate?, on connection: Connection
    ) async throws {
        // Ver = 0: where it begins is said here, by the user's day.
        var assignments: SQL = "Deleted_at = NULL, Ver = 0"
        if let start { assignments += ", Start_date = \(start), Free_trial = FALSE" }
        _ = try await connection.execute(
            """
            UPDATE Subscription SET \(assignments)
            WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id)
              AND Deleted_at > UTC_TIMESTAMP() - INTERVAL \(restorableDays) DAY
            """)
    }

    /// The periods that have ended, of some subscriptions, by subscription and number.
    static func endedPeriods(
        of subscriptions: [UUID], on connection: Connection
    ) async throws -> [UUID: [Period]] {
        guard !subscriptions.isEmpty else { return [:] }
        let rows = try await connection.query(
            """
            SELECT Subscription_ID, Period, Start_date, End_date, Fee, Currency_code, Free_trial
            FROM Subscription_period WHERE Subscription_ID IN (\(list: subscriptions))
            ORDER BY Subscription_ID, Period
            """)
        var periods: [UUID: [Period]] = [:]
        for row in try rows.decode((UUID, Int, CalendarDate, CalendarDate, Amount, String, Bool).self) {
            periods[row.0, default: []].append(
                Period(
                    number: row.1, startDate: row.2, endDate: row.3, fee: row.4, currency: row.5, freeTrial: row.6))
        }
        return periods
    }

    /// A page of the periods of a subscription that have ended, by number, and one more.
    static func endedPeriods(
        of id: UUID, after number: Int?, limit: Int, on connection: Connection
    ) async throws -> [Period] {
        var filter: SQL = "Subscription_ID = \(id)"
        if let number { filter += " AND Period > \(number)" }
        let rows = try await connection.query(
            """
            SELECT Period, Start_date, End_date, Fee, Currency_code, Free_trial FROM Subscription_period
            WHERE \(filter) ORDER BY Period LIMIT \(limit)
            """)
        return try rows.decode((Int, CalendarDate, CalendarDate, Amount, String, Bool).self).map { row in
            Period(
                number: row.0, startDate: row.1, endDate: row.2, fee: row.3, currency: row.4, freeTrial: row.5)
        }
    }
}

/// A subscription that is about to be added.
struct NewSubscription: Sendable {
    var id: UUID
    var user: UserID
    var plan: Int64
    var start: CalendarDate
    var anchor: CalendarDate
    var freeTrial: Bool
    var autoRenew: Bool
    var ownFee: Amount?
    var label: String?
    var reminderDays: Int?
    var muted: Bool
    var note: String?
}
