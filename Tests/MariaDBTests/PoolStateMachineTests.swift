import Testing

@testable import MariaDB

/// Scenarios without I/O: events go in with a time, actions come out.
@Suite struct PoolStateMachineTests {
    private typealias Machine = PoolStateMachine

    /// A machine and a clock that moves only when told to.
    private struct Fixture {
        var machine: PoolStateMachine
        var now = Moment(nanoseconds: 1_000_000_000_000)
        private var nextRequest: UInt64 = 0

        init(maximum: Int = 2, _ configure: (inout PoolStateMachine.Configuration) -> Void = { _ in }) {
            var configuration = PoolStateMachine.Configuration()
            configuration.maximumConnections = maximum
            configure(&configuration)
            machine = PoolStateMachine(configuration)
        }

        mutating func lease(_ database: String? = "a", wait: Duration = .seconds(2)) -> [PoolStateMachine.Action] {
            nextRequest += 1
            return machine.lease(
                .init(id: nextRequest, database: database, enqueued: now, deadline: now + wait), now: now)
        }

        /// Leases a connection that has to be made first; returns its id.
        mutating func leaseNew(_ database: String? = "a") -> Int {
            guard case .connect(let id) = lease(database).last else { return -1 }
            _ = machine.connected(id, lifetime: .seconds(1_800), now: now)
            return id
        }

        /// A lease that does not wait.
        mutating func leaseNow(_ database: String?, lane: Int? = nil) -> PoolStateMachine.Lend? {
            nextRequest += 1
            return machine.leaseNow(nextRequest, database: database, lane: lane, now: now)?.0
        }

        mutating func connected(_ id: Int) -> [PoolStateMachine.Action] {
            machine.connected(id, lifetime: .seconds(1_800), now: now)
        }

        mutating func release(_ id: Int, _ database: String? = "a") -> [PoolStateMachine.Action] {
            machine.release(id, .healthy(database: database), now: now)
        }
    }

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

