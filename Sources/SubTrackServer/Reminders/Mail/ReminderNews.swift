import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A notification as it is told now.
struct ReminderNews {
    /// The address to which it goes by mail; nil: none is confirmed, or the user wants no mails.
    let email: EmailAddress?
    let language: MailLanguage
    /// The local day of the user.
    let today: CalendarDate
    /// Never empty.
    let items: [ReminderText.Item]

    /// Reads a notification.
    /// - Parameters:
    ///   - digits: the digits of each currency.
    ///   - hasDates: whether the tenant has contacts.
    /// - Returns: nil when the user is gone or nothing is left to say.
    static func read(
        _ reference: NotificationReference, digits: [String: Int], hasDates: Bool, now: Instant,
        on connection: Connection
    ) async throws -> ReminderNews? {
        guard let reader = try await ReminderReader.read(reference.user, on: connection) else { return nil }
        let today = LocalDay.today(at: now, timeZone: reader.timeZone) ?? now.date(secondsFromUTC: 0)
        let items = try await items(reference, today: today, digits: digits, hasDates: hasDates, on: connection)
        guard !items.isEmpty else { return nil }
        let email =
            reader.byMail
            ? try await AccountQueries.accounts(of: reference.user, on: connection).first(where: \.isVerified)?.email
            : nil
        return ReminderNews(email: email, language: reader.language, today: today, items: items)
    }

    /// The things of a notification that still hold.
    private static func items(
        _ reference: NotificationReference, today: CalendarDate, digits: [String: Int], hasDates: Bool,
        on connection: Connection
    ) async throws -> [ReminderText.Item] {
        let user = reference.user
        let open = try await open(reference, today: today, on: connection)
        let ids = Set(open.filter(\.kind.isOfSubscription).map(\.subject))
        let subscriptions = Dictionary(
            try await SubjectQueries.subscriptions(Array(ids), of: user, today: today, on: connection).map {
                ($0.row.id, $0)
            }
        ) { first, _ in first }
        let isOfDates = hasDates && open.contains { $0.kind == .date }
        let dates = Dictionary(
            (isOfDates ? try await SubjectQueries.dates(of: [user], on: connection) : []).map { ($0.occasion.id, $0) }
        ) { first, _ in first }
        var items = open.compactMap { key -> ReminderText.Item? in
            guard today <= key.lastUse else { return nil }
            if let date = dates[key.subject], key.kind == .date {
                guard date.comes(on: key.occursOn) else { return nil }
                return ReminderText.Item(key, title: date.name, occasion: date.occasion.type)
            }
            guard let subscription = subscriptions[key.subject],
                subscription.isStill(key.kind, on: key.occursOn, today: today)
            else { return nil }
            return subscription.item(key, digits: digits)
        }
        // A renewal that stands by itself is not told of twice.
        guard let day = open.first(where: { $0.kind == .digest })?.occursOn, day == today else { return items }
        let others = try await SubjectQueries.subscriptions(of: [user], today: today, on: connection).filter { one in
            !ids.contains(one.row.id) && one.row.cancelledOn == nil && !one.row.state.freeTrial
                && (0...7).contains(day.days(to: one.row.state.end))
        }
        items += others.map { one in
            let key = ReminderKey(subject: one.row.id, kind: .renewal, occursOn: one.row.state.end, lead: 0)
            return one.item(key, digits: digits, takesAnswers: false)
        }
        return items
    }

    /// The reminders of a notification that nobody has answered. An answer counts for all leads of a day. One that puts off does so
    /// until its day has come.
    private static func open(
        _ reference: NotificationReference, today: CalendarDate, on connection: Connection
    ) async throws -> [ReminderKey] {
        try await connection.query(
            """
            SELECT r.Subject_ID, r.Kind, r.Occurs_on, r.Lead_days FROM Reminder r
            WHERE r.User_ID = \(reference.user.uuid) AND r.Notification_no = \(reference.number)
              AND r.Answer IS NULL AND r.Deleted_at IS NULL AND NOT EXISTS (
                SELECT 1 FROM Reminder a WHERE a.User_ID = r.User_ID AND a.Subject_ID = r.Subject_ID AND a.Kind = r.Kind
                  AND a.Occurs_on = r.Occurs_on AND (a.Answer <> 'snooze' OR a.Snoozed_until > \(today)))
            """
        ).decode((UUID, String, CalendarDate, Int).self).compactMap { row in
            ReminderKind(rawValue: row.1).map {
                ReminderKey(subject: row.0, kind: $0, occursOn: row.2, lead: row.3)
            }
        }
    }
}

extension SubjectQueries.Subscription {
    /// A reminder of it as it is written.
    /// - Parameter takesAnswers: false: it is told of beside others.
    func item(_ key: ReminderKey, digits: [String: Int], takesAnswers: Bool = true) -> ReminderText.Item {
        let cost: Price? =
            switch key.kind {
            // The period that has begun by itself.
            case .renewal where row.state.start == key.occursOn: row.current
            case .renewal, .trial: Price(fee: row.ownFee ?? row.next.fee, currency: row.next.currency)
            case .price: subject.changedCost
            case .cancelBy, .ended, .overdue, .date, .digest: nil
            }
        return ReminderText.Item(
            key, title: row.label ?? row.plan.provider,
            cost: cost.map { Price(fee: $0.fee.written(in: $0.currency, digits: digits), currency: $0.currency) },
            cancelBy: row.noticeDays > 0 ? row.state.end.adding(days: -row.noticeDays) : nil,
            renewsItself: row.autoRenew, takesAnswers: takesAnswers)
    }
}

extension SubjectQueries.Subscription {
    /// Whether the matter of a reminder has not changed.
    /// - Parameters:
    ///   - day: the day that the reminder is about.
    ///   - today: the user's day. A reminder that is of no use any more holds no more.
    func isStill(_ kind: ReminderKind, on day: CalendarDate, today: CalendarDate) -> Bool {
        let (state, isActive) = (row.state, row.cancelledOn == nil)
        guard today <= day.adding(days: kind.daysOfUse) else { return false }
        switch kind {
        case .renewal:
            return isActive && (!state.freeTrial && state.end == day || row.autoRenew && state.start == day)
        case .trial: return isActive && state.freeTrial && state.end == day
        case .cancelBy: return isActive && state.end.adding(days: -row.noticeDays) == day
        case .price: return isActive && subject.says(.price, on: day, from: today)
        case .ended: return !isActive && state.end == day
        case .overdue: return isActive && state.end == day
        case .date, .digest: return false
        }
    }
}

extension SubjectQueries.Date {
    /// Whether it comes on a day.
    func comes(on day: CalendarDate) -> Bool { ContactDates.next(of: occasion, from: day)?.day == day }
}
