import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The reminders of a notification as the holder of its token sees them.
enum ShownReminders {
    /// How many are shown, those first that nobody has answered. A mail names fewer.
    private static let most = 200

    /// The answer to the matter of the reminder `r`: a final one to any of its leads counts for all of them.
    static let answer: SQL = """
        COALESCE((SELECT MAX(a.Answer) FROM Reminder a
            WHERE a.User_ID = r.User_ID AND a.Subject_ID = r.Subject_ID AND a.Kind = r.Kind AND a.Occurs_on = r.Occurs_on
              AND a.Answer <> 'snooze' AND a.Deleted_at IS NULL), r.Answer)
        """

    /// Reads reminders, those of the earliest days first.
    /// - Parameter condition: on the columns of `r`, the reminder.
    static func read(
        of holder: AnswerToken.Holder, _ condition: SQL, _ call: Call, on connection: Connection
    ) async throws -> [AnswerableReminder] {
        let (user, today) = (holder.user, holder.today(at: call.now))
        let rows = try await connection.query(
            """
            SELECT r.Reminder_ID, r.Subject_ID, r.Kind, r.Occurs_on, \(Self.answer), r.Snoozed_until FROM Reminder r
            WHERE r.User_ID = \(user.uuid) AND r.Notification_no = \(holder.notification.number)
              AND r.Deleted_at IS NULL AND \(condition)
            ORDER BY r.Answer IS NOT NULL, r.Occurs_on, r.Kind, r.Reminder_ID LIMIT \(Self.most)
            """
        ).decode((UUID, UUID, String, CalendarDate, String?, CalendarDate?).self)
        let subscriptions = Dictionary(
            try await SubjectQueries.subscriptions(Array(Set(rows.map(\.1))), of: user, today: today, on: connection)
                .map { ($0.row.id, $0) }
        ) { first, _ in first }
        let hasDates = call.tenant.areas.has("contacts") && rows.contains { $0.2 == ReminderKind.date.rawValue }
        let dates = Dictionary(
            (hasDates ? try await SubjectQueries.dates(of: [user], on: connection) : []).map { ($0.occasion.id, $0) }
        ) { first, _ in first }
        let pages = try await SubjectQueries.cancelPages(of: subscriptions.values, on: connection)
        let digits = try await call.tenant.currencies.table(on: connection)
        return rows.compactMap { row in
            guard let kind = ReminderKind(rawValue: row.2) else { return nil }
            var shown = AnswerableReminder(
                id: row.0, kind: kind, occursOn: row.3, answers: [],
                answer: row.4.flatMap(ReminderAnswer.init(rawValue:)), snoozedUntil: row.5)
            let key = ReminderKey(subject: row.1, kind: kind, occursOn: row.3, lead: 0)
            // A subscription that was resumed since waits for an answer again.
            if shown.answer == .cancel, let held = subscriptions[row.1], held.row.cancelledOn == nil {
                shown.answer = nil
            }
            var isOpen = shown.answer != .renew && shown.answer != .cancel && today <= key.lastUse
            if let subscription = subscriptions[row.1] {
                let item = subscription.item(key, digits: digits)
                shown.title = item.title
                (shown.fee, shown.currency) = (item.cost?.fee, item.cost?.currency)
                shown.cancelBy = item.cancelBy
                shown.cancelUrl = pages[subscription.row.id]
                isOpen = isOpen && subscription.isStill(kind, on: row.3, today: today)
            } else if let date = dates[row.1] {
                shown.title = date.name
                isOpen = isOpen && date.comes(on: row.3)
            } else {
                isOpen = isOpen && kind == .digest
            }
            if isOpen {
                // One that renews by itself does so without an answer.
                let renewsItself = subscriptions[row.1]?.row.autoRenew == true
                shown.answers = kind.answers.filter { answer in
                    switch answer {
                    case .snooze: key.snoozes(from: today) != nil
                    case .renew: !renewsItself
                    case .keep, .cancel, .done: true
                    }
                }
            }
            return shown
        }
    }
}
