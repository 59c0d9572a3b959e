import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("What becomes of offline changes when others were there meanwhile", .tags(.otherServers), .ownTime)
struct PushMergeTests {
    /// Somebody's subscription, and a device's changes of it.
    private struct Owner {
        let user: TestUser
        let id: UUID
        let base: Int64

        func change(
            _ fields: [String: AnyJSON], _ op: PushChanges.Mutation.Op = .update, base: Int64?? = .none,
            after: PushChanges.Mutation? = nil
        ) -> PushChanges.Mutation {
            .init(
                entity: .subscription, id: id.uuidString, op: op, baseVersion: base ?? self.base, after: after?.key,
                fields: fields)
        }

        @discardableResult
        func push(_ mutations: PushChanges.Mutation...) async throws -> [PushChanges.Result] {
            try await user.call(PushChanges(mutations: mutations)).results
        }

        func row() async throws -> Subscription { try await user.call(GetSubscription(id: id)) }

        /// Somebody else's change: a direct operation of another device.
        func theirs(_ note: String) async throws {
            try await user.call(UpdateSubscription(id: id, note: .set(note)))
        }
    }

    /// Runs a test with a subscription from 1 January, monthly, on a plan of the catalogue or of the user's own.
    private func run(
        at time: String = "2026-01-10", own: Bool = false, autoRenew: Bool = false, alone: Bool = false,
        _ body: (TestService, Owner) async throws -> Void
    ) async throws {
        func test(_ service: TestService) async throws {
            let ada = try await service.newUser()
            let plan = PrivatePlan(
                provider: "Gym", name: "Off-peak", fee: amount("20"), currency: "USD",
                duration: PlanDuration(value: 1, unit: .month))
            let made = try await ada.call(
                own
                    ? CreateSubscription(plan: plan, startDate: day("2026-01-01"), autoRenew: autoRenew)
                    : CreateSubscription(
                        planId: try await service.addPlan(), startDate: day("2026-01-01"), autoRenew: autoRenew))
            try await body(service, Owner(user: ada, id: made.id, base: made.version))
        }
        if alone {
            try await TestService.runAlone(at: time) { try await test($0) }
        } else {
            try await TestService.run(at: time) { try await test($0) }
        }
    }

    private func lost(_ field: String, _ kept: AnyJSON, _ yours: AnyJSON) -> [LostField] {
        [LostField(field: field, kept: kept, yours: yours)]
    }

    @Test("What others wrote after an answer that was lost is not overwritten by what follows it in the outbox")
    func lostAnswer() async throws {
        try await run { _, owner in
            let first = owner.change(["note": "1"])
            try await owner.push(first)
            try await owner.theirs("theirs")
            let results = try await owner.push(first, owner.change(["note": "2"]))
            #expect(results.map(\.outcome) == [.applied, .merged])
            #expect(results[1].lost == lost("note", "theirs", "2"))
            let later = try await owner.push(owner.change(["note": "3"], after: first))
            #expect(later.first?.lost == lost("note", "theirs", "3"))
            #expect(try await owner.row().note == "theirs")
        }
    }

    @Test("A change without a base hides nothing from those that have one")
    func withoutBase() async throws {
        try await run { _, owner in
            try await owner.theirs("theirs")
            let blind = owner.change(["reminderDays": .integer(3)], base: .some(nil))
            #expect(try await owner.push(blind).first?.outcome == .applied)
            let second = try await owner.push(owner.change(["note": "mine"], after: blind))
            #expect(second.first?.lost == lost("note", "theirs", "mine"))
            let third = owner.change(["note": "blind"], base: .some(nil))
            let results = try await owner.push(
                third, owner.change(["note": "mine", "reminderDays": .integer(4)], after: blind))
            #expect(results[1].lost == lost("note", "blind", "mine"), "theirs lies below the first of the two")
            #expect(try await owner.row().reminderDays == 4)
        }
    }

