import Foundation

extension Client {
    /// Whether a text can be the address of a service: `http` or `https` (the default), a host, and perhaps a port and a path.
    public static func isAddress(_ server: String) -> Bool {
        var rest = Substring(server.trimmed)
        if let mark = rest.range(of: "://") {
            guard ["http", "https"].contains(rest[..<mark.lowerBound].lowercased()) else { return false }
            rest = rest[mark.upperBound...]
        }
        // A name before `@`, a query and a fragment are of no use to a client.
        let isWritable = rest.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7F && !scalar.properties.isWhitespace
                && !"\"<>\\^`{|}?#@".unicodeScalars.contains(scalar)
        }
        guard isWritable else { return false }
        let authority = rest.prefix { $0 != "/" }
        // An IPv6 address has colons of its own (RFC 3986 §3.2.2).
        let host: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return false }
            host = authority[...end]
        } else {
            host = authority.prefix { $0 != ":" }
        }
        guard !host.isEmpty, host != "[]" else { return false }
        let port = authority[host.endIndex...]
        guard !port.isEmpty else { return true }
        let digits = port.dropFirst()
        guard port.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        return UInt16(digits).map { $0 > 0 } ?? false
    }

    /// The address of the service in the URL of one of its operations, whose own path says nothing to a person.
    static func address(ofOperation url: String) -> String {
        let start = url.range(of: "://")?.upperBound ?? url.startIndex
        guard let path = url.range(of: "/v1", range: start..<url.endIndex) else { return url }
        guard let next = url[path.upperBound...].first, next != "/", next != "?" else {
            return String(url[..<path.lowerBound])
        }
        return url
    }
}
