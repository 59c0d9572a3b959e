import NIOCore
import NIOEmbedded
import Testing

@testable import SubTrackServer

@Suite("How many sockets there may be")
struct ConnectionQuotaTests {
    private func origin(_ address: String) throws -> CallOrigin {
        CallOrigin(peer: try SocketAddress(ipAddress: address, port: 40_000))
    }

    @Test("A network has so many, by whatever addresses of its own it comes; this machine is not counted")
    func networks() throws {
        var limits = SocketLimits()
        limits.connectionsPerAddress = 2
        let quota = ConnectionQuota(limits: limits)
        func take(_ address: String, _ channel: EmbeddedChannel = EmbeddedChannel()) throws -> Bool {
            quota.take(channel, from: try origin(address))
        }
        let first = EmbeddedChannel()
        #expect(try take("2001:db8:1:2::1", first))
        #expect(try take("2001:db8:1:2:ffff::2"))
        #expect(try !take("2001:db8:1:2::3"))
        #expect(!quota.hasRoom(for: try origin("2001:db8:1:2::4")))
        #expect(try take("2001:db8:1:3::1"), "another network")
        for _ in 0..<2 { #expect(try take("203.0.113.7")) }
        #expect(try !take("203.0.113.7"))
        #expect(try !take("::ffff:203.0.113.7"), "the same address, written in IPv6")
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            for _ in 0..<5 { #expect(try take(address)) }
        }
        for _ in 0..<5 { #expect(quota.take(EmbeddedChannel(), from: .local)) }
        // One that is closed makes room.
        _ = try first.finish()
        #expect(try take("2001:db8:1:2::5"))
    }
}
