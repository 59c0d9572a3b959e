import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import Testing

@testable import SubTrackServer

@Suite("Tokens that are in use")
struct SessionRefreshTests {
    @Test(
        "Are looked up again in one statement for many, and one that was ended by an admin is refused within five seconds"
    )
    func refresh() async throws {
        let single = Mutex(0)
        let many = Mutex(0)
        try await TestService.run { settings in
            settings.onStatement = { sql, _ in
                if sql.text.contains("s.Token_hash IN (") { many.withLock { $0 += 1 } }
                if sql.text.contains("s.Token_hash = ") { single.withLock { $0 += 1 } }
            }
        } _: { service in
            var users: [TestUser] = []
            for _ in 0..<12 { users.append(try await service.newUser()) }
            for user in users { #expect(try await user.client.send("GET", "/v1/me").status == 200) }
            let before = single.withLock { $0 }
            #expect(before == users.count)
            // Longer than an answer is remembered, all of them are in use.
            let clock = ContinuousClock()
            let begin = clock.now
            var lastAsked = Array(repeating: begin, count: users.count)
            // Where the machine is too slow for that, a token may be forgotten before its user comes again.
            var lateOnes = 0
            while clock.now < begin + SessionStore.maximumAge + .seconds(1) {
                for (number, user) in users.enumerated() {
                    #expect(try await user.client.send("GET", "/v1/me").status == 200)
                    if clock.now - lastAsked[number] > .seconds(1) { lateOnes += 1 }
                    lastAsked[number] = clock.now
                }
            }
            let own = single.withLock { $0 } - before
            #expect(own <= lateOnes, "no request had to look for itself")
            // Each of them twice or three times, in statements that are gathered for a quarter of a second.
            let seconds = Int((clock.now - begin).components.seconds) + 1
            let gathered = many.withLock { $0 }
            #expect(gathered <= 2 * seconds && (gathered > 0 || lateOnes > 0), "few statements for all")
            // Somebody ends one session; the others go on.
            let session = try #require(try await users[0].call(ListSessions()).sessions.first)
            try await service.database.run(
                "DELETE FROM Session WHERE Session_ID = UNHEX('\(session.id.uuidString.filter { $0 != "-" })')")
            let ended = clock.now
            var refused: ContinuousClock.Instant?
            while refused == nil, clock.now < ended + .seconds(10) {
                if try await users[0].client.send("GET", "/v1/me").status == 401 { refused = clock.now }
                #expect(try await users[1].client.send("GET", "/v1/me").status == 200)
            }
            #expect(try #require(refused) - ended < .seconds(5))
        }
    }
}
