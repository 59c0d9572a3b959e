import TestTraits
import Testing

@testable import MariaDB

/// Scenarios without I/O: events go in with a time, actions come out. Waiting, its order, and the number of connections.
@Suite(.ownTime) struct PoolStateMachineTests {
    private typealias Fixture = PoolFixture

    @Test func aConnectionIsMadeForWhoWaitsAndLentWhenItIsThere() {
        var fixture = Fixture()
        #expect(fixture.lease() == [.connect(1)])
        #expect(fixture.connected(1) == [.lend(.init(connection: 1, request: 1, check: false))])
        #expect(fixture.machine.leasedCount == 1)
    }

    @Test func nobodyIsServedBeforeWhoCameEarlier() {
        var fixture = Fixture(maximum: 1)
        let connection = fixture.leaseNew()
        #expect(fixture.lease() == [])
        #expect(fixture.lease() == [])
        #expect(fixture.leaseNow("a") == nil)
        #expect(fixture.release(connection) == [.lend(.init(connection: 1, request: 2, check: false))])
        #expect(fixture.release(connection) == [.lend(.init(connection: 1, request: 3, check: false))])
    }

    @Test func thereMayBeFewerConnectionsFromNowOn() {
        var fixture = Fixture(maximum: 3)
        let ids = (0..<3).map { _ in fixture.leaseNew() }
        _ = fixture.release(ids[0])
        #expect(fixture.machine.resize(to: 1, now: fixture.now) == [.close(ids[0])])
        #expect(fixture.release(ids[1]) == [.close(ids[1])])
        #expect(fixture.lease() == [], "one is lent, and no other is made")
        #expect(fixture.release(ids[2]) == [.lend(.init(connection: ids[2], request: 4, check: false))])
        _ = fixture.lease()
        #expect(fixture.machine.resize(to: 2, now: fixture.now) == [.connect(4)])
    }

    @Test func whatIsMadeWhileThereMayBeFewerIsClosed() {
        var fixture = Fixture(maximum: 2)
        let lent = fixture.leaseNew()
        #expect(fixture.lease() == [.connect(2)])
        #expect(fixture.machine.resize(to: 1, now: fixture.now) == [])
        #expect(fixture.connected(2) == [.close(2)])
        #expect(fixture.machine.size == 1)
        #expect(fixture.release(lent) == [.lend(.init(connection: lent, request: 2, check: false))])
    }

    @Test func noMoreConnectionsAreMadeThanAreWaitedFor() {
        var fixture = Fixture(maximum: 3)
        #expect(fixture.lease() == [.connect(1)])
        #expect(fixture.lease() == [.connect(2)])
        #expect(fixture.lease() == [.connect(3)])
        #expect(fixture.lease() == [])
        #expect(fixture.machine.connectingCount == 3)
    }

    @Test func whoWaitsTooLongIsTold() {
        var fixture = Fixture(maximum: 1)
        _ = fixture.leaseNew()
        _ = fixture.lease(wait: .seconds(2))
        #expect(fixture.machine.nextDeadline == fixture.now + .seconds(2))
        fixture.now = fixture.now + .milliseconds(1_999)
        #expect(fixture.machine.tick(now: fixture.now) == [])
        fixture.now = fixture.now + .milliseconds(1)
        #expect(fixture.machine.tick(now: fixture.now) == [.fail(2, .timeout)])
        #expect(fixture.machine.nextDeadline == .never)
    }

    @Test func whoGivesUpIsNotServed() {
        var fixture = Fixture(maximum: 1)
        let connection = fixture.leaseNew()
        _ = fixture.lease()
        let wasWaiting = fixture.machine.cancel(2, of: "a")
        #expect(wasWaiting)
        let isStillWaiting = fixture.machine.cancel(2, of: "a")
        #expect(!isStillWaiting)
        #expect(fixture.release(connection) == [])
        #expect(fixture.machine.idleCount == 1)
    }
}
