import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Two users who become one have no more together than one user may have.
@Suite("Merging users who have much", .ownTime)
struct FullMergeTests {
    /// An account, and a device without one, each with own plans and kept answers.
    private func users(
        _ service: TestService, _ amount: StoredAmount
    ) async throws -> (ada: TestUser, email: String, phone: TestUser) {
        let plan = try await service.addPlan()
        let ada = try await service.newUser()
        let email = service.newEmail()
        try await ada.register(email)
        let phone = try await service.newUser()
        for user in [ada, phone] { try await service.fill(user.user.id, amount, plan: plan) }
        // Plans that differ, so that none of them is dropped as the same.
        _ = try await service.database.run(
            "UPDATE Plan SET Plan_name = CONCAT('q', Plan_name) WHERE Owner_ID = \(hex(phone.user.id))")
        return (ada, email, phone)
    }

    @Test("Together they have more former prices than there may be: refused in words, and both keep all")
    func prices() async throws {
        try await TestService.run(configure: { $0.limits.prices = 7 }) { service in
            let amount = StoredAmount(subscriptions: 1, periods: 0, plans: 2, prices: 2, deleted: 0, answers: 0)
            let (ada, email, phone) = try await users(service, amount)
            let refused = try await phone.refusal(of: CreateSession(email: email, password: goodPassword))
            #expect(refused.status == 413 && refused.code == .tooMany, "\(refused)")
            for user in [ada, phone] {
                #expect(try await user.call(ListPlans(provider: "Gym")).plans.count == 2)
                #expect(try await user.call(ListSubscriptions()).subscriptions.count == 1)
            }
        }
    }

    @Test("Kept answers of both are no more than one user's; a key of both stays the account's")
    func answers() async throws {
        try await TestService.run(configure: { $0.limits.keptAnswers = 600 }) { service in
            let amount = StoredAmount(subscriptions: 1, periods: 0, plans: 0, deleted: 0, answers: 0)
            let (ada, email, phone) = try await users(service, amount)
            // More than one statement moves; one key is of both, and the newest.
            for (user, prefix) in [(ada, "a"), (phone, "p")] {
                _ = try await service.database.run(
                    """
                    INSERT INTO Idempotency (User_ID, Idempotency_key, Payload_hash, Answer, Created_at)
                    SELECT \(hex(user.user.id)), IF(seq = 1, 'both', CONCAT('\(prefix)', seq)), REPEAT('\(prefix)', 32),
                        '{}', UTC_TIMESTAMP() - INTERVAL seq SECOND
                    FROM seq_1_to_595
                    """)
            }
            _ = try await phone.call(CreateSession(email: email, password: goodPassword))
            func number(_ condition: String) async throws -> Int {
                try await service.number("SELECT COUNT(*) FROM Idempotency WHERE \(condition)")
            }
            #expect(try await number("User_ID = \(hex(phone.user.id))") == 0)
            let kept = try await number("User_ID = \(hex(ada.user.id))")
            #expect((500...600).contains(kept), "\(kept)")
            #expect(try await number("User_ID = \(hex(ada.user.id)) AND Payload_hash = REPEAT('p', 32)") > 200)
            let both = "User_ID = \(hex(ada.user.id)) AND Idempotency_key = 'both'"
            #expect(try await number("\(both) AND Payload_hash = REPEAT('a', 32)") == 1)
        }
    }

    @Test("One statement moves some hundred rows, or one element with all of its rows")
    func parts() {
        let few = UserMerge.batch / 2 + 1
        #expect(UserMerge.parts([(id: 1, rows: few), (id: 2, rows: few), (id: 3, rows: 1)]) == [[1], [2, 3]])
        #expect(UserMerge.parts([(id: 1, rows: 1), (id: 2, rows: 40_000), (id: 3, rows: 1)]) == [[1], [2], [3]])
        #expect(UserMerge.parts([(id: Int, rows: Int)]()).isEmpty)
        #expect(UserMerge.parts((1...1000).map { (id: $0, rows: 2) }).map(\.count) == [250, 250, 250, 250])
    }
}
