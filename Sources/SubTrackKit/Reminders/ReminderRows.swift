import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// The rows of reminders and of their settings on a device, with what waits laid over them.
enum ReminderRows {
    /// A reminder that was said, or was answered here before.
    struct Entry: Sendable {
        var key: ReminderKey
        /// nil: no row of the service has come.
        var firedAt: Instant?
        var answer: ReminderAnswer?
        var snoozedUntil: CalendarDate?

        /// The reminder as the rules take it.
        var said: SaidReminder { SaidReminder(key: key, answer: answer, snoozedUntil: snoozedUntil) }
    }

    /// The user's settings; the usual ones where there is no row.
    static func settings(in database: Database) throws -> StoredReminderSettings {
        let kind = StoredReminderSettings.entity.rawValue
        let text = try database.firstRow("SELECT data FROM declared WHERE kind = ? AND deletedAt IS NULL", [kind]) {
            try $0.text()
        }
        // Those of a newer service that this version cannot read count as the usual ones.
        var settings = text.flatMap { try? JSON.value(StoredReminderSettings.self, $0) } ?? .usual
        try database.eachRow("SELECT mutation FROM outbox WHERE entity = ? ORDER BY number", [kind]) { reader in
            let fields = try JSON.value(PushChanges.Mutation.self, reader.text()).fields ?? [:]
            guard let change = try? AnyJSON.object(fields).decoded(as: UpdateReminderSettings.self) else { return }
            settings = settings.changed(by: change)
        }
        return settings
    }

    /// The reminders that were said, and those that were answered here.
    static func entries(in database: Database) throws -> [ReminderKey: Entry] {
        let kind = StoredReminder.entity.rawValue
        var entries: [ReminderKey: Entry] = [:]
        try database.eachRow("SELECT data FROM declared WHERE kind = ? AND deletedAt IS NULL", [kind]) { reader in
            // A kind of reminder of a newer service is left out.
            guard let row = try? JSON.value(StoredReminder.self, reader.text()) else { return }
            entries[row.key] = Entry(
                key: row.key, firedAt: row.firedAt, answer: row.answer, snoozedUntil: row.snoozedUntil)
        }
        try database.eachRow("SELECT mutation FROM outbox WHERE entity = ? ORDER BY number", [kind]) { reader in
            let mutation = try JSON.value(PushChanges.Mutation.self, reader.text())
            guard let given = GivenAnswer(mutation) else { return }
            var entry = entries[given.key] ?? Entry(key: given.key)
            entry.answer = given.answer
            entry.snoozedUntil = given.until
            entries[given.key] = entry
        }
        return entries
    }

    /// Forgets reminders of days long ago: no change tells that they are gone.
    /// - Parameter now: seconds since 1970.
    static func tidy(at now: Int64, in database: Database) throws {
        // A day more: the user's may have begun later than that of UTC.
        try database.execute(
            sql: """
                DELETE FROM declared
                WHERE kind = ? AND json_extract(data, '$.occursOn') < date(?, 'unixepoch', ?)
                """,
            arguments: [StoredReminder.entity.rawValue, now, "-\(StoredReminder.daysKept + 1) days"])
    }
}

/// An answer to a reminder as a change.
struct GivenAnswer {
    let key: ReminderKey
    let answer: ReminderAnswer
    /// The day on which a snoozed one is said again.
    let until: CalendarDate?

    /// The answer of a change; nil: it is another change.
    init?(_ mutation: PushChanges.Mutation) {
        guard mutation.entity == StoredReminder.entity.rawValue,
            mutation.op == PushChanges.Mutation.Op.answer.rawValue, let key = ReminderKey(mutation.id),
            case .string(let text)? = mutation.fields?["answer"], let answer = ReminderAnswer(rawValue: text)
        else { return nil }
        self.key = key
        self.answer = answer
        if case .string(let day)? = mutation.fields?["until"] { until = CalendarDate(day) } else { until = nil }
    }
}
