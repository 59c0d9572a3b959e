import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// Late changes beside those of others: what is lost takes nothing back, and what others said of the plan stays where it was
/// said.
@Suite("Late changes beside others'", .ownTime)
struct LateChangeOrderTests {
    private static let days = ["2026-01-01", "2026-02-01", "2026-03-01"]

    /// Runs a test in March with a monthly subscription from January that renews by itself, and the version that a device held
    /// in January.
    private func run(
        plan: PrivatePlan?, february: (TestUser, UUID) async throws -> Void,
        _ body: (TestService, TestUser, UUID, Int64) async throws -> Void
    ) async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let id = plan == nil ? try await service.addPlan(fee: "10.00") : nil
            let made = try await ada.call(
                CreateSubscription(planId: id, plan: plan, startDate: day("2026-01-01"), autoRenew: true))
            service.clock.set("2026-02-10")
            _ = try await ada.call(GetSubscription(id: made.id))
            try await february(ada, made.id)
            service.clock.set("2026-03-10")
            _ = try await ada.call(GetSubscription(id: made.id))
            try await body(service, ada, made.id, made.version)
        }
    }

    private func run(_ body: (TestService, TestUser, UUID, Int64) async throws -> Void) async throws {
        try await run(plan: nil, february: { _, _ in }, body)
    }

    private func periods(_ user: TestUser, _ id: UUID) async throws -> [String] {
        try await user.call(ListPeriods(id: id)).periods.map { "\($0.startDate) \($0.endDate) \($0.fee)" }
    }

    private func starts(_ user: TestUser, _ id: UUID) async throws -> [String] {
        try await user.call(ListPeriods(id: id)).periods.map { $0.startDate.description }
    }

    private func push(
        _ op: PushChanges.Mutation.Op, _ id: UUID, base: Int64, on made: String, _ user: TestUser,
        _ fields: [String: AnyJSON] = [:]
    ) async throws -> PushChanges.Result? {
        try await user.call(
            PushChanges(mutations: [
                .init(
                    entity: .subscription, id: id.uuidString, op: op, baseVersion: base, madeOn: day(made),
                    fields: fields)
            ])
        ).results.first
    }

    @Test("A cancellation that is lost to renewals that were switched off takes no period back")
    func lostCancellation() async throws {
        try await run { _, ada, id, base in
            _ = try await ada.call(UpdateSubscription(id: id, autoRenew: .set(false)))
            let result = try await push(.cancel, id, base: base, on: "2026-01-20", ada)
            #expect(result?.lost.map(\.field) == ["cancelledOn"])
            #expect(try await starts(ada, id) == Self.days)
        }
    }

    @Test("A late renewal without a number is of the period of its day: it begins none")
    func renewedLate() async throws {
        try await run { _, ada, id, _ in
            _ = try await ada.call(RenewSubscription(id: id, madeOn: day("2026-01-20")))
            #expect(try await starts(ada, id) == Self.days)
            // A person said that January was renewed: that is what a cancellation from before leaves.
            _ = try await ada.call(CancelSubscription(id: id, madeOn: day("2026-01-15")))
            #expect(try await starts(ada, id) == ["2026-01-01", "2026-02-01"])
        }
    }

    @Test("Periods of a plan of one's own that lasts longer since February are what they were, whatever arrives late")
    func otherDuration() async throws {
        let gym = PrivatePlan(
            provider: "Gym", name: "Off-peak", fee: amount("20"), currency: "USD",
            duration: PlanDuration(value: 1, unit: .month))
        func lasting(_ ada: TestUser, _ id: UUID) async throws {
            _ = try await ada.call(
                UpdateSubscription(
                    id: id, plan: .set(PrivatePlanPatch(duration: .set(PlanDuration(value: 1, unit: .year))))))
        }
        try await run(plan: gym, february: lasting) { _, ada, id, base in
            let before = try await periods(ada, id)
            #expect(before.map { $0.prefix(10) } == ["2026-01-01", "2026-02-01", "2026-03-01"])
            #expect(before.last?.contains("2027-03-01") == true)
            let result = try await push(.update, id, base: base, on: "2026-01-20", ada, ["fee": "7.00"])
            #expect(result?.error == nil && result?.lost.isEmpty == true)
            let after = try await periods(ada, id)
            #expect(after.map { $0.prefix(21) } == before.map { $0.prefix(21) })
            #expect(after.last?.hasSuffix("7.00") == true)
        }
        // A cancellation is followed by nothing: it counts from its day all the same.
        try await run(plan: gym, february: lasting) { _, ada, id, base in
            _ = try await push(.cancel, id, base: base, on: "2026-01-20", ada)
            #expect(try await starts(ada, id) == ["2026-01-01"])
        }
    }

    @Test("A direct change with If-Match takes no period back that its version had; without, the day alone counts")
    func knownVersion() async throws {
        try await run { _, ada, id, _ in
            let known = try await ada.call(GetSubscription(id: id)).version
            let row = try await ada.call(
                CancelSubscription(id: id, madeOn: day("2026-01-20")), headers: [("If-Match", "\"\(known)\"")])
            #expect(row.status == .cancelled)
            #expect(try await starts(ada, id) == Self.days)
        }
        try await run { _, ada, id, _ in
            _ = try await ada.call(CancelSubscription(id: id, madeOn: day("2026-01-20")))
            #expect(try await starts(ada, id) == ["2026-01-01"])
        }
    }
}
