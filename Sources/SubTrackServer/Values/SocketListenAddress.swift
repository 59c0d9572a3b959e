/// Where plain sockets are listened for: an address and a port, or a path.
public enum SocketListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// TCP.
    case tcp(ListenAddress)
    /// A Unix socket at a path.
    case unix(path: String)

    /// `127.0.0.1:8081`.
    public static let `default` = SocketListenAddress.tcp(ListenAddress(host: "127.0.0.1", port: 8081))

    /// Reads `host:port` or `unix:/path`.
    /// - Throws: ``SettingsError`` that names the right form.
    public init(_ text: String) throws {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            // sun_path has 108 bytes on Linux and 104 on Darwin, one of them for the end.
            guard !path.isEmpty, path.utf8.count < 104, !path.utf8.contains(0) else {
                throw SettingsError("the path of a Unix socket must have 1 to 103 bytes, is \"\(path)\"")
            }
            self = .unix(path: path)
        } else if let address = ListenAddress(text) {
            self = .tcp(address)
        } else {
            throw SettingsError(
                "a socket's address must look like 127.0.0.1:8081 or unix:/path, or be none; is \"\(text)\"")
        }
    }

    /// Reads several, with commas between them; `none` for none.
    /// - Throws: ``SettingsError`` that names the right form.
    public static func list(_ text: String) throws -> [SocketListenAddress] {
        if text == "none" { return [] }
        return try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            try SocketListenAddress(String(part).trimmingSpaces())
        }
    }

    public var description: String {
        switch self {
        case .tcp(let address): address.description
        case .unix(let path): "unix:\(path)"
        }
    }
}
