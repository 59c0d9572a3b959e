import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// Changes that arrive long after they were made, when periods have renewed by themselves meanwhile.
@Suite("Changes that arrive late", .ownTime)
struct LateChangeTests {
    /// A subscription from 1 January, monthly, that renews by itself, and the version of it that a device held then.
    private struct Late {
        let service: TestService
        let user: TestUser
        let id: UUID
        let base: Int64

        func change(
            _ op: PushChanges.Mutation.Op, on made: String, _ fields: [String: AnyJSON] = [:], base: Int64?? = .none
        ) -> PushChanges.Mutation {
            .init(
                entity: .subscription, id: id.uuidString, op: op, baseVersion: base ?? self.base, madeOn: day(made),
                fields: fields)
        }

        @discardableResult
        func push(_ mutations: PushChanges.Mutation...) async throws -> [PushChanges.Result] {
            try await user.call(PushChanges(mutations: mutations)).results
        }

        func row() async throws -> Subscription { try await user.call(GetSubscription(id: id)) }

        /// The first and last days of all periods.
        func periods() async throws -> [String] {
            try await user.call(ListPeriods(id: id)).periods.map { "\($0.startDate) \($0.endDate) \($0.fee)" }
        }
    }

    private static let january = "2026-01-01 2026-02-01 10.00"
    private static let february = "2026-02-01 2026-03-01 10.00"
    private static let march = "2026-03-01 2026-04-01 10.00"

