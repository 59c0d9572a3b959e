import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The rows of a user's calendar, read in one snapshot, and the events that they make.
struct CalendarContent: Sendable {
    /// How many subscriptions are written at once: at most sixty events each.
    private static let batch = 100

    /// The days and the form of an answer.
    struct Question: Sendable {
        let today: CalendarDate
        /// The day in UTC, whose midnight is the time of the events.
        let stamp: CalendarDate
        /// The host in the events' ids.
        let host: String
        let hasAlarms: Bool
        /// Whether the tenant has contacts.
        let hasContacts: Bool
    }

    private let question: Question
    private let settings: ReminderSettings
    private let text: CalendarText
    private let digits: [String: Int]
    private let subjects: [SubjectQueries.Subject]
    private let dates: [CalendarQueries.ContactDate]

    /// Reads a calendar's rows. Their order is always the same.
    static func read(
        _ feed: CalendarQueries.Feed, _ question: Question, digits: [String: Int], on connection: Connection
    ) async throws -> CalendarContent {
        let stored = try await ReminderSettingQueries.settings(of: [feed.user], on: connection)[feed.user]
        let subjects = try await SubjectQueries.subscriptions(of: [feed.user], today: question.today, on: connection)
        return CalendarContent(
            question: question, settings: stored?.rules ?? ReminderSettings(),
            text: CalendarText(language: stored?.language ?? MailLanguage(country: feed.country)), digits: digits,
            subjects: subjects.sorted { $0.row.id.uuidString < $1.row.id.uuidString },
            dates: question.hasContacts ? try await CalendarQueries.dates(of: feed.user, on: connection) : [])
    }

    /// A part of the events, to be made at once.
    struct Part: Sendable {
        /// How many rows it is of.
        let count: Int
        let events: @Sendable () -> [CalendarEvent]
    }

    /// The events in parts.
    var parts: [Part] {
        let starts = stride(from: 0, to: subjects.count, by: Self.batch)
        let ofSubscriptions = starts.map { start in
            let some = subjects[start..<min(start + Self.batch, subjects.count)]
            return Part(count: some.count) { some.flatMap(events) }
        }
        return ofSubscriptions + [Part(count: dates.count) { dates.compactMap(event) }]
    }

    private func events(of subject: SubjectQueries.Subject) -> [CalendarEvent] {
        guard case .subscription(let subscription) = subject.reminderSubject else { return [] }
        let name = subject.row.label ?? subject.row.plan.provider
        return subscription.calendarDays(from: question.today, settings).map { day in
            let cost = day.cost.map {
                Price(fee: $0.fee.written(in: $0.currency, digits: digits), currency: $0.currency)
            }
            return CalendarEvent(
                uid: CalendarEvent.uid(of: subject.row.id, day, host: question.host), sequence: subject.row.version,
                day: day.day, summary: text.title(day.kind, of: name, cost: cost),
                alarms: question.hasAlarms ? settings.alarms(day.leads) : [])
        }
    }

    private func event(of date: CalendarQueries.ContactDate) -> CalendarEvent? {
        guard let day = ContactDates.calendarDay(of: date.date, from: question.today, settings) else { return nil }
        return CalendarEvent(
            uid: CalendarEvent.uid(of: date.contact, date: date.date.id, host: question.host), sequence: date.version,
            day: day.day, recurrence: day.recurrence, summary: text.title(date.date.type, ofContact: date.name),
            alarms: question.hasAlarms ? settings.alarms(day.leads) : [])
    }
}
