import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Tokens that are in use", .ownTime)
struct SessionRefreshTests {
    @Test("One that an admin ends is refused as soon as what is remembered is too old; others go on")
    func ended() async throws {
        // Every replica refuses an ended token within five seconds.
        #expect(SessionStore.maximumAge < .seconds(5))
        try await TestService.run { service in
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            let session = try #require(try await ada.call(ListSessions()).sessions.first)
            try await service.database.run(
                "DELETE FROM Session WHERE Session_ID = UNHEX('\(session.id.uuidString.filter { $0 != "-" })')")
            try await eventually("it is refused") {
                #expect(try await bob.client.send("GET", "/v1/me").status == 200)
                return try await ada.client.send("GET", "/v1/me").status == 401
            }
        }
    }

    @Test(
        "Are looked up again in one statement for many, and no request has to look for itself",
        .enabled(if: TestStage.full, "script/test --full: waits for seconds, and wants requests in time"))
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
            let looks = single.withLock { $0 }
            #expect(looks == users.count)
            // Where requests come too late, a token is forgotten before. It is tried again.
            var isQuiet = false
            for _ in 0..<6 where !isQuiet {
                for user in users { #expect(try await user.client.send("GET", "/v1/me").status == 200) }
                let (own, before) = (single.withLock { $0 }, many.withLock { $0 })
                // Longer than an answer is remembered, all of them are in use.
                let end = ContinuousClock.now + SessionStore.maximumAge + .seconds(1)
                while ContinuousClock.now < end {
                    for user in users { #expect(try await user.client.send("GET", "/v1/me").status == 200) }
                }
                let gathered = many.withLock { $0 } - before
                isQuiet = single.withLock { $0 } == own && (1..<users.count).contains(gathered)
            }
            #expect(isQuiet, "all were looked up by fewer statements than there are tokens")
        }
    }
}
