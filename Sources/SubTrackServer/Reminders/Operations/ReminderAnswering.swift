import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// An answer to a reminder, as somebody gives it.
struct GivenAnswer: Sendable {
    let key: ReminderKey
    let answer: ReminderAnswer
    /// The day on which a snoozed reminder is said again.
    let until: CalendarDate?
    /// The day on which it was given; nil: today.
    let madeOn: CalendarDate?

    /// An answer that a device gives.
    /// - Throws: `not_found` for an id that no reminder has.
    init(_ input: AnswerReminder) throws {
        guard let key = ReminderKey(input.id) else { throw ReminderAnswering.unknown }
        self.init(key, input.answer, until: input.until, madeOn: input.madeOn)
    }

    init(_ key: ReminderKey, _ answer: ReminderAnswer, until: CalendarDate?, madeOn: CalendarDate? = nil) {
        self.key = key
        self.answer = answer
        self.until = until
        self.madeOn = madeOn
    }
}

/// Answers reminders, in a transaction that has the user's scope locked.
///
/// An answer to a matter that has changed since is `done`, and does nothing. So a subscription that another device has
/// renewed is not renewed twice.
enum ReminderAnswering {
    /// The problem of a reminder that cannot be, or is not this user's.
    static let unknown = Problem(.notFound, "There is no such reminder.")

    /// Answers a reminder. One that was not said yet is kept as said.
    /// - Returns: the reminder as it is afterwards.
    /// - Throws: `input_invalid`; `not_found`; `status_conflict` where it was answered by `renew` or `cancel` before.
    static func answer(_ given: GivenAnswer, _ call: Call, on connection: Connection) async throws -> ReminderRow {
        let user = try call.requireSession().user
        let day = try SubscriptionChanges.day(given.madeOn, call)
        try check(given, on: day)
        let row = try await ReminderQueries.reminder(given.key, of: user, on: connection)
        if let row, let former = row.stored.answer {
            if former == given.answer, row.stored.snoozedUntil == given.until { return row }
            guard former != .renew, former != .cancel else {
                throw Problem(
                    .statusConflict,
                    "It was answered by \"\(former.rawValue)\" already; change the subscription itself.")
            }
        }
        let answer = try await act(on: given, isSaid: row != nil, on: day, call, connection)
        let stored = ReminderQueries.Answer(
            answer: answer, until: answer == .snooze ? given.until : nil, at: call.now)
        if row == nil {
            try await ReminderQueries.insert(given.key, of: user, stored, on: connection)
        } else {
            try await ReminderQueries.answer(given.key, of: user, stored, on: connection)
        }
        guard let row = try await ReminderQueries.reminder(given.key, of: user, on: connection) else { throw unknown }
        return row
    }

