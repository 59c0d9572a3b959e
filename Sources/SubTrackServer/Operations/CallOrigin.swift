import NIOCore

/// The place that a call comes from, for limits and for the language of mails.
struct CallOrigin: Sendable {
    /// The caller's networks.
    let networks: ClientNetworks
    /// The languages that the caller reads (`Accept-Language`, RFC 9110 §12.5.4); nil where the transport has none.
    let languages: String?

    /// A caller on this machine, by a Unix socket.
    static let local = CallOrigin(networks: .local, languages: nil)

    /// A caller by an IP address.
    init(address: String, languages: String?) {
        self.init(networks: ClientNetworks(address: address), languages: languages)
    }

    /// A caller by a socket: by IP, or by a Unix socket.
    init(peer: SocketAddress?) { self.init(networks: ClientNetworks(peer: peer), languages: nil) }

    /// Whether it is a caller on this machine: a proxy, for many perhaps.
    var isThisMachine: Bool { networks.isThisMachine }

    /// The smallest network of an address in text form, as a key.
    static func network(of address: String) -> String { ClientNetworks(address: address).client.description }

    private init(networks: ClientNetworks, languages: String?) {
        self.networks = networks
        self.languages = languages
    }
}

extension SocketAddress {
    /// The IPv4 address in a mapped IPv6 address (RFC 4291 §2.5.5.2), as a listener for both sees callers by IPv4; nil
    /// for any other address.
    var mappedIPv4: String? {
        guard case .v6(let v6) = self else { return nil }
        let bytes = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
        guard bytes.count == 16, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
            return nil
        }
        return bytes.suffix(4).map(String.init).joined(separator: ".")
    }
}
