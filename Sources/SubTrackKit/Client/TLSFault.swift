import SubTrackAPI

/// A reason for which a connection to a service is not safe. Trying again does not help: somebody has to mend it.
public struct TLSFault: Sendable, Hashable {
    /// A check that failed.
    public enum Kind: Sendable, Hashable {
        /// The certificate, or one that it depends on, has expired.
        case expired(on: CalendarDate)
        /// The certificate, or one that it depends on, is not valid yet.
        case notYetValid(until: CalendarDate)
        /// The certificate is for other names.
        case wrongHost(names: [String])
        /// No trusted authority has issued the certificate.
        case unknownIssuer
        /// The server speaks plain HTTP at that port.
        case noTLS
        /// The server speaks TLS at that port, and the address says `http`.
        case needsTLS
        /// Client and server agree on no version or cipher of TLS.
        case handshake
    }

    /// The check that failed.
    public var kind: Kind
    /// The host and port of the address.
    public var host: String
    /// The file of authorities that alone are trusted; nil: the system's are.
    public var authorities: String?
    /// The device's day, by its own clock.
    public var today: CalendarDate

    /// A fault with all its parts.
    public init(_ kind: Kind, host: String, authorities: String?, today: CalendarDate) {
        self.kind = kind
        self.host = host
        self.authorities = authorities
        self.today = today
    }
}

extension TLSFault: CustomStringConvertible {
    /// The fault in words, for the person at the device.
    public var description: String {
        switch kind {
        case .expired(let day): "the certificate of \(host) expired on \(day)"
        case .notYetValid(let day):
            "the certificate of \(host) is valid from \(day) on only, and today is \(today) here"
        case .wrongHost(let names):
            names.isEmpty
                ? "the certificate of \(host) names no host" : "the certificate of \(host) is for \(Self.list(names))"
        case .unknownIssuer:
            authorities.map { "none of the authorities in \($0) has issued the certificate of \(host)" }
                ?? "the certificate of \(host) is from an authority that this device does not know"
        case .noTLS: "\(host) speaks plain HTTP at that port, not TLS"
        case .needsTLS: "\(host) speaks TLS at that port, not plain HTTP"
        case .handshake: "\(host) and this program agree on no version of TLS"
        }
    }

    /// The remedy in words.
    public var remedy: String {
        switch kind {
        case .expired:
            "have the operator renew the certificate; if it is still valid, set this device's clock, which says \(today)"
        case .notYetValid: "set this device's clock, or wait until then"
        case .wrongHost(let names):
            names.isEmpty
                ? "have the operator give the certificate the host's name"
                : "give the service's address with \(names.count == 1 ? "that name" : "one of those names"), or have the "
                    + "operator add this one to the certificate"
        case .unknownIssuer:
            authorities == nil
                ? "give the file of the authority's certificate, if it is a private one"
                : "give another file, or none to trust the authorities that this device knows"
        case .noTLS: "give the address as http://\(host) if the network in between is yours, or the port that has TLS"
        case .needsTLS: "give the address as https://\(host)"
        case .handshake: "have the operator offer TLS 1.2 or 1.3, and ask no certificate of clients"
        }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(5).joined(separator: ", ")
        return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
    }
}
