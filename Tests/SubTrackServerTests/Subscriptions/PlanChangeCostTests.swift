import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Costs of a late change of a plan of one's own", .ownTime)
struct PlanChangeCostTests {
    private static let gym = PrivatePlan(
        provider: "Corner gym", name: "Mornings", category: "Sport", fee: amount("25.5"), currency: "EUR",
        duration: .init(value: 1, unit: .month), noticeDays: 14)

    /// Runs on 10 February, for a user whose subscriptions to one plan renewed by themselves on 1 February.
    private func run(
        _ count: Int, limits: UserLimits, recorder: StatementRecorder = StatementRecorder(),
        _ body: (TestUser, [Subscription]) async throws -> Void
    ) async throws {
        try await TestService.runAlone(
            at: "2026-01-10",
            configure: {
                $0.limits = limits
                $0.onStatement = { sql, _ in recorder.note(sql) }
            }
        ) { service in
            let ada = try await service.newUser(country: "DE")
            let first = try await ada.call(
                CreateSubscription(plan: Self.gym, startDate: day("2026-01-01"), autoRenew: true))
            for _ in 1..<count {
                try await ada.call(
                    CreateSubscription(planId: first.plan.id, startDate: day("2026-01-01"), autoRenew: true))
            }
            service.clock.set("2026-02-10")
            let renewed = try await ada.call(ListSubscriptions()).subscriptions
            #expect(renewed.map(\.period) == Array(repeating: 1, count: count))
            try await body(ada, renewed)
        }
    }

    @Test("A device that had seen the renewals looks at no subscription; one that had not, at each")
    func seen() async throws {
        let recorder = StatementRecorder()
        try await run(4, limits: UserLimits(), recorder: recorder) { ada, subscriptions in
            let plan = try #require(subscriptions.first).plan.id
            func looks(base: Int64?) async throws -> Int {
                let before = recorder.count(of: "SELECT MIN(p.Period)")
                let change = PushChanges.Mutation(
                    entity: .plan, id: "\(plan)", op: .update, baseVersion: base, madeOn: day("2026-01-20"),
                    fields: ["trialDays": .integer(base == nil ? 8 : 7)])
                let results = try await ada.call(PushChanges(mutations: [change])).results
                #expect(results.map { $0.error == nil } == [true])
                return recorder.count(of: "SELECT MIN(p.Period)") - before
            }
            #expect(try await looks(base: 1_000_000) == 0)
            #expect(try await looks(base: nil) == 4)
            let after = try await ada.call(ListSubscriptions()).subscriptions
            #expect(after.map(\.period) == [1, 1, 1, 1] && after.map(\.startDate) == subscriptions.map(\.startDate))
        }
    }

    @Test("Ten subscriptions that are looked at count as a change, also where nothing is taken back")
    func counted() async throws {
        var limits = UserLimits()
        limits.writesPerHour = 20
        try await run(10, limits: limits) { ada, subscriptions in
            let id = try #require(subscriptions.first).id
            // Periods that began by the former duration stay.
            try await ada.call(
                UpdateSubscription(id: id, plan: .set(PrivatePlanPatch(duration: .set(.init(value: 2, unit: .week))))))
            var change = UpdateSubscription(id: id, plan: .set(PrivatePlanPatch(trialDays: .set(7))))
            change.madeOn = day("2026-01-20")
            var done = 0
            for _ in 0..<12 where try await ada.client.response(to: change).status == 200 { done += 1 }
            // The first change leaves 19, and each of these counts as two.
            #expect(done == 10)
        }
    }

    @Test("A change that alters periods of too many subscriptions is refused and alters none; from today it is made")
    func bounded() async throws {
        var limits = UserLimits()
        limits.subscriptionsOfPlanChange = 2
        try await run(4, limits: limits) { ada, subscriptions in
            let id = try #require(subscriptions.first).id
            var change = UpdateSubscription(id: id, plan: .set(PrivatePlanPatch(fee: .set(amount("30")))))
            change.madeOn = day("2026-01-20")
            let refused = try await ada.refusal(of: change)
            #expect(refused.status == 413 && refused.code == .tooMany)
            #expect(try await ada.call(ListSubscriptions()).subscriptions == subscriptions)
            change.madeOn = nil
            #expect(try await ada.call(change).plan.fee.description == "30.00")
        }
    }

