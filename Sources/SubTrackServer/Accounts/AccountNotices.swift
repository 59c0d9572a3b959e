import Foundation
import MariaDB
import SubTrackAPI

/// Mails that report changes of a user's other addresses to the confirmed ones. They are queued in the transaction of
/// the change.
///
/// Unconfirmed addresses are told nothing of others: they may be a stranger's, by a typing error or on purpose.
struct AccountNotices: Sendable {
    /// The language of all of them.
    let language: MailLanguage
    /// The time by which they are numbered.
    let now: Instant

    /// Notices in the language of the caller, or else of the user's country.
    init(_ call: Call, country: String?) {
        language = MailLanguage(accepted: call.origin.languages, country: country)
        now = call.now
    }

    /// Queues a mail to each confirmed account but one.
    /// - Parameters:
    ///   - accounts: the user's.
    ///   - excepted: the address that the mail is about.
    func tell(
        _ accounts: [AccountQueries.Row], but excepted: EmailAddress, _ kind: MailKind, _ detail: String,
        on connection: Connection
    ) async throws {
        for account in accounts where account.isVerified && account.email != excepted {
            try await send(kind, to: account.email, detail, on: connection)
        }
    }

    /// Queues one mail.
    func send(
        _ kind: MailKind, to email: EmailAddress, _ detail: String? = nil, on connection: Connection
    ) async throws {
        let id = try UUIDv7.make(now: now)
        try await MailQueries.insert(kind, to: email, detail: detail, language: language, id: id, on: connection)
    }
}