    @Test("One's own earlier change, named as such, is not somebody else's, also where others changed other fields")
    func chain() async throws {
        try await run { _, owner in
            try await owner.user.call(UpdateSubscription(id: owner.id, reminderDays: .set(9)))
            var last: PushChanges.Mutation?
            // The second is refused, and the chain goes on.
            for number in 0..<4 {
                let text = number == 1 ? String(repeating: "x", count: 2000) : "\(number)"
                let change = owner.change(["note": .string(text)], after: last)
                let result = try #require(try await owner.push(change).first)
                #expect(result.outcome == (number == 1 ? .refused : .merged) && result.lost == [], "\(result)")
                last = change
            }
            #expect(try await owner.row().note == "3")
            let unlinked = try await owner.push(owner.change(["note": "4"]))
            #expect(unlinked.first?.lost == lost("note", "3", "4"))
            let intent = try await owner.push(owner.change(["reminderDays": .integer(1)], after: last))
            #expect(intent.first?.lost == lost("reminderDays", .integer(9), .integer(1)))
            // A key of nobody's.
            let stranger = owner.change(["note": "5"])
            let alone = try await owner.push(owner.change(["note": "5"], after: stranger))
            #expect(alone.first?.lost == lost("note", "3", "5"))
        }
    }

    @Test("A period that ends by itself takes no fee and no note; the dates have moved")
    func renewal() async throws {
        try await run(autoRenew: true) { service, owner in
            service.clock.set("2026-02-10")
            let results = try await owner.push(
                owner.change(["fee": "5.00", "label": "mine"]), owner.change(["startDate": "2026-01-02"]),
                owner.change(["fee": "6.00"]))
            #expect(results.map(\.outcome) == [.applied, .merged, .applied])
            #expect(results.map(\.lost) == [[], lost("startDate", "2026-02-01", "2026-01-02"), []])
            let row = try await owner.row()
            #expect(row.fee == amount("6") && row.label == "mine" && row.startDate == day("2026-02-01"))
            // It renews again while somebody reads.
            service.clock.set("2026-03-10")
            #expect(try await owner.row().period == 2)
            let later = try await owner.push(owner.change(["fee": "7"], base: row.version))
            #expect(later.first?.outcome == .applied && later.first?.lost == [])
        }
    }

    @Test("The same amount in other digits is not lost")
    func sameAmount() async throws {
        try await run { _, owner in
            try await owner.user.call(UpdateSubscription(id: owner.id, fee: .set(amount("5"))))
            let same = try await owner.push(owner.change(["fee": "5"]))
            #expect(same.first?.outcome == .merged && same.first?.lost == [])
            let other = try await owner.push(owner.change(["fee": "5.01"]))
            #expect(other.first?.lost == lost("fee", "5.00", "5.01"))
        }
    }

    @Test("A plan of one's own, changed with its subscription, merges by its own version")
    func ownPlan() async throws {
        try await run(own: true) { _, owner in
            let plan = try await owner.row().plan
            let held = try await owner.push(owner.change(["label": "x"])).first?.row?.version
            let renamed = try await owner.user.call(
                PushChanges(mutations: [
                    .init(entity: .plan, id: "\(plan.id)", op: .update, fields: ["name": "Theirs"])
                ])
            ).results.first?.row
            let mine = owner.change(["plan": .object(["name": "Mine"]), "label": "y"], base: held)
            let result = try #require(try await owner.push(mine).first)
            #expect(result.outcome == .merged && result.lost.map(\.field) == ["plan"], "\(result)")
            guard case .object(let kept)? = result.lost.first?.kept else { return }
            #expect(kept["name"] == "Theirs")
            let row = try await owner.row()
            #expect(row.plan.name == "Theirs" && row.label == "y")
            // Who knows the plan as it is says so; then one's own change counts as such.
            var knowing = owner.change(["plan": .object(["name": "Mine"])], base: held)
            knowing.planVersion = renamed?.version
            var next = owner.change(["plan": .object(["fee": "25.00"])], base: held, after: knowing)
            next.planVersion = renamed?.version
            #expect(try await owner.push(knowing).first?.lost == [])
            #expect(try await owner.push(next).first?.lost == [])
            #expect(try await owner.row().plan.name == "Mine")
        }
    }

