import NIOCore

/// Where a call comes from, for limits and for the language of mails. Known for operations that handle secrets alone.
struct CallOrigin: Sendable {
    /// The caller's network: an IPv4 address, or the first 64 bits of an IPv6 address, which one household has to itself.
    var network: String
    /// The languages that the caller reads (`Accept-Language`, RFC 9110 §12.5.4); nil where the transport has none.
    var languages: String?

    /// A caller on this machine, by a Unix socket.
    static let local = CallOrigin(network: "local", languages: nil)

    /// A caller by an IP address.
    init(address: String, languages: String?) {
        self.init(network: Self.network(of: address), languages: languages)
    }

    /// A caller by a socket: by IP, or by a Unix socket.
    init(peer: SocketAddress?) {
        self = peer?.ipAddress.map { CallOrigin(address: $0, languages: nil) } ?? .local
    }

    private static let loopbackIPv6 = network(of: "::1")

    /// Whether it is a caller on this machine: a proxy, for many perhaps.
    var isThisMachine: Bool {
        network == Self.local.network || network.hasPrefix("127.") || network == Self.loopbackIPv6
    }

    private init(network: String, languages: String?) {
        self.network = network
        self.languages = languages
    }

    /// The network of an address in text form.
    static func network(of address: String) -> String {
        guard address.contains(":"), let parsed = try? SocketAddress(ipAddress: address, port: 0),
            case .v6(let v6) = parsed
        else { return address }
        if let mapped = parsed.mappedIPv4 { return mapped }
        let bytes = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }
}

extension SocketAddress {
    /// The IPv4 address that is written as one of IPv6 (RFC 4291 §2.5.5.2), as that of a caller by IPv4 is to who listens for
    /// both; nil for any other address.
    var mappedIPv4: String? {
        guard case .v6(let v6) = self else { return nil }
        let bytes = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
        guard bytes.count == 16, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
            return nil
        }
        return bytes.suffix(4).map(String.init).joined(separator: ".")
    }
}
