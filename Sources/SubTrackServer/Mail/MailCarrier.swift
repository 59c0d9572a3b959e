/// A way by which mails leave the service.
public protocol MailCarrier: Sendable {
    /// Its name for operators: `the mail program /usr/sbin/sendmail`.
    var name: String { get }
    /// The longest time for a mail.
    var limit: Duration { get }

    /// Hands a mail over.
    /// - Throws: ``MailFault``; `CancellationError` when the task is cancelled.
    func send(_ message: MailMessage) async throws
    /// Looks whether it would take a mail, and sends none.
    /// - Parameter sender: the sender of mails; nil: none can be told.
    /// - Throws: ``MailFault``; `CancellationError` when the task is cancelled.
    func check(from sender: MailSender?) async throws
    /// Ends the connections that it has kept for further mails.
    func close() async
}

/// The reason for which a mail was not taken.
public struct MailFault: Error, CustomStringConvertible {
    public let description: String
    /// Whether there is no such recipient, so that no other attempt is made.
    public var isFinal = false
}
