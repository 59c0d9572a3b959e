import TestTraits
import Testing

@testable import MariaDB

/// Connections that die, grow old or cannot be made, and the end of the pool: scenarios without I/O.
@Suite(.ownTime) struct PoolLifetimeTests {
    private typealias Fixture = PoolFixture

    @Test func whatRestedIsChecked() {
        var fixture = Fixture()
        let connection = fixture.leaseNew()
        _ = fixture.release(connection)
        fixture.now = fixture.now + .milliseconds(9_999)
        #expect(fixture.leaseNow("a")?.check == false)
        _ = fixture.release(connection)
        fixture.now = fixture.now + .seconds(10)
        #expect(fixture.leaseNow("a")?.check == true)
    }

    @Test func whenOneDiesTheIdleOnesAreCheckedBeforeTheyAreUsed() {
        var fixture = Fixture(maximum: 3)
        let ids = [fixture.leaseNew(), fixture.leaseNew(), fixture.leaseNew()]
        _ = fixture.release(ids[0])
        _ = fixture.release(ids[1])
        #expect(fixture.machine.release(ids[2], .broken, now: fixture.now) == [.close(ids[2])])
        let lend = fixture.leaseNow("a")
        #expect(lend?.check == true)
        // It came back well: it is trusted again, the other one still is not.
        _ = fixture.release(lend?.connection ?? -1)
        #expect(fixture.leaseNow("a")?.check == false)
        #expect(fixture.leaseNow("a")?.check == true)
    }

    @Test func whenTheServerMovedAllConnectionsAreMadeAnew() {
        var fixture = Fixture(maximum: 3)
        let ids = [fixture.leaseNew(), fixture.leaseNew(), fixture.leaseNew()]
        _ = fixture.release(ids[0])
        let actions = fixture.machine.release(ids[1], .moved, now: fixture.now)
        #expect(Set(actions.map { "\($0)" }) == ["close(\(ids[0]))", "close(\(ids[1]))"])
        #expect(fixture.release(ids[2]) == [.close(ids[2])])
        #expect(fixture.machine.size == 0)
    }

    @Test func whatTheServerClosedIsForgottenAndNotLent() {
        var fixture = Fixture()
        let connection = fixture.leaseNew()
        _ = fixture.release(connection)
        #expect(fixture.machine.died(connection, now: fixture.now) == [.close(connection)])
        #expect(fixture.leaseNow("a") == nil)
        #expect(fixture.machine.died(connection, now: fixture.now) == [])
    }

    @Test func oldAndIdleOnesAreClosed() {
        var fixture = Fixture(maximum: 3) { $0.minimumIdle = 1 }
        let ids = [fixture.leaseNew(), fixture.leaseNew()]
        _ = fixture.release(ids[0])
        _ = fixture.release(ids[1])
        fixture.now = fixture.now + .seconds(60)
        #expect(fixture.machine.tick(now: fixture.now) == [.close(ids[0])])
        fixture.now = fixture.now + .seconds(1_800)
        #expect(fixture.machine.tick(now: fixture.now) == [.close(ids[1]), .connect(3)])
    }

    @Test func anOldOneIsClosedWhenItComesBack() {
        var fixture = Fixture()
        let connection = fixture.leaseNew()
        fixture.now = fixture.now + .seconds(1_800)
        #expect(fixture.release(connection) == [.close(connection)])
    }

    @Test func aServerThatIsAwayIsAskedLessAndLessOften() {
        var fixture = Fixture(maximum: 1)
        #expect(fixture.lease(wait: .seconds(10)) == [.connect(1)])
        var pauses: [Duration] = []
        for attempt in 1...7 {
            #expect(fixture.machine.connectFailed(attempt, isRefused: false, now: fixture.now) == [])
            pauses.append(fixture.machine.nextDeadline - fixture.now)
            fixture.now = fixture.machine.nextDeadline
            #expect(fixture.machine.tick(now: fixture.now) == [.connect(attempt + 1)])
        }
        #expect(pauses.map { Int($0 / .milliseconds(1)) } == [50, 100, 200, 400, 800, 1_000, 1_000])
        #expect(fixture.connected(8).count == 1)
    }

    @Test func aRefusalIsToldAtOnceToAllWhoWait() {
        var fixture = Fixture(maximum: 1)
        _ = fixture.lease()
        _ = fixture.lease()
        #expect(
            fixture.machine.connectFailed(1, isRefused: true, now: fixture.now)
                == [.fail(1, .refused), .fail(2, .refused)])
        #expect(fixture.machine.size == 0)
    }

    @Test func afterTheEndNothingIsLentAndAllIsClosed() {
        var fixture = Fixture(maximum: 2)
        let lent = fixture.leaseNew()
        let idle = fixture.leaseNew()
        _ = fixture.release(idle)
        #expect(fixture.machine.shutDown() == [.close(idle)])
        #expect(fixture.lease() == [.fail(3, .shutDown)])
        #expect(fixture.release(lent) == [.close(lent)])
        #expect(fixture.machine.size == 0)
    }

    @Test func aConnectionThatArrivesAfterTheEndIsClosed() {
        var fixture = Fixture()
        _ = fixture.lease()
        #expect(fixture.machine.shutDown() == [.fail(1, .shutDown)])
        #expect(fixture.connected(1) == [.close(1)])
    }

    @Test func whoGotADeadConnectionKeepsItsPlace() {
        var fixture = Fixture(maximum: 1)
        let connection = fixture.leaseNew()
        _ = fixture.lease()
        _ = fixture.machine.release(connection, .broken, now: fixture.now)
        let repeated = PoolStateMachine.Request(
            id: 77, database: "a", enqueued: fixture.now, deadline: fixture.now + .seconds(2), isRepeated: true)
        _ = fixture.machine.lease(repeated, now: fixture.now)
        #expect(fixture.connected(2).first == .lend(.init(connection: 2, request: 77, check: false)))
    }
}
