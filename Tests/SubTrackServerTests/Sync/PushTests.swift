import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Somebody's subscription, and what clients say of it.
private struct Pushed {
    let user: TestUser
    let id: UUID

    func mutation(
        _ op: PushChanges.Mutation.Op, base: Int64? = nil, _ fields: [String: AnyJSON]? = nil, key: UUID = UUID()
    ) -> PushChanges.Mutation {
        .init(key: key, entity: .subscription, id: id.uuidString, op: op, baseVersion: base, fields: fields)
    }

    func push(_ mutations: PushChanges.Mutation...) async throws -> [PushChanges.Result] {
        try await user.call(PushChanges(mutations: mutations)).results
    }

    func row() async throws -> Subscription { try await user.call(GetSubscription(id: id)) }
}

extension TestUser {
    /// Pushes one change.
    fileprivate func push(_ mutation: PushChanges.Mutation) async throws -> PushChanges.Result {
        try #require(try await call(PushChanges(mutations: [mutation])).results.first)
    }
}

@Suite("Push", .tags(.otherServers, .everyServer), .ownTime)
struct PushTests {
    /// Runs a test with a subscription from 1 January, monthly.
    private func run(
        at time: String = "2026-01-10", _ body: (TestService, Pushed) async throws -> Void
    ) async throws {
        try await TestService.run(at: time) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-01")))
            try await body(service, Pushed(user: ada, id: made.id))
        }
    }

    @Test("All kinds of changes of a subscription, in order; the rows in the answers are what a pull brings")
    func kinds() async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let pushed = Pushed(user: ada, id: UUID())
            let results = try await pushed.push(
                pushed.mutation(
                    .create,
                    ["planId": .integer(plan), "startDate": "2026-01-01", "label": "mine", "autoRenew": false]),
                pushed.mutation(.update, ["note": "a", "reminderDays": .integer(3)]),
                pushed.mutation(.renew, ["period": .integer(0)]), pushed.mutation(.cancel),
                pushed.mutation(.resume), pushed.mutation(.delete), pushed.mutation(.restore),
                pushed.mutation(.update, ["note": .null]))
            #expect(results.map(\.outcome) == Array(repeating: .applied, count: 8), "\(results)")
            #expect(results.allSatisfy { !$0.replayed && $0.lost.isEmpty && $0.error == nil })
            #expect(results.map { $0.row?.deleted } == [false, false, false, false, false, true, false, false])
            var copy = SyncCopy()
            try await copy.pull(ada)
            let row = try #require(copy.data(.subscription)[pushed.id.uuidString.lowercased()])
            #expect(results.last?.row?.data == row)
            guard case .subscription(let stored) = row else { return }
            #expect(stored.period == 1 && stored.label == "mine" && stored.note == nil && stored.reminderDays == 3)
            #expect(copy.data(.period).count == 1)

            // The user, and a plan of the user's own.
            let me = try await ada.push(
                .init(
                    entity: .me, id: ada.user.id.uuidString, op: .update,
                    fields: ["userName": "Ada", "timeZone": "Europe/Berlin"]))
            #expect(me.outcome == .applied)
            #expect(try await ada.call(GetMe()).timeZone == "Europe/Berlin")
            let gym = try await pushed.push(
                .init(
                    entity: .subscription, id: UUID().uuidString, op: .create,
                    fields: [
                        "plan": .object([
                            "provider": "Gym", "name": "Off-peak", "fee": "19.90", "currency": "EUR",
                            "duration": .object(["value": .integer(1), "unit": "month"]),
                        ])
                    ]))[0]
            guard case .subscription(let own) = gym.row?.data else {
                Issue.record("\(gym)")
                return
            }
            let changed = try await ada.push(
                .init(entity: .plan, id: "\(own.planId)", op: .update, fields: ["fee": "24.90", "category": "Sport"]))
            guard case .plan(let gymPlan) = changed.row?.data else {
                Issue.record("\(changed)")
                return
            }
            #expect(gymPlan.category == "Sport")
            let used = try await ada.push(.init(entity: .plan, id: "\(own.planId)", op: .delete))
            #expect(used.outcome == .refused && used.error?.code == .statusConflict)
            try await service.database.run("DELETE FROM Subscription WHERE Plan_ID = \(own.planId)")
            let unused = try await ada.push(.init(entity: .plan, id: "\(own.planId)", op: .delete))
            #expect(unused.outcome == .applied && unused.row?.deleted == true)
        }
    }

    @Test("What is sent again is answered again and not done twice; a key is for one change")
    func replay() async throws {
        try await run { service, pushed in
            let create = PushChanges.Mutation(
                entity: .subscription, id: UUID().uuidString, op: .create,
                fields: [
                    "planId": .integer(try await pushed.row().plan.id), "label": "a", "note": "b", "autoRenew": false,
                    "freeTrial": false, "startDate": "2026-01-01",
                ])
            let renew = pushed.mutation(.renew, ["period": .integer(0)])
            let first = try await pushed.push(create, renew)
            let second = try await pushed.push(renew, create, renew)
            #expect(second.map(\.replayed) == [true, true, true])
            #expect(second.map(\.row) == [first[1].row, first[0].row, first[1].row])
            #expect(second.map(\.outcome) == [.applied, .applied, .applied])
            #expect(try await pushed.row().period == 1)
            #expect(try await pushed.user.call(ListSubscriptions()).subscriptions.count == 2)

            let other = pushed.mutation(.renew, ["period": .integer(1)], key: renew.key)
            let reused = try await pushed.user.push(other)
            #expect(reused.outcome == .refused && reused.error?.code == .keyReused)
            #expect(try await pushed.row().period == 1)
            // Its base does not matter: the client has heard of an earlier change meanwhile.
            var rebased = create
            rebased.baseVersion = 99
            #expect(try await pushed.user.push(rebased).replayed)
            // A refusal is remembered too, even where it would go well now.
            let early = pushed.mutation(.renew, ["period": .integer(2)])
            #expect(try await pushed.user.push(early).outcome == .refused)
            try await pushed.user.call(RenewSubscription(id: pushed.id))
            let again = try await pushed.user.push(early)
            #expect(again.outcome == .refused && again.replayed)
            #expect(try await pushed.row().period == 2)
            // Many at the same time: one does it.
            let race = pushed.mutation(.renew, ["period": .integer(2)])
            let results = try await withThrowingTaskGroup(of: PushChanges.Result.self) { group in
                for _ in 0..<8 { group.addTask { try await pushed.user.push(race) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { !$0.replayed } == 1 && results.allSatisfy { $0.outcome == .applied })
            #expect(try await pushed.row().period == 3)
        }
    }

    @Test("An answer that is given again has the row as it is now: what was deleted meanwhile does not come back")
    func replayedRow() async throws {
        try await run { _, pushed in
            let create = PushChanges.Mutation(
                entity: .subscription, id: UUID().uuidString, op: .create,
                fields: ["planId": .integer(try await pushed.row().plan.id)])
            let made = try await pushed.user.push(create)
            let id = try #require(UUID(uuidString: create.id))
            try await pushed.user.call(UpdateSubscription(id: id, note: .set("newer")))
            var copy = SyncCopy()
            try await copy.pull(pushed.user)
            let again = try await pushed.user.push(create)
            #expect(again.replayed && again.outcome == .applied && again.row != made.row)
            #expect(again.row?.data == copy.data(.subscription)[id.uuidString.lowercased()])
            try await pushed.user.call(DeleteSubscription(id: id))
            try await copy.pull(pushed.user)
            copy.apply(try #require(try await pushed.user.push(create).row))
            #expect(copy.data(.subscription).count == 1)
        }
    }

    @Test("Two devices renew the same period: once")
    func renewals() async throws {
        try await run { _, pushed in
            let results = try await pushed.push(
                pushed.mutation(.renew, ["period": .integer(0)]), pushed.mutation(.renew, ["period": .integer(0)]))
            #expect(results.map(\.outcome) == [.applied, .applied])
            #expect(try await pushed.row().period == 1)
            let unnamed = try await pushed.user.push(pushed.mutation(.renew))
            expectRefused(try #require(unnamed.error), "period", .required)
        }
    }

    @Test("Fields of different groups merge; on the same group the first keeps, and the other is told")
    func merge() async throws {
        try await run { service, pushed in
            let base = try await pushed.row().version
            // One device changes the note, an admin the fee, both unknown to the other device.
            try await pushed.user.call(UpdateSubscription(id: pushed.id, note: .set("theirs")))
            let hex = pushed.id.uuidString.replacing("-", with: "")
            try await service.database.run(
                "UPDATE Subscription SET Own_fee = 5 WHERE Subscription_ID = UNHEX('\(hex)')")
            let result = try await pushed.user.push(
                pushed.mutation(
                    .update, base: base,
                    ["reminderDays": .integer(9), "note": "mine", "fee": "6.00", "label": "mine", "freeTrial": false]))
            #expect(result.outcome == .merged)
            #expect(
                result.lost == [
                    LostField(field: "fee", kept: "5.00", yours: "6.00"),
                    LostField(field: "label", kept: .null, yours: "mine"),
                    LostField(field: "note", kept: "theirs", yours: "mine"),
                ])
            let row = try await pushed.row()
            #expect(row.reminderDays == 9 && row.note == "theirs" && row.label == nil && row.fee == amount("5"))
            // Without a base the last one wins; with the present one nothing is lost.
            let blind = try await pushed.user.push(pushed.mutation(.update, ["note": "blind"]))
            #expect(blind.outcome == .applied && blind.lost.isEmpty)
            let knowing = try await pushed.user.push(
                pushed.mutation(.update, base: blind.row?.version, ["note": "knowing"]))
            #expect(knowing.outcome == .applied)
            #expect(try await pushed.row().note == "knowing")
            // Nobody has changed what this one changes: merged, nothing lost.
            let merged = try await pushed.user.push(
                pushed.mutation(.update, base: base, ["autoRenew": false, "reminderDays": .integer(9)]))
            #expect(merged.outcome == .merged && merged.lost.isEmpty)

            // The user's own row is one group.
            let me = try await pushed.user.call(GetMe())
            try await pushed.user.call(UpdateMe(userName: .set("A")))
            let lost = try await pushed.user.push(
                .init(
                    entity: .me, id: me.id.uuidString, op: .update, baseVersion: me.version,
                    fields: ["userName": "B", "country": .string(me.country)]))
            #expect(lost.outcome == .merged)
            #expect(lost.lost == [LostField(field: "userName", kept: "A", yours: "B")])
        }
    }

    @Test("A device's later changes do not lose against its earlier ones, also when the earlier ones are sent again")
    func ownChanges() async throws {
        try await run { _, pushed in
            let base = try await pushed.row().version
            let outbox = (0..<6).map { number -> PushChanges.Mutation in
                switch number {
                case 2: pushed.mutation(.cancel, base: base)
                case 3: pushed.mutation(.update, base: base, ["reminderDays": .integer(4)])
                default: pushed.mutation(.update, base: base, ["note": .string("\(number)")])
                }
            }
            // The answer to the first three was lost.
            _ = try await pushed.push(outbox[0], outbox[1], outbox[2])
            let results = try await pushed.user.call(PushChanges(mutations: outbox)).results
            #expect(results.map(\.replayed) == [true, true, true, false, false, false])
            #expect(results.allSatisfy { $0.lost.isEmpty && $0.outcome == .applied }, "\(results)")
            let row = try await pushed.row()
            #expect(row.note == "5" && row.reminderDays == 4 && row.status == .cancelled)
            // Somebody else's change in between is seen all the same.
            let late = try await pushed.push(
                pushed.mutation(.update, base: row.version, ["note": "6"]),
                pushed.mutation(.update, base: base, ["note": "7"]))
            #expect(late.map(\.outcome) == [.applied, .merged])
            #expect(late[1].lost == [LostField(field: "note", kept: "6", yours: "7")])
        }
    }

    @Test("A delete beats an older edit, whichever comes first; deleted twice is deleted")
    func deletes() async throws {
        try await run { _, pushed in
            let base = try await pushed.row().version
            let results = try await pushed.push(
                pushed.mutation(.update, base: base, ["note": "x"]), pushed.mutation(.delete, base: base),
                pushed.mutation(.update, base: base, ["note": "y"]), pushed.mutation(.delete, base: base),
                pushed.mutation(.renew, ["period": .integer(0)]))
            #expect(results.map(\.outcome) == [.applied, .applied, .refused, .applied, .refused])
            #expect(results[2].error?.code == .notFound)
            let problem = try await pushed.user.refusal(of: GetSubscription(id: pushed.id))
            #expect(problem.code == .notFound)
        }
    }

    @Test("A refused change does not stop those after it, and leaves nothing behind")
    func refusals() async throws {
        try await run { service, pushed in
            let eve = try await service.newUser()
            let theirs = try await eve.call(CreateSubscription(planId: try await pushed.row().plan.id))
            let good = { (text: String) in pushed.mutation(.update, ["label": .string(text)]) }
            let own: [String: AnyJSON] = [
                "provider": "Half", "name": "Made", "fee": "1.00", "currency": "USD",
                "duration": .object(["value": .integer(1), "unit": "month"]),
            ]
            let bad: [(PushChanges.Mutation, ErrorCode)] = [
                (pushed.mutation(.update, ["label": .string(String(repeating: "x", count: 101))]), .inputInvalid),
                (pushed.mutation(.update, ["colour": "red"]), .inputInvalid),
                (pushed.mutation(.update, ["id": .string(theirs.id.uuidString)]), .inputInvalid),
                (pushed.mutation(.create, ["planId": .integer(4_000_000_000)]), .inputInvalid),
                (pushed.mutation(.create, ["plan": .object(own)]), .idTaken),
                // The plan is made before the database refuses what it is for.
                (
                    .init(
                        entity: .subscription, id: UUID().uuidString, op: .create,
                        fields: ["plan": .object(own), "startDate": "2999-12-31", "fee": "1.005"]), .inputInvalid
                ),
                (.init(entity: .subscription, id: theirs.id.uuidString, op: .update, fields: ["note": "x"]), .notFound),
                (.init(entity: .subscription, id: theirs.id.uuidString, op: .delete), .notFound),
                (.init(entity: .subscription, id: theirs.id.uuidString, op: .restore), .notFound),
                (
                    .init(
                        entity: .subscription, id: theirs.id.uuidString, op: .create,
                        fields: ["planId": .integer(theirs.plan.id)]), .idTaken
                ),
                (.init(entity: .subscription, id: "x", op: .delete), .inputInvalid),
                (.init(entity: .me, id: eve.user.id.uuidString, op: .update, fields: ["userName": "x"]), .notFound),
                (.init(entity: .me, id: pushed.user.user.id.uuidString, op: .delete), .inputInvalid),
                (.init(entity: .plan, id: "1", op: .update, fields: ["fee": "1"]), .notFound),
                (.init(entity: .plan, id: "99999999999999999999", op: .delete), .notFound),
                (.init(entity: .country, id: "US", op: .update, fields: ["name": "x"]), .inputInvalid),
            ]
            var mutations = [good("0")]
            for (index, (mutation, _)) in bad.enumerated() { mutations += [mutation, good("\(index + 1)")] }
            let plans = try await service.database.run("SELECT COUNT(*) FROM Plan WHERE Provider = 'Half'")
            let results = try await pushed.user.call(PushChanges(mutations: mutations)).results
            #expect(results.count == mutations.count)
            for (index, (mutation, code)) in bad.enumerated() {
                let result = results[2 * index + 1]
                #expect(result.outcome == .refused && result.key == mutation.key, "\(mutation)")
                #expect(result.error?.code == code, "\(mutation): \(result.error?.detail ?? "")")
                #expect(results[2 * index + 2].outcome == .applied)
            }
            #expect(try await pushed.row().label == "\(bad.count)")
            #expect(try await eve.call(GetSubscription(id: theirs.id)) == theirs)
            #expect(try await service.database.run("SELECT COUNT(*) FROM Plan WHERE Provider = 'Half'") == plans)
        }
    }

    @Test("Too many at once, what is no change, and a cursor that leads nowhere: nothing is applied")
    func badRequests() async throws {
        try await run { service, pushed in
            let before = try await pushed.row()
            let many = (0..<101).map { pushed.mutation(.update, ["label": .string("\($0)")]) }
            let problem = try await pushed.user.refusal(of: PushChanges(mutations: many))
            #expect(problem.code == .tooMany && problem.status == 413)
            let flood = (0..<10_000).map { _ in #"{"key":"\#(UUID())","entity":"me","id":"x","op":"cancel"}"# }
            let answer = try await pushed.user.client.send(
                "POST", "/v1/changes", json: #"{"mutations":[\#(flood.joined(separator: ","))]}"#)
            #expect(answer.status == 413)
            let mutation = #""key":"\#(UUID())","entity":"subscription","id":"\#(pushed.id)","op":"update""#
            for (json, field) in [
                ("{}", "mutations"), (#"{"mutations":{}}"#, "mutations"), (#"{"mutations":[1]}"#, "mutations.0"),
                (#"{"mutations":[{\#(mutation)},null]}"#, "mutations.1"),
                (#"{"mutations":[{\#(mutation)}],"more":1}"#, "more"),
                (#"{"mutations":[{"key":"1","entity":"me","id":"x","op":"update"}]}"#, "mutations.0.key"),
                (#"{"mutations":[{\#(mutation)},{"entity":"me","id":"x","op":"update"}]}"#, "mutations.1.key"),
                (#"{"mutations":[{\#(mutation),"fields":{"label":"z"}}],"cursor":"x"}"#, "cursor"),
            ] {
                let answer = try await pushed.user.client.send("POST", "/v1/changes", json: json)
                #expect(answer.status == 400, "\(json)")
                #expect(try answer.problem().errors?.map(\.field) == [field], "\(json): \(answer.text)")
            }
            // What this version does not know is refused by itself.
            let unknown = try await pushed.user.client.send(
                "POST", "/v1/changes",
                json: """
                    {"mutations":[{"key":"\(UUID())","entity":"household","id":"1","op":"update","fields":{}},
                                  {"key":"\(UUID())","entity":"me","id":"1","op":"explode"}]}
                    """)
            let results = try unknown.decode(PushChanges.Output.self).results
            #expect(results.map { $0.error?.errors?.first?.field } == ["entity", "op"])
            #expect(results.map(\.outcome) == [.refused, .refused])

            let eve = try await service.newUser()
            let cursor = try await eve.call(PullChanges(scopes: .user)).cursor
            let foreign = try await pushed.user.refusal(
                of: PushChanges(mutations: [pushed.mutation(.delete)], cursor: cursor))
            #expect(foreign.code == .resync && foreign.reason == .user)
            #expect(try await pushed.row() == before)
            let own = try await pushed.user.call(PullChanges(scopes: .user)).cursor
            let good = try await pushed.user.call(PushChanges(mutations: [pushed.mutation(.cancel)], cursor: own))
            #expect(good.results.map(\.outcome) == [.applied])
        }
    }

    @Test(
        "A corrected fee of a plan is that of the period that began on its day, by the plan or by a subscription to it")
    func correctedFee() async throws {
        // The trigger judges the day on which a price begins by the database's clock.
        let today = try await DatabaseDay.today()
        try await TestService.run(at: today.description) { service in
            for byPlan in [false, true] {
                let ada = try await service.newUser()
                let gym = PrivatePlan(
                    provider: "Gym", name: "Off-peak", fee: amount("52.00"), currency: "USD",
                    duration: .init(value: 1, unit: .month))
                let made = try await ada.call(CreateSubscription(plan: gym))
                let result = try await ada.push(
                    byPlan
                        ? .init(entity: .plan, id: "\(made.plan.id)", op: .update, fields: ["fee": "25.00"])
                        : .init(
                            entity: .subscription, id: made.id.uuidString, op: .update,
                            fields: ["plan": .object(["fee": "25.00"])]))
                #expect(result.outcome == .applied)
                let corrected = try await ada.call(GetSubscription(id: made.id))
                #expect(corrected.fee == amount("25.00") && corrected.plan.fee == amount("25.00"), "\(byPlan)")
            }
        }
    }
}
