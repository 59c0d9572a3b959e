import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// A client that writes without end is told to wait; nothing that it has is lost.
@Suite("How often somebody may write", .ownTime)
struct WriteRateTests {
    @Test("A user's writes are counted one by one, also those of a push, whose rest is to be sent again later")
    func user() async throws {
        try await TestService.run(configure: { $0.limits.writesPerHour = 6 }) { service in
            let ada = try await service.newUser()
            let bob = try await service.newUser()
            let plan = try await service.addPlan()
            for _ in 0..<4 { try await ada.call(CreateSubscription(planId: plan)) }
            let mutations = (0..<4).map { _ in
                PushChanges.Mutation(
                    entity: .subscription, id: UUID().uuidString, op: .create, fields: ["planId": .integer(plan)])
            }
            let first = try await ada.call(PushChanges(mutations: mutations)).results
            #expect(first.map(\.outcome) == [.applied, .applied, .unknown, .unknown])
            let problem = try #require(first[2].error)
            // Ten minutes for each of the two.
            #expect(problem.code == .rateLimited && problem.retryAfter == 1200, "\(problem)")
            let answer = try await ada.client.response(to: PushChanges(mutations: Array(mutations[2...])))
            #expect(answer.status == 429 && answer.header("retry-after") == "1200", "\(answer)")
            let single = try await ada.client.response(to: CreateSubscription(planId: plan))
            #expect(single.status == 429 && single.header("retry-after") == "600", "\(single)")
            // Nobody else waits, and reading is free.
            try await bob.call(CreateSubscription(planId: plan))
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 6)
            service.clock.set("2026-01-31T12:20:00Z")
            let rest = try await ada.call(PushChanges(mutations: mutations)).results
            #expect(rest.map(\.outcome) == [.applied, .applied, .unknown, .unknown], "\(rest)")
            service.clock.set("2026-01-31T13:20:00Z")
            let all = try await ada.call(PushChanges(mutations: mutations)).results
            #expect(all.allSatisfy { $0.outcome == .applied }, "\(all)")
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 8)
        }
    }

    @Test("Periods that a change records or takes back are counted, ten of them as a change; the change stays")
    func periods() async throws {
        try await TestService.run(at: "2026-01-31T12:00:00Z", configure: { $0.limits.writesPerHour = 20 }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: "1 day")
            let start = day("2025-10-23")
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: start, autoRenew: true))
            #expect(made.period == 100)
            var change = UpdateSubscription(id: made.id)
            change.autoRenew = .set(true)
            change.madeOn = start
            #expect(try await ada.call(change).period == 100)
            // 1 + 10 for the creation, 1 + 20 for periods that were taken back and recorded anew: twelve more than there were.
            let refused = try await ada.client.response(to: UpdateSubscription(id: made.id, note: .set("n")))
            #expect(refused.status == 429 && refused.header("retry-after") == "2340", "\(refused)")
            service.clock.set("2026-01-31T12:39:00Z")
            try await ada.call(UpdateSubscription(id: made.id, note: .set("n")))
        }
    }

    @Test("A network's writes are counted together; its users can read, and be deleted")
    func network() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.run(
            configure: {
                $0.limits.networkWritesPerHour = 3
                $0.trustedProxies = proxies
            }
        ) { (service: TestService) async throws in
            let plan = try await service.addPlan()
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            func create(_ user: TestUser, from address: String) async throws -> Int {
                try await user.client.response(
                    to: CreateSubscription(planId: plan), headers: [("X-Forwarded-For", address)]
                ).status
            }
            for user in [ada, bob, ada] { #expect(try await create(user, from: "203.0.113.7") == 201) }
            for user in [ada, bob] { #expect(try await create(user, from: "203.0.113.7") == 429) }
            #expect(try await create(bob, from: "198.51.100.1") == 201)
            let here = [("X-Forwarded-For", "203.0.113.7")]
            #expect(try await ada.client.response(to: ListSubscriptions(), headers: here).status == 200)
            #expect(try await ada.client.response(to: DeleteMe(), headers: here).status == 204)
            #expect(try await bob.call(ListSubscriptions()).subscriptions.count == 2)
        }
    }
}
