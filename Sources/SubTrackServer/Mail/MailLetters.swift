import SubTrackAPI

/// The mails of an area, of one kind. The queue has a reference alone: each attempt writes the mail from the facts of that moment.
protocol MailLetters: Sendable {
    /// Writes a queued mail.
    /// - Parameter base: the address of the tenant's pages, without a slash at its end.
    /// - Returns: nil when nothing is left to say. The mail leaves the queue.
    func letter(
        _ mail: MailQueries.Queued, base: String, now: Instant, in tenant: Tenant
    ) async throws -> MailLetter?

    /// Notes that there is no such recipient. The mail leaves the queue.
    func refused(_ address: EmailAddress, of mail: MailQueries.Queued, in tenant: Tenant) async throws
}

/// A mail that an area has written.
struct MailLetter: Sendable {
    /// The recipient.
    let to: EmailAddress
    let text: MailText
    /// The address to which one `POST` ends such mails (RFC 8058); nil: there is none.
    var unsubscribe: String?
}
