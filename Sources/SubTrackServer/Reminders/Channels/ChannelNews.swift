import MariaDB
import SubTrackAPI
import SubTrackCore

/// A notification for channels as it is said now. Its rows are read at each attempt, so that no message tells of a day that
/// has moved.
struct ChannelNews: Sendable {
    /// One thing of which it tells.
    struct Item: Sendable {
        /// Its day, its cost and its name.
        let text: ReminderText.Item
        /// The provider of the subscription.
        let provider: String

        /// The reminder. Of a renewal that a digest tells of there is none.
        var key: ReminderKey? { text.key }
    }

    /// The local day of the user.
    let today: CalendarDate
    let language: MailLanguage
    /// Never empty, the most urgent one first.
    let items: [Item]

    /// Reads a notification.
    /// - Parameter digits: the digits of each currency.
    /// - Returns: nil when nothing is left to say.
    static func read(
        _ delivery: DeliveryQueries.Claimed, digits: [String: Int], now: Instant, on connection: Connection
    ) async throws -> ChannelNews? {
        let user = delivery.user
        guard let person = try await LookQueries.people([user], on: connection).first else { return nil }
        let settings = try await ReminderSettingQueries.settings(of: [user], on: connection)[user]
        let today = LocalDay.today(at: now, timeZone: person.timeZone) ?? now.date(secondsFromUTC: 0)
        let items = try await ReminderLetter.items(delivery, today: today, digits: digits, on: connection).map {
            Item(text: $0.item, provider: $0.provider)
        }.sorted {
            ($0.text.on, $0.text.title, $0.text.kind.rawValue) < ($1.text.on, $1.text.title, $1.text.kind.rawValue)
        }
        guard !items.isEmpty else { return nil }
        return ChannelNews(
            today: today, language: settings?.language ?? MailLanguage(country: person.country), items: items)
    }

    /// Whether something of it is about today, and so is told on its last day.
    var isUrgent: Bool { items.contains { $0.text.on <= today } }
}
