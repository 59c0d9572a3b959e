import Foundation

/// An address of IPv4 or IPv6, as its bytes.
public struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16 bytes.
    public let bytes: [UInt8]

    /// An address of 4 or 16 bytes; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the written form: `192.0.2.1`, `2001:db8::1`, or the same in brackets. Short forms such as `127.1` are none.
    public init?(_ text: String) {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let plain = isBracketed ? String(text.dropFirst().dropLast()) : text
        var four = in_addr()
        var sixteen = in6_addr()
        if !isBracketed, inet_pton(AF_INET, plain, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, plain, &sixteen) == 1 {
            bytes = withUnsafeBytes(of: &sixteen) { Array($0) }
        } else {
            return nil
        }
    }

    /// The IPv4 address inside a mapped one (`::ffff:192.0.2.1`), else the address itself.
    public var unmapped: NetworkAddress {
        guard bytes.count == 16 else { return self }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
        return isMapped ? NetworkAddress(bytes: Array(bytes[12...])) ?? self : self
    }

    /// Whether it is of this machine alone: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        let plain = unmapped.bytes
        return plain.count == 4 ? plain[0] == 127 : plain[15] == 1 && plain[..<15].allSatisfy { $0 == 0 }
    }

    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A network: an address and the number of its leading bits that count.
public struct Network: Sendable, Hashable, CustomStringConvertible {
    let address: NetworkAddress
    let length: Int

    /// Reads `10.0.0.0/8`, `fd00::/8`, or an address alone. A mapped address is the IPv4 address inside.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress(String(parts[0]))?.unmapped
        else { return nil }
        let bits = address.bytes.count * 8
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let length = Int(parts[1]), length <= bits
            else { return nil }
            self.length = length
        } else {
            length = bits
        }
        self.address = address
    }

    /// Whether an address lies in it. A mapped address is compared as the IPv4 address inside.
    public func contains(_ other: NetworkAddress) -> Bool {
        let other = other.unmapped.bytes
        guard other.count == address.bytes.count else { return false }
        let whole = length / 8
        guard other[..<whole] == address.bytes[..<whole] else { return false }
        let rest = length % 8
        guard rest > 0 else { return true }
        let mask = ~(UInt8.max >> UInt8(rest))
        return other[whole] & mask == address.bytes[whole] & mask
    }

    public var description: String { "\(address)/\(length)" }
}