    @Test("Of changes that are sent one by one the plan is the sender's own, also behind one that does not concern it")
    func ownPlanApart() async throws {
        try await run(own: true) { _, owner in
            let base = try await owner.row().version
            var former: PushChanges.Mutation?
            for number in 0..<3 {
                for fields: [String: AnyJSON] in [
                    ["plan": .object(["name": .string("Plan \(number)")])], ["note": .string("x\(number)")],
                ] {
                    let change = owner.change(fields, base: base, after: former)
                    let result = try #require(try await owner.push(change).first)
                    #expect(result.lost.isEmpty, "\(number): \(result.lost)")
                    former = change
                }
            }
            #expect(try await owner.row().plan.name == "Plan 2")
        }
    }

    @Test("An answer to a change of a plan of one's own has the plan, by whose version the next change is made")
    func ownPlanAnswered() async throws {
        try await run(own: true) { _, owner in
            let plan = try await owner.row().plan
            func change(_ name: String, _ version: Int64?) -> PushChanges.Mutation {
                var change = owner.change(["plan": .object(["name": .string(name)])])
                change.planVersion = version
                return change
            }
            let first = change("First", nil)
            let one = try #require(try await owner.push(first).first)
            #expect(one.plan?.id == "\(plan.id)" && one.plan?.entity == .plan && one.plan?.scope == "user")
            guard case .plan(let row)? = one.plan?.data else { throw NeverHappened(description: "a plan") }
            #expect(row.name == "First" && row.private)
            // Another request, which names no change before it.
            let two = try #require(try await owner.push(change("Second", one.plan?.version)).first)
            #expect(two.lost.isEmpty && (two.plan?.version ?? 0) > (one.plan?.version ?? 0))
            let late = try #require(try await owner.push(change("Late", one.plan?.version)).first)
            #expect(late.lost.map(\.field) == ["plan"] && late.plan?.data == two.plan?.data)
            // Given again, it is the plan as it is now.
            let again = try #require(try await owner.push(first).first)
            #expect(again.replayed && again.plan == two.plan)
            #expect(try await owner.push(owner.change(["label": "x"])).first?.plan == nil)
        }
    }

    @Test("What follows a change of the user's time zone and country goes by them")
    func movedUser() async throws {
        try await run(at: "2026-01-31T20:00:00Z") { service, owner in
            let id = UUID()
            let results = try await owner.push(
                .init(
                    entity: .me, id: owner.user.user.id.uuidString, op: .update,
                    fields: ["timeZone": "Asia/Tokyo", "country": "JP"]),
                .init(
                    entity: .subscription, id: id.uuidString, op: .create,
                    fields: [
                        "plan": .object([
                            "provider": "Gym", "name": "Day", "fee": "1000", "currency": "JPY",
                            "duration": .object(["value": .integer(1), "unit": "day"]),
                        ])
                    ]))
            #expect(results.map(\.outcome) == [.applied, .applied])
            let made = try await owner.user.call(GetSubscription(id: id))
            #expect(made.startDate == day("2026-02-01") && made.plan.country == "JP")
        }
    }

    @Test("Of the user each field merges by itself; a confirmed address changes none of them")
    func me() async throws {
        try await run { service, owner in
            let id = owner.user.user.id
            let base = try await owner.user.call(GetMe()).version
            func push(_ fields: [String: AnyJSON]) async throws -> PushChanges.Result? {
                try await owner.push(
                    .init(entity: .me, id: id.uuidString, op: .update, baseVersion: base, fields: fields)
                ).first
            }
            try await service.database.run(
                """
                INSERT INTO Account (Email, Password, User_ID)
                VALUES ('\(id)@example.org', '$x$y$z', UNHEX('\(id.uuidString.replacing("-", with: ""))'))
                """)
            #expect(try await owner.user.call(GetMe()).version > base)
            let name = try await push(["userName": "Ann"])
            #expect(name?.outcome == .applied && name?.lost == [])
            try await owner.user.call(UpdateMe(timeZone: .set("Europe/Paris")))
            let both = try await push(["timeZone": "Europe/Berlin", "country": "DE"])
            #expect(both?.lost == lost("timeZone", "Europe/Paris", "Europe/Berlin"))
            #expect(try await owner.user.call(GetMe()).country == "DE")
        }
    }

