import Foundation

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

    /// The host in small letters; an address of IPv6 in brackets.
    public let host: String
    /// The port.
    public let port: Int
    /// The name to sign in with; nil: without signing in.
    public let user: String?
    /// The encryption.
    public let security: Security

    /// The URL without the user.
    public var url: String { "\(security == .tls ? "smtps" : "smtp")://\(host):\(port)" }
    public var description: String { url }

    /// Reads `smtps://user@host` (port 465) or `smtp://user@host` (port 587). An `@` within the user is `%40`.
    /// - Parameter isPlain: whether `smtp://` goes without STARTTLS, which only this machine may.
    /// - Throws: ``OutboundFault/invalid(_:)``.
    public init(_ text: String, isPlain: Bool = false) throws(OutboundFault) {
        let form = "write it as smtps://user@smtp.example.org or smtp://user@smtp.example.org:587"
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "smtp" || scheme == "smtps", let host = parts.host?.lowercased(), !host.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .invalid("the mail server is no URL of SMTP: \(form)") }
        guard parts.password == nil else {
            throw .invalid("the mail server's URL has a password: put it into a file of its own")
        }
        guard parts.user?.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) != true else {
            throw .invalid("the mail server's user has a control character")
        }
        guard ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil else {
            throw .invalid("the mail server's URL has more than a user, a host and a port: \(form)")
        }
        port = parts.port ?? (scheme == "smtps" ? 465 : 587)
        guard (1...65_535).contains(port) else {
            throw .invalid("the mail server's port is no number from 1 to 65535")
        }
        self.host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        guard isPlain else {
            security = scheme == "smtps" ? .tls : .startTLS
            return
        }
        guard scheme == "smtp" else { throw .invalid("smtps:// is TLS: write smtp:// to go without") }
        guard Self.isThisMachine(self.host) else {
            throw .invalid("only a mail server on this machine is reached without TLS, and \(host) is another one")
        }
        security = .none
    }

    /// Whether a host is `localhost`, in 127.0.0.0/8, or `[::1]`.
    private static func isThisMachine(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        var address = in_addr()
        guard inet_pton(AF_INET, host, &address) == 1 else { return false }
        return withUnsafeBytes(of: address) { $0[0] } == 127
    }
}
