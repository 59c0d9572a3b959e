import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// What goes on after it had ended begins a period then: nobody paid for the time between.
@Suite("Going on after the end", .ownTime)
struct GoingOnTests {
    /// The first and last days of all periods.
    private func periods(_ user: TestUser, _ id: UUID) async throws -> [String] {
        try await user.call(ListPeriods(id: id)).periods.map { "\($0.number) \($0.startDate) \($0.endDate) \($0.fee)" }
    }

    @Test("Resumed nine months after its end, it has two periods, and not eleven")
    func resumed() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10.00")
            for autoRenew in [true, false] {
                service.clock.set("2026-01-31")
                let made = try await ada.call(CreateSubscription(planId: plan, autoRenew: autoRenew))
                try await ada.call(CancelSubscription(id: made.id))
                service.clock.set("2026-11-20")
                let resumed = try await ada.call(ResumeSubscription(id: made.id))
                #expect(resumed.status == .active && resumed.period == 1 && resumed.startDate == day("2026-11-20"))
                let expected = ["0 2026-01-31 2026-02-28 10.00", "1 2026-11-20 2026-12-20 10.00"]
                #expect(try await periods(ada, made.id) == expected)
                // It stays so whoever looks, and renews by itself from there.
                _ = try await ada.call(PullChanges(scopes: .user))
                _ = try await ada.call(GetDashboard())
                #expect(try await periods(ada, made.id) == expected)
                service.clock.set("2026-12-20")
                #expect(try await periods(ada, made.id).count == (autoRenew ? 3 : 2))
            }
        }
    }

    @Test("Resumed before its end, or on that very day, it goes on where it was")
    func resumedInTime() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10.00")
            for today in ["2026-02-10", "2026-02-28"] {
                service.clock.set("2026-01-31")
                let made = try await ada.call(CreateSubscription(planId: plan, autoRenew: true))
                try await ada.call(CancelSubscription(id: made.id))
                service.clock.set(today)
                try await ada.call(ResumeSubscription(id: made.id))
                service.clock.set("2026-03-30")
                #expect(
                    try await periods(ada, made.id) == [
                        "0 2026-01-31 2026-02-28 10.00", "1 2026-02-28 2026-03-31 10.00",
                    ])
            }
        }
    }

    @Test("A trial that ended and is resumed is no trial any more")
    func resumedTrial() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10.00", trialDays: 7)
            let made = try await ada.call(CreateSubscription(planId: plan, freeTrial: true))
            try await ada.call(CancelSubscription(id: made.id))
            service.clock.set("2026-06-01")
            let resumed = try await ada.call(ResumeSubscription(id: made.id))
            #expect(!resumed.freeTrial && resumed.fee == amount("10.00") && resumed.endDate == day("2026-07-01"))
        }
    }

    @Test("Restored, what renews by itself does so from then on; what does not comes back as it was")
    func restored() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10.00")
            func deleted(autoRenew: Bool, cancelled: Bool = false) async throws -> UUID {
                service.clock.set("2026-01-31")
                let made = try await ada.call(CreateSubscription(planId: plan, autoRenew: autoRenew))
                if cancelled { try await ada.call(CancelSubscription(id: made.id)) }
                try await ada.call(DeleteSubscription(id: made.id))
                service.clock.set("2026-06-15")
                return made.id
            }
            let first = "0 2026-01-31 2026-02-28 10.00"
            let renewing = try await deleted(autoRenew: true)
            let restored = try await ada.call(RestoreSubscription(id: renewing))
            #expect(restored.period == 1 && restored.startDate == day("2026-06-15"))
            #expect(try await periods(ada, renewing) == [first, "1 2026-06-15 2026-07-15 10.00"])
            #expect(try await ada.call(RestoreSubscription(id: renewing)) == restored, "it is there already")
            let byHand = try await deleted(autoRenew: false)
            #expect(try await ada.call(RestoreSubscription(id: byHand)).status == .active)
            #expect(try await periods(ada, byHand) == [first])
            let cancelled = try await deleted(autoRenew: true, cancelled: true)
            #expect(try await ada.call(RestoreSubscription(id: cancelled)).status == .ended)
            #expect(try await periods(ada, cancelled) == [first])
            // Back within its period: nothing has happened.
            let soon = try await deleted(autoRenew: true)
            service.clock.set("2026-02-27")
            #expect(try await ada.call(RestoreSubscription(id: soon)).startDate == day("2026-01-31"))
        }
    }

    @Test("What an admin types comes to the same, on the day of the database")
    func byAdmin() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10.00")
            let made = try await ada.call(CreateSubscription(planId: plan, autoRenew: true))
            try await ada.call(CancelSubscription(id: made.id))
            let hex = made.id.uuidString.replacing("-", with: "")
            service.clock.set("2026-06-15")
            try await service.database.run(
                """
                SET timestamp = UNIX_TIMESTAMP('2026-06-15 12:00:00');
                UPDATE Subscription SET Cancelled_on = NULL WHERE Subscription_ID = UNHEX('\(hex)')
                """)
            #expect(
                try await periods(ada, made.id) == ["0 2026-01-31 2026-02-28 10.00", "1 2026-06-15 2026-07-15 10.00"])
        }
    }
}
