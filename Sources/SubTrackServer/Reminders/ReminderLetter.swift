import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A notification as it is said now: its rows are read at each attempt, so that no mail tells of a day that has moved.
struct ReminderLetter {
    let email: EmailAddress
    let language: MailLanguage
    /// The local day of the user.
    let today: CalendarDate
    /// Never empty.
    let items: [ReminderText.Item]

    /// Reads a notification.
    /// - Parameter digits: the digits of each currency.
    /// - Returns: nil when nothing is left to say, or nobody is to be told by mail.
    static func read(
        _ delivery: DeliveryQueries.Claimed, digits: [String: Int], now: Instant, on connection: Connection
    ) async throws -> ReminderLetter? {
        let user = delivery.user
        guard
            let account = try await AccountQueries.accounts(of: user, on: connection).first(where: \.isVerified)
        else { return nil }
        let settings = try await ReminderSettingQueries.settings(of: [user], on: connection)[user]
        guard settings?.byMail ?? true else { return nil }
        let today =
            LocalDay.today(at: now, timeZone: account.timeZone) ?? now.date(secondsFromUTC: 0)
        let items = try await items(delivery, today: today, digits: digits, on: connection).map(\.item)
        guard !items.isEmpty else { return nil }
        return ReminderLetter(
            email: account.email, language: settings?.language ?? MailLanguage(country: account.country), today: today,
            items: items)
    }

    /// The things of a notification that still hold, each with its provider.
    static func items(
        _ delivery: DeliveryQueries.Claimed, today: CalendarDate, digits: [String: Int], on connection: Connection
    ) async throws -> [(item: ReminderText.Item, provider: String)] {
        let user = delivery.user
        let open = try await open(delivery, on: connection)
        let subjects = Dictionary(
            try await SubjectQueries.subscriptions(
                Array(Set(open.map(\.subject))), of: user, today: today, on: connection
            ).map { ($0.row.id, $0) }
        ) { first, _ in first }
        let digest = try await digest(of: user, on: open.first { $0.kind == .digest }?.on, today: today, connection)
        var items = open.compactMap { reminder -> (item: ReminderText.Item, provider: String)? in
            guard let subject = subjects[reminder.subject],
                subject.stillSays(reminder.kind, on: reminder.on, today: today)
            else { return nil }
            var item = subject.item(reminder.kind, on: reminder.on, digits: digits)
            item.key = ReminderKey(
                subject: reminder.subject, kind: reminder.kind, occursOn: reminder.on, lead: reminder.lead)
            return (item, subject.row.plan.provider)
        }
        // A renewal that stands by itself is not told of twice.
        for subject in digest where !open.contains(where: { $0.subject == subject.row.id }) {
            let item = subject.item(.renewal, on: subject.row.state.end, digits: digits)
            items.append((item, subject.row.plan.provider))
        }
        return items
    }

    /// The subscriptions that renew within a week of the day of a digest.
    private static func digest(
        of user: UserID, on day: CalendarDate?, today: CalendarDate, _ connection: Connection
    ) async throws -> [SubjectQueries.Subject] {
        guard let day else { return [] }
        return try await SubjectQueries.subscriptions(of: [user], today: today, on: connection).filter { subject in
            subject.row.cancelledOn == nil && !subject.row.state.freeTrial && subject.row.state.end >= today
                && (0...7).contains(day.days(to: subject.row.state.end))
        }
    }

    /// The reminders of a notification that nobody has answered. An answer counts for all leads of a day.
    private static func open(
        _ delivery: DeliveryQueries.Claimed, on connection: Connection
    ) async throws -> [(subject: UUID, kind: ReminderKind, on: CalendarDate, lead: Int)] {
        try await connection.query(
            """
            SELECT r.Subject_ID, r.Kind, r.Occurs_on, r.Lead_days FROM Reminder r
            WHERE r.User_ID = \(delivery.user.uuid) AND r.Notification_no = \(delivery.number)
              AND NOT EXISTS (
                SELECT 1 FROM Reminder a WHERE a.User_ID = r.User_ID AND a.Subject_ID = r.Subject_ID AND a.Kind = r.Kind
                  AND a.Occurs_on = r.Occurs_on AND a.Answer IS NOT NULL)
            """
        ).decode((UUID, ReminderKind, CalendarDate, Int).self)
            .map { (subject: $0.0, kind: $0.1, on: $0.2, lead: $0.3) }
    }
}

extension SubjectQueries.Subject {
    /// Whether a reminder is still true, and of use on a day.
    func stillSays(_ kind: ReminderKind, on day: CalendarDate, today: CalendarDate) -> Bool {
        row.isStill(kind, on: day) && today <= day.adding(days: kind.daysOfUse)
    }

    /// A reminder as it is written.
    func item(_ kind: ReminderKind, on day: CalendarDate, digits: [String: Int]) -> ReminderText.Item {
        let fee = (row.ownFee ?? row.next.fee).written(in: row.next.currency, digits: digits)
        let hasFee = kind == .renewal || kind == .trial
        return ReminderText.Item(
            kind: kind, title: row.label ?? row.plan.provider, on: day, fee: hasFee ? fee : nil,
            currency: hasFee ? row.next.currency : nil,
            cancelBy: row.noticeDays > 0 ? row.state.end.adding(days: -row.noticeDays) : nil)
    }
}
