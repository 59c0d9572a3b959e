import CCurl

/// A server that takes mails for others: submission by SMTP (RFC 6409).
public struct SMTPServer: Sendable, Hashable, CustomStringConvertible {
    /// The encryption of a connection.
    public enum Security: Sendable, Hashable {
        /// TLS from the first byte (RFC 8314).
        case tls
        /// TLS by STARTTLS (RFC 3207). A server without it gets no mail.
        case startTLS
        /// None, to this machine alone.
        case none
    }

    /// The host in small letters.
    public let host: String
    /// The port.
    public let port: Int
    /// The name to sign in with; nil: without signing in.
    public let user: String?
    /// The encryption.
    public let security: Security

    public var description: String {
        let user = user.map { "\($0)@" } ?? ""
        return "\(security == .tls ? "smtps" : "smtp")://\(user)\(host):\(port)"
    }

    /// Reads `smtps://user@host` (port 465) or `smtp://user@host` (port 587). An `@` within the user is `%40`.
    /// - Parameter isPlain: whether `smtp://` goes without STARTTLS, which only this machine may.
    /// - Throws: ``OutboundFault/invalid(_:)``.
    public init(_ url: String, isPlain: Bool = false) throws(OutboundFault) {
        let form = "write it as smtps://user@smtp.example.org or smtp://user@smtp.example.org:587"
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = try? URLParts(url),
            let scheme = parts.part(CURLUPART_SCHEME), scheme == "smtp" || scheme == "smtps",
            let host = parts.part(CURLUPART_HOST)?.lowercased(), !host.isEmpty
        else { throw .invalid("the mail server is no URL of SMTP: \(form)") }
        guard parts.part(CURLUPART_PASSWORD) == nil else {
            throw .invalid("the mail server's URL has a password: put it into a file of its own")
        }
        let path = parts.part(CURLUPART_PATH) ?? "/"
        guard path == "/", parts.part(CURLUPART_QUERY) == nil, parts.part(CURLUPART_FRAGMENT) == nil else {
            throw .invalid("the mail server's URL has more than a host and a port: \(form)")
        }
        if parts.part(CURLUPART_PORT) != nil {
            guard let port = parts.port else { throw .invalid("the mail server's port is no number from 1 to 65535") }
            self.port = port
        } else {
            port = scheme == "smtps" ? 465 : 587
        }
        self.host = host
        user = parts.part(CURLUPART_USER, flags: CURLU_URLDECODE).flatMap { $0.isEmpty ? nil : $0 }
        guard isPlain else {
            security = scheme == "smtps" ? .tls : .startTLS
            return
        }
        guard scheme == "smtp" else { throw .invalid("smtps:// is TLS: write smtp:// to go without") }
        guard host == "localhost" || NetworkAddress(host)?.isLoopback == true else {
            throw .invalid("only a mail server on this machine is reached without TLS, and \(host) is another one")
        }
        security = .none
    }
}

/// The answer of a mail server that did not take a mail.
public struct SMTPRejection: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code of the answer: 550, for example.
    public let code: Int
    /// The command that it answered: `RCPT`, for example; `DATA` for the mail itself.
    public let command: String
    /// The answer's last line, at most 400 characters.
    public let text: String

    public var description: String { "the mail server answered \(command) with \(text.isEmpty ? String(code) : text)" }

    /// Whether the server says for good that there is no such recipient. A refusal for policy (enhanced code 5.7, RFC 3463),
    /// such as "relaying denied", is none: it is often a fault of settings, and would hit every address.
    public var isFinalForRecipient: Bool {
        guard command == "RCPT", (500...599).contains(code) else { return false }
        let enhanced = text.split(separator: " ").dropFirst().first?.split(separator: ".").compactMap { Int($0) } ?? []
        guard enhanced.count == 3, enhanced[0] == 5 else { return [550, 551, 553].contains(code) }
        // 5.1.7 and 5.1.8 are about the sender's address.
        return (enhanced[1] == 1 && ![7, 8].contains(enhanced[2])) || enhanced[1] == 2
    }
}
