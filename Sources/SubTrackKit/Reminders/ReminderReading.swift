import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// The rows of which reminders tell, and the rules for them.
struct ReminderReading {
    private let rules: ReminderRules
    private let said: [ReminderKey: ReminderRows.Entry]
    /// The subscriptions by their ids.
    private let subscriptions: [UUID: Overlay.Entry]
    /// The names of contacts with the words for their days, by the ids of the days.
    private let days: [UUID: String]
    private let overlay: Overlay
    private let today: CalendarDate

    /// - Parameter today: the user's day.
    init(today: CalendarDate, in database: Database) throws {
        self.today = today
        overlay = try LocalReading.overlay(in: database)
        said = try ReminderRows.entries(in: database)
        var (subjects, subscriptions, days) = ([ReminderSubject](), [UUID: Overlay.Entry](), [UUID: String]())
        for entry in overlay.entries.values where !entry.isDeleted {
            guard let id = UUID(stored: entry.id), let subject = overlay.reminderSubject(entry, id, today: today)
            else { continue }
            subjects.append(subject)
            subscriptions[id] = entry
        }
        let contacts = try DeclaredTexts(of: StoredContact.declaration, isDeleted: false, in: database)
            .rows(StoredContact.self, in: database)
        for contact in contacts {
            for date in contact.row.dates {
                subjects.append(.date(id: date.id, date))
                days[date.id] = "\(contact.row.fullName), \(date.type)"
            }
        }
        (self.subscriptions, self.days) = (subscriptions, days)
        // Without a user there is no id for what is weekly.
        let user =
            try (String.fetchOne(database, sql: "SELECT id FROM me") ?? Store.state(.user, in: database))
            .flatMap(UUID.init(uuidString:))
        var settings = try ReminderRows.settings(in: database)
        if user == nil { settings.weeklyOn = nil }
        rules = ReminderRules(
            user: user ?? UUID(), settings: ReminderSettings(settings), timeZone: overlay.user.timeZone,
            subjects: subjects)
    }

    /// - Parameter days: how many days of those to come, today included.
    func reminders(at now: Instant, days: Int) -> DeviceReminders {
        let answered = said.values.map(\.said)
        let open = rules.open(at: now, said: answered).map { key in
            reminder(key, at: said[key]?.firedAt ?? rules.hour(of: key.occursOn.adding(days: -key.lead)))
        }
        let upcoming = rules.upcoming(from: now, days: days, said: answered + open.map { SaidReminder(key: $0.key) })
        return DeviceReminders(open: open, upcoming: upcoming.map { reminder($0.key, at: $0.at) })
    }

    private func reminder(_ key: ReminderKey, at time: Instant) -> TrackedReminder {
        var reminder = TrackedReminder(key, at: time)
        reminder.title = days[key.subject]
        if let entry = subscriptions[key.subject], let tracked = overlay.tracked(entry, today: today) {
            let subscription = tracked.subscription
            reminder.title = tracked.name
            reminder.fee = subscription.next?.fee
            reminder.currency = subscription.next?.currency
            if subscription.status == .active { reminder.cancelBy = subscription.cancelBy }
        }
        return reminder
    }
}

extension Overlay {
    /// A subscription as the rules of reminders take it; nil where its plan has not come yet.
    fileprivate func reminderSubject(_ entry: Entry, _ id: UUID, today: CalendarDate) -> ReminderSubject? {
        let row = current(entry.row, today: today)
        guard let outlook = plans.outlook(row.planId) else { return nil }
        return .subscription(
            .init(
                id: id, state: row.state, renewsItself: row.autoRenew, isCancelled: row.cancelledOn != nil,
                reminderDays: row.reminderDays, outlook: outlook, cost: Price(fee: row.fee, currency: row.currency),
                ownFee: row.ownFee))
    }
}

extension PlanTable {
    /// Facts of a plan that may concern its subscribers; nil where it has not come yet.
    fileprivate func outlook(_ id: Int64) -> PlanOutlook? {
        guard let plan = self[id], let line = line(id) else { return nil }
        return PlanOutlook(
            prices: line, terms: PlanTerms(duration: plan.duration, noticeDays: plan.noticeDays),
            former: plan.formerTerms.map {
                .init(until: $0.until, terms: PlanTerms(duration: $0.duration, noticeDays: $0.noticeDays))
            }, withdrawnOn: plan.withdrawnOn)
    }
}
