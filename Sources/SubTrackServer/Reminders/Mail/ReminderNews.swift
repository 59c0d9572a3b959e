import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A notification as it is told now.
struct ReminderNews {
    /// The address to which it goes by mail; nil: it goes to none.
    let email: EmailAddress?
    let language: MailLanguage
    /// Whether English days have the month first.
    let monthFirst: Bool
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
        return ReminderNews(
            email: reader.email, language: reader.language, monthFirst: reader.monthFirst, today: today, items: items)
    }

    /// The things of a notification that still hold.
    private static func items(
        _ reference: NotificationReference, today: CalendarDate, digits: [String: Int], hasDates: Bool,
        on connection: Connection
    ) async throws -> [ReminderText.Item] {
        let user = reference.user
        let open = try await open(reference, today: today, on: connection)
        let keys = open.map(\.key)
        let ids = Set(keys.filter(\.kind.isOfSubscription).map(\.subject))
        let subscriptions = Dictionary(
            try await SubjectQueries.subscriptions(Array(ids), of: user, today: today, on: connection).map {
                ($0.row.id, $0)
            }
        ) { first, _ in first }
        let pages = try await SubjectQueries.cancelPages(of: subscriptions.values, on: connection)
        let isOfDates = hasDates && keys.contains { $0.kind == .date }
        let dates = Dictionary(
            (isOfDates ? try await SubjectQueries.dates(of: [user], on: connection) : []).map { ($0.occasion.id, $0) }
        ) { first, _ in first }
        var items = open.compactMap { key, id -> ReminderText.Item? in
            guard today <= key.lastUse else { return nil }
            if let date = dates[key.subject], key.kind == .date { return date.item(key, rowID: id) }
            guard let subscription = subscriptions[key.subject],
                subscription.isStill(key.kind, on: key.occursOn, today: today),
                key.kind == .overdue || !subscription.row.muted
            else { return nil }
            var item = subscription.item(key, digits: digits)
            item.rowID = id
            item.cancelPage = pages[key.subject]
            return item
        }
        guard let day = keys.first(where: { $0.kind == .digest })?.occursOn, day == today else { return items }
        items += try await renewals(of: user, from: day, besides: items, digits: digits, on: connection)
        return items
    }

    /// The renewals of a digest: those of a day and of the seven after it. The rules that decide on a digest name them.
    /// - Parameter items: the reminders beside it. A renewal of which one of them tells is left out.
    private static func renewals(
        of user: UserID, from day: CalendarDate, besides items: [ReminderText.Item], digits: [String: Int],
        on connection: Connection
    ) async throws -> [ReminderText.Item] {
        let told = Set(
            items.filter { $0.kind == .cancelBy || $0.kind == .renewal && $0.on == $0.end }.map(\.key.subject))
        return try await SubjectQueries.subscriptions(of: [user], today: day, on: connection).compactMap { one in
            let (id, end) = (one.row.id, one.row.state.end)
            guard (0...7).contains(day.days(to: end)), !told.contains(id),
                one.subject.says(.renewal, on: end, from: day)
            else { return nil }
            var item = one.item(ReminderKey(subject: id, kind: .renewal, occursOn: end, lead: 0), digits: digits)
            item.isOfDigest = true
            return item
        }
    }

    /// The reminders of a notification that nobody has answered, each with the id of its row. An answer counts for all leads of a
    /// day. One that puts off does so until its day has come, and one that cancels until the subscription is resumed.
    private static func open(
        _ reference: NotificationReference, today: CalendarDate, on connection: Connection
    ) async throws -> [(key: ReminderKey, id: UUID)] {
        try await connection.query(
            """
            SELECT r.Reminder_ID, r.Subject_ID, r.Kind, r.Occurs_on, r.Lead_days FROM Reminder r
            WHERE r.User_ID = \(reference.user.uuid) AND r.Notification_no = \(reference.number)
              AND r.Answer IS NULL AND r.Deleted_at IS NULL AND NOT EXISTS (
                SELECT 1 FROM Reminder a WHERE a.User_ID = r.User_ID AND a.Subject_ID = r.Subject_ID AND a.Kind = r.Kind
                  AND a.Occurs_on = r.Occurs_on
                  AND (a.Answer NOT IN ('snooze', 'cancel') OR a.Snoozed_until > \(today)))
            """
        ).decode((UUID, UUID, String, CalendarDate, Int).self).compactMap { row in
            ReminderKind(rawValue: row.2).map {
                (key: ReminderKey(subject: row.1, kind: $0, occursOn: row.3, lead: row.4), id: row.0)
            }
        }
    }
}

extension SubjectQueries.Subscription {
    /// A reminder of it as it is written.
    func item(_ key: ReminderKey, digits: [String: Int]) -> ReminderText.Item {
        let cost: Price? =
            switch key.kind {
            // The period that has begun by itself.
            case .renewal where row.state.start == key.occursOn: row.current
            case .renewal, .trial, .cancelBy, .overdue:
                Price(fee: row.ownFee ?? row.next.fee, currency: row.next.currency)
            case .price: subject.changedCost
            case .ended, .date, .digest: nil
            }
        return ReminderText.Item(
            key: key, title: row.label ?? row.plan.provider,
            cost: cost.map { Price(fee: $0.fee.written(in: $0.currency, digits: digits), currency: $0.currency) },
            cancelBy: row.noticeDays > 0 ? row.state.end.adding(days: -row.noticeDays) : nil, end: row.state.end,
            isTrial: row.state.freeTrial, renewsItself: row.autoRenew, provider: row.plan.provider)
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
        // A reminder that was said before it was muted can still be answered.
        case .price: return isActive && subject(isMuted: false).says(.price, on: day, from: today)
        case .ended: return !isActive && state.end == day
        case .overdue: return isActive && state.end == day
        case .date, .digest: return false
        }
    }
}

extension SubjectQueries.Date {
    /// Whether it comes on a day.
    func comes(on day: CalendarDate) -> Bool { ContactDates.next(of: occasion, from: day)?.day == day }

    /// A reminder of it as it is written; nil: it comes on another day.
    func item(_ key: ReminderKey, rowID: UUID) -> ReminderText.Item? {
        guard comes(on: key.occursOn) else { return nil }
        let years = ContactDates.next(of: occasion, from: key.occursOn)?.years ?? 0
        return ReminderText.Item(
            key: key, rowID: rowID, title: name, occasion: occasion.type, years: years > 0 ? years : nil)
    }
}
