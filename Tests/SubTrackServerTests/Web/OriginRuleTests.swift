import NIOCore
import NIOHTTP1
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

/// The table of docs/decisions/web.md, cell by cell.
@Suite("Which page may use the cookie", .ownTime)
struct OriginRuleTests {
    private static let origin = WebOrigin(
        isTLS: true, authority: "subs.example.org", peer: nil, headers: [:], proxies: .none)
    private static let value = "sub_x.1"

    /// What a request shows of where it comes from.
    enum Sign: String, CaseIterable {
        case sameOrigin, sameSite, crossSite, none, unknownSite, twoSites, ownOrigin, otherOrigin, otherPort,
            otherScheme
        case nullOrigin, nothing

        var headers: HTTPHeaders {
            switch self {
            case .sameOrigin: ["sec-fetch-site": "same-origin", "origin": "https://proxy.internal"]
            case .sameSite: ["sec-fetch-site": "same-site", "origin": "https://other.example.org"]
            case .crossSite: ["sec-fetch-site": "cross-site", "origin": "https://subs.example.org"]
            case .none: ["sec-fetch-site": "none"]
            case .unknownSite: ["sec-fetch-site": "Same-Origin "]
            case .twoSites:
                [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")].reduce(into: [:]) {
                    $0.add(name: $1.0, value: $1.1)
                }
            case .ownOrigin: ["origin": "https://subs.example.org"]
            case .otherOrigin: ["origin": "https://evil.example"]
            case .otherPort: ["origin": "https://subs.example.org:8443"]
            case .otherScheme: ["origin": "http://subs.example.org"]
            case .nullOrigin: ["origin": "null"]
            case .nothing: [:]
            }
        }

        var isOwn: Bool { self == .sameOrigin || self == .ownOrigin }
        /// Whether a page of another origin may have caused a request that only reads.
        var isForeignReading: Bool { [.sameSite, .crossSite, .unknownSite, .twoSites].contains(self) }
    }

    /// What a request shows of whom it speaks for.
    enum Shown: String, CaseIterable {
        case nobody, cookie, bearer, both

        var headers: [(String, String)] {
            let cookie = ("cookie", "a=b; __Host-subtrack.acme=\(OriginRuleTests.value); c=d")
            let bearer = ("authorization", "Bearer sub_bearer")
            return switch self {
            case .nobody: []
            case .cookie: [cookie]
            case .bearer: [bearer]
            case .both: [cookie, bearer]
            }
        }
    }

    @Test("Each sign of where a request comes from, with each credential, for reading, changing and wanting a cookie")
    func table() throws {
        for sign in Sign.allCases {
            for shown in Shown.allCases {
                for isChange in [false, true] {
                    for wants in [false, true] where isChange || !wants {
                        try check(sign, shown, isChange: isChange, wants: wants)
                    }
                }
            }
        }
    }

    private func check(_ sign: Sign, _ shown: Shown, isChange: Bool, wants: Bool) throws {
        let cell: Comment = "\(sign), \(shown), \(isChange ? "changes" : "reads")\(wants ? ", wants the cookie" : "")"
        var headers = sign.headers
        for (name, value) in shown.headers { headers.add(name: name, value: value) }
        if wants { headers.add(name: "session-delivery", value: "cookie") }
        let hasBearer = shown == .bearer || shown == .both
        // Written out once more, not taken from the code: which cells are refused.
        let isRefused: Bool =
            if hasBearer {
                wants && !sign.isOwn
            } else if !isChange {
                false
            } else {
                sign == .nothing ? shown == .cookie || wants : !sign.isOwn
            }
        let session: WebSession
        do {
            session = try WebSession(
                headers, tenant: "acme", origin: Self.origin, isChange: isChange, canDeliver: true)
        } catch {
            #expect(isRefused, cell)
            #expect(error.code == .originRefused, cell)
            return
        }
        #expect(!isRefused, cell)
        #expect(session.isDeliveryWanted == wants, cell)
        let token: String? =
            switch shown {
            case .nobody: nil
            case .bearer, .both: "sub_bearer"
            case .cookie: !isChange && sign.isForeignReading ? nil : "sub_x"
            }
        #expect(session.token == token, cell)
        #expect((session.cookie != nil) == (token == "sub_x"), cell)
    }