    private static func check(_ given: GivenAnswer, on day: CalendarDate) throws {
        var faults = InputFaults()
        let answers = given.key.kind.answers
        if !answers.contains(given.answer) {
            faults.add(
                "answer", .conflict,
                "a reminder of the kind \"\(given.key.kind.rawValue)\" takes "
                    + answers.map(\.rawValue).joined(separator: ", "))
        }
        switch (given.answer, given.until) {
        case (.snooze, nil): faults.add("until", .required, "is needed: the day on which it is said again")
        case (.snooze, let until?):
            guard let days = given.key.snoozes(from: day) else {
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

    /// Does the act that an answer stands for.
    /// - Returns: the answer to be stored.
    private static func act(
        on given: GivenAnswer, isSaid: Bool, on day: CalendarDate, _ call: Call, _ connection: Connection
    ) async throws -> ReminderAnswer {
        let user = try call.requireSession().user
        switch given.key.kind {
        case .renewal, .cancelBy, .trial, .price, .ended, .overdue:
            return try await change(given, isSaid: isSaid, on: day, call, connection)
        case .date:
            if isSaid { break }
            let mayBeSaid = try await mayBeSaid(given.key, of: user, from: day, call.tenant, on: connection)
            guard mayBeSaid else { throw unknown }
        case .debts, .digest:
            let isNear = abs(day.days(to: given.key.occursOn)) <= Self.week
            guard isSaid || given.key.subject == user.uuid && given.key.lead == 0 && isNear else { throw unknown }
        }
        return given.answer
    }

    private static let week = 7

    /// Whether a date of a contact is due on the day of a reminder, around a day.
    private static func mayBeSaid(
        _ key: ReminderKey, of user: UserID, from day: CalendarDate, _ tenant: Tenant, on connection: Connection
    ) async throws -> Bool {
        guard tenant.areas.has(ContactsArea().name), isLead(key.lead),
            let date = try await ContactQueries.date(key.subject, of: user, on: connection)
        else { return false }
        return ReminderSubject.date(id: key.subject, date.occasion).says(.date, on: key.occursOn, from: day)
    }

    private static func isLead(_ days: Int) -> Bool { (-60...365).contains(days) }

    /// Renews or cancels the subscription of a reminder, if that is the answer.
    private static func change(
        _ given: GivenAnswer, isSaid: Bool, on day: CalendarDate, _ call: Call, _ connection: Connection
    ) async throws -> ReminderAnswer {
        let (key, user) = (given.key, try call.requireSession().user)
        guard let found = try await subject(key.subject, of: user, on: day, call.tenant, connection) else {
            guard isSaid else { throw unknown }
            return .done
        }
        let period = try await period(of: found.row, of: user, on: day, connection)
        let isStill = found.row.isStill(key.kind, on: key.occursOn, in: period)
        if !isSaid {
            let isKnown = key.kind != .price || found.reminderSubject.says(.price, on: key.occursOn, from: day)
            guard isStill, isKnown, isLead(key.lead) else { throw unknown }
        }
        guard isStill else { return .done }
        // The conditions of the request are those of the reminder.
        let part = call.forPart()
        switch given.answer {
        case .renew:
            // The period that has begun by itself is the one that was meant.
            guard period.end == key.occursOn || !found.row.hasBegun(on: key.occursOn, period) else { return .done }
            try await SubscriptionChanges.renew(
                RenewSubscription(id: key.subject, period: period.number, madeOn: given.madeOn), part, found: nil,
                on: connection)
        case .cancel:
            try await SubscriptionChanges.cancel(
                CancelSubscription(id: key.subject, madeOn: given.madeOn), part, found: nil, on: connection)
        case .keep, .snooze, .done: break
        }
        return given.answer
    }

    /// A subscription in its right period, with the outlook of its plan; nil: there is none of this user's.
    private static func subject(
        _ id: UUID, of user: UserID, on day: CalendarDate, _ tenant: Tenant, _ connection: Connection
    ) async throws -> SubjectQueries.Subject? {
        func read() async throws -> SubjectQueries.Subject? {
            try await SubjectQueries.subscriptions([id], of: user, today: day, on: connection).first
        }
        guard let found = try await read() else { return nil }
        guard found.row.awaitsRenewal(today: day) else { return found }
        try await SubscriptionChanges.current(id, user: user, today: day, limits: tenant.limits, on: connection)
        return try await read()
    }

    /// The period in which a subscription was on a day: periods that began by themselves since do not count.
    private static func period(
        of row: SubscriptionRow, of user: UserID, on day: CalendarDate, _ connection: Connection
    ) async throws -> RemindedPeriod {
        guard row.autoRenew, row.state.start > day,
            let begun = try await RenewalQueries.firstAutomatic(row.id, of: user, after: day, on: connection),
            let ended = try await SubscriptionQueries.endedPeriods(
                of: row.id, after: begun - 2, limit: 1, on: connection
            ).first, ended.number == begun - 1
        else { return row.period }
        return RemindedPeriod(
            number: ended.number, start: ended.startDate, end: ended.endDate, freeTrial: ended.freeTrial)
    }
}
