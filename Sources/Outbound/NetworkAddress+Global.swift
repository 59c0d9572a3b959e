extension NetworkAddress {
    /// Whether it is global unicast: an address of one machine that anybody may reach (RFC 6890 and IANA's registries).
    /// An address that carries an IPv4 address is global where that one is.
    public var isGlobal: Bool {
        if bytes.count == 4 { return !Self.reservedIPv4.contains { $0.contains(self) } }
        if unmapped != self { return unmapped.isGlobal }
        // NAT64 (RFC 6052).
        if Self.has(bytes, prefix: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return isGlobal(inside: 12) }
        // 6to4 (RFC 3056).
        if Self.has(bytes, prefix: [0x20, 0x02]) { return isGlobal(inside: 2) }
        // Teredo (RFC 4380): its server, and the client with all bits inverted.
        if Self.has(bytes, prefix: [0x20, 0x01, 0, 0]) {
            let client = NetworkAddress(bytes: bytes[12...].map { ~$0 })
            return isGlobal(inside: 4) && client?.isGlobal == true
        }
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        return !Self.reservedIPv6.contains { $0.contains(self) }
    }

    /// Whether the IPv4 address at an offset is global.
    private func isGlobal(inside offset: Int) -> Bool {
        NetworkAddress(bytes: Array(bytes[offset..<(offset + 4)]))?.isGlobal == true
    }

    private static func has(_ bytes: [UInt8], prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

    /// Networks of IPv4 that are not global unicast.
    static let reservedIPv4: [Network] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap(Network.init)

    /// Networks within 2000::/3 that are not global unicast: protocol assignments and documentation.
    static let reservedIPv6: [Network] = ["2001::/23", "2001:db8::/32", "3fff::/20"].compactMap(Network.init)
}
