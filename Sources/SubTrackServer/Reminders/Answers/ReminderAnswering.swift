import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Answers reminders by the tokens of their mails, in a transaction that has the user's scope locked.
///
/// An answer to a matter that has changed since is `done`, and does nothing. So a subscription that another device has
/// renewed is not renewed twice.
enum ReminderAnswering {
    /// The problem of a reminder of which the token's mail does not tell.
    static let foreign = Problem.input("reminder", .missing, "is not one of this mail")

    /// Answers a reminder.
    /// - Throws: `input_invalid`; `status_conflict` where it was answered by `renew` or `cancel` before.
    static func answer(
        _ input: GiveAnswer, of holder: AnswerToken.Holder, _ call: Call, on connection: Connection
    ) async throws {
        let row = try await connection.query(
            """
            SELECT r.Subject_ID, r.Kind, r.Occurs_on, r.Lead_days, \(ShownReminders.answer), r.Snoozed_until FROM Reminder r
            WHERE r.User_ID = \(holder.user.uuid) AND r.Reminder_ID = \(input.reminder)
              AND r.Notification_no = \(holder.notification.number) AND r.Deleted_at IS NULL
            """
        ).decode((UUID, String, CalendarDate, Int, String?, CalendarDate?).self).first
        guard let row, let kind = ReminderKind(rawValue: row.1) else { throw foreign }
        let key = ReminderKey(subject: row.0, kind: kind, occursOn: row.2, lead: row.3)
        let today = holder.today(at: call.now)
        try check(input, key, on: today)
        var former = row.4.flatMap(ReminderAnswer.init(rawValue:))
        // A subscription that was resumed since waits for an answer again.
        if former == .cancel, try await isActive(key, of: holder.user, today: today, on: connection) { former = nil }
        if let former {
            if former == input.answer, row.5 == input.until { return }
            guard former != .renew, former != .cancel else {
                throw Problem(
                    .statusConflict,
                    "It was answered by \"\(former.rawValue)\" already; change the subscription itself.")
            }
        }
        let answer = try await act(input.answer, on: key, today: today, call, connection)
        let until = answer == .snooze ? input.until : nil
        // An answer is that of the matter: the mail of another lead shows it too.
        _ = try await connection.execute(
            """
            UPDATE Reminder SET Answer = \(answer.rawValue), Snoozed_until = \(until)
            WHERE User_ID = \(holder.user.uuid) AND Subject_ID = \(key.subject) AND Kind = \(kind.rawValue)
              AND Occurs_on = \(key.occursOn) AND Deleted_at IS NULL
            """)
    }

    /// Whether the subscription of a reminder is there, and not cancelled.
    private static func isActive(
        _ key: ReminderKey, of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> Bool {
        let found = try await SubjectQueries.subscriptions([key.subject], of: user, today: today, on: connection).first
        return found.map { $0.row.cancelledOn == nil } ?? false
    }

    private static func check(_ input: GiveAnswer, _ key: ReminderKey, on day: CalendarDate) throws {
        var faults = InputFaults()
        if !key.kind.answers.contains(input.answer) {
            let answers = key.kind.answers.map(\.rawValue).joined(separator: ", ")
            faults.add("answer", .conflict, "must be one of \(answers)")
        }
        switch (input.answer, input.until) {
        case (.snooze, nil): faults.add("until", .required, "is needed: the day on which it is said again")
        case (.snooze, let until?):
            guard let days = key.snoozes(from: day) else {
                faults.add("until", .range, "cannot be any day: it is too late to put this reminder off")
                break
            }
            if !days.contains(until) {
                faults.add("until", .range, "must be from \(days.lowerBound) to \(days.upperBound), is \(until)")
            }
        case (_, _?): faults.add("until", .conflict, "goes with \"snooze\" alone")
        case (_, nil): break
        }
        try faults.finish()
    }

    /// Renews or cancels the subscription of a reminder, if that is the answer.
    /// - Returns: the answer to be stored.
    private static func act(
        _ answer: ReminderAnswer, on key: ReminderKey, today: CalendarDate, _ call: Call, _ connection: Connection
    ) async throws -> ReminderAnswer {
        guard answer == .renew || answer == .cancel else { return answer }
        let user = try call.requireSession().user
        do {
            try await SubscriptionChanges.current(
                key.subject, user: user, today: today, limits: call.tenant.limits, on: connection)
        } catch let problem as Problem where problem.code == .notFound {
            return .done
        }
        let found = try await SubjectQueries.subscriptions([key.subject], of: user, today: today, on: connection).first
        guard let found, found.isStill(key.kind, on: key.occursOn, today: today) else { return .done }
        let row = found.row
        // It renews without an answer. Another renewal would begin the period after the next.
        if answer == .renew, row.autoRenew { return .keep }
        if answer == .cancel {
            try await SubscriptionChanges.cancel(
                CancelSubscription(id: key.subject), call, found: row, on: connection)
        } else {
            try await SubscriptionChanges.renew(
                RenewSubscription(id: key.subject, period: row.state.number), call, found: row, on: connection)
        }
        return answer
    }
}
