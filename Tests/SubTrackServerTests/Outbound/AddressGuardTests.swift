import TestTraits
import Testing

@testable import Outbound

@Suite("Addresses that the service connects to for its users", .ownTime)
struct AddressGuardTests {
    @Test(
        "A public address is admitted by TLS alone",
        arguments: [
            "1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "198.20.0.1", "223.255.255.255", "::ffff:8.8.8.8",
            "2606:4700::1111", "2a00:1450::1", "64:ff9b::808:808", "2002:808:808::1",
        ])
    func admitted(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(AddressGuard().refusal(of: address, port: 443, isEncrypted: true) == nil)
        #expect(AddressGuard().refusal(of: address, port: 80, isEncrypted: false) != nil)
    }

    @Test(
        "An address of this machine, of a network inside, of a group or of no machine is refused",
        arguments: [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
            "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
            "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "::127.0.0.1", "fc00::1",
            "fd00::1", "fe80::1", "fec0::1", "ff02::1", "100::1", "2001:db8::1", "3fff::1", "64:ff9b::a00:1",
            "64:ff9b:1::1", "2002:7f00:1::1", "2002:c0a8:101::", "2001:0:102:304::f5ff:fffe", "4000::1",
        ])
    func refused(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(AddressGuard().refusal(of: address, port: 443, isEncrypted: true)?.contains("not a public") == true)
    }

    @Test("An operator's network is reached, without TLS too; the database is not")
    func allowed() throws {
        let inside = try #require(NetworkAddress("10.1.2.3")), mapped = try #require(NetworkAddress("::ffff:10.1.2.3"))
        let next = try #require(NetworkAddress("10.1.2.4"))
        var guarding = AddressGuard(allowed: [try #require(Network("10.1.2.0/30"))])
        for address in [inside, mapped] {
            #expect(guarding.refusal(of: address, port: 8080, isEncrypted: false) == nil)
        }
        #expect(guarding.refusal(of: next, port: 443, isEncrypted: true) != nil)
        guarding.refused = [.init(address: inside, port: 3306)]
        for address in [inside, mapped] {
            #expect(guarding.refusal(of: address, port: 3306, isEncrypted: true)?.contains("database") == true)
            #expect(guarding.refusal(of: address, port: 443, isEncrypted: true) == nil)
        }
        let outside = try #require(NetworkAddress("8.8.8.8"))
        guarding.refused = [.init(address: outside, port: 3306)]
        #expect(guarding.refusal(of: outside, port: 443, isEncrypted: true)?.contains("database") == true)
    }

    @Test("A network is read as its words say, or not at all")
    func networks() throws {
        for (text, inside, outside) in [
            ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("192.0.2.129/25", "192.0.2.255", "192.0.2.127"),
            ("0.0.0.0/0", "255.255.255.255", "::1"), ("::ffff:10.0.0.0/8", "10.1.1.1", "11.0.0.0"),
            ("fd00::/8", "fdff::1", "fc00::1"), ("2001:db8::/33", "2001:db8:7fff::", "2001:db8:8000::"),
            ("127.0.0.1", "127.0.0.1", "127.0.0.2"), ("::/0", "fe80::1", "1.1.1.1"),
        ] {
            let network = try #require(Network(text), "\(text)")
            #expect(network.contains(try #require(NetworkAddress(inside))), "\(text)")
            #expect(!network.contains(try #require(NetworkAddress(outside))), "\(text)")
        }
        for text in [
            "", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0/8", "localhost", "::/129",
            "1.1.1.1/+8",
        ] {
            #expect(Network(text) == nil, "\(text)")
        }
    }

    @Test("A URL is read by libcurl, and what is not for a web server is refused")
    func urls() throws {
        let url = try OutboundURL("https://Ntfy.Example.org/topic?x=1")
        #expect(url.host == "ntfy.example.org" && url.port == 443 && url.isEncrypted)
        #expect(try OutboundURL("http://0x7f.1:8080/").host == "127.0.0.1")
        for text in [
            "", "ntfy.example.org", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org", "https://",
            "https://user@example.org/", "https://user:word@example.org/", "https://example.org:25/",
            "https://example.org:465/", "https://example.org:22/", "https://example.org:65536/",
            "https://example.org/ä",
            "https://example.org/a b", "https://example.org/\r\nX: y",
            "https://example.org/" + String(repeating: "x", count: 2000),
        ] {
            #expect(throws: OutboundFault.self, "\(text)") { try OutboundURL(text) }
        }
        #expect(AddressGuard().refusal(of: try OutboundURL("http://example.org/"))?.contains("https://") == true)
        #expect(AddressGuard().refusal(of: try OutboundURL("https://[::1]/")) != nil)
    }
}
