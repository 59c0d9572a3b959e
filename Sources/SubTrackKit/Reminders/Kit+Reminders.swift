import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Reminders without the service: the rules are the same, and so are the ids. What is answered here is sent later.
extension Kit {
    /// The reminders that are to be answered, and those to come, by the rows of this device.
    /// - Parameters:
    ///   - now: the time; nil: now, by the server's clock as far as it is known.
    ///   - days: how many days of those to come, today included.
    public func reminders(at now: Instant? = nil, days: Int = 40) throws -> DeviceReminders {
        try store.read { try reminders(at: now, days: days, in: $0) }
    }

    func reminders(at now: Instant? = nil, days: Int, in database: Database) throws -> DeviceReminders {
        let now = try now ?? self.now(in: database)
        let zone = try LocalReading.overlayUser(in: database).timeZone
        let today = LocalDay.today(at: now, timeZone: zone) ?? now.date(secondsFromUTC: 0)
        return try ReminderReading(today: today, in: database).reminders(at: now, days: days)
    }

    /// The reminders of so many days, and again whenever they have become others.
    public func reminderUpdates(days: Int = 40) -> AsyncThrowingStream<DeviceReminders, any Error> {
        updates { kit, database in try kit.reminders(days: days, in: database) }
    }

    /// Answers a reminder, said or not. `renew` and `cancel` renew or cancel its subscription, here at once.
    /// - Parameter until: with `snooze`, the day on which it is said again: tomorrow at the earliest, and at the latest the
    ///   last day on which the reminder is of use.
    /// - Throws: ``KitError/invalid(field:message:)``, ``KitError/unknown(_:)``, ``KitError/store(_:)``.
    public func answer(_ reminder: ReminderKey, _ answer: ReminderAnswer, until: CalendarDate? = nil) throws {
        try store.write { database in
            let today = try today(in: database)
            try check(answer, until: until, to: reminder, today: today, in: database)
            var fields: [String: AnyJSON] = ["answer": .string(answer.rawValue)]
            if let until { fields["until"] = .string(until.description) }
            try Store.enqueue(
                StoredReminder.entity, id: reminder.description, op: .answer, fields: fields, today: today,
                in: database)
        }
    }

    private func check(
        _ answer: ReminderAnswer, until: CalendarDate?, to key: ReminderKey, today: CalendarDate, in database: Database
    ) throws {
        guard key.kind.answers.contains(answer) else {
            throw KitError.invalid(field: "answer", message: "this reminder is of nothing to \(answer.rawValue)")
        }
        let former = try ReminderRows.entries(in: database)[key]?.answer
        if let former, [.renew, .cancel].contains(former), former != answer {
            throw KitError.invalid(field: "answer", message: "it was answered already: \(former.rawValue)")
        }
        switch (answer, until) {
        case (.snooze, let until?):
            // A day on which the reminder is of no use any more would keep it silent for ever.
            let last = key.occursOn.adding(days: key.kind.daysOfUse)
            guard let days = key.snoozes(from: today)?.clamped(to: CalendarDate.range.lowerBound...last),
                days.upperBound > today
            else { throw KitError.invalid(field: "until", message: "it is too late to be reminded again") }
            guard days.contains(until) else {
                throw KitError.invalid(
                    field: "until", message: "must be a day from \(days.lowerBound) to \(days.upperBound)")
            }
        case (.snooze, nil): throw KitError.invalid(field: "until", message: "give the day on which it is said again")
        case (_, nil): break
        case (_, _?): throw KitError.invalid(field: "until", message: "is of an answer that snoozes alone")
        }
        guard answer == .renew || answer == .cancel else { return }
        guard try entry(key.subject, in: database).row.cancelledOn == nil || answer == .cancel else {
            throw KitError.invalid(field: "", message: "it was cancelled; resume it first")
        }
    }

    /// How the user wants to be reminded.
    public func reminderSettings() throws -> StoredReminderSettings {
        try store.read { try ReminderRows.settings(in: $0) }
    }

    /// Changes how the user wants to be reminded.
    /// - Throws: ``KitError/invalid(field:message:)``, ``KitError/store(_:)``.
    public func change(_ change: UpdateReminderSettings) throws {
        if let fault = faults(of: change).first { throw fault }
        try store.write { database in
            let known = try String.fetchOne(database, sql: "SELECT id FROM me")
            guard let user = try known ?? Store.state(.user, in: database) else {
                throw KitError.invalid(field: "", message: "this device has no user yet; sync first")
            }
            let fields = try change.fields()
            guard !fields.isEmpty else { return }
            try Store.enqueue(
                StoredReminderSettings.entity, id: user, op: .update, fields: fields, today: try today(in: database),
                in: database)
        }
    }

    /// All faults of a change of the reminders' settings, each ``KitError/invalid(field:message:)``.
    public func faults(of change: UpdateReminderSettings) -> [KitError] {
        var faults = InputFaultList()
        let isTime = change.remindAt.value.map { ClockTime($0) != nil } ?? !change.remindAt.isNamed
        if !isTime { faults.note("remindAt", "must be a time such as 09:00, from 00:00 to 23:59") }
        if let language = change.language.value, !["en", "de", "zh"].contains(language) {
            faults.note("language", "must be en, de or zh")
        }
        if let days = change.repeatDays.value, !(1...30).contains(days) {
            faults.note("repeatDays", "must be from 1 to 30")
        }
        if let day = change.weeklyOn.value, !(1...7).contains(day) { faults.note("weeklyOn", "must be from 1 to 7") }
        if case .remove = change.byMail { faults.note("byMail", "must be yes or no") }
        for (kind, days) in change.leads.value?.changes ?? [] {
            guard let days = days.value else { continue }
            let range = ReminderLeadsPatch.range
            if days.count > ReminderLeadsPatch.maximumCount || !days.allSatisfy(range.contains) {
                faults.note(
                    "leads.\(kind.rawValue)",
                    "takes up to \(ReminderLeadsPatch.maximumCount) numbers of days from \(range.lowerBound) to "
                        + "\(range.upperBound)")
            }
        }
        return faults.all
    }
}
