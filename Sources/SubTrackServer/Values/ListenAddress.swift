/// An address and a port to listen at.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// An address or name; `0.0.0.0` or `::` for all.
    public let host: String
    /// The port; 0 for any that is free.
    public let port: Int

    /// `127.0.0.1:8080`.
    public static let `default` = ListenAddress(host: "127.0.0.1", port: 8080)

    /// An address and a port.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port` or `[::1]:port`; nil when it is neither.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else { return nil }
        self.init(host: host, port: Int(port))
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