    @Test("A refusal tells what was expected and what came")
    func refusal() {
        let rule = OriginRule(headers: ["origin": "https://evil.example"], origin: Self.origin)
        #expect { try rule.check(needsProof: false) } throws: { error in
            let detail = (error as? Problem)?.detail ?? ""
            return detail.contains("https://subs.example.org") && detail.contains("https://evil.example")
        }
    }

    @Test("The cookie of a tenant is found by its whole name; two that differ are none")
    func names() {
        let place = SessionCookie.Place(tenant: "acme", origin: Self.origin)
        func token(_ lines: String...) -> String? {
            place.cookie(in: HTTPHeaders(lines.map { ("cookie", $0) }))?.token
        }
        #expect(token("__Host-subtrack.acme=a.1") == "a")
        #expect(token("x=y;__Host-subtrack.acme=a.1 ; z=1") == "a")
        #expect(token("x=y", "__Host-subtrack.acme=a.1") == "a")
        #expect(token("__Host-subtrack.acme=a.1; __Host-subtrack.acme=a.1") == "a")
        #expect(token("__Host-subtrack.acme=a.1; __Host-subtrack.acme=b.1") == nil)
        for other in [
            "subtrack.acme=a.1", "x__Host-subtrack.acme=a.1", "__Host-subtrack.acm=a", "__Host-subtrack.acmee=a",
            "__host-subtrack.acme=a",
            "x=__Host-subtrack.acme=a", "__Host-subtrack.acme", "",
        ] {
            #expect(token(other) == nil, "\(other)")
        }
        let plain = SessionCookie.Place(tenant: "acme", origin: origin("http", "192.168.1.7:8080"))
        #expect(plain.name == "subtrack.acme")
        #expect(!plain.clearing.contains("Secure"))
        #expect(place.clearing == "__Host-subtrack.acme=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure")
        #expect(SessionCookie(value: "a.20000.9E0E4F8A-8B68-4B8F-9C0A-6A4B52A6C001").device != nil)
        for value in ["", ".", "a.b.c", "a.99999999999999999999", "a"] {
            #expect(SessionCookie(value: value).day == 0, "\(value)")
        }
    }

    private func origin(_ scheme: String, _ host: String) -> WebOrigin {
        WebOrigin(isTLS: scheme == "https", authority: host, peer: nil, headers: [:], proxies: .none)
    }

    @Test("The machine itself is as good as TLS, and what looks like it is not")
    func secure() {
        for host in ["127.0.0.1", "127.8.7.6:8080", "localhost", "LOCALHOST:1", "a.localhost", "[::1]:8080"] {
            #expect(origin("http", host).isSecure, "\(host)")
        }
        for host in [
            "127.0.0.1.example.org", "127.0.0", "localhost.example.org", "xlocalhost", "[::2]", "", "128.0.0.1",
        ] {
            #expect(!origin("http", host).isSecure, "\(host)")
            #expect(origin("https", host).isSecure, "\(host)")
        }
        #expect(origin("https", "Subs.Example.org:443").text == "https://subs.example.org")
        #expect(origin("https", "subs.example.org:80").text == "https://subs.example.org:80")
        #expect(origin("http", "subs.example.org:80").text == "http://subs.example.org")
    }

    @Test("A trusted proxy tells scheme and host; anybody else does not")
    func proxies() throws {
        let proxies = try TrustedProxies("10.0.0.1")
        let headers: HTTPHeaders = ["x-forwarded-proto": "HTTPS", "x-forwarded-host": "subs.example.org"]
        func origin(_ peer: String, _ headers: HTTPHeaders) throws -> String {
            WebOrigin(
                isTLS: false, authority: "internal:8080", peer: try SocketAddress(ipAddress: peer, port: 1),
                headers: headers, proxies: proxies
            ).text
        }
        #expect(try origin("10.0.0.1", headers) == "https://subs.example.org")
        #expect(try origin("10.0.0.2", headers) == "http://internal:8080")
        #expect(try origin("10.0.0.1", ["x-forwarded-proto": "ftp"]) == "http://internal:8080")
        #expect(try origin("10.0.0.1", ["x-forwarded-proto": "http, https"]) == "https://internal:8080")
        let other = try TrustedProxies("10.0.0.1", header: .forwarded)
        #expect(
            WebOrigin(
                isTLS: false, authority: "internal", peer: try SocketAddress(ipAddress: "10.0.0.1", port: 1),
                headers: ["forwarded": "for=1.2.3.4;proto=https;host=subs.example.org"], proxies: other
            ).text == "https://subs.example.org")
    }
}