    @Test("A change that alters too many periods is refused and alters none, also where its subscriptions are few")
    func boundedPeriods() async throws {
        var limits = UserLimits()
        limits.periodsOfPlanChange = 7
        try await run(4, limits: limits) { ada, subscriptions in
            let id = try #require(subscriptions.first).id
            var change = UpdateSubscription(id: id, plan: .set(PrivatePlanPatch(fee: .set(amount("30")))))
            // The one that ended on 1 February lies behind this day, in each of the four.
            change.madeOn = day("2026-01-20")
            #expect(try await ada.call(change).plan.fee.description == "30.00")
        }
        limits.periodsOfPlanChange = 2
        try await run(4, limits: limits) { ada, subscriptions in
            let id = try #require(subscriptions.first).id
            var change = UpdateSubscription(id: id, plan: .set(PrivatePlanPatch(fee: .set(amount("30")))))
            change.madeOn = day("2026-01-20")
            let refused = try await ada.refusal(of: change)
            #expect(refused.status == 413 && refused.code == .tooMany)
            #expect(try await ada.call(ListSubscriptions()).subscriptions == subscriptions)
        }
    }

    @Test("Periods that a change would have to record first are counted as well")
    func boundedRenewals() async throws {
        var limits = UserLimits()
        limits.periodsOfPlanChange = 2
        try await TestService.runAlone(at: "2026-01-10", configure: { $0.limits = limits }) { service in
            let ada = try await service.newUser(country: "DE")
            let made = try await ada.call(
                CreateSubscription(plan: Self.gym, startDate: day("2026-01-01"), autoRenew: true))
            service.clock.set("2026-06-10")
            let change = PushChanges.Mutation(
                entity: .plan, id: "\(made.plan.id)", op: .update, fields: ["fee": "30.00"])
            let results = try await ada.call(PushChanges(mutations: [change])).results
            #expect(results.first?.error?.code == .tooMany, "\(results)")
            // A list records them, and the change alters nothing but the plan.
            #expect(try await ada.call(ListSubscriptions()).subscriptions.map(\.period) == [5])
            let again = PushChanges.Mutation(
                entity: .plan, id: "\(made.plan.id)", op: .update, fields: ["fee": "30.00"])
            #expect(try await ada.call(PushChanges(mutations: [again])).results.first?.error == nil)
        }
    }

    @Test("Ten plans that get a new category with their provider count as a change")
    func category() async throws {
        var limits = UserLimits()
        limits.writesPerHour = 40
        try await TestService.runAlone(at: "2026-01-10", configure: { $0.limits = limits }) { service in
            let ada = try await service.newUser(country: "DE")
            let made = try await ada.call(CreateSubscription(plan: Self.gym))
            for number in 1..<20 {
                var other = Self.gym
                other.name = "Mornings \(number)"
                try await ada.call(CreateSubscription(plan: other))
            }
            var done = 0
            for number in 0..<20 {
                let patch = PrivatePlanPatch(category: .set("Sport \(number)"))
                let answer = try await ada.client.response(
                    to: UpdateSubscription(id: made.id, plan: .set(patch)))
                if answer.status == 200 { done += 1 }
            }
            // Twenty are left, and each of these counts as three: itself, and twenty plans.
            #expect(done == 7)
            // The same category again, and a name, alter no other plan.
            service.clock.set("2026-01-11")
            for _ in 0..<20 {
                let patch = PrivatePlanPatch(category: .set("Sport 6"))
                try await ada.call(UpdateSubscription(id: made.id, plan: .set(patch)))
            }
        }
    }
}
