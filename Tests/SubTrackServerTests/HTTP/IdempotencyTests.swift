import Foundation
import MariaDB
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Idempotency keys", .ownTime)
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

    @Test("While the same key is at work it is key_in_use; while something else is, the service is unavailable")
    func inUse() async throws {
        // The waits of production: one that waits for another one gives up first.
        try await TestService.runAlone(configure: { $0.waits = RequestWaits() }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let key = [("Idempotency-Key", "one")]
            try await service.withAdmin { connection in
                // An admin holds the user's scope.
                try await connection.simpleQuery("START TRANSACTION")
                try await connection.simpleQuery(
                    SQL(unsafeText: "SELECT Ver FROM Scope WHERE Scope_ID = \(hex(ada.user.id)) FOR UPDATE"))
                async let withKey = ada.client.response(to: CreateSubscription(planId: plan), headers: key)
                async let without = ada.client.response(to: CreateSubscription(planId: plan))
                for answer in [try await withKey, try await without] {
                    let problem = try answer.problem()
                    #expect(problem.status == 503 && problem.code == .unavailable, "\(problem)")
                    #expect(answer.header("retry-after") != nil)
                }
                try await connection.simpleQuery("ROLLBACK")

                // An admin holds the plans: the first has the user's scope and waits for them, the others for the first.
                try await connection.simpleQuery("LOCK TABLES Plan WRITE")
                let first = Task { try await ada.client.response(to: CreateSubscription(planId: plan), headers: key) }
                try await eventually("the first waits") {
                    try await service.database.run(
                        "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() "
                            + "AND STATE LIKE '%metadata lock%'") == "1\n"
                }
                async let second = ada.client.response(to: CreateSubscription(planId: plan), headers: key)
                async let other = ada.client.response(
                    to: CreateSubscription(planId: plan), headers: [("Idempotency-Key", "other")])
                let problems = (try await second.problem(), try await other.problem())
                #expect(problems.0.status == 409 && problems.0.code == .keyInUse, "\(problems.0)")
                #expect(problems.1.status == 503 && problems.1.code == .unavailable, "\(problems.1)")
                try await connection.simpleQuery("UNLOCK TABLES")
                let made = try await first.value.decode(Subscription.self)
                #expect(try await ada.call(CreateSubscription(planId: plan), headers: key) == made)
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
