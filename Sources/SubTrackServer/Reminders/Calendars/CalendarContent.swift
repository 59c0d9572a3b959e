import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The rows of a user's calendar, read in one snapshot, and the events that they make.
struct CalendarContent: Sendable {
    private struct Entry: Sendable {
        let id: UUID
        let version: Int64
        let name: String
        let renewsItself: Bool
        let subject: ReminderSubject
    }

    /// The user's day, from which on events are shown.
    let today: CalendarDate
    private let text: CalendarText
    private let digits: [String: Int]
    private let entries: [Entry]
    private let dates: [SubjectQueries.Date]

    /// Reads a calendar's rows. Their order is always the same.
    /// - Parameter hasDates: whether the tenant has contacts.
    static func read(
        of user: UserID, _ language: MailLanguage, today: CalendarDate, hasDates: Bool, digits: [String: Int],
        on connection: Connection
    ) async throws -> CalendarContent {
        let entries = try await SubjectQueries.subscriptions(of: [user], today: today, on: connection).map { one in
            Entry(
                id: one.row.id, version: one.row.version, name: one.row.label ?? one.row.plan.provider,
                renewsItself: one.row.autoRenew, subject: one.subject)
        }
        let dates = hasDates ? try await SubjectQueries.dates(of: [user], on: connection) : []
        return CalendarContent(
            today: today, text: CalendarText(language: language), digits: digits,
            entries: entries.sorted { $0.id.uuidString < $1.id.uuidString },
            dates: dates.sorted { $0.uid < $1.uid })
    }

    /// How many things there are, each with some events.
    var count: Int { entries.count + dates.count }

    /// The events of a thing.
    func events(at index: Int) -> [CalendarEvent] {
        guard index >= entries.count else { return events(of: entries[index]) }
        let date = dates[index - entries.count]
        guard let day = ContactDates.calendarDay(of: date.occasion, from: today) else { return [] }
        return [
            CalendarEvent(
                uid: date.uid, sequence: date.version, day: day.day, recurrence: day.recurrence,
                summary: text.title(date.occasion.type, ofContact: date.name))
        ]
    }

    private func events(of entry: Entry) -> [CalendarEvent] {
        guard case .subscription(let subscription) = entry.subject else { return [] }
        return subscription.calendarDays(from: today).map { day in
            let fee = day.cost.fee.written(in: day.cost.currency, digits: digits)
            return CalendarEvent(
                uid: CalendarEvent.uid(of: entry.id, day), sequence: entry.version, day: day.day,
                summary: text.title(
                    day.kind, of: entry.name, renewsItself: entry.renewsItself,
                    cost: Price(fee: fee, currency: day.cost.currency)))
        }
    }
}

extension SubjectQueries.Date {
    /// The identity of its event.
    fileprivate var uid: String { CalendarEvent.uid(of: contact, date: occasion.id) }
}
