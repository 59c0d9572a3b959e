import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// A few requests make a bounded number of rows, whatever they ask for.
@Suite("How many rows a user may have", .ownTime)
struct StorageLimitTests {
    @Test("The limits, unless told otherwise")
    func standard() {
        let limits = UserLimits()
        #expect(
            limits.periods == 50_000 && limits.keptSubscriptions == 20_000 && limits.prices == 50_000
                && limits.pricesOfPlan == 1_000)
        #expect(limits.tombstones == 20_000 && limits.keptAnswers == 20_000 && limits.keptAnswerBytes == 16 << 20)
        #expect(limits.writesPerHour == 15_000 && limits.networkWritesPerHour == 150_000)
    }

    @Test("Subscriptions that began long ago make no more periods than there may be; deleted ones count")
    func periods() async throws {
        try await TestService.run(at: "2026-01-31", configure: { $0.limits.periods = 10 }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: "1 day")
            func create(_ days: Int) -> CreateSubscription {
                CreateSubscription(planId: plan, startDate: day("2026-01-31").adding(days: -days), autoRenew: true)
            }
            func recorded() async throws -> Int {
                try await service.number(
                    """
                    SELECT COUNT(*) FROM Subscription_period p JOIN Subscription s USING (Subscription_ID)
                    WHERE s.User_ID = \(hex(ada.user.id))
                    """)
            }
            let first = try await ada.call(create(7))
            #expect(first.period == 7)
            let refused = try await ada.refusal(of: create(4))
            #expect(refused.status == 413 && refused.code == .tooMany, "\(refused)")
            // Each for itself: what fits is done, whatever came before it.
            let results = try await ada.call(
                PushChanges(
                    mutations: (1...6).map { days in
                        .init(
                            entity: .subscription, id: UUID().uuidString, op: .create,
                            fields: [
                                "planId": .integer(plan), "autoRenew": .bool(true),
                                "startDate": .string(day("2026-01-31").adding(days: days - 7).description),
                            ])
                    })
            ).results
            // Six to one periods behind: of these three fit.
            #expect(
                results.map { $0.error?.code } == [.tooMany, .tooMany, .tooMany, nil, .tooMany, .tooMany], "\(results)")
            #expect(try await recorded() == 10)
            try await ada.call(DeleteSubscription(id: first.id))
            #expect(try await ada.refusal(of: create(1)).code == .tooMany)
            // One without history is none of them.
            try await ada.call(create(0))
            #expect(try await recorded() == 10)
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 2)
        }
    }

    @Test("A renewal, a correction and a resumption are refused where there is no room; what makes no period is not")
    func changes() async throws {
        try await TestService.run(at: "2026-01-31", configure: { $0.limits.periods = 2 }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "1.00")
            let other = try await service.addPlan(fee: "2.00")
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-01")))
            for _ in 0..<2 { try await ada.call(RenewSubscription(id: made.id)) }
            let renewal = try await ada.refusal(of: RenewSubscription(id: made.id))
            #expect(renewal.status == 413 && renewal.code == .tooMany)
            // A start behind the end would leave a period behind.
            let jump = try await ada.refusal(
                of: UpdateSubscription(id: made.id, startDate: .set(day("2026-06-01"))))
            #expect(jump.code == .tooMany)
            let kept = try await ada.call(GetSubscription(id: made.id))
            #expect(kept.period == 2 && kept.startDate == day("2026-03-01"))
            let corrected = try await ada.call(
                UpdateSubscription(id: made.id, startDate: .set(day("2026-03-03"))))
            #expect(corrected.period == 2 && corrected.startDate == day("2026-03-03"))
            for number in 0..<6 {
                let changed = try await ada.call(
                    UpdateSubscription(id: made.id, planId: .set(number % 2 == 0 ? other : plan)))
                #expect(changed.period == 2)
            }
            // To renew by itself from long ago on is the same as to begin so.
            let old = try await ada.call(CreateSubscription(planId: plan, startDate: day("2025-01-01")))
            let resumed = try await ada.refusal(of: UpdateSubscription(id: old.id, autoRenew: .set(true)))
            #expect(resumed.code == .tooMany)
            #expect(
                try await service.number(
                    "SELECT COUNT(*) FROM Subscription_period WHERE Subscription_ID IN (\(hex(made.id)), \(hex(old.id)))"
                ) == 2)
        }
    }

    @Test(
        "What renews by itself stops where there is no room: nothing is skipped or made up, all can be read, it goes on later"
    )
    func automaticRenewal() async throws {
        try await TestService.run(at: "2026-01-31", configure: { $0.limits.periods = 12 }) { service in
            let ada = try await service.newUser()
            let daily = try await service.addPlan(fee: "1.00", duration: "1 day")
            let old = try await ada.call(
                CreateSubscription(planId: daily, startDate: day("2026-01-24"), autoRenew: true))
            let stopped = try await ada.call(CancelSubscription(id: old.id))
            #expect(stopped.period == 7)
            let made = try await ada.call(CreateSubscription(planId: daily, autoRenew: true))
            service.clock.set("2026-02-10")
            for _ in 0..<3 {
                let row = try #require(
                    try await ada.call(ListSubscriptions()).subscriptions.first { $0.id == made.id })
                #expect(row.period == 5 && row.startDate == day("2026-02-05") && row.endDate == day("2026-02-06"))
                // It says so: a subscription that should have renewed is overdue.
                #expect(try await ada.call(GetDashboard()).overdue.map(\.id) == [made.id])
                #expect(try await ada.call(GetSubscription(id: made.id)) == row)
                var copy = SyncCopy()
                try await copy.pull(ada)
                #expect(copy.data(.period).count == 12)
                #expect(try await ada.call(ExportMe()).subscriptions.map(\.periods.count).sorted() == [5, 7])
            }
            let periods = try await ada.call(ListPeriods(id: made.id)).periods
            #expect(periods.map(\.number) == Array(0...5))
            #expect(periods.map(\.startDate) == (0...5).map { day("2026-01-31").adding(days: $0) })
            #expect(try await ada.refusal(of: RenewSubscription(id: made.id)).code == .tooMany)
            // It can still be changed, and ended.
            try await ada.call(UpdateSubscription(id: made.id, note: .set("still mine")))
            // What is deleted for good makes room: the gap is filled day by day.
            _ = try await service.database.run("DELETE FROM Subscription WHERE Subscription_ID = \(hex(old.id))")
            let now = try await ada.call(GetSubscription(id: made.id))
            #expect(now.period == 10 && now.startDate == day("2026-02-10"))
            #expect(try await ada.call(ListPeriods(id: made.id)).periods.map(\.number) == Array(0...10))
            service.clock.set("2026-02-20")
            #expect(try await ada.call(ListSubscriptions()).subscriptions.map(\.period) == [12])
        }
    }

    @Test("Many that renew by themselves share the room that is left, and none goes beyond it")
    func manyRenewals() async throws {
        try await TestService.run(at: "2026-01-31", configure: { $0.limits.periods = 25 }) { service in
            let ada = try await service.newUser()
            let daily = try await service.addPlan(duration: "1 day")
            let monthly = try await service.addPlan(duration: "1 month")
            for plan in [daily, daily, monthly, monthly] {
                try await ada.call(CreateSubscription(planId: plan, autoRenew: true))
            }
            service.clock.set("2026-03-31")
            let list = try await ada.call(ListSubscriptions()).subscriptions
            #expect(list.reduce(0) { $0 + $1.period } == 25, "\(list.map(\.period))")
            #expect(
                try await service.number(
                    "SELECT COUNT(*) FROM Subscription_period p JOIN Subscription s USING (Subscription_ID) WHERE s.User_ID = \(hex(ada.user.id))"
                ) == 25)
        }
    }

    @Test("Who adds and deletes in a loop meets a limit, and keeps what there is")
    func deletedSubscriptions() async throws {
        try await TestService.run(configure: {
            $0.limits.subscriptions = 2
            $0.limits.keptSubscriptions = 4
        }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            var ids: [UUID] = []
            for _ in 0..<4 {
                ids.append(try await ada.call(CreateSubscription(planId: plan)).id)
                try await ada.call(DeleteSubscription(id: ids[ids.count - 1]))
            }
            for autoRenew in [false, true] {
                // With and without a look at the plan before.
                let refused = try await ada.refusal(of: CreateSubscription(planId: plan, autoRenew: autoRenew))
                #expect(refused.status == 413 && refused.code == .tooMany)
            }
            // What is there can be restored: that makes no row.
            try await ada.call(RestoreSubscription(id: ids[3]))
            #expect(try await ada.call(ListSubscriptions()).subscriptions.map(\.id) == [ids[3]])
            #expect(
                try await service.number("SELECT COUNT(*) FROM Subscription WHERE User_ID = \(hex(ada.user.id))") == 4)
        }
    }

    @Test("Tombstones of a user are bounded: the oldest give way, and who has not pulled since starts over")
    func tombstones() async throws {
        try await TestService.run(configure: { $0.limits.tombstones = 10 }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let other = try await ada.call(CreateSubscription(planId: plan))
            var (old, recent) = (SyncCopy(), SyncCopy())
            try await old.pull(ada)
            for number in 0..<40 {
                if number == 38 { try await recent.pull(ada) }
                try await ada.call(DeleteSubscription(id: made.id))
                try await ada.call(RestoreSubscription(id: made.id))
            }
            try await ada.call(DeleteSubscription(id: other.id))
            let count = try await service.number(
                "SELECT COUNT(*) FROM Tombstone WHERE Scope_ID = \(hex(ada.user.id))")
            #expect((1...10).contains(count), "\(count)")
            try await recent.pull(ada)
            try await old.pull(ada)
            #expect(recent.resyncs.isEmpty && old.resyncs == [.floor])
            #expect(old.data(.subscription).count == 1 && old.data(.subscription) == recent.data(.subscription))
        }
    }

    @Test("What late changes take back leaves no more tombstones than there may be")
    func takenBack() async throws {
        try await TestService.run(at: "2026-01-01", configure: { $0.limits.tombstones = 10 }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: "1 day")
            var ids: [UUID] = []
            for _ in 0..<3 { ids.append(try await ada.call(CreateSubscription(planId: plan, autoRenew: true)).id) }
            service.clock.set("2026-01-25")
            for id in ids {
                _ = try await ada.call(ListSubscriptions())
                let stopped = try await ada.call(
                    UpdateSubscription(id: id, autoRenew: .set(false), madeOn: day("2026-01-02")))
                #expect(stopped.period == 1)
                let count = try await service.number(
                    "SELECT COUNT(*) FROM Tombstone WHERE Scope_ID = \(hex(ada.user.id))")
                #expect((1...10).contains(count), "\(count)")
            }
            let floor = try await service.number("SELECT Floor_ver FROM Scope WHERE Scope_ID = \(hex(ada.user.id))")
            #expect(floor > 0)
        }
    }

    @Test("Former prices of a user's own plans are bounded, of one and of all", arguments: [false, true])
    func prices(ofOne: Bool) async throws {
        try await TestService.run(
            at: "2026-01-31",
            configure: { if ofOne { $0.limits.pricesOfPlan = 3 } else { $0.limits.prices = 3 } }
        ) { service in
            let ada = try await service.newUser()
            let made = try await ada.call(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym", name: "Off-peak", fee: amount("10"), currency: "USD",
                        duration: .init(value: 1, unit: .month))))
            var refused: [ErrorCode] = []
            for number in 1...5 {
                service.clock.advance(days: 1)
                var patch = PrivatePlanPatch()
                patch.fee = .set(amount("1\(number)"))
                var change = UpdateSubscription(id: made.id)
                change.plan = .set(patch)
                do { try await ada.call(change) } catch let problem as Problem { refused.append(problem.code) }
            }
            #expect(refused == [.tooMany, .tooMany])
            #expect(try await service.number("SELECT COUNT(*) FROM Plan_price WHERE Plan_ID = \(made.plan.id)") == 3)
        }
    }

    @Test(
        "Answers that are kept for keys are bounded by count: the oldest are forgotten, and the newest are given again")
    func keptAnswers() async throws {
        try await TestService.run(configure: { $0.limits.keptAnswers = 30 }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            func note(_ number: Int) async throws -> Subscription {
                try await ada.call(
                    UpdateSubscription(id: made.id, note: .set("n\(number)")),
                    headers: [("Idempotency-Key", "key-\(number)")])
            }
            var last = made
            for number in 0..<205 { last = try await note(number) }
            let count = try await service.number("SELECT COUNT(*) FROM Idempotency WHERE User_ID = \(hex(ada.user.id))")
            #expect((20...130).contains(count), "\(count)")
            #expect(try await note(204) == last)
            // What is forgotten is done again.
            #expect(try await note(0).version > last.version)
        }
    }

    @Test("Answers that are kept for keys are bounded by size")
    func keptAnswerBytes() async throws {
        try await TestService.run(configure: { $0.limits.keptAnswerBytes = 100_000 }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            try await service.fill(
                ada.user.id, .init(subscriptions: 0, periods: 0, plans: 0, deleted: 0, answers: 1000), plan: plan)
            try await ada.call(CreateSubscription(planId: plan), headers: [("Idempotency-Key", "new")])
            let bytes = try await service.number(
                "SELECT SUM(LENGTH(Answer)) FROM Idempotency WHERE User_ID = \(hex(ada.user.id))")
            #expect((50_000...110_000).contains(bytes), "\(bytes)")
            // The oldest have the highest numbers.
            let kept = try await service.number(
                """
                SELECT MAX(CAST(SUBSTRING(Idempotency_key, 2) AS UNSIGNED)) FROM Idempotency
                WHERE User_ID = \(hex(ada.user.id)) AND Idempotency_key LIKE 'k%'
                """)
            #expect((90...210).contains(kept), "\(kept)")
            #expect(
                try await service.number(
                    "SELECT COUNT(*) FROM Idempotency WHERE User_ID = \(hex(ada.user.id)) AND Idempotency_key = 'new'")
                    == 1)
        }
    }

    @Test("Two users who together have more ended periods than there may be are not merged, and both keep all")
    func merge() async throws {
        try await TestService.run(at: "2026-01-31", configure: { $0.limits.periods = 10 }) { service in
            let daily = try await service.addPlan(duration: "1 day")
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let phone = try await service.newUser()
            for (user, start) in [(ada, "2026-01-24"), (phone, "2026-01-25")] {
                try await user.call(
                    CreateSubscription(planId: daily, startDate: day(start), autoRenew: true, note: start))
            }
            let refused = try await phone.refusal(of: CreateSession(email: email, password: goodPassword))
            #expect(refused.status == 413 && refused.code == .tooMany, "\(refused)")
            #expect(try await phone.call(ListSubscriptions()).subscriptions.map(\.period) == [6])
            #expect(try await ada.call(ListSubscriptions()).subscriptions.map(\.period) == [7])
        }
    }
}
