import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The mails of looks. Each attempt reads the rows anew, so that no mail tells of a day that has moved.
struct ReminderLetters: MailLetters {
    func letter(
        _ mail: MailQueries.Queued, base: String, now: Instant, in tenant: Tenant
    ) async throws -> MailLetter? {
        guard let reference = mail.detail.flatMap(NotificationReference.init), tenant.areas.has("reminders") else {
            return nil
        }
        let found = try await tenant.read { connection in
            let digits = try await tenant.currencies.table(on: connection)
            return try await ReminderNews.read(
                reference, digits: digits, hasDates: tenant.areas.has("contacts"), now: now, on: connection)
        }
        // Answered, over, or without an address meanwhile.
        guard let news = found, let email = news.email else { return nil }
        // The tokens are made for one attempt, and are nowhere but in its mail. A program may fail after the mail has left:
        // its links then work all the same.
        let (answer, end) = try await tenant.read { connection in
            (
                try await AnswerToken.make(.answer, of: reference, now: now, on: connection),
                try await AnswerToken.make(.unsubscribe, of: reference, now: now, on: connection)
            )
        }
        let links = ReminderText.Links(home: base, answer: answer.text, unsubscribe: end.text)
        return MailLetter(
            to: email,
            text: ReminderText(language: news.language, today: news.today, monthFirst: news.monthFirst)
                .mail(news.items, links: links),
            unsubscribe: links.end)
    }

    func refused(_ address: EmailAddress, of mail: MailQueries.Queued, in tenant: Tenant) async throws {
        guard let reference = mail.detail.flatMap(NotificationReference.init) else { return }
        try await tenant.write(scope: reference.user) { connection in
            // The user may have gone, or have another address by now.
            guard try await ReminderReader.read(reference.user, on: connection)?.email == address else { return }
            try await SettingsWrites.set(["mailRefused": .string(address.text)], of: reference.user, on: connection)
        }
    }
}
