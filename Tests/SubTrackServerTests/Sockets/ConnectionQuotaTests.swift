import NIOCore
import NIOEmbedded
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("How many sockets there may be", .ownTime)
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

    @Test("A /56 has four times as many as a /64, a /48 sixteen times; IPv4 addresses share nothing")
    func largerNetworks() throws {
        var limits = SocketLimits()
        limits.connectionsPerAddress = 2
        let quota = ConnectionQuota(limits: limits)
        func taken(_ addresses: [String]) throws -> Int {
            try addresses.filter { quota.take(EmbeddedChannel(), from: try origin($0)) }.count
        }
        #expect(try taken((0..<64).map { "2001:db8:1:\(String($0, radix: 16))::1" }) == 8, "one /56")
        #expect(try taken((1..<256).map { "2001:db8:1:\(String($0, radix: 16))00::1" }) == 24, "the rest of the /48")
        #expect(try taken(["2001:db8:2::1"]) == 1, "another /48")
        #expect(try taken((1..<200).map { "203.0.113.\($0)" }) == 199)
    }

    @Test("A network never takes more than half of all; nothing is left of connections that were closed or refused")
    func leftovers() throws {
        var limits = SocketLimits()
        limits.connections = 40
        limits.connectionsPerAddress = 4
        let quota = ConnectionQuota(limits: limits)
        var channels: [EmbeddedChannel] = []
        for number in 0..<100 {
            let channel = EmbeddedChannel()
            if quota.take(channel, from: try origin("2001:db8:1:\(String(number, radix: 16))00::1")) {
                channels.append(channel)
            }
        }
        #expect(channels.count == 20)
        for channel in channels { _ = try channel.finish() }
        #expect(quota.networkCount == 0)
    }

    private func admit(
        _ quota: ConnectionQuota, _ address: String, _ channel: EmbeddedChannel = EmbeddedChannel()
    ) throws -> ConnectionLease? {
        quota.admit(channel, from: try origin(address))
    }

    @Test("Where all places are taken, the connection that has waited longest gives way, and none that works does")
    func givingWay() throws {
        let quota = ConnectionQuota(maximum: 3, perNetwork: 10, crowded: 1, yielding: .zero)
        let channels = (0..<3).map { _ in EmbeddedChannel() }
        let closed = Mutex<[Int]>([])
        for (index, channel) in channels.enumerated() {
            channel.closeFuture.whenComplete { _ in closed.withLock { $0.append(index) } }
        }
        let leases = try channels.map { try #require(try admit(quota, "127.0.0.1", $0)) }
        #expect(leases.allSatisfy { !$0.isCrowded } && quota.count == 3)
        leases[0].works()
        leases[1].waits()
        // The third has not been noted since it came, and so has waited longest.
        let next = try #require(try admit(quota, "127.0.0.1"))
        #expect(!next.isCrowded && quota.count == 3)
        for channel in channels { channel.embeddedEventLoop.run() }
        #expect(closed.withLock { $0 } == [2])
        for lease in [leases[0], leases[1], next] { lease.works() }
        let crowded = try #require(try admit(quota, "127.0.0.1"))
        #expect(crowded.isCrowded && quota.count == 3)
        crowded.works()
        #expect(try admit(quota, "127.0.0.1") == nil)
        leases[1].release()
        leases[1].release()
        #expect(quota.count == 2)
        #expect(try admit(quota, "127.0.0.1")?.isCrowded == false)
    }

    @Test("A network that has all of its own takes the place of none of another's, and none of those for everybody")
    func fullNetwork() throws {
        let quota = ConnectionQuota(maximum: 10, perNetwork: 2, crowded: 5, yielding: .seconds(3600))
        for _ in 0..<2 { #expect(try admit(quota, "203.0.113.7") != nil) }
        #expect(try admit(quota, "203.0.113.7") == nil)
        #expect(try admit(quota, "203.0.113.8")?.isCrowded == false)
    }
}
