import NIOCore
import NIOEmbedded
import Testing

@testable import SubTrackServer

@Suite("How many sockets there may be")
struct ConnectionQuotaTests {
    private func channel(from address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 40_000)
        return channel
    }

    @Test("A network has so many, by whatever addresses of its own it comes; this machine is not counted")
    func networks() throws {
        var limits = SocketLimits()
        limits.connectionsPerAddress = 2
        let quota = ConnectionQuota(limits: limits)
        let first = try channel(from: "2001:db8:1:2::1")
        #expect(quota.take(first))
        #expect(quota.take(try channel(from: "2001:db8:1:2:ffff::2")))
        #expect(!quota.take(try channel(from: "2001:db8:1:2::3")))
        #expect(!quota.hasRoom(for: try SocketAddress(ipAddress: "2001:db8:1:2::4", port: 1)))
        #expect(quota.take(try channel(from: "2001:db8:1:3::1")), "another network")
        for _ in 0..<2 { #expect(quota.take(try channel(from: "203.0.113.7"))) }
        #expect(!quota.take(try channel(from: "203.0.113.7")))
        #expect(!quota.take(try channel(from: "::ffff:203.0.113.7")), "the same address, written in IPv6")
        for _ in 0..<9 { #expect(quota.take(try channel(from: "127.0.0.1"))) }
        // One that is closed makes room.
        _ = try first.finish()
        #expect(quota.take(try channel(from: "2001:db8:1:2::5")))
    }
}
