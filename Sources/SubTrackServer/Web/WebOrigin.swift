import NIOCore
import NIOHTTP1
import SubTrackAPI

/// The origin (RFC 6454) under which a client asked the service: scheme and host as the client sees them.
struct WebOrigin: Sendable, Equatable {
    /// `https` or `http`.
    let scheme: String
    /// The host with its port where that is not the scheme's own, in small letters.
    let host: String

    /// The origin of a request.
    /// - Parameters:
    ///   - isTLS: whether the connection itself is encrypted.
    ///   - authority: the host that the request names.
    ///   - peer: the other end of the connection: a trusted proxy tells scheme and host itself.
    init(isTLS: Bool, authority: String?, peer: SocketAddress?, headers: HTTPHeaders, proxies: TrustedProxies) {
        let told = proxies.scheme(peer: peer, headers: headers)
        scheme = told ?? (isTLS ? "https" : "http")
        let host = (proxies.host(authority, peer: peer, headers: headers) ?? "").lowercased()
        let port = scheme == "https" ? ":443" : ":80"
        self.host = host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    }

    /// The origin as a browser writes it (RFC 6454 §6.2).
    var text: String { "\(scheme)://\(host)" }

    /// Whether a browser takes the page for one that nobody on the way can change. It then keeps `Secure` cookies: over
    /// TLS, or on the machine itself.
    var isSecure: Bool { scheme == "https" || isLoopback }

    private var isLoopback: Bool {
        var name = Substring(host)
        if name.hasPrefix("[") { return name.hasPrefix("[::1]") }
        name = name.prefix { $0 != ":" }
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// The rules by which a request is refused that a page of another origin may have caused.
///
/// A browser sends the cookie by itself. So a request that changes something, or opens a WebSocket, has to come from a
/// page of ours. A request with a token may come from anywhere, for no other page has one.
struct OriginRule: Sendable {
    let headers: HTTPHeaders
    /// The origin under which the service was asked.
    let origin: WebOrigin

    /// Where a request comes from, as the browser says.
    enum Source: Equatable {
        /// A page of ours.
        case own
        /// A page of another origin, or none of ours.
        case other
        /// The client says nothing: no browser, or an old one.
        case unknown
    }

    /// Where the request comes from. `Sec-Fetch-Site` goes before `Origin`: no page can set it, and no proxy changes it.
    var source: Source {
        let sites = headers["sec-fetch-site"]
        if !sites.isEmpty { return sites == ["same-origin"] ? .own : .other }
        let origins = headers["origin"]
        if !origins.isEmpty { return origins.map { $0.lowercased() } == [origin.text] ? .own : .other }
        return .unknown
    }

    /// Whether a request that only reads was caused by a page of another origin: it is answered as without cookie.
    var isForeignReading: Bool {
        headers["sec-fetch-site"].contains { $0 != "same-origin" && $0 != "none" }
    }

    /// Refuses a request that another page may have caused.
    /// - Parameter needsProof: whether the request has to show that it comes from a page of ours: it has the cookie, or wants it.
    /// - Throws: `origin_refused`.
    func check(needsProof: Bool) throws(Problem) {
        switch source {
        case .own: return
        case .unknown where !needsProof: return
        case .other, .unknown: throw refusal
        }
    }

    private var refusal: Problem {
        let came =
            headers["sec-fetch-site"].first.map { "Sec-Fetch-Site \"\($0.excerpt(40))\"" }
            ?? headers["origin"].first.map { "the origin \"\($0.excerpt(200))\"" }
            ?? "neither Sec-Fetch-Site nor Origin"
        return Problem(
            .originRefused,
            "With a cookie this is done from the service's own pages alone. Expected: the origin \"\(origin.text)\"; came: "
                + "\(came). A proxy has to pass on the host and scheme, and to be one of --trusted-proxies.")
    }
}
