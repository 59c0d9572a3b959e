import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Remembered sessions", .ownTime)
struct RememberedSessionTests {
    private let now = ContinuousClock.now

    private func entry(_ user: UserID, age: Duration = .zero) throws -> (TokenHash, RememberedSessions.Entry) {
        let hash = try Token.generate().hash
        let session = Session(
            id: UUID(), device: UUID(), user: user, country: "US", timeZone: "UTC", hasAccount: false, tokenHash: hash)
        return (hash, .init(session: session, readAt: now - age))
    }

    @Test("A user's are forgotten together, another's stay; a token that became another user's is that one's")
    func users() throws {
        var all = RememberedSessions()
        let (ada, bob) = (UserID(uuid: UUID()), UserID(uuid: UUID()))
        let adas = try (0..<3).map { _ in try entry(ada) }
        let bobs = try entry(bob)
        for (hash, entry) in adas + [bobs] { all[hash] = entry }
        let moved = adas[0].0
        all[moved] = try entry(bob).1
        all[adas[1].0] = nil
        all.removeAll(of: ada)
        #expect(Set(all.entries.keys) == [moved, bobs.0])
        all.removeAll(of: bob)
        #expect(all.entries.isEmpty)
        all.removeAll(of: bob)
    }

    @Test("What is old is forgotten first, and everything where too much is left; nothing comes back to a user")
    func bounds() throws {
        var all = RememberedSessions()
        let user = UserID(uuid: UUID())
        let old = try entry(user, age: .seconds(10))
        let new = try entry(user)
        for (hash, entry) in [old, new] { all[hash] = entry }
        all.removeAll(readBefore: now - .seconds(5), keepingAtMost: 1)
        #expect(Set(all.entries.keys) == [new.0])
        all.removeAll(readBefore: now - .seconds(5), keepingAtMost: 0)
        #expect(all.entries.isEmpty)
        all[old.0] = old.1
        all.removeAll(of: user)
        #expect(all.entries.isEmpty)
    }

    @Test(
        "Forgetting one user costs the same with twenty thousand others as with ten",
        .enabled(if: TestStage.full, "script/test --full: measures seconds"))
    func cost() throws {
        func time(_ others: Int) throws -> Duration {
            var all = RememberedSessions()
            for _ in 0..<others {
                let (hash, entry) = try entry(UserID(uuid: UUID()))
                all[hash] = entry
            }
            var best = Duration.seconds(1)
            for _ in 0..<50 {
                let user = UserID(uuid: UUID())
                for (hash, entry) in try (0..<3).map({ _ in try entry(user) }) { all[hash] = entry }
                let start = ContinuousClock.now
                all.removeAll(of: user)
                best = min(best, ContinuousClock.now - start)
            }
            return best
        }
        let (few, many) = (try time(10), try time(20_000))
        print("forgetting a user of 10 others: \(few), of 20,000 others: \(many)")
        #expect(many < max(few, .microseconds(2)) * 20)
    }
}
