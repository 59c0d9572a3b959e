import NIOCore
import NIOHTTP1
import Outbound

/// The proxies in front of the service, which say whom they speak for: by `X-Forwarded-For` and `X-Forwarded-Host`, or by
/// `Forwarded` (RFC 7239).
///
/// What a client writes into these headers itself is not believed: they are read from their end, where the nearest proxy
/// writes, and one kind of them alone is read, for a proxy hands the other on as it came.
public struct TrustedProxies: Sendable, Hashable {
    /// The headers by which proxies say it.
    public enum Header: String, Sendable, CaseIterable {
        case xForwarded = "x-forwarded"
        case forwarded
    }

    private let networks: [Network]
    private let header: Header

    /// No proxy: the connection's other end is the client.
    public static let none = TrustedProxies(networks: [], header: .xForwarded)

    private init(networks: [Network], header: Header) {
        self.networks = networks
        self.header = header
    }

    /// Reads addresses and networks (`10.0.0.0/8`) with commas between them.
    /// - Parameter header: what they write.
    /// - Throws: ``SettingsError``.
    public init(_ text: String, header: Header = .xForwarded) throws {
        self.header = header
        networks = try text.split(separator: ",").map { part in
            let part = part.filter { $0 != " " }
            guard let network = Network(part)
            else {
                throw SettingsError(
                    "a trusted proxy must be an IP address or a network such as 10.0.0.0/8, is \"\(part)\"")
            }
            return network
        }
    }

    /// The address of a client.
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - headers: those of the request.
    func client(peer: String, headers: HTTPHeaders) -> String {
        guard isTrusted(peer) else { return peer }
        var client = peer
        for address in addresses(headers).suffix(20).reversed() {
            guard let address = address.flatMap(Self.canonical) else { return client }
            client = address
            guard isTrusted(address) else { return client }
        }
        return client
    }

    /// The host that a client asked for, with or without port.
    /// - Parameters:
    ///   - authority: the one that the request itself names.
    ///   - peer: the other end of the connection.
    func host(_ authority: String?, peer: SocketAddress?, headers: HTTPHeaders) -> String? {
        guard !networks.isEmpty, let peer = peer?.ipAddress, isTrusted(peer) else { return authority }
        switch header {
        case .xForwarded:
            return headers[canonicalForm: "x-forwarded-host"].last.map(String.init)?.trimmingSpaces() ?? authority
        case .forwarded: return Self.elements(headers).last?["host"] ?? authority
        }
    }

    /// The scheme by which a client asked, `http` or `https`; nil where no trusted proxy says it.
    /// - Parameter peer: the other end of the connection.
    func scheme(peer: SocketAddress?, headers: HTTPHeaders) -> String? {
        guard !networks.isEmpty, let peer = peer?.ipAddress, isTrusted(peer) else { return nil }
        let told =
            switch header {
            case .xForwarded: headers[canonicalForm: "x-forwarded-proto"].last.map(String.init)?.trimmingSpaces()
            case .forwarded: Self.elements(headers).last?["proto"]
            }
        return told.map { $0.lowercased() }.flatMap { ["http", "https"].contains($0) ? $0 : nil }
    }

    /// The addresses that the headers name, the nearest last; nil for one that is hidden.
    private func addresses(_ headers: HTTPHeaders) -> [String?] {
        switch header {
        case .xForwarded:
            headers[canonicalForm: "x-forwarded-for"].map { Self.address(String($0).trimmingSpaces().unquoted) }
        case .forwarded: Self.elements(headers).map { $0["for"].flatMap(Self.address) }
        }
    }

    /// Whether an address is that of such a proxy.
    func isTrusted(_ address: String) -> Bool {
        guard !networks.isEmpty, let address = NetworkAddress(address) else { return false }
        return networks.contains { $0.contains(address) }
    }

    /// The address of a node (RFC 7239 §6), which may have a port: `192.0.2.1:80`, `[2001:db8::1]`.
    ///
    /// Some proxies write ports into `X-Forwarded-For` as well. What follows an address and is no port makes it none.
    private static func address(_ node: String) -> String? {
        let (address, rest): (Substring, Substring)
        if node.hasPrefix("["), let end = node.firstIndex(of: "]") {
            (address, rest) = (node[node.index(after: node.startIndex)..<end], node[node.index(after: end)...])
        } else if node.count(where: { $0 == ":" }) == 1, let colon = node.firstIndex(of: ":") {
            (address, rest) = (node[..<colon], node[colon...])
        } else {
            return node
        }
        let isPort = rest.isEmpty || rest.first == ":" && UInt16(rest.dropFirst()) != nil
        // RFC 7239 §6.3: a port may be hidden.
        let isHidden = rest.hasPrefix(":_") && rest.count > 2
        return isPort || isHidden ? String(address) : nil
    }

    /// The elements of `Forwarded` (RFC 7239 §4): parameters by their names in small letters.
    private static func elements(_ headers: HTTPHeaders) -> [[String: String]] {
        var elements: [[String: String]] = []
        for line in headers["forwarded"].suffix(20) {
            var (element, name, value) = ([String: String](), "", "")
            var (isValue, isQuoted, isEscaped) = (false, false, false)
            func note() {
                if isValue { element[name.trimmingSpaces().lowercased()] = value.trimmingSpaces() }
                (name, value, isValue) = ("", "", false)
            }
            for letter in line {
                if isQuoted {
                    if isEscaped || (letter != "\\" && letter != "\"") {
                        value.append(letter)
                        isEscaped = false
                    } else if letter == "\\" {
                        isEscaped = true
                    } else {
                        isQuoted = false
                    }
                    continue
                }
                switch letter {
                case "\"" where isValue: isQuoted = true
                case "=" where !isValue: isValue = true
                case ";": note()
                case ",":
                    note()
                    elements.append(element)
                    element = [:]
                default: if isValue { value.append(letter) } else { name.append(letter) }
                }
            }
            note()
            elements.append(element)
        }
        return elements
    }

    /// One text for one address; nil for what is none.
    private static func canonical(_ text: String) -> String? {
        (try? SocketAddress(ipAddress: text, port: 0)).flatMap { $0.mappedIPv4 ?? $0.ipAddress }
    }
}

extension String {
    /// The text without the quotation marks around it.
    fileprivate var unquoted: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}
