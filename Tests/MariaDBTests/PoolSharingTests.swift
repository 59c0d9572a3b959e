import TestTraits
import Testing

@testable import MariaDB

/// The shares of databases: scenarios without I/O.
@Suite(.ownTime) struct PoolSharingTests {
    private typealias Fixture = PoolFixture

    @Test func whoWantsNoDatabaseNeverGetsAConnectionThatIsOnOne() {
        var fixture = Fixture(maximum: 1)
        let connection = fixture.leaseNew("a")
        _ = fixture.release(connection, "a")
        #expect(fixture.leaseNow(nil) == nil)
        #expect(fixture.lease(nil) == [.close(connection), .connect(2)])
        #expect(fixture.connected(2) == [.lend(.init(connection: 2, request: 3, check: false))])
    }

    @Test func oneDatabaseLeavesRoomForAnother() {
        var fixture = Fixture(maximum: 4) { $0.databaseShare = 0.75 }
        // Another database is in use.
        let b = fixture.leaseNew("b")
        _ = fixture.release(b, "b")
        var granted = 0
        for _ in 0..<6 {
            for case .connect(let id) in fixture.lease("a") { _ = fixture.connected(id) }
        }
        granted = fixture.machine.leasedCount(of: "a")
        #expect(granted == 3)
        #expect(fixture.machine.waitingCount == 3)
        // The other one comes and waits for nobody.
        let actions = fixture.lease("b")
        #expect(fixture.machine.leasedCount(of: "b") == 1 || actions.contains(.connect(4)))
    }

    @Test func aDatabaseLeavesOneConnectionForEachOtherThatIsInUse() {
        var fixture = Fixture(maximum: 8) { $0.databaseShare = 0.5 }
        for other in ["b", "c"] { _ = fixture.leaseNew(other) }
        for _ in 0..<10 {
            for case .connect(let id) in fixture.lease("a") { _ = fixture.connected(id) }
        }
        #expect(fixture.machine.leasedCount(of: "a") == 6 && fixture.machine.waitingCount == 4)
    }

    @Test func aDatabaseThatManyWaitForTakesNoTurnFromOthers() {
        var fixture = Fixture(maximum: 4)
        let held = (0..<4).map { _ in fixture.leaseNew("a") }
        for _ in 0..<100 { #expect(fixture.lease("a") == []) }
        #expect(fixture.lease("b") == [])
        // It came last, and holds none.
        #expect(fixture.release(held[0]) == [.lend(.init(connection: held[0], request: 105, check: false))])
        // One stays free for it while it is in use.
        #expect(fixture.release(held[0], "b") == [])
        #expect(fixture.release(held[1]) == [.lend(.init(connection: held[1], request: 5, check: false))])
    }

    @Test func aDatabaseWhoseConnectionIsHeldForLongGetsItsTurnToo() {
        var fixture = Fixture(maximum: 12)
        _ = fixture.leaseNew("a")
        let others = (0..<11).map { _ in fixture.leaseNew("b") }
        #expect(fixture.lease("a") == [])
        // However many others come behind it that hold none.
        for number in 0..<5 { #expect(fixture.lease("c\(number)") == []) }
        #expect(fixture.release(others[0], "b") == [.lend(.init(connection: others[0], request: 13, check: false))])
    }

    @Test func whoGotADeadConnectionGoesBeforeAllDatabases() {
        var fixture = Fixture(maximum: 2)
        let held = [fixture.leaseNew("a"), fixture.leaseNew("b")]
        #expect(fixture.lease("c") == [])
        let again = PoolStateMachine.Request(
            id: 99, database: "b", enqueued: fixture.now, deadline: fixture.now + .seconds(2), isRepeated: true)
        #expect(fixture.machine.release(held[1], .broken, now: fixture.now) == [.close(held[1]), .connect(3)])
        #expect(fixture.machine.lease(again, now: fixture.now) == [])
        #expect(fixture.connected(3) == [.lend(.init(connection: 3, request: 99, check: false))])
    }

    @Test func aloneADatabaseMayHaveAllConnections() {
        var fixture = Fixture(maximum: 4)
        for _ in 0..<6 {
            for case .connect(let id) in fixture.lease("a") { _ = fixture.connected(id) }
        }
        #expect(fixture.machine.leasedCount(of: "a") == 4)
        // Another one that was asked for long ago does not count.
        var later = Fixture(maximum: 2)
        let b = later.leaseNew("b")
        _ = later.release(b, "b")
        later.now = later.now + .seconds(11)
        for _ in 0..<2 {
            for case .connect(let id) in later.lease("a") { _ = later.connected(id) }
        }
        #expect(later.machine.leasedCount(of: "a") == 2)
    }
}