    /// Runs a test on the day on which the changes arrive, in March.
    /// - Parameter isSeen: whether somebody has looked before, so that the renewals are recorded.
    private func run(isSeen: Bool, _ body: (Late) async throws -> Void) async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let made = try await ada.call(
                CreateSubscription(
                    planId: try await service.addPlan(fee: "10.00"), startDate: day("2026-01-01"), autoRenew: true))
            service.clock.set("2026-02-10")
            if isSeen { _ = try await ada.call(PullChanges(scopes: .user)) }
            service.clock.set("2026-03-10")
            if isSeen { _ = try await ada.call(GetSubscription(id: made.id)) }
            try await body(Late(service: service, user: ada, id: made.id, base: made.version))
        }
    }

    @Test("Cancelled before a renewal: it ran out then, whoever looked meanwhile", arguments: [false, true])
    func cancelled(_ isSeen: Bool) async throws {
        try await run(isSeen: isSeen) { late in
            var copy = SyncCopy()
            try await copy.pull(late.user)
            #expect(copy.data(.period).count == 2)
            let result = try #require(try await late.push(late.change(.cancel, on: "2026-01-20")).first)
            #expect(result.lost.isEmpty && result.error == nil)
            #expect(try await late.periods() == [Self.january])
            #expect(try await late.row().status == .ended)
            guard case .subscription(let stored)? = result.row?.data else { return }
            #expect(stored.cancelledOn == day("2026-01-20") && stored.period == 0)
            // Who has pulled meanwhile is told that the periods are gone.
            try await copy.pull(late.user)
            #expect(copy.data(.period).isEmpty)
            var fresh = SyncCopy()
            try await fresh.pull(late.user)
            // The catalogue is other tests' as well.
            #expect(copy.differences(from: fresh).filter { !$0.hasPrefix("catalogue/") } == [])
        }
    }

    @Test("Cancelled between two renewals, or on the day of one", arguments: [false, true])
    func cancelledBetween(_ isSeen: Bool) async throws {
        try await run(isSeen: isSeen) { late in
            try await late.push(late.change(.cancel, on: "2026-02-01"))
            #expect(try await late.periods() == [Self.january, Self.february])
        }
    }

    @Test("A day to come is today; one from before the period that was known begins no earlier than that")
    func days() async throws {
        try await run(isSeen: true) { late in
            // The device had pulled in March, and its clock is wrong.
            let known = try await late.row().version
            let result = try await late.push(late.change(.cancel, on: "2026-01-20", base: known)).first
            #expect(try await late.periods() == [Self.january, Self.february, Self.march])
            guard case .subscription(let stored)? = result?.row?.data else { return }
            #expect(stored.cancelledOn == day("2026-03-01"))
        }
        try await run(isSeen: true) { late in
            let result = try await late.push(late.change(.cancel, on: "2026-09-20")).first
            guard case .subscription(let stored)? = result?.row?.data else { return }
            #expect(stored.cancelledOn == day("2026-03-10"))
            #expect(try await late.periods() == [Self.january, Self.february, Self.march])
        }
    }

    @Test("Without a day it is made when it comes, as by older clients")
    func withoutDay() async throws {
        try await run(isSeen: false) { late in
            var change = late.change(.cancel, on: "2026-01-20")
            change.madeOn = nil
            try await late.push(change)
            #expect(try await late.periods() == [Self.january, Self.february, Self.march])
        }
    }

    @Test("It was said before that it does not renew by itself", arguments: [false, true])
    func switchedOff(_ isSeen: Bool) async throws {
        try await run(isSeen: isSeen) { late in
            try await late.push(late.change(.update, on: "2026-01-20", ["autoRenew": false]))
            #expect(try await late.periods() == [Self.january])
            #expect(try await late.row().status == .active)
        }
    }

    @Test("Another plan or fee holds from the period in which it was said", arguments: [false, true])
    func otherTerms(_ isSeen: Bool) async throws {
        try await run(isSeen: isSeen) { late in
            try await late.push(late.change(.update, on: "2026-02-20", ["fee": "7.00"]))
            #expect(
                try await late.periods() == [
                    Self.january, "2026-02-01 2026-03-01 7.00", "2026-03-01 2026-04-01 7.00",
                ])
            let yearly = try await late.service.addPlan(fee: "99.00", duration: "1 year")
            try await late.push(
                late.change(.update, on: "2026-01-20", ["planId": .integer(yearly), "fee": .null], base: .some(nil)))
            // The fee was a person's word of February's period: it stays, and only what came after it is another.
            #expect(try await late.periods() == [Self.january, "2026-02-01 2027-02-01 99.00"])
        }
        try await run(isSeen: isSeen) { late in
            let yearly = try await late.service.addPlan(fee: "99.00", duration: "1 year")
            try await late.push(late.change(.update, on: "2026-01-20", ["planId": .integer(yearly)]))
            #expect(try await late.periods() == ["2026-01-01 2027-01-01 99.00"])
        }
    }

    @Test("Deleted and restored before a renewal: as if nothing had been", arguments: [false, true])
    func deleted(_ isSeen: Bool) async throws {
        try await run(isSeen: isSeen) { late in
            try await late.push(late.change(.delete, on: "2026-01-20"), late.change(.restore, on: "2026-01-25"))
            #expect(try await late.periods() == [Self.january, Self.february, Self.march])
        }
        try await run(isSeen: isSeen) { late in
            try await late.push(late.change(.delete, on: "2026-01-20"), late.change(.restore, on: "2026-02-25"))
            #expect(try await late.periods() == [Self.january, "2026-02-25 2026-03-25 10.00"])
        }
    }

    @Test(
        "A deletion that arrives behind another device's restore is done whatever its day, and loses nothing for good")
    func deletedAfterRestore() async throws {
        try await run(isSeen: true) { late in
            try await late.push(late.change(.delete, on: "2026-01-15"), late.change(.restore, on: "2026-01-25"))
            let before = try await late.periods()
            let result = try await late.push(late.change(.delete, on: "2026-01-20")).first
            #expect(result?.error == nil && result?.row?.data == nil)
            // Nothing ended between the days: it is as if it had never been deleted.
            try await late.push(late.change(.restore, on: "2026-01-26"))
            #expect(try await late.periods() == before)
        }
    }

    @Test("A restoration from before another device's deletion invents no period of the time in which it was deleted")
    func restoredBeforeDeletion() async throws {
        // The database's clock says for how long it can be restored.
        let now = try await DatabaseDay.now()
        let today = now.date(secondsFromUTC: 0)
        try await TestService.run(at: now.description) { service in
            let ada = try await service.newUser()
            let made = try await ada.call(
                CreateSubscription(
                    planId: try await service.addPlan(duration: "7 day"), startDate: today.adding(days: -30)))
            _ = try await service.database.run(
                """
                UPDATE Subscription SET Auto_renew = TRUE, Ver = 0 WHERE Subscription_ID = \(hex(made.id));
                UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() - INTERVAL 25 DAY
                WHERE Subscription_ID = \(hex(made.id))
                """)
            let restore = PushChanges.Mutation(
                entity: .subscription, id: made.id.uuidString, op: .restore, madeOn: today.adding(days: -28))
            let restored = try await ada.call(PushChanges(mutations: [restore])).results
            #expect(restored.map(\.outcome) == [.applied])
            let starts = try await ada.call(ListPeriods(id: made.id)).periods.map(\.startDate)
            #expect(starts == [today.adding(days: -30), today])
        }
    }

    @Test("Cancelled and resumed offline, before the end and after it", arguments: [false, true])
    func resumed(_ isSeen: Bool) async throws {
        try await run(isSeen: isSeen) { late in
            try await late.push(late.change(.cancel, on: "2026-01-20"), late.change(.resume, on: "2026-01-25"))
            #expect(try await late.periods() == [Self.january, Self.february, Self.march])
        }
        try await run(isSeen: isSeen) { late in
            try await late.push(late.change(.cancel, on: "2026-01-20"), late.change(.resume, on: "2026-02-05"))
            #expect(
                try await late.periods() == [
                    Self.january, "2026-02-05 2026-03-05 10.00", "2026-03-05 2026-04-05 10.00",
                ])
        }
    }

    @Test("What somebody renewed by hand is not taken back, also where it had renewed by itself already")
    func renewedByHand() async throws {
        try await run(isSeen: true) { late in
            // Another device says of the first period that it was renewed: that was so already, and is confirmed.
            try await late.push(late.change(.renew, on: "2026-02-01", ["period": .integer(0)]))
            let result = try await late.push(late.change(.cancel, on: "2026-01-20")).first
            #expect(try await late.periods() == [Self.january, Self.february])
            guard case .subscription(let stored)? = result?.row?.data else { return }
            #expect(stored.cancelledOn == day("2026-02-01"))
        }
        try await run(isSeen: true) { late in
            try await late.push(late.change(.renew, on: "2026-03-10", ["period": .integer(2)]))
            try await late.push(late.change(.cancel, on: "2026-01-20"))
            #expect(try await late.periods().count == 4)
            #expect(try await late.row().status == .cancelled)
        }
        // A renewal of what was taken back is refused, and told.
        try await run(isSeen: true) { late in
            try await late.push(late.change(.cancel, on: "2026-01-20"))
            let refused = try await late.push(late.change(.renew, on: "2026-02-20", ["period": .integer(1)])).first
            #expect(refused?.outcome == .refused)
        }
    }

    @Test("Others decided since: it is lost and told, and the periods are what they were", arguments: [false, true])
    func lost(_ isSeen: Bool) async throws {
        try await run(isSeen: isSeen) { late in
            try await late.user.call(UpdateSubscription(id: late.id, reminderDays: .set(5)))
            let result = try await late.push(late.change(.cancel, on: "2026-01-20")).first
            #expect(result?.lost == [LostField(field: "cancelledOn", kept: .null, yours: "2026-01-20")])
            #expect(try await late.periods() == [Self.january, Self.february, Self.march])
        }
    }

    @Test("Sent again, it is answered again and nothing is taken back twice")
    func replayed() async throws {
        try await run(isSeen: true) { late in
            let cancel = late.change(.cancel, on: "2026-01-20")
            try await late.push(cancel)
            try await late.user.call(ResumeSubscription(id: late.id))
            let periods = try await late.periods()
            #expect(periods == [Self.january, "2026-03-10 2026-04-10 10.00"])
            var again = cancel
            // A kit that says no day was followed by one that does.
            again.madeOn = nil
            #expect(try await late.push(again).first?.replayed == true)
            #expect(try await late.periods() == periods)
        }
    }

    @Test("Direct operations take the day as well")
    func direct() async throws {
        try await run(isSeen: true) { late in
            let cancelled = try await late.user.call(CancelSubscription(id: late.id, madeOn: day("2026-02-10")))
            #expect(cancelled.period == 1 && cancelled.status == .ended)
            #expect(try await late.periods() == [Self.january, Self.february])
            let resumed = try await late.user.call(ResumeSubscription(id: late.id, madeOn: day("2026-03-02")))
            #expect(resumed.startDate == day("2026-03-02") && resumed.period == 2)
            let problem = try await late.user.client.send(
                "POST", "/v1/subscriptions/\(late.id)/cancel", json: #"{"madeOn":"2026-02-30"}"#)
            #expect(problem.status == 400)
            let inside = try await late.push(late.change(.cancel, on: "2026-03-03", ["madeOn": "2026-03-03"])).first
            #expect(inside?.error?.errors?.map(\.field) == ["madeOn"])
        }
    }

    @Test("A plan of one's own that lasts longer from a day on: what renewed after it did so by that")
    func ownPlan() async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let gym = PrivatePlan(
                provider: "Gym", name: "Off-peak", fee: amount("20"), currency: "USD",
                duration: PlanDuration(value: 1, unit: .month))
            let one = try await ada.call(CreateSubscription(plan: gym, startDate: day("2026-01-01"), autoRenew: true))
            let other = try await ada.call(
                CreateSubscription(planId: one.plan.id, startDate: day("2026-01-05"), autoRenew: true))
            service.clock.set("2026-05-10")
            _ = try await ada.call(PullChanges(scopes: .user))
            let change = PushChanges.Mutation(
                entity: .subscription, id: one.id.uuidString, op: .update, baseVersion: one.version,
                madeOn: day("2026-01-20"),
                fields: [
                    "plan": .object(["duration": .object(["value": .integer(1), "unit": "year"]), "fee": "200.00"])
                ])
            let result = try #require(try await ada.call(PushChanges(mutations: [change])).results.first)
            #expect(result.error == nil && result.lost.isEmpty)
            for (id, first) in [(one.id, "01"), (other.id, "05")] {
                let periods = try await ada.call(ListPeriods(id: id)).periods.map {
                    "\($0.startDate) \($0.endDate) \($0.fee)"
                }
                #expect(
                    periods == ["2026-01-\(first) 2026-02-\(first) 20.00", "2026-02-\(first) 2027-02-\(first) 200.00"])
            }

        }
    }
}
