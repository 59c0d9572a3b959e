import NIOCore

/// Networks that an address belongs to, the smallest first: the keys by which limits and quotas count clients.
///
/// Providers give a household an IPv4 address or an IPv6 /64, often a /56, and a site a /48. Anybody can take a new
/// address from such a network, so each of them is counted, the larger ones with larger allowances.
struct ClientNetworks: Sendable, Hashable {
    /// Size of a network. Raw values order them, the smallest first.
    enum Breadth: UInt8, Sendable, Hashable, CaseIterable {
        /// IPv4 address or IPv6 /64: one client, or one household.
        case client
        /// IPv6 /56: a household with several networks.
        case site
        /// IPv6 /48, or IPv4 /24: a company, or a part of a provider's customers.
        case region

        /// How many times a client's allowance the network has.
        var factor: Int {
            switch self {
            case .client: 1
            case .site: 4
            case .region: 16
            }
        }
    }

    /// One network: a key of 16 bytes for any form of the address.
    struct Network: Sendable, Hashable, CustomStringConvertible {
        /// Kind of an address.
        fileprivate enum Family: UInt8 { case local, v4, v6 }

        fileprivate let family: Family
        /// Its size.
        let breadth: Breadth
        /// The first 64 bits of an IPv6 address, or the 32 of an IPv4 address; bits behind the prefix are 0.
        fileprivate let bits: UInt64

        /// Whether connections are counted by it. Providers put many customers behind the addresses of one IPv4 /24.
        var countsConnections: Bool { family == .v6 || breadth == .client }

        var description: String {
            switch family {
            case .local: return "local"
            case .v4:
                let bytes = stride(from: 24, through: 0, by: -8).map { String((bits >> UInt64($0)) & 0xFF) }
                return bytes.joined(separator: ".") + (breadth == .client ? "" : "/24")
            case .v6:
                let groups = stride(from: 48, through: 0, by: -16).map {
                    String((bits >> UInt64($0)) & 0xFFFF, radix: 16)
                }
                let length =
                    switch breadth {
                    case .client: 64
                    case .site: 56
                    case .region: 48
                    }
                return groups.joined(separator: ":") + "::/\(length)"
            }
        }
    }

    /// The IPv4 address or the IPv6 /64.
    let client: Network
    /// Whether the address is one of this machine's: a proxy's perhaps, which speaks for many.
    let isThisMachine: Bool

    /// A client on this machine, by a Unix socket.
    static let local = ClientNetworks(
        client: Network(family: .local, breadth: .client, bits: 0), isThisMachine: true)

    /// All networks of the address, the smallest first. An address of this machine is in no larger one.
    var all: [Network] {
        if isThisMachine { return [client] }
        switch client.family {
        case .local: return [client]
        case .v4: return [client, Network(family: .v4, breadth: .region, bits: client.bits & ~0xFF)]
        case .v6:
            return [
                client, Network(family: .v6, breadth: .site, bits: client.bits & ~0xFF),
                Network(family: .v6, breadth: .region, bits: client.bits & ~0xFFFF),
            ]
        }
    }

    /// The largest network of the address.
    var region: Network { all.last ?? client }

    private init(client: Network, isThisMachine: Bool) {
        self.client = client
        self.isThisMachine = isThisMachine
    }

    /// The networks of an IP address in text form. A text that is no address counts as this machine's Unix socket.
    init(address: String) {
        // A zone (`fe80::1%eth0`) names an interface of this machine and is no part of the address.
        let text = String(address.prefix { $0 != "%" })
        guard let parsed = try? SocketAddress(ipAddress: text, port: 0) else {
            self = .local
            return
        }
        self.init(peer: parsed)
    }

    /// The networks of a socket's other end, by IP or by a Unix socket.
    init(peer: SocketAddress?) {
        switch peer {
        case .v4(let v4)?: self.init(v4: withUnsafeBytes(of: v4.address.sin_addr) { Array($0) })
        case .v6(let v6)?:
            let bytes = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
            if let v4 = Self.embeddedIPv4(bytes) {
                self.init(v4: v4)
            } else {
                let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
                self.init(
                    client: Network(family: .v6, breadth: .client, bits: Self.number(bytes.prefix(8))),
                    isThisMachine: isLoopback)
            }
        case .unixDomainSocket?, nil: self = .local
        }
    }

    private init(v4 bytes: [UInt8]) {
        self.init(
            client: Network(family: .v4, breadth: .client, bits: Self.number(bytes[...])),
            isThisMachine: bytes.first == 127)
    }

    /// The IPv4 address in an IPv6 address. It is mapped (RFC 4291 §2.5.5.2), as a listener for both sees callers by
    /// IPv4. Or it is translated (`64:ff9b::/96`, RFC 6052 §2.1), where one /64 is the whole internet by IPv4.
    private static func embeddedIPv4(_ bytes: [UInt8]) -> [UInt8]? {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
        guard bytes.count == 16, bytes.starts(with: mapped) || bytes.starts(with: translated) else { return nil }
        return Array(bytes.suffix(4))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
