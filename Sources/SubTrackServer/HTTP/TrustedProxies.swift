import NIOCore
import NIOHTTP1

/// The proxies in front of the service, which say whom they speak for (`X-Forwarded-For`).
///
/// What a client writes into that header itself is not believed: it is read from its end, where the nearest proxy writes.
public struct TrustedProxies: Sendable, Hashable {
    private let addresses: Set<String>

    /// No proxy: the connection's other end is the client.
    public static let none = TrustedProxies(addresses: [])

    private init(addresses: Set<String>) { self.addresses = addresses }

    /// Reads addresses with commas between them.
    /// - Throws: ``SettingsError``.
    public init(_ text: String) throws {
        addresses = Set(
            try text.split(separator: ",").map { part in
                let part = part.filter { $0 != " " }
                guard let address = Self.canonical(part) else {
                    throw SettingsError("a trusted proxy must be an IP address, is \"\(part)\"")
                }
                return address
            })
    }

    /// The address of a client.
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - headers: those of its request. A proxy may write a line of its own behind the client's: all of them count.
    func client(peer: String, headers: HTTPHeaders) -> String {
        guard !addresses.isEmpty else { return peer }
        let lines = headers[canonicalForm: "x-forwarded-for"]
        return client(peer: peer, forwarded: lines.isEmpty ? nil : lines.joined(separator: ","))
    }

    /// The address of a client.
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - forwarded: the header's value, if there is one.
    func client(peer: String, forwarded: String?) -> String {
        guard !addresses.isEmpty, let forwarded, addresses.contains(Self.canonical(peer) ?? peer) else { return peer }
        var client = peer
        for part in forwarded.split(separator: ",").suffix(20).reversed() {
            guard let address = Self.canonical(part.filter { $0 != " " && $0 != "\t" }) else { return client }
            client = address
            guard addresses.contains(address) else { return client }
        }
        return client
    }

    /// One text for one address; nil for what is none.
    private static func canonical(_ text: String) -> String? {
        (try? SocketAddress(ipAddress: text, port: 0)).flatMap { $0.mappedIPv4 ?? $0.ipAddress }
    }
}