    @Test("Cancelling and resuming lose against what others decided since, unless they decided the same")
    func intent() async throws {
        try await run { _, owner in
            try await owner.user.call(UpdateSubscription(id: owner.id, reminderDays: .set(1)))
            let cancel = try await owner.push(owner.change([:], .cancel)).first
            #expect(cancel?.outcome == .merged && cancel?.lost == lost("cancelledOn", .null, "2026-01-10"))
            #expect(try await owner.row().status == .active)
            let cancelled = try await owner.user.call(CancelSubscription(id: owner.id))
            let same = try await owner.push(owner.change([:], .cancel)).first
            #expect(same?.outcome == .merged && same?.lost == [])
            let resume = try await owner.push(owner.change([:], .resume)).first
            #expect(resume?.lost == lost("cancelledOn", "2026-01-10", .null))
            #expect(try await owner.row().status == .cancelled)
            let knowing = owner.change([:], .resume, base: cancelled.version)
            let again = owner.change([:], .cancel, base: cancelled.version)
            #expect(try await owner.push(knowing, again).map(\.outcome) == [.applied, .applied])
            #expect(try await owner.row().status == .cancelled)
            // These are done in any case, and tell that somebody was there.
            try await owner.user.call(ResumeSubscription(id: owner.id))
            let renew = try await owner.push(owner.change(["period": .integer(0)], .renew)).first
            #expect(renew?.outcome == .merged && renew?.lost == [])
            let late = try await owner.push(owner.change(["startDate": "2026-01-05"])).first
            #expect(late?.lost.map(\.field) == ["startDate"])
            #expect(try await owner.push(owner.change([:], .delete)).first?.outcome == .merged)
        }
    }

    @Test("What the database fails at is not refused: it is not known, nor is what follows, until it is sent again")
    func unforeseen() async throws {
        try await run(alone: true) { service, owner in
            let create = PushChanges.Mutation(
                entity: .subscription, id: UUID().uuidString, op: .create,
                fields: [
                    "plan": .object([
                        "provider": "Gym", "name": "Day", "fee": "1.00", "currency": "USD",
                        "duration": .object(["value": .integer(1), "unit": "day"]),
                    ])
                ])
            let (first, last) = (owner.change(["label": "1"]), owner.change(["label": "2"]))
            try await service.database.run(
                "ALTER TABLE Private_provider ADD CONSTRAINT Broken CHECK (Provider <> 'Gym')")
            let results = try await owner.push(first, create, last)
            #expect(results.map(\.outcome) == [.applied, .unknown, .unknown])
            #expect(results.map { $0.error?.code } == [nil, .internalError, .internalError])
            #expect(try await owner.push(create, last).map(\.outcome) == [.unknown, .unknown])
            try await service.database.run("ALTER TABLE Private_provider DROP CONSTRAINT Broken")
            let again = try await owner.push(first, create, last)
            #expect(again.map(\.outcome) == [.applied, .applied, .applied])
            #expect(again.map(\.replayed) == [true, false, false])
        }
    }

    @Test("An answer that another version of the service has kept is given again")
    func otherVersion() async throws {
        try await run { service, owner in
            for (kept, outcome) in [
                (#"{"outcome":"applied","lost":[],"later":{"x":[1]}}"#, PushChanges.Outcome.applied),
                (#"{"outcome":"later","own":"x"}"#, .merged),
                (#"{"outcome":"refused","error":{"code":"later"},"lost":null}"#, .refused),
                (#"{"outcome":"later","error":{"code":"later"}}"#, .refused),
            ] {
                let change = owner.change(["note": .string(kept)])
                try await owner.push(change)
                try await service.database.run(
                    """
                    UPDATE Idempotency SET Answer = '\(kept)'
                    WHERE Idempotency_key = '\(change.key.uuidString.lowercased())'
                    """)
                let again = try #require(try await owner.push(change).first)
                #expect(again.replayed && again.outcome == outcome, "\(kept)")
                #expect((again.row != nil) == (outcome != .refused) && (again.error != nil) == (outcome == .refused))
            }
        }
    }
}
