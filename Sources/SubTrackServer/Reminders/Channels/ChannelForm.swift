import Foundation
import Passwords
import SubTrackAPI
import SubTrackCore

/// A message that cannot be made for a channel, with the reason for the user.
struct ChannelFault: Error {
    let reason: String

    static let otherKey = ChannelFault(
        reason: "its keys were stored under another secret key of the service; enter them again")
}

/// The forms of messages, as each kind of channel takes them. Pure.
struct ChannelForm: Sendable {
    let keys: ChannelKeys
    let now: Instant

    /// How long a push service keeps a message, in seconds.
    static let longestLife = 86_400

    /// A message in the form of its channel.
    /// - Throws: ``ChannelFault``; `CryptographyError`.
    func message(_ message: ChannelMessage, for channel: ChannelRow) throws -> OutboundMessage {
        switch channel.kind {
        case .webhook: try webhook(message, channel)
        case .ntfy: try ntfy(message, channel)
        case .webpush: try webPush(message, channel)
        }
    }

    private func opened(_ channel: ChannelRow) throws -> [UInt8]? {
        guard let sealed = channel.sealed else { return nil }
        guard let value = try keys.open(sealed, at: channel.seal) else { throw ChannelFault.otherKey }
        return value
    }
}

// MARK: Webhook

extension ChannelForm {
    /// The body of a message to a webhook.
    private struct Hook: Encodable {
        struct Reminder: Encodable {
            let id: String?
            let kind: ReminderKind
            let occursOn: CalendarDate
            let leadDays: Int?
            let title: String
            let provider: String
            let amount: Amount?
            let currency: String?
            let cancelBy: CalendarDate?
        }

        struct Data: Encodable {
            let user: UUID
            let reminders: [Reminder]?
        }

        let type: String
        let timestamp: Instant
        let data: Data
    }

    private func webhook(_ message: ChannelMessage, _ channel: ChannelRow) throws -> OutboundMessage {
        var reminders: [Hook.Reminder]?
        if case .reminders(let news) = message.content {
            reminders = news.items.map { item in
                Hook.Reminder(
                    id: item.key?.description, kind: item.text.kind, occursOn: item.text.on, leadDays: item.key?.lead,
                    title: item.text.title, provider: item.provider, amount: item.text.fee,
                    currency: item.text.currency, cancelBy: item.text.cancelBy)
            }
        }
        let body = try OutputEncoder.encode(
            Hook(
                type: reminders == nil ? "test" : "reminders.due", timestamp: now,
                data: .init(user: message.user.uuid, reminders: reminders)))
        let headers = try WebhookHeaders.headers(
            id: message.id, at: now, body: body, secrets: try channel.secrets(keys, now: now))
        return OutboundMessage(
            url: channel.target, headers: [("Content-Type", "application/json")] + headers, body: body)
    }
}

// MARK: ntfy

extension ChannelForm {
    /// A message as a ntfy server takes it in JSON.
    private struct Ntfy: Encodable {
        struct Action: Encodable {
            let action = "http"
            let label: String
            let url: String
            let method = "POST"
            let headers = ["Content-Type": "application/json"]
            let body: String
            let clear = true
        }

        let topic: String
        let title: String
        let message: String
        let priority: Int
        let tags = ["calendar"]
        let click: String
        /// A newer server takes a second copy for the same message.
        let sequence_id: String
        let actions: [Action]
    }

    private struct Answer: Encodable {
        let token: String
        let reminder: String
        let answer: ReminderAnswer
    }

    private func ntfy(_ message: ChannelMessage, _ channel: ChannelRow) throws -> OutboundMessage {
        guard let target = try? ChannelTarget(channel.target, kind: .ntfy), let topic = target.topic else {
            throw ChannelFault(reason: "its URL has no topic of ntfy")
        }
        let token = try opened(channel)
        let text = message.text
        let body = try OutputEncoder.encode(
            Ntfy(
                topic: topic.name, title: text.title,
                message: text.lines.isEmpty ? text.title : text.lines.joined(separator: "\n"),
                priority: message.isUrgent ? 5 : 3, click: message.page, sequence_id: message.id,
                actions: try actions(message)))
        var headers = [(name: "Content-Type", value: "application/json")]
        if let token { headers.append(("Authorization", "Bearer \(String(decoding: token, as: UTF8.self))")) }
        return OutboundMessage(url: topic.root, headers: headers, body: body)
    }

    private func actions(_ message: ChannelMessage) throws -> [Ntfy.Action] {
        guard let token = message.answerToken, let key = message.answerable?.key else { return [] }
        return try message.buttons.map { answer in
            Ntfy.Action(
                label: message.words.title(answer), url: message.page + "v1/answers",
                body: String(
                    decoding: try OutputEncoder.encode(
                        Answer(token: token, reminder: key.description, answer: answer)), as: UTF8.self))
        }
    }
}

// MARK: Web Push

extension ChannelForm {
    /// The text for the service worker.
    private struct Push: Encodable {
        struct Action: Encodable {
            let answer: ReminderAnswer
            let label: String
        }

        /// A second copy takes the place of the first one.
        let tag: String
        let title: String
        let body: String
        let url: String
        let reminder: String?
        let token: String?
        let actions: [Action]
    }

    private func webPush(_ message: ChannelMessage, _ channel: ChannelRow) throws -> OutboundMessage {
        guard let target = try? ChannelTarget(channel.target, kind: .webpush) else {
            throw ChannelFault(reason: "its URL is none of a push service")
        }
        guard let sealed = try opened(channel), let browser = BrowserKeys(sealed)?.keys else {
            throw ChannelFault.otherKey
        }
        let text = message.text
        let buttons = message.buttons
        let hasButtons = !buttons.isEmpty
        func encoded(_ lines: some Sequence<String>) throws -> [UInt8] {
            try OutputEncoder.encode(
                Push(
                    tag: message.id, title: text.title, body: lines.joined(separator: "\n"), url: message.page,
                    reminder: hasButtons ? message.answerable?.key?.description : nil,
                    token: hasButtons ? message.answerToken : nil,
                    actions: buttons.map { .init(answer: $0, label: message.words.title($0)) }))
        }
        var lines = text.lines[...]
        var body = try encoded(lines)
        while body.count > WebPushMessage.longestText, !lines.isEmpty {
            lines = lines.dropLast()
            body = try encoded(lines)
        }
        let authorization = try VAPIDToken.header(
            audience: target.origin, subject: message.page, key: try keys.vapid(), now: now)
        return OutboundMessage(
            url: channel.target,
            headers: [
                ("Content-Type", "application/octet-stream"), ("Content-Encoding", "aes128gcm"),
                ("TTL", "\(Self.longestLife)"), ("Urgency", message.isUrgent ? "high" : "normal"),
                ("Topic", message.id), ("Authorization", authorization),
            ],
            body: try WebPushMessage.encrypt(body, for: browser))
    }
}
