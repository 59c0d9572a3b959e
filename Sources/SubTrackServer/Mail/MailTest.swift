import Foundation
import SubTrackAPI

/// A mail by which an operator sees that mails leave the service as they should. It goes to the program or the server at once, not to a queue.
public struct MailTest: Sendable {
    private let carrier: any MailCarrier
    private let message: MailMessage

    /// A test mail.
    /// - Parameter address: the recipient.
    /// - Throws: `SettingsError` where no way for mails is set, the sender cannot be told, or the address is none.
    public init(_ settings: MailSettings, to address: String, clock: WallClock = .system) throws {
        guard let carrier = settings.carrier else {
            throw SettingsError(
                "nothing is set that takes mails, so that no mail is sent; give --sendmail /usr/sbin/sendmail or --smtp-url"
            )
        }
        guard let recipient = try? EmailAddress(address) else {
            throw SettingsError("the recipient must look like ada@example.org, is \"\(address)\"")
        }
        self.carrier = carrier
        let links =
            settings.publicURL.map { "Links in mails begin with \($0)." }
            ?? "No public URL is set: links in mails lead to the address at which the service listens."
        let paragraphs = ["This is a test mail of SubTrackIt. An operator sent it by subtrackd mail test.", links]
        message = MailMessage(
            from: try settings.resolvedSender(), to: recipient, subject: "SubTrackIt: test mail",
            text: paragraphs.joined(separator: "\n\n") + "\n",
            html: "<!DOCTYPE html>\n<html lang=\"en\"><body>\n"
                + paragraphs.map { "<p>\($0.escapedForHTML)</p>\n" }.joined() + "</body></html>\n",
            date: clock.now(), id: UUID())
    }

    /// The sender, as the recipient sees it.
    public var sender: String { "\(message.from.name) <\(message.from.address.text)>" }

    /// The name of the program or the server.
    public var carrierName: String { carrier.name }

    /// Hands the mail over.
    /// - Throws: ``MailRefused`` with the complaint.
    public func send() async throws {
        do {
            try await carrier.send(message)
            await carrier.close()
        } catch {
            throw MailRefused(description: "\(carrier.name): \(error)")
        }
    }
}

/// A test mail that was not taken.
public struct MailRefused: Error, CustomStringConvertible {
    public let description: String
}
