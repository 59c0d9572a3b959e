import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The delivery of notifications by mail, at least once under one id.
///
/// A delivery is claimed in a transaction, sent without one, and then marked. A replica that is killed in between leaves
/// a claim that ends: another replica sends the mail again, with the same `Message-ID`.
struct ReminderMail: Sendable {
    /// How many deliveries a step claims.
    static let batch = 16
    /// The time beyond the program's limit for which a delivery is its replica's.
    private static let margin: Int64 = 30

    let mailer: Mailer

    /// Sends some notifications of a tenant.
    /// - Returns: whether there may be more.
    func step(_ tenant: Tenant, _ now: Instant) async throws -> Bool {
        // Without a program they wait, as other mails do.
        guard let limit = mailer.limit else { return false }
        let until = Instant(secondsSince1970: now.secondsSince1970 + limit.components.seconds + Self.margin)
        let claimed = try await DeliveryQueries.claim(tenant, now: now, until: until, limit: Self.batch)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for delivery in claimed { group.addTask { try await send(delivery, of: tenant) } }
            try await group.waitForAll()
        }
        return claimed.count == Self.batch
    }

    private func send(_ delivery: DeliveryQueries.Claimed, of tenant: Tenant) async throws {
        let letter = try await tenant.read { connection in
            let digits = try await tenant.currencies.table(on: connection)
            return try await ReminderLetter.read(delivery, digits: digits, now: mailer.clock.now(), on: connection)
        }
        guard let letter else {
            // Answered, over, or without an address meanwhile: nothing is left to say.
            try await tenant.read { try await DeliveryQueries.delete(delivery, on: $0) }
            ReminderMetrics.delivered("mail", .dropped)
            return
        }
        let id = try NotificationID(
            tenant: tenant.slug, user: delivery.user, number: delivery.number, channel: "mail")
        // The tokens are made for one attempt, and are nowhere but in its mail.
        let now = mailer.clock.now()
        let (answer, end) = try await tenant.read { connection in
            (
                try await AnswerToken.make(
                    .answer, of: delivery.user, number: delivery.number, now: now, on: connection),
                try await AnswerToken.make(
                    .unsubscribe, of: delivery.user, number: delivery.number, now: now, on: connection)
            )
        }
        let links = ReminderText.Links(home: mailer.base(of: tenant), answer: answer.text, unsubscribe: end.text)
        let text = ReminderText(language: letter.language, today: letter.today).mail(letter.items, links: links)
        do {
            try await mailer.send(text, to: letter.email, id: id.uuid, unsubscribe: links.end)
        } catch let error where !(error is CancellationError) {
            try? await tenant.read { try await AnswerToken.remove([answer, end], on: $0) }
            let now = mailer.clock.now()
            let next = DeliverySchedule.next(after: delivery.attempts, now: now)
            try await tenant.read { connection in
                try await DeliveryQueries.fail(delivery, next: next, now: now, problem: "\(error)", on: connection)
            }
            ReminderMetrics.delivered("mail", next == nil ? .dead : .failed)
            return
        }
        // Shielded: a service that stops now must not send it again when it starts.
        try await Task { try await tenant.read { try await DeliveryQueries.delete(delivery, on: $0) } }.value
        ReminderMetrics.delivered("mail", .sent)
    }
}
