import CCurl

/// A URL that the service may post to, read by libcurl itself. So the host that is judged is the host that is called.
public struct OutboundURL: Sendable, Hashable, CustomStringConvertible {
    /// The longest URL, in characters.
    public static let longest = 2000
    /// Ports at which mail servers listen.
    static let mailPorts: Set<Int> = [25, 465, 587]

    /// The URL as it was written.
    public let text: String
    /// The host in small letters. Numbers such as `0x7f.1` are written as addresses, those of IPv6 in brackets.
    public let host: String
    /// The port.
    public let port: Int
    /// Whether it is `https`.
    public let isEncrypted: Bool

    public var description: String { text }

    /// Reads a URL.
    /// - Throws: ``OutboundFault/invalid(_:)``.
    public init(_ text: String) throws(OutboundFault) {
        guard text.utf8.count <= Self.longest else {
            throw .invalid("the URL has more than \(Self.longest) characters")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalid("the URL has a character outside of ASCII or a space: write it as %20, or a host as xn--…")
        }
        let parts = try URLParts(text)
        guard let scheme = parts.part(CURLUPART_SCHEME), scheme == "http" || scheme == "https" else {
            throw .invalid("the URL must begin with https://")
        }
        guard parts.part(CURLUPART_USER) == nil, parts.part(CURLUPART_PASSWORD) == nil else {
            throw .invalid("the URL has a user or a password")
        }
        guard let host = parts.part(CURLUPART_HOST)?.lowercased(), !host.isEmpty else {
            throw .invalid("the URL has no host")
        }
        guard let port = parts.port else { throw .invalid("the URL's port is no number from 1 to 65535") }
        guard port >= 80, !Self.mailPorts.contains(port) else {
            throw .invalid("port \(port) is refused: those below 80, and 465 and 587, are not for HTTP")
        }
        self.text = text
        self.host = host
        self.port = port
        isEncrypted = scheme == "https"
    }
}

/// A URL in the hands of libcurl's parser.
final class URLParts {
    private let handle: OpaquePointer

    /// Parses a URL that names its scheme.
    /// - Throws: ``OutboundFault/invalid(_:)``.
    init(_ text: String) throws(OutboundFault) {
        guard let handle = curl_url() else { throw .invalid("the URL cannot be read: there is no memory") }
        self.handle = handle
        guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else {
            throw .invalid("it is no URL: write it as https://host/path")
        }
    }

    deinit { curl_url_cleanup(handle) }

    /// A part; nil where there is none.
    func part(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// The port, that of the scheme where the URL names none.
    var port: Int? {
        guard let port = part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap(Int.init) else { return nil }
        return (1...65535).contains(port) ? port : nil
    }
}
