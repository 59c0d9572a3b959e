import NIOCore
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Networks of a client", .ownTime)
struct ClientNetworksTests {
    private func names(_ address: String) -> [String] {
        ClientNetworks(address: address).all.map { "\($0) x\($0.breadth.factor)" }
    }

    @Test("An address is in networks of several sizes, the smallest first")
    func sizes() {
        #expect(names("192.0.2.7") == ["192.0.2.7 x1", "192.0.2.0/24 x16"])
        #expect(
            names("2001:db8:1:2a3:4:5:6:7") == [
                "2001:db8:1:2a3::/64 x1", "2001:db8:1:200::/56 x4", "2001:db8:1:0::/48 x16",
            ])
        #expect(names("local") == ["local x1"] && names("") == ["local x1"])
    }

    @Test("However an address is written, its networks are the same")
    func spellings() {
        #expect(names("::ffff:192.0.2.7") == names("192.0.2.7"))
        #expect(names("64:ff9b::192.0.2.7") == names("192.0.2.7"), "translated by NAT64")
        #expect(names("64:ff9b::192.0.2.7") != names("64:ff9b::198.51.100.1"))
        #expect(names("2001:DB8:0:0::1") == names("2001:db8::ffff"))
        #expect(names("fe80::1%eth0") == names("fe80::2"))
    }

    @Test("Addresses of one network share exactly the networks that both are in")
    func sharing() {
        func shared(_ one: String, _ other: String) -> [ClientNetworks.Breadth] {
            let theirs = Set(ClientNetworks(address: other).all)
            return ClientNetworks(address: one).all.filter(theirs.contains).map(\.breadth)
        }
        #expect(shared("2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6") == [.client, .site, .region])
        #expect(shared("2001:db8:1:2::1", "2001:db8:1:ff::1") == [.site, .region])
        #expect(shared("2001:db8:1:2::1", "2001:db8:1:100::1") == [.region])
        #expect(shared("2001:db8:1:2::1", "2001:db8:2:2::1") == [])
        #expect(shared("192.0.2.1", "192.0.2.255") == [.region])
        #expect(shared("192.0.2.1", "192.0.3.1") == [])
        // The numbers of an IPv4 address never mean an IPv6 network.
        #expect(shared("0.0.0.1", "0:0:0:1::") == [])
    }

    @Test("This machine is one network, however it is reached; its neighbours are not this machine")
    func thisMachine() throws {
        for address in ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1", "local"] {
            let networks = ClientNetworks(address: address)
            #expect(networks.isThisMachine && networks.all.count == 1, "\(address)")
        }
        for address in ["::2", "128.0.0.1", "fe80::1", "1::1"] {
            #expect(!ClientNetworks(address: address).isThisMachine, "\(address)")
        }
        #expect(ClientNetworks(peer: nil) == .local)
        #expect(ClientNetworks(peer: try SocketAddress(unixDomainSocketPath: "/run/x")) == .local)
        let peer = try SocketAddress(ipAddress: "2001:db8::1", port: 9)
        #expect(ClientNetworks(peer: peer) == ClientNetworks(address: "2001:db8::1"))
    }
}
