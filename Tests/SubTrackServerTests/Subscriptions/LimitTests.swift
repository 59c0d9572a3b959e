import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("How much a user may have", .ownTime)
struct LimitTests {
    @Test("Ten thousand of each, unless told otherwise")
    func standard() {
        #expect(UserLimits().subscriptions == 10_000 && UserLimits().privatePlans == 10_000)
    }

    @Test("Of many that are added at the same moment, no more stay than there may be")
    func atOnce() async throws {
        try await TestService.run(at: "2026-01-31", configure: { $0.limits.subscriptions = 5 }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        // Some of them are added only after a look at the plan.
                        let body = #"{"planId":\#(plan),"autoRenew":\#(number % 3 == 0)}"#
                        return try await ada.client.send("POST", "/v1/subscriptions", json: body).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == 5 && statuses.count { $0 == 413 } == 15, "\(statuses)")
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 5)
        }
    }

    @Test("So many subscriptions and no more; a dashboard sums all of them, or says that it cannot")
    func subscriptions() async throws {
        try await TestService.run(at: "2026-01-31", configure: { $0.limits.subscriptions = 3 }) { service in
            let ada = try await service.newUser()
            let bob = try await service.newUser()
            let plan = try await service.addPlan(fee: "1.00", duration: "1 year")
            let first = try await ada.call(CreateSubscription(planId: plan))
            for _ in 0..<2 { try await ada.call(CreateSubscription(planId: plan)) }
            let dashboard = try await ada.call(GetDashboard(within: 400))
            #expect(dashboard.upcoming.count == 3 && dashboard.spend.map(\.year.description) == ["3.00"])

            let refused = try await ada.refusal(of: CreateSubscription(planId: plan))
            #expect(refused.status == 413 && refused.code == .tooMany)
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 3)
            try await bob.call(CreateSubscription(planId: plan))
            // One that is deleted makes room.
            try await ada.call(DeleteSubscription(id: first.id))
            try await ada.call(CreateSubscription(planId: plan))
            #expect(try await ada.refusal(of: CreateSubscription(planId: plan)).code == .tooMany)
            // Which is no way to have more of them: it comes back when there is room.
            let restored = try await ada.refusal(of: RestoreSubscription(id: first.id))
            #expect(restored.status == 413 && restored.code == .tooMany)
            let pushed = try await ada.call(
                PushChanges(mutations: [.init(entity: .subscription, id: first.id.uuidString, op: .restore)]))
            #expect(pushed.results.map(\.outcome) == [.refused] && pushed.results[0].error?.code == .tooMany)
            let all = try await ada.call(ListSubscriptions()).subscriptions
            #expect(all.count == 3 && !all.contains { $0.id == first.id })
            try await ada.call(DeleteSubscription(id: all[0].id))
            #expect(try await ada.call(RestoreSubscription(id: first.id)).id == first.id)

            // SQL can make more: then a part of them must not look like the whole.
            let user = "UNHEX(REPLACE('\(ada.user.id)', '-', ''))"
            try await service.database.run(
                "INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (\(user), \(plan), '2026-01-31')")
            let dashed = try await ada.refusal(of: GetDashboard())
            #expect(dashed.status == 413 && dashed.code == .tooMany)
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 4)
        }
    }

    @Test("So many plans of one's own and no more")
    func privatePlans() async throws {
        try await TestService.run(configure: { $0.limits.privatePlans = 2 }) { service in
            let ada = try await service.newUser()
            func create(_ name: String) -> CreateSubscription {
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym", name: name, fee: amount("1.00"), currency: "USD",
                        duration: .init(value: 1, unit: .month)))
            }
            let made = try await ada.call(create("first"))
            try await ada.call(create("second"))
            let refused = try await ada.refusal(of: create("third"))
            #expect(refused.status == 413 && refused.code == .tooMany)
            try await ada.call(CreateSubscription(planId: made.plan.id))
            #expect(try await ada.call(ListPlans(provider: "Gym")).plans.filter(\.private).count == 2)
        }
    }
}
