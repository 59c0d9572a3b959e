import NIOCore
import NIOHTTP1
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Whom a proxy speaks for, and whom nobody can pretend to be.
@Suite("Trusted proxies", .ownTime)
struct TrustedProxyTests {
    @Test("X-Forwarded-For is read from its end, up to the first address that is no proxy's; networks count")
    func addresses() throws {
        let proxies = try TrustedProxies("127.0.0.1, 10.0.0.0/8, 2001:db8::/32")
        func client(_ peer: String, _ header: String?) -> String {
            proxies.client(peer: peer, headers: header.map { ["x-forwarded-for": $0] } ?? [:])
        }
        #expect(client("127.0.0.1", "198.51.100.7, 192.0.2.1") == "192.0.2.1")
        #expect(client("127.0.0.1", "192.0.2.1, 10.200.3.4") == "192.0.2.1")
        #expect(client("::ffff:10.1.2.3", "192.0.2.1") == "192.0.2.1")
        #expect(client("2001:db8:1::1", "192.0.2.1") == "192.0.2.1")
        #expect(client("11.0.0.1", "192.0.2.1") == "11.0.0.1")
        #expect(client("127.0.0.1", "192.0.2.1, nonsense") == "127.0.0.1")
        // Some proxies write ports, and quotation marks as in `Forwarded`.
        for (text, wanted) in [
            ("192.0.2.1:4711", "192.0.2.1"), ("[2001:db9::17]:4711", "2001:db9::17"),
            ("[2001:db9::17]", "2001:db9::17"), ("\"[2001:db9::17]:4711\"", "2001:db9::17"),
            ("\"192.0.2.1\"", "192.0.2.1"), ("2001:db9::17", "2001:db9::17"),
            ("198.51.100.7:1, 192.0.2.1:2, 10.0.0.9:3", "192.0.2.1"),
            ("192.0.2.1:70000", "127.0.0.1"), ("192.0.2.1:", "127.0.0.1"), ("[2001:db9::17]x", "127.0.0.1"),
            ("[192.0.2.1", "127.0.0.1"), ("192.0.2.1:80:80", "127.0.0.1"),
        ] {
            #expect(client("127.0.0.1", text) == wanted, "\(text)")
        }
        // The other header is not read: a proxy hands it on as the client wrote it.
        #expect(proxies.client(peer: "127.0.0.1", headers: ["forwarded": "for=192.0.2.1"]) == "127.0.0.1")
        for wrong in ["example.org", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/", "/8"] {
            #expect(throws: SettingsError.self, "\(wrong)") { try TrustedProxies(wrong) }
        }
    }

    @Test(
        "Forwarded is read as RFC 7239 writes it",
        arguments: [
            ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
            ("for=198.51.100.17, For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("for=192.0.2.43, for=\"10.0.0.9:80\"", "192.0.2.43"),
            ("for=_hidden", "127.0.0.1"), ("for=unknown", "127.0.0.1"), ("nonsense", "127.0.0.1"), ("", "127.0.0.1"),
            ("for=\"a\\\"b, for=192.0.2.1\"", "127.0.0.1"),
        ])
    func forwarded(_ header: String, _ expected: String) throws {
        let proxies = try TrustedProxies("127.0.0.1,10.0.0.9", header: .forwarded)
        #expect(proxies.client(peer: "127.0.0.1", headers: ["forwarded": header]) == expected)
        #expect(proxies.client(peer: "192.0.2.99", headers: ["forwarded": header]) == "192.0.2.99")
        #expect(proxies.client(peer: "127.0.0.1", headers: ["x-forwarded-for": "192.0.2.1"]) == "127.0.0.1")
    }

    @Test("A tenant is found by the host that the proxy was asked for, and by no header of somebody else's")
    func host() throws {
        let (near, far) = (
            try SocketAddress(ipAddress: "127.0.0.1", port: 1), try SocketAddress(ipAddress: "192.0.2.1", port: 1)
        )
        let x = try TrustedProxies("127.0.0.1")
        #expect(
            x.host("inner:8080", peer: near, headers: ["x-forwarded-host": "evil.example, acme.example"])
                == "acme.example")
        #expect(x.host("inner:8080", peer: near, headers: [:]) == "inner:8080")
        #expect(x.host("inner", peer: far, headers: ["x-forwarded-host": "acme.example"]) == "inner")
        #expect(x.host("inner", peer: nil, headers: ["x-forwarded-host": "acme.example"]) == "inner")
        #expect(TrustedProxies.none.host("inner", peer: near, headers: ["x-forwarded-host": "acme.example"]) == "inner")
        let forwarded = try TrustedProxies("127.0.0.1", header: .forwarded)
        let headers: HTTPHeaders = [
            "forwarded": "host=evil.example, for=1.2.3.4;Host=\"acme.example\"", "x-forwarded-host": "b",
        ]
        #expect(forwarded.host("inner", peer: near, headers: headers) == "acme.example")
    }
}
