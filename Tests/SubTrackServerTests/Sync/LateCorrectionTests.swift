import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// Corrections of dates that arrive after renewals.
@Suite("Corrections that arrive late", .ownTime)
struct LateCorrectionTests {
    /// Runs a test in March with a monthly subscription from January that renews by itself, and the version that a device held
    /// in January.
    /// - Parameter isSeen: whether somebody has looked, so that the renewals are recorded.
    private func run(
        isSeen: Bool, _ body: (TestService, TestUser, UUID, Int64) async throws -> Void
    ) async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let made = try await ada.call(
                CreateSubscription(
                    planId: try await service.addPlan(fee: "10.00"), startDate: day("2026-01-01"), autoRenew: true))
            service.clock.set("2026-02-10")
            if isSeen { _ = try await ada.call(PullChanges(scopes: .user)) }
            service.clock.set("2026-03-10")
            if isSeen { _ = try await ada.call(GetSubscription(id: made.id)) }
            try await body(service, ada, made.id, made.version)
        }
    }

    private func periods(_ user: TestUser, _ id: UUID) async throws -> [String] {
        try await user.call(ListPeriods(id: id)).periods.map { "\($0.startDate) \($0.endDate)" }
    }

    private func correct(
        _ id: UUID, base: Int64, on made: String?, _ user: TestUser, _ fields: [String: AnyJSON]
    ) async throws -> PushChanges.Result? {
        try await user.call(
            PushChanges(mutations: [
                .init(
                    entity: .subscription, id: id.uuidString, op: .update, baseVersion: base,
                    madeOn: made.map { day($0) },
                    fields: fields)
            ])
        ).results.first
    }

    @Test("It is not lost because somebody looked: the period of its day begins as it says", arguments: [false, true])
    func ofFirstPeriod(_ isSeen: Bool) async throws {
        try await run(isSeen: isSeen) { _, ada, id, base in
            let result = try await correct(id, base: base, on: "2026-01-20", ada, ["startDate": "2026-01-05"])
            #expect(result?.error == nil && result?.lost.isEmpty == true, "\(String(describing: result))")
            #expect(
                try await periods(ada, id) == [
                    "2026-01-05 2026-02-05", "2026-02-05 2026-03-05", "2026-03-05 2026-04-05",
                ])
        }
    }

    @Test("Of a period that the device renewed by itself, as the service did", arguments: [false, true])
    func ofSecondPeriod(_ isSeen: Bool) async throws {
        try await run(isSeen: isSeen) { _, ada, id, base in
            let result = try await correct(id, base: base, on: "2026-02-20", ada, ["startDate": "2026-02-03"])
            #expect(result?.error == nil && result?.lost.isEmpty == true, "\(String(describing: result))")
            #expect(
                try await periods(ada, id).dropFirst() == ["2026-02-03 2026-03-03", "2026-03-03 2026-04-03"])
        }
    }

    @Test("One of another person since is kept, and told; so are dates of a period that somebody ended by hand")
    func lost() async throws {
        try await run(isSeen: true) { _, ada, id, base in
            _ = try await ada.call(UpdateSubscription(id: id, startDate: .set(day("2026-03-03"))))
            let result = try await correct(id, base: base, on: "2026-01-20", ada, ["startDate": "2026-01-05"])
            #expect(result?.lost == [LostField(field: "startDate", kept: "2026-03-03", yours: "2026-01-05")])
        }
        try await run(isSeen: true) { _, ada, id, base in
            _ = try await ada.call(RenewSubscription(id: id, period: 0, madeOn: day("2026-02-01")))
            let before = try await periods(ada, id)
            let result = try await correct(id, base: base, on: "2026-01-20", ada, ["startDate": "2026-01-05"])
            #expect(result?.error == nil && result?.lost.map(\.field) == ["startDate"], "\(String(describing: result))")
            #expect(try await periods(ada, id) == before)
        }
    }

    @Test("Without a day it is of the period that its device knew, and lost when that has ended")
    func withoutDay() async throws {
        try await run(isSeen: true) { _, ada, id, base in
            let before = try await periods(ada, id)
            let result = try await correct(id, base: base, on: nil, ada, ["startDate": "2026-01-05"])
            #expect(result?.error == nil && result?.lost.map(\.field) == ["startDate"], "\(String(describing: result))")
            #expect(try await periods(ada, id) == before)
        }
    }

    @Test("What is recorded anew costs what it did on its first day, by the prices of then", arguments: [false, true])
    func prices(_ isSeen: Bool) async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let gym = PrivatePlan(
                provider: "Gym", name: "Off-peak", fee: amount("20"), currency: "USD",
                duration: PlanDuration(value: 1, unit: .month))
            let made = try await ada.call(CreateSubscription(plan: gym, startDate: day("2026-01-01"), autoRenew: true))
            for (today, fee) in [("2026-02-10", "22.00"), ("2026-03-10", "24.00"), ("2026-04-10", "26.00")] {
                service.clock.set(today)
                if isSeen { _ = try await ada.call(GetSubscription(id: made.id)) }
                _ = try await ada.call(
                    UpdateSubscription(id: made.id, plan: .set(PrivatePlanPatch(fee: .set(amount(fee))))))
            }
            let base = made.version
            let result = try await correct(made.id, base: base, on: "2026-01-20", ada, ["startDate": "2026-01-05"])
            #expect(result?.error == nil && result?.lost.isEmpty == true, "\(String(describing: result))")
            let fees = try await ada.call(ListPeriods(id: made.id)).periods.map { "\($0.startDate) \($0.fee)" }
            #expect(fees == ["2026-01-05 20.00", "2026-02-05 20.00", "2026-03-05 22.00", "2026-04-05 24.00"])
        }
    }
}
