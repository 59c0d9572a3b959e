import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements that read the rows of which reminders tell.
enum SubjectQueries {
    /// A user's subscription with the outlook of its plan.
    struct Subscription {
        let user: UserID
        let row: SubscriptionRow
        let outlook: PlanOutlook

        /// The subscription as the rules take it.
        var subject: ReminderSubject { subject(isMuted: row.muted) }

        /// The subscription as the rules would take it, were it muted or not.
        func subject(isMuted: Bool) -> ReminderSubject {
            .subscription(
                .init(
                    id: row.id, state: row.state, renewsItself: row.autoRenew, isCancelled: row.cancelledOn != nil,
                    isMuted: isMuted, reminderDays: row.reminderDays, outlook: outlook, cost: row.current,
                    ownFee: row.ownFee))
        }
    }

    /// The subscriptions of some users that are not deleted.
    static func subscriptions(
        of users: [UserID], today: CalendarDate, on connection: Connection
    ) async throws -> [Subscription] {
        try await subscriptions(
            where: "s.User_ID IN (\(list: users.map(\.uuid).filledUp()))", today: today, on: connection)
    }

    /// Some subscriptions of a user. Those that are deleted, or another user's, are left out.
    static func subscriptions(
        _ ids: [UUID], of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> [Subscription] {
        guard !ids.isEmpty else { return [] }
        return try await subscriptions(
            where: "s.User_ID = \(user.uuid) AND s.Subscription_ID IN (\(list: ids.filledUp()))", today: today,
            on: connection)
    }

    private static func subscriptions(
        where condition: SQL, today: CalendarDate, on connection: Connection
    ) async throws -> [Subscription] {
        let rows = try await connection.query(
            """
            \(SubscriptionRow.selection(.apart)), s.User_ID
            FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID \(PlanRow.joins(.apart))
            WHERE \(condition) AND s.Deleted_at IS NULL
            """)
        let owners = try rows.map { UserID(uuid: try $0.decode(UUID.self, at: $0.count - 1)) }
        let subscriptions: [SubscriptionRow] = try await PricedRows.decodeApart(rows, today: today, on: connection)
        let plans = Set(subscriptions.map(\.plan.id)).sorted()
        let former = try await DashboardQueries.formerTerms(of: plans.filledUp(), on: connection)
        let lines = try await CatalogueQueries.lines(of: plans, on: connection)
        return zip(owners, subscriptions).map { user, row in
            Subscription(
                user: user, row: row,
                outlook: PlanOutlook(
                    prices: lines[row.plan.id] ?? PriceLine(always: row.plan.stored),
                    terms: PlanTerms(duration: row.plan.duration, noticeDays: row.plan.noticeDays),
                    former: former[row.plan.id], withdrawnOn: row.plan.withdrawnOn))
        }
    }

    /// A day that matters, with the name of its contact.
    struct Date {
        let user: UserID
        let occasion: StoredContact.Occasion
        let name: String
        let contact: UUID
        /// The contact's version.
        let version: Int64
    }

    /// The dates of some users' contacts that are not deleted.
    static func dates(of users: [UserID], on connection: Connection) async throws -> [Date] {
        try await connection.query(
            """
            SELECT d.User_ID, d.Date_ID, d.Happens_on, d.Yearly, d.Reminder_days, d.Date_type, c.First_name, c.Last_name,
                c.Contact_ID, c.Ver
            FROM Contact_date d JOIN Contact c ON c.User_ID = d.User_ID AND c.Contact_ID = d.Contact_ID
            WHERE d.User_ID IN (\(list: users.map(\.uuid).filledUp())) AND c.Deleted_at IS NULL
            """
        ).decode((UUID, UUID, String, Bool, Int?, String, String, String, UUID, Int64).self).map { row in
            Date(
                user: UserID(uuid: row.0),
                occasion: StoredContact.Occasion(
                    id: row.1, date: row.2, yearly: row.3, reminderDays: row.4, type: row.5),
                name: "\(row.6) \(row.7)", contact: row.8, version: row.9)
        }
    }

    /// The pages on which subscriptions are cancelled, by their ids. Those of a user's own plans have none: their providers are not those
    /// of the catalogue.
    static func cancelPages(
        of subscriptions: some Sequence<Subscription>, on connection: Connection
    ) async throws -> [UUID: String] {
        let listed = subscriptions.map(\.row).filter { $0.plan.owner == nil }
        guard !listed.isEmpty else { return [:] }
        let rows = try await connection.query(
            """
            SELECT Provider, Cancel_URL FROM Provider
            WHERE Provider IN (\(list: Set(listed.map(\.plan.provider)).sorted().filledUp())) AND Cancel_URL IS NOT NULL
            """
        ).decode((String, String).self)
        let pages = Dictionary(rows.map { ($0.0.lowercased(), $0.1) }) { first, _ in first }
        return Dictionary(
            listed.compactMap { row in pages[row.plan.provider.lowercased()].map { (row.id, $0) } }
        ) { first, _ in first }
    }
}
