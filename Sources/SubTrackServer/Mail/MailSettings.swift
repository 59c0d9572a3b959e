import Foundation
import NIOCore

/// How mails leave the service.
public struct MailSettings: Sendable {
    /// The program or server that takes them; nil: they stay in the queue until they expire.
    public var carrier: (any MailCarrier)?
    /// The sender; nil: `noreply@` and the host of the public URL.
    public var sender: MailSender?
    /// Where people reach the service, for links: `https://subs.example.org`; nil: where HTTP is served.
    public var publicURL: String?
    /// How often every tenant's queue is read. This replica's own mails are sent at once.
    public var sweep = Duration.seconds(30)

    /// No way for mails.
    public init() {}

    /// Settings that work but are hardly meant, for the start of the service and for checks.
    public var findings: [Finding] {
        guard carrier != nil else { return [] }
        var findings: [Finding] = []
        if sender == nil, host == nil || host == "localhost" {
            findings.append(
                .warning(
                    "mail", "mails come from noreply@localhost, which other mail servers refuse",
                    remedy: "--mail-from noreply@example.org, or --public-url with the name of this service's host"))
        }
        if publicURL == nil {
            findings.append(
                .warning(
                    "mail",
                    "links in mails lead to the address at which this process listens, which nobody else may reach",
                    remedy: "--public-url https://subs.example.org"))
        }
        return findings
    }

    /// Connects to the mail server and signs in there, for a check. A mail program is not run.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func carrierFinding() async throws -> Finding {
        guard let carrier else {
            return .warning(
                "mail",
                "nothing takes mails: nobody is reminded by mail, can confirm an address, or can replace a forgotten password",
                remedy: "--smtp-url smtps://user@smtp.example.org, or --sendmail /usr/sbin/sendmail")
        }
        do {
            try await carrier.check(from: try? resolvedSender())
            await carrier.close()
            return .ok("mail", carrier.name)
        } catch let fault as MailFault {
            return .problem(
                "mail", "\(carrier.name) takes no mail: \(fault)",
                remedy: "Mend the setting that it is about, and try it: subtrackd mail test you@example.org")
        }
    }

    /// The host of the public URL.
    var host: String? { publicURL.flatMap { URLComponents(string: $0)?.host } }

    /// The sender of mails.
    /// - Throws: ``SettingsError`` when that is not said, and the public URL has an address where a name would be needed.
    func resolvedSender() throws -> MailSender {
        if let sender { return sender }
        let host = host ?? "localhost"
        let isAddress =
            host.hasPrefix("[") || host.contains(":") || (try? SocketAddress(ipAddress: host, port: 0)) != nil
        guard !isAddress, let sender = try? MailSender("noreply@\(host)") else {
            throw SettingsError(
                "name a sender for mails (--mail-from noreply@example.org): noreply@\(host), after the public URL, is no address"
            )
        }
        return sender
    }
}
