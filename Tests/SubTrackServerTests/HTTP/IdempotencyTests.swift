import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@Suite("Idempotency keys")
struct IdempotencyTests {
    @Test("The same request with the same key is done once, and answered the same, whatever happened since")
    func replay() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let key = [("Idempotency-Key", UUID().uuidString)]
            let first = try await ada.client.response(to: CreateSubscription(planId: plan), headers: key)
            let made = try first.decode(Subscription.self)
            try await ada.call(UpdateSubscription(id: made.id, label: .set("changed")))
            let again = try await ada.client.response(to: CreateSubscription(planId: plan), headers: key)
            #expect(again.status == 201 && again.body == first.body && again.header("etag") == first.header("etag"))
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 1)

            let renewal = [("Idempotency-Key", "\"renew-1\"")]
            let renewed = try await ada.call(RenewSubscription(id: made.id), headers: renewal)
            #expect(
                try await ada.call(RenewSubscription(id: made.id), headers: [("Idempotency-Key", "renew-1")]) == renewed
            )
            #expect(try await ada.call(GetSubscription(id: made.id)).period == 1)

            let stale = [("Idempotency-Key", "patch"), ("If-Match", "\"\(renewed.version)\"")]
            let patched = try await ada.call(UpdateSubscription(id: made.id, note: .set("n")), headers: stale)
            #expect(
                try await ada.call(UpdateSubscription(id: made.id, note: .set("n")), headers: stale) == patched,
                "the key is looked at before If-Match")

            let deletion = [("Idempotency-Key", "delete")]
            try await ada.call(DeleteSubscription(id: made.id), headers: deletion)
            try await ada.call(DeleteSubscription(id: made.id), headers: deletion)
        }
    }

    @Test("The key of another payload, or of another operation, is refused; another user's is another key")
    func reuse() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let bob = try await service.newUser()
            let plan = try await service.addPlan()
            let key = [("Idempotency-Key", "one")]
            let made = try await ada.call(CreateSubscription(planId: plan), headers: key)
            for problem in [
                try await ada.refusal(of: CreateSubscription(planId: plan, label: "x"), headers: key),
                try await ada.refusal(of: RenewSubscription(id: made.id), headers: key),
                try await ada.refusal(of: UpdateMe(userName: .set("x")), headers: key),
            ] {
                #expect(problem.status == 422 && problem.code == .keyReused)
            }
            #expect(try await bob.call(CreateSubscription(planId: plan), headers: key).id != made.id)
        }
    }

    @Test("A refused request leaves no trace of its key")
    func refused() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let key = [("Idempotency-Key", "k")]
            #expect(try await ada.refusal(of: CreateSubscription(planId: 0), headers: key).status == 400)
            #expect(try await ada.call(CreateSubscription(planId: plan), headers: key).period == 0)
            for bad in ["", " ", "a b", "ü", String(repeating: "x", count: 129)] {
                let answer = try await RawHTTP.send(
                    "POST", "/v1/subscriptions", port: service.port,
                    headers: ["Authorization: Bearer \(ada.client.token ?? "")", "Idempotency-Key: \(bad)"],
                    body: Array("{\"planId\":\(plan)}".utf8))
                #expect(answer.status == 400, "\(bad)")
            }
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 1)
        }
    }

    @Test("Ten at once with one key make one subscription, and all get it")
    func atOnce() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let ids = try await withThrowingTaskGroup(of: UUID.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        try await ada.call(CreateSubscription(planId: plan), headers: [("Idempotency-Key", "same")]).id
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 1)
        }
    }
}
