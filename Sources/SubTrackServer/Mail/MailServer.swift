import Outbound

/// A mail server that takes mails by SMTP.
public struct MailServer: MailCarrier {
    private let sender: SMTPSender

    /// A way to a server.
    /// - Parameters:
    ///   - url: `smtps://user@host` or `smtp://user@host`.
    ///   - isPlain: whether the server is on this machine and goes without TLS.
    ///   - password: that of the user.
    ///   - certificates: the path of a file of PEM certificates that are trusted; nil: those of the system.
    /// - Throws: ``SettingsError`` for a URL that is none, and for a user without password or a password without user.
    public init(_ url: String, isPlain: Bool, password: String?, certificates: String? = nil) throws {
        let server: SMTPServer
        do {
            server = try SMTPServer(url, isPlain: isPlain)
        } catch {
            throw SettingsError("\(error)")
        }
        if server.user != nil, password == nil {
            throw SettingsError("the mail server has a user and no password: give --smtp-password-file")
        }
        if server.user == nil, password != nil {
            throw SettingsError(
                "the mail server has a password and no user: write it as smtps://user@smtp.example.org")
        }
        sender = SMTPSender(server, password: password, certificates: certificates)
    }

    public var name: String { "the mail server \(sender.server)" }
    public var limit: Duration { sender.limit }

    public func send(_ message: MailMessage) async throws {
        try await told { try await sender.send(message.bytes, from: message.from.address.text, to: message.to.text) }
    }

    public func check(from address: MailSender?) async throws {
        try await told { try await sender.greet(as: address?.address.text) }
    }

    public func close() async { await sender.close() }

    /// Tells a fault in the words of mails. A server may repeat its input.
    private func told(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let rejection as SMTPRejection {
            throw MailFault(
                description: MailProgram.withoutTokens("\(rejection)"), isFinal: rejection.isFinalForRecipient)
        } catch let fault as OutboundFault {
            // A port of the other form of TLS, or of none, is the usual reason.
            let isInsecure = if case .insecure = fault { true } else { false }
            throw MailFault(
                description: isInsecure
                    ? "\(fault); smtps:// is for TLS from the first byte, smtp:// for STARTTLS, and --smtp-tls none for a server on this "
                        + "machine without either" : "\(fault)")
        }
    }
}
