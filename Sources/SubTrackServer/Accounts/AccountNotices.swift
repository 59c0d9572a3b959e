import Foundation
import MariaDB
import SubTrackAPI

/// Mails that nobody asked for: an address is to be confirmed, or something happened to the user. They are queued in the
/// transaction of the change.
///
/// Unconfirmed addresses are told nothing of others: they may be a stranger's, by a typing error or on purpose.
struct AccountNotices: Sendable {
    private let call: Call
    private let limits: AccountGuard
    /// The language of all of them.
    private let language: MailLanguage

    /// Notices in the language of the caller, or else of the user's country.
    init(_ call: Call, _ services: AccountServices, country: String?) {
        self.call = call
        limits = services.limits
        language = MailLanguage(accepted: call.origin.languages, country: country)
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

    /// Queues one mail, unless the address had its share of this kind in the last hour.
    func send(
        _ kind: MailKind, to email: EmailAddress, _ detail: String? = nil, on connection: Connection
    ) async throws {
        guard limits.mayNotify(email, of: kind, call) else { return }
        let id = try UUIDv7.make(now: call.now)
        try await MailQueries.insert(kind, to: email, detail: detail, language: language, id: id, on: connection)
    }
}
