import Foundation
import SubTrackAPI
import SubTrackCore

/// A message for one channel, before it has the form of its kind.
struct ChannelMessage: Sendable {
    /// The content.
    enum Content: Sendable {
        case reminders(ChannelNews)
        case test(MailLanguage)
    }

    /// The id, which is the same at each attempt.
    let id: String
    let user: UserID
    let content: Content
    /// The page of the service that a notification opens.
    let page: String
    /// The token by which buttons answer; nil: there are no buttons.
    var answerToken: String?

    var text: ChannelText {
        switch content {
        case .reminders(let news): ChannelText(news)
        case .test(let language): ChannelText(testIn: language)
        }
    }

    var isUrgent: Bool {
        if case .reminders(let news) = content { news.isUrgent } else { false }
    }

    /// The reminder that buttons answer: there is one where the message tells of nothing else.
    var answerable: ChannelNews.Item? {
        guard case .reminders(let news) = content, news.items.count == 1, let item = news.items.first, item.key != nil
        else { return nil }
        return item
    }

    /// The answers that have buttons. A later time cannot be said by a button.
    var buttons: [ReminderAnswer] {
        guard answerToken != nil, let item = answerable else { return [] }
        return words.shownAnswers(item.text.kind).filter { $0 != .snooze }
    }

    var words: ReminderText {
        switch content {
        case .reminders(let news): ReminderText(language: news.language, today: news.today)
        case .test(let language): ReminderText(language: language, today: CalendarDate(daysSince1970: 0))
        }
    }
}