    @Test func aConnectionThatIsOnTheDatabaseIsPreferred() {
        var fixture = Fixture(maximum: 3)
        let a = fixture.leaseNew("a")
        let b = fixture.leaseNew("b")
        _ = fixture.release(b, "b")
        _ = fixture.release(a, "a")
        #expect(
            fixture.leaseNow("b")
                == .init(connection: b, request: 3, check: false))
    }

    @Test func aConnectionOfTheOwnThreadIsPreferredAndAnotherOneTakenBeforeNone() {
        var fixture = Fixture(maximum: 4) { $0.lanes = 2 }
        let ids = (0..<4).map { _ in fixture.leaseNew("a") }
        for id in ids { _ = fixture.release(id) }
        let lanes = [0, 0, 1, 1].map { lane in fixture.leaseNow("a", lane: lane).map { $0.connection % 2 } }
        #expect(lanes == [0, 0, 1, 1])
        for id in ids { _ = fixture.release(id) }
        let alone = (0..<4).map { _ in fixture.leaseNow("a", lane: 1).map { $0.connection % 2 } }
        #expect(alone == [1, 1, 0, 0])
        #expect(fixture.leaseNow("a", lane: 1) == nil)
    }

    @Test func aConnectionThatIsOnTheDatabaseGoesBeforeOneOfTheOwnThread() {
        var fixture = Fixture(maximum: 2) { $0.lanes = 2 }
        let a = fixture.leaseNew("a")
        let b = fixture.leaseNew("b")
        _ = fixture.release(a, "a")
        _ = fixture.release(b, "b")
        #expect(fixture.leaseNow("a", lane: b % 2)?.connection == a)
    }

    @Test func aDatabaseComesBackToTheConnectionThatItHadBefore() {
        var fixture = Fixture(maximum: 4)
        let ids = (0..<4).map { _ in fixture.leaseNew("a") }
        for id in ids { _ = fixture.release(id) }
        var first: [String: Int] = [:]
        for name in ["b", "c", "d", "e", "f", "g", "h", "h", "c", "g", "b", "f", "d", "e"] {
            guard let chosen = fixture.leaseNow(name)?.connection else { continue }
            _ = fixture.release(chosen, name)
            #expect(first[name, default: chosen] == chosen, "\(name)")
            first[name] = chosen
        }
        #expect(first.count == 7 && Set(first.values).count > 1)
    }

    @Test func eachThreadHasOneOfTheConnectionsThatADatabasePrefers() {
        for database in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            let homes = DatabasePreference(database).favourites(2, of: 1...16, lanes: 2)
            #expect(Set(homes.map { $0 % 2 }) == [0, 1], "\(database)")
            var fixture = Fixture(maximum: 16) { $0.lanes = 2 }
            let ids = (0..<16).map { _ in fixture.leaseNew("other") }
            for id in ids { _ = fixture.release(id, "other") }
            // It comes to that of the own thread, and where that is busy to the other before a third.
            let chosen = (0..<2).map { _ in fixture.leaseNow(database, lane: 1)?.connection }
            #expect(chosen == homes.sorted { $0 % 2 > $1 % 2 }, "\(database)")
        }
    }

    @Test(arguments: [1, 2, 3, 8])
    func preferredConnectionsAreOfDifferentThreadsAndAllArePreferredBySomebody(_ lanes: Int) {
        var preferred: Set<Int> = []
        for number in 0..<2_000 {
            let homes = DatabasePreference("tenant \(number)").favourites(2, of: 1...32, lanes: lanes)
            #expect(Set(homes).count == 2 && Set(homes.map { $0 % lanes }).count == min(2, lanes))
            preferred.formUnion(homes)
            // Of one thread alone, as may be left over, there are as many.
            #expect(DatabasePreference("tenant \(number)").favourites(2, of: [10, 18, 26], lanes: 8).count == 2)
        }
        #expect(preferred == Set(1...32))
    }

    @Test func oneThatHasTheStatementsOnTheOwnThreadGoesBeforeAPreferredOneOfAnother() {
        var fixture = Fixture(maximum: 16) { $0.lanes = 2 }
        let ids = (0..<16).map { _ in fixture.leaseNew("other") }
        let homes = DatabasePreference("a").favourites(2, of: ids, lanes: 2)
        guard let here = homes.first(where: { $0 % 2 == 0 }), let there = homes.first(where: { $0 % 2 == 1 }),
            let third = ids.first(where: { $0 % 2 == 0 && $0 != here })
        else { return #expect(Bool(false), "there is no home of each thread") }
        // It was there once, when nothing else was idle.
        _ = fixture.release(third, "other")
        #expect(fixture.leaseNow("a", lane: 0)?.connection == third)
        _ = fixture.release(third, "other")
        _ = fixture.release(there, "other")
        #expect(fixture.leaseNow("a", lane: 0)?.connection == third)
        #expect(fixture.leaseNow("a", lane: 0)?.connection == there)
    }

    @Test func thePreferredConnectionsAreFoundAnewWhenOneIsGone() {
        var fixture = Fixture(maximum: 3) { $0.homes = 1 }
        let ids = (0..<3).map { _ in fixture.leaseNew("a") }
        let byWeight = ids.sorted { DatabasePreference("b").weight(of: $0) > DatabasePreference("b").weight(of: $1) }
        for id in ids { _ = fixture.release(id) }
        #expect(fixture.leaseNow("b")?.connection == byWeight[0])
        _ = fixture.machine.release(byWeight[0], .retire, now: fixture.now)
        #expect(fixture.leaseNow("b")?.connection == byWeight[1])
    }

    @Test func whoseConnectionIsBusyGetsOneThatHasItsStatementsBeforeOneThatItPrefers() {
        var fixture = Fixture(maximum: 4) { ($0.knownDatabases, $0.homes) = (2, 1) }
        let ids = (0..<4).map { _ in fixture.leaseNew("a") }
        let byWeight = ids.sorted { DatabasePreference("b").weight(of: $0) > DatabasePreference("b").weight(of: $1) }
        // The others are busy: it gets the one that it likes least, and comes back to it when others are idle as well.
        let last = byWeight[3]
        _ = fixture.release(last)
        #expect(fixture.leaseNow("b")?.connection == last)
        _ = fixture.release(last, "b")
        #expect(fixture.leaseNow("c")?.connection == last)
        _ = fixture.release(last, "c")
        _ = fixture.release(byWeight[1])
        _ = fixture.release(byWeight[2])
        #expect(fixture.leaseNow("b")?.connection == last)
        _ = fixture.release(last, "b")
        // Two others later it is as good as any.
        for other in ["d", "e"] {
            _ = [byWeight[1], byWeight[2]].map { _ in fixture.leaseNow("a") }
            #expect(fixture.leaseNow(other)?.connection == last)
            _ = fixture.release(last, other)
            for id in [byWeight[1], byWeight[2]] { _ = fixture.release(id) }
        }
        #expect(fixture.leaseNow("b")?.connection == byWeight[1])
    }

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
        let repeated = Machine.Request(
            id: 77, database: "a", enqueued: fixture.now, deadline: fixture.now + .seconds(2), isRepeated: true)
        _ = fixture.machine.lease(repeated, now: fixture.now)
        #expect(fixture.connected(2).first == .lend(.init(connection: 2, request: 77, check: false)))
    }
}
