import TestTraits
import Testing

@testable import MariaDB

/// The idle connection that a lease gets: scenarios without I/O.
@Suite(.ownTime) struct PoolChoiceTests {
    private typealias Fixture = PoolFixture

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
}
