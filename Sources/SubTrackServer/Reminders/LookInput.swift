import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The rows of a user by which a look decides.
struct LookInput {
    let person: LookQueries.Person
    /// nil: the defaults.
    let settings: ReminderSettingRow?
    /// The subscriptions that are not deleted.
    let subscriptions: [SubjectQueries.Subject]
    /// The reminders of before, with their answers.
    let told: [SubjectQueries.Told]

    /// For how many days back reminders are read: an overdue one is of use the longest.
    private static let daysBack = 61

    /// Whether a notification of the user goes out by mail.
    var goesByMail: Bool { person.isReachable && settings?.byMail ?? true }

    /// Reads the rows of some users, by a few statements for all of them.
    static func read(
        _ people: [LookQueries.Person], now: Instant, on connection: Connection
    ) async throws -> [LookInput] {
        guard !people.isEmpty else { return [] }
        let ids = people.map(\.id)
        let today = now.date(secondsFromUTC: 0)
        let settings = try await ReminderSettingQueries.settings(of: ids, on: connection)
        let subjects = Dictionary(
            grouping: try await SubjectQueries.subscriptions(of: ids, today: today, on: connection), by: \.user)
        let told = Dictionary(
            grouping: try await SubjectQueries.told(ids, since: today.adding(days: -daysBack), on: connection),
            by: \.user)
        return people.map { person in
            LookInput(
                person: person, settings: settings[person.id], subscriptions: subjects[person.id] ?? [],
                told: told[person.id] ?? [])
        }
    }
}

extension LookInput {
    /// Decides which reminders are said now, and when to look again.
    func look(at now: Instant) -> ReminderRules.Look {
        rules.look(at: now, said: said, lookedAt: person.lookedAt, plannedAt: person.nextAt)
    }

    /// The rules for the user's things.
    var rules: ReminderRules {
        ReminderRules(
            user: person.id.uuid, settings: settings?.rules ?? ReminderSettings(), timeZone: person.timeZone,
            subjects: subscriptions.map(\.reminderSubject))
    }

    /// The reminders of before, as the rules take them.
    var said: [SaidReminder] {
        told.map { told in
            SaidReminder(
                key: ReminderKey(subject: told.subject, kind: told.kind, occursOn: told.on, lead: told.lead),
                answer: told.answer, snoozedUntil: told.snoozedUntil)
        }
    }
}

extension SubjectQueries.Subject {
    /// The subscription as the rules take it.
    var reminderSubject: ReminderSubject {
        .subscription(
            .init(
                id: row.id, state: row.state, renewsItself: row.autoRenew, isCancelled: row.cancelledOn != nil,
                isMuted: row.muted, reminderDays: row.reminderDays, outlook: outlook, cost: row.current,
                ownFee: row.ownFee))
    }
}
