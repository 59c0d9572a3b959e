import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements that read the rows of which reminders tell.
enum SubjectQueries {
    /// A user's subscription with the outlook of its plan.
    struct Subject {
        let user: UserID
        let row: SubscriptionRow
        let outlook: PlanOutlook
    }

    /// The subscriptions of some users that are not deleted.
    static func subscriptions(
        of users: [UserID], today: CalendarDate, on connection: Connection
    ) async throws -> [Subject] {
        try await subjects(
            where: "s.User_ID IN (\(list: users.map(\.uuid).filledUp()))", today: today, on: connection)
    }

    /// Some subscriptions of a user; those that are deleted, or another user's, are left out.
    static func subscriptions(
        _ ids: [UUID], of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> [Subject] {
        guard !ids.isEmpty else { return [] }
        return try await subjects(
            where: "s.User_ID = \(user.uuid) AND s.Subscription_ID IN (\(list: ids.filledUp()))", today: today,
            on: connection)
    }

    private static func subjects(
        where condition: SQL, today: CalendarDate, on connection: Connection
    ) async throws -> [Subject] {
        let rows = try await connection.query(
            """
            \(SubscriptionRow.selection(.apart)), s.User_ID
            FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID \(PlanRow.joins(.apart))
            WHERE \(condition) AND s.Deleted_at IS NULL
            """)
        let users = try rows.map { UserID(uuid: try $0.decode(UUID.self, at: $0.count - 1)) }
        let subscriptions: [SubscriptionRow] = try await PricedRows.decodeApart(rows, today: today, on: connection)
        let plans = Array(Set(subscriptions.map(\.plan.id)))
        let former = try await DashboardQueries.formerTerms(of: plans.filledUp(), on: connection)
        let lines = try await CatalogueQueries.lines(of: plans.sorted(), on: connection)
        return zip(users, subscriptions).map { user, row in
            Subject(
                user: user, row: row,
                outlook: PlanOutlook(
                    prices: lines[row.plan.id] ?? PriceLine(always: row.plan.stored),
                    terms: PlanTerms(duration: row.plan.duration, noticeDays: row.plan.noticeDays),
                    former: former[row.plan.id], withdrawnOn: row.plan.withdrawnOn))
        }
    }

    /// A reminder of before, and its answer.
    struct Told {
        let user: UserID
        let subject: UUID
        let kind: ReminderKind
        let on: CalendarDate
        let lead: Int
        let answer: ReminderAnswer?
        let snoozedUntil: CalendarDate?
    }

    /// The reminders of some users about days from one on.
    static func told(
        _ users: [UserID], since day: CalendarDate, on connection: Connection
    ) async throws -> [Told] {
        try await connection.query(
            """
            SELECT User_ID, Subject_ID, Kind, Occurs_on, Lead_days, Answer, Snoozed_until FROM Reminder
            WHERE User_ID IN (\(list: users.map(\.uuid).filledUp())) AND Occurs_on >= \(day)
            """
        ).decode((UUID, UUID, ReminderKind, CalendarDate, Int, ReminderAnswer?, CalendarDate?).self).map { row in
            Told(
                user: UserID(uuid: row.0), subject: row.1, kind: row.2, on: row.3, lead: row.4, answer: row.5,
                snoozedUntil: row.6)
        }
    }
}
