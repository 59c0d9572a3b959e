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
            let end = clock.now + SessionStore.maximumAge + .seconds(1)
            while clock.now < end {
                for user in users { #expect(try await user.client.send("GET", "/v1/me").status == 200) }
            }
            #expect(single.withLock { $0 } == before, "no request had to look for itself")
            #expect((1...8).contains(many.withLock { $0 }), "few statements for all")
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
