import TestTraits
import Testing

@testable import MariaDB

/// Leases that wait for a connection with their statements: scenarios without I/O.
@Suite(.ownTime) struct PoolPatienceTests {
    private typealias Fixture = PoolFixture

    /// A full pool of four, all lent to "a", whose leases are patient; and its connections as "b" prefers them.
    private func patient() -> (fixture: Fixture, byWeight: [Int]) {
        var fixture = Fixture(maximum: 4) { $0.patience = .milliseconds(10) }
        let ids = (0..<4).map { _ in fixture.leaseNew("a") }
        return (
            fixture, ids.sorted { DatabasePreference("b").weight(of: $0) > DatabasePreference("b").weight(of: $1) }
        )
    }

    @Test func whoseStatementsAreOnBusyConnectionsWaitsForOneOfThemBeforeItTakesAnother() {
        for home in 0..<2 {
            var (fixture, byWeight) = patient()
            _ = fixture.release(byWeight[3])
            #expect(fixture.leaseNow("b") == nil)
            #expect(fixture.lease("b") == [] && fixture.machine.idleCount == 1)
            #expect(fixture.release(byWeight[2]) == [])
            guard case .lend(let lend)? = fixture.release(byWeight[home]).first else {
                Issue.record("nothing is lent")
                continue
            }
            #expect(lend.connection == byWeight[home])
            #expect(fixture.machine.waitingCount == 0 && fixture.machine.idleCount == 2)
        }
    }

    @Test func patienceEndsWithAnyConnectionThatIsIdle() {
        var (fixture, byWeight) = patient()
        _ = fixture.release(byWeight[3])
        #expect(fixture.leaseNow("b") == nil)
        #expect(fixture.lease("b") == [])
        #expect(fixture.machine.nextDeadline == fixture.now + .milliseconds(10))
        fixture.now = fixture.now + .milliseconds(9)
        #expect(fixture.machine.tick(now: fixture.now) == [])
        fixture.now = fixture.now + .milliseconds(1)
        guard case .lend(let lend)? = fixture.machine.tick(now: fixture.now).first else {
            Issue.record("nothing is lent")
            return
        }
        #expect(lend.connection == byWeight[3])
        // It has been there now: the next time nobody has to wait.
        _ = fixture.release(byWeight[3], "b")
        _ = fixture.leaseNow("b").map { fixture.release($0.connection, "b") }
        #expect(fixture.leaseNow("b")?.connection == byWeight[3])
    }

    @Test func whenPatienceEndsWithNothingIdleTheNextOneWillDo() {
        var (fixture, byWeight) = patient()
        let deadline = fixture.now + .seconds(2)
        #expect(fixture.lease("b") == [])
        fixture.now = fixture.now + .milliseconds(10)
        #expect(fixture.machine.tick(now: fixture.now) == [])
        #expect(fixture.machine.nextDeadline == deadline)
        guard case .lend(let lend)? = fixture.release(byWeight[2]).first else {
            Issue.record("nothing is lent")
            return
        }
        #expect(lend.connection == byWeight[2])
    }

    @Test func whoWaitsForAnotherConnectionIsPassedByWhoeverWantsAnIdleOne() {
        var (fixture, byWeight) = patient()
        for id in byWeight[2...] { _ = fixture.release(id) }
        #expect(fixture.lease("b") == [])
        // Not by those that want the same.
        #expect(fixture.leaseNow("b") == nil)
        #expect(fixture.leaseNow("a")?.connection == byWeight[3])
        #expect(fixture.machine.waitingCount == 1)
    }

    @Test func whoCannotWaitIsNotPatient() {
        var (fixture, byWeight) = patient()
        _ = fixture.release(byWeight[3])
        guard case .lend(let lend)? = fixture.lease("b", wait: .milliseconds(20)).first else {
            Issue.record("nothing is lent")
            return
        }
        #expect(lend.connection == byWeight[3])
    }

    @Test func aDatabaseThatIsAloneTakesAnyConnection() {
        var (fixture, byWeight) = patient()
        // One was made anew, and has served nobody.
        #expect(fixture.machine.release(byWeight[3], .retire, now: fixture.now) == [.close(byWeight[3])])
        guard case .connect(let id)? = fixture.lease("a").last else {
            Issue.record("none is made")
            return
        }
        #expect(fixture.connected(id).count == 1)
        _ = fixture.release(id, "a")
        #expect(fixture.leaseNow("a")?.connection == id)
    }

    @Test func thousandsThatWaitForAnotherAreLookedAtNowAndThenAlone() {
        var (fixture, byWeight) = patient()
        _ = fixture.release(byWeight[3])
        // "b" is in use as well: "a" has as many as it may have.
        #expect(fixture.leaseNow("b") == nil)
        var looks = 0
        for _ in 0..<1_000 {
            #expect(fixture.lease("a") == [])
            fixture.now = fixture.now + .microseconds(20)
            guard fixture.machine.nextDeadline <= fixture.now else { continue }
            looks += 1
            #expect(fixture.machine.tick(now: fixture.now) == [])
        }
        #expect(looks < 10)
    }

    @Test func nobodyIsPatientWhileThereMayBeMoreConnections() {
        var fixture = Fixture(maximum: 3) { $0.patience = .milliseconds(10) }
        let ids = (0..<2).map { _ in fixture.leaseNew("a") }
        let byWeight = ids.sorted { DatabasePreference("b").weight(of: $0) > DatabasePreference("b").weight(of: $1) }
        _ = fixture.release(byWeight[1])
        #expect(fixture.leaseNow("b")?.connection == byWeight[1])
    }

    @Test func whereDatabasesTakeTurnsMoreConnectionsAreMade() {
        var fixture = Fixture(maximum: 3) { $0.strangersPerConnection = 4 }
        // One is busy all the time: those that prefer it have to go elsewhere.
        let free = [fixture.leaseNew("a"), fixture.leaseNew("a")][1]
        _ = fixture.release(free)
        var made = 0
        for round in 0..<200 {
            let lease = fixture.machine.leaseNow(UInt64(1_000 + round), database: "d\(round % 50)", now: fixture.now)
            if let id = lease?.connect {
                made += 1
                _ = fixture.connected(id)
            }
            _ = fixture.release(lease?.0.connection ?? -1, "d\(round % 50)")
        }
        #expect(made == 1)
        #expect(fixture.machine.size == 3)
    }
}
