import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// Late changes of a subscription that somebody has ended since: what was paid until then stays.
@Suite("Late changes after the end", .ownTime)
struct LateChangeAfterEndTests {
    private static let days = ["2026-01-01", "2026-02-01", "2026-03-01"]

    /// Runs a test with a subscription from January that renewed by itself until March, when it was ended.
    private func run(
        ending: (TestUser, UUID) async throws -> Void, _ body: (TestService, TestUser, UUID, Int64) async throws -> Void
    ) async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let made = try await ada.call(
                CreateSubscription(
                    planId: try await service.addPlan(fee: "10.00"), startDate: day("2026-01-01"), autoRenew: true))
            service.clock.set("2026-03-10")
            _ = try await ada.call(GetSubscription(id: made.id))
            try await ending(ada, made.id)
            #expect(try await starts(ada, made.id) == Self.days)
            try await body(service, ada, made.id, made.version)
        }
    }

    private func starts(_ user: TestUser, _ id: UUID) async throws -> [String] {
        try await user.call(ListPeriods(id: id)).periods.map { $0.startDate.description }
    }

    private func cancel(_ user: TestUser, _ id: UUID) async throws {
        _ = try await user.call(CancelSubscription(id: id))
    }

    private func stopRenewing(_ user: TestUser, _ id: UUID) async throws {
        _ = try await user.call(UpdateSubscription(id: id, autoRenew: .set(false)))
    }

    @Test("A late fee, a late switch and a late deletion take no period back", arguments: [true, false])
    func nothingIsTakenBack(isCancelled: Bool) async throws {
        let changes: [(PushChanges.Mutation.Op, [String: AnyJSON])] = [
            (.update, ["fee": .string("7.00")]), (.update, ["autoRenew": .bool(false)]), (.delete, [:]),
        ]
        for (op, fields) in changes {
            try await run(ending: isCancelled ? cancel : stopRenewing) { _, ada, id, base in
                _ = try await ada.call(
                    PushChanges(mutations: [
                        .init(
                            entity: .subscription, id: id.uuidString, op: op, baseVersion: base,
                            madeOn: day("2026-01-15"), fields: fields)
                    ]))
                if op == .delete { _ = try await ada.call(RestoreSubscription(id: id)) }
                #expect(try await starts(ada, id) == Self.days, "\(op) \(fields)")
            }
        }
    }

    @Test("The same by a direct request")
    func direct() async throws {
        try await run(ending: cancel) { _, ada, id, _ in
            _ = try await ada.call(
                UpdateSubscription(id: id, fee: .set(try #require(Amount("7.00"))), madeOn: day("2026-01-15")))
            #expect(try await starts(ada, id) == Self.days)
        }
    }

    @Test("Of two cancellations the earlier one counts, also where it arrives later")
    func earlierCancellation() async throws {
        try await run(ending: cancel) { _, ada, id, base in
            _ = try await ada.call(
                PushChanges(mutations: [
                    .init(
                        entity: .subscription, id: id.uuidString, op: .cancel, baseVersion: base,
                        madeOn: day("2026-01-15"))
                ]))
            #expect(try await starts(ada, id) == ["2026-01-01"])
        }
    }

    @Test("A resumption from before the cancellation is one of today, and the gap stays")
    func resumedBeforeCancelled() async throws {
        try await run(ending: cancel) { service, ada, id, _ in
            service.clock.set("2026-09-20")
            _ = try await ada.call(ResumeSubscription(id: id, madeOn: day("2026-01-15")))
            #expect(try await starts(ada, id) == Self.days + ["2026-09-20"])
        }
    }

    @Test("Renewals that are switched on again by a direct request begin today, whatever day it names")
    func switchedOn() async throws {
        try await run(ending: stopRenewing) { service, ada, id, _ in
            service.clock.set("2026-09-20")
            _ = try await ada.call(UpdateSubscription(id: id, autoRenew: .set(true), madeOn: day("2026-01-15")))
            #expect(try await starts(ada, id) == Self.days + ["2026-09-20"])
        }
    }
}
