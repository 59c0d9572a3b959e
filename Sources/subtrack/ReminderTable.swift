import SubTrackAPI
import SubTrackCore
import SubTrackKit

/// The user's clock, as reminders go by it.
struct ReminderClock: Sendable {
    private let time: String
    private let zone: String

    init(_ kit: Kit) throws {
        time = try kit.reminderSettings().remindAt
        zone = try kit.user().timeZone
    }

    /// The day and the time of a reminder that will be said.
    func text(_ reminder: TrackedReminder) -> String {
        let day = LocalDay.today(at: reminder.at, timeZone: zone) ?? reminder.at.date(secondsFromUTC: 0)
        return "\(day) \(time)"
    }
}

/// Reminders as tables.
enum ReminderTable {
    /// Those that wait for an answer, numbered.
    static func open(_ list: [TrackedReminder], today: CalendarDate, on terminal: Terminal) -> [String] {
        var table = Table(columns: [
            .init(title: "#", isNumber: true), .init(title: "REMINDER", minimum: 24, keepsEnd: true),
            .init(title: "FEE", isNumber: true, rank: 3), .init(title: "DAY", rank: 1), .init(title: "", rank: 2),
        ])
        for (index, one) in list.enumerated() {
            let days = today.days(to: one.occursOn)
            table.rows.append([
                .init(String(index + 1), .dim), .init(text(one), .bold), .init(fee(one)),
                .init(one.occursOn.description), .init(away(days), days < 0 ? .red : days < 2 ? .yellow : .dim),
            ])
        }
        return table.lines(on: terminal)
    }

    /// Those that will be said.
    static func upcoming(_ list: [TrackedReminder], _ clock: ReminderClock, on terminal: Terminal) -> [String] {
        var table = Table(columns: [
            .init(title: "YOU ARE REMINDED"), .init(title: "OF", minimum: 24, keepsEnd: true),
            .init(title: "FEE", isNumber: true, rank: 2), .init(title: "DAY", rank: 1),
        ])
        for one in list {
            table.rows.append([
                .init(clock.text(one)), .init(text(one), .bold), .init(fee(one)), .init(one.occursOn.description, .dim),
            ])
        }
        return table.lines(on: terminal)
    }

    /// What a reminder is of.
    static func text(_ reminder: TrackedReminder) -> String {
        let title = reminder.title ?? "a subscription"
        return switch reminder.kind {
        case .renewal: "\(title) renews"
        case .trial: "\(title): the free trial ends"
        case .cancelBy: "\(title): the last day to cancel"
        case .price: "\(title): the last day to cancel before other prices or terms"
        case .ended: "\(title) has ended"
        case .overdue: "\(title) is overdue"
        case .date: title
        case .debts: "Money is owed between you and others"
        case .digest: "Renewals of the week"
        }
    }

    private static func fee(_ reminder: TrackedReminder) -> String {
        guard reminder.kind != .ended, let fee = reminder.fee, let currency = reminder.currency else { return "" }
        return "\(fee) \(currency)"
    }

    /// How far a day is away.
    private static func away(_ days: Int) -> String {
        days < 0 ? "\(SubscriptionTable.days(-days)) ago" : ContactLines.days(days)
    }
}

/// What is said soon, beside a list of subscriptions.
struct RemindersSoon: Sendable {
    /// The area of the service that has reminders.
    static let area = "reminders"

    let reminders: DeviceReminders
    let clock: ReminderClock

    /// The lines below the list, an empty one first.
    /// - Parameter limit: how many reminders are shown at most.
    func lines(limit: Int = .max, on terminal: Terminal) -> [String] {
        var lines: [String] = []
        let (waiting, upcoming) = (reminders.open.count, reminders.upcoming)
        if !upcoming.isEmpty {
            lines += [""] + ReminderTable.upcoming(Array(upcoming.prefix(limit)), clock, on: terminal)
        }
        if waiting > 0 {
            let words = waiting == 1 ? "1 reminder waits" : "\(waiting) reminders wait"
            lines += [""] + terminal.wrapped("\(words) for an answer: subtrack reminders")
        }
        return lines
    }
}

extension Session {
    /// What is said in some days; nil where the service has no reminders for this tenant.
    func remindersSoon(days: Int) throws -> RemindersSoon? {
        guard try hasArea(RemindersSoon.area) else { return nil }
        return RemindersSoon(reminders: try kit.reminders(days: days), clock: try ReminderClock(kit))
    }
}
