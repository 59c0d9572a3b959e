import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Data of a device that signs in", .tags(.otherServers), .ownTime)
struct MergeTests {
    @Test("What was kept without account is moved into the account, with periods, private plans, keys and name")
    func moved() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let hers = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-05")))

            let phone = try await service.newUser()
            try await phone.call(UpdateMe(userName: .set("Ada on the phone")))
            let key = [("Idempotency-Key", "k1")]
            let public1 = try await phone.call(
                CreateSubscription(planId: plan, startDate: day("2026-01-20"), label: "other"), headers: key)
            let renewed = try await phone.call(RenewSubscription(id: public1.id))
            let own = try await phone.call(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym", name: "Off-peak", category: "Sport", fee: amount("19.90"), currency: "EUR",
                        duration: .init(value: 1, unit: .month)), startDate: day("2026-01-01")))
            let gone = try await phone.call(CreateSubscription(planId: plan, startDate: day("2026-01-21")))
            try await phone.call(DeleteSubscription(id: gone.id))

            let signed = try await phone.signIn(email)
            #expect(signed.user.id == ada.user.id && signed.merged == .init(moved: 2, same: []))
            #expect(signed.user.userName == "Ada on the phone")
            #expect(try await phone.refusal(of: GetMe()).code == .tokenEnded)
            let now = TestUser(signed, service.client)
            let list = try await now.call(ListSubscriptions()).subscriptions
            #expect(Set(list.map(\.id)) == [hers.id, public1.id, own.id])
            #expect(try await ada.call(ListSubscriptions()).subscriptions == list, "both devices see the same")
            #expect(try await now.call(ListPeriods(id: public1.id)).periods.map(\.number) == [0, 1])
            let moved = try #require(list.first { $0.id == public1.id })
            #expect(moved.label == "other" && moved.startDate == renewed.startDate && moved.version > hers.version)
            let gym = try #require(list.first { $0.id == own.id })
            #expect(gym.plan == own.plan && gym.plan.private && gym.plan.category == "Sport")
            try await now.call(UpdateSubscription(id: own.id, plan: .set(PrivatePlanPatch(fee: .set(amount("21.00"))))))
            // The same write sent once more is not done once more.
            let again = try await now.call(
                CreateSubscription(planId: plan, startDate: day("2026-01-20"), label: "other"), headers: key)
            #expect(again.id == public1.id)
            #expect(try await now.call(ListSubscriptions()).subscriptions.count == 3)
            // The old scope says that all of it is gone, the user last.
            let scope = phone.user.id.uuidString.replacing("-", with: "")
            let stones = try await service.database.run(
                "SELECT Entity FROM Tombstone WHERE Scope_ID = 0x\(scope) ORDER BY Ver")
            #expect(stones.split(separator: "\n").sorted() == ["1", "2", "2", "2", "2", "4"].sorted())
            #expect(stones.hasSuffix("1\n"))
        }
    }

    @Test("The same subscription on both sides is one; what only one side knew is kept; what contradicts stays two")
    func same() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let gym = PrivatePlan(
                provider: "Gym", name: "Off-peak", fee: amount("19.90"), currency: "EUR",
                duration: .init(value: 1, unit: .month))
            let a1 = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-05")))
            let a2 = try await ada.call(CreateSubscription(plan: gym, startDate: day("2026-01-06")))
            let a3 = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-07"), label: "work"))
            let phone = try await service.newUser()
            let p1 = try await phone.call(
                CreateSubscription(planId: plan, startDate: day("2026-01-05"), label: "living room", note: "shared"))
            let p2 = try await phone.call(CreateSubscription(plan: gym, startDate: day("2026-01-06")))
            let p3 = try await phone.call(CreateSubscription(planId: plan, startDate: day("2026-01-07"), label: "home"))
            let p4 = try await phone.call(CreateSubscription(planId: plan, startDate: day("2026-01-05")))
            let signed = try await phone.signIn(email)
            let pairs = Set(signed.merged.same)
            #expect(signed.merged.moved == 2)
            #expect(pairs.contains(.init(from: p2.id, to: a2.id)) && pairs.count == 2)
            // One of the two alike is the same as hers; the other one stays: nobody knows that it is not a second one.
            let one = try #require(signed.merged.same.first { $0.to == a1.id })
            #expect([p1.id, p4.id].contains(one.from))
            let now = TestUser(signed, service.client)
            let list = try await now.call(ListSubscriptions()).subscriptions
            let left = one.from == p1.id ? p4.id : p1.id
            #expect(Set(list.map(\.id)) == [a1.id, a2.id, a3.id, p3.id, left])
            #expect(Set(list.compactMap(\.label)) == ["living room", "work", "home"])
            #expect(list.compactMap(\.note) == ["shared"])
            #expect(list.filter(\.plan.private).count == 1)
            let plans = try await now.call(ListPlans()).plans
            #expect(plans.filter { $0.private && $0.name == "Off-peak" }.count == 1, "the doubled plan is gone")
        }
    }

    @Test("Renewals that were due on one side only do not make two of one subscription")
    func renewals() async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let hers = try await ada.call(
                CreateSubscription(planId: plan, startDate: day("2026-01-05"), autoRenew: true))
            let phone = try await service.newUser()
            let other = try await phone.call(
                CreateSubscription(planId: plan, startDate: day("2026-01-05"), autoRenew: true))
            service.clock.set("2026-04-06")
            #expect(try await ada.call(GetSubscription(id: hers.id)).period == 3)
            let signed = try await phone.signIn(email)
            #expect(signed.merged == .init(moved: 0, same: [.init(from: other.id, to: hers.id)]))
        }
    }

    @Test("Two devices that were used apart sign in at the same moment, and show the same")
    func together() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            var phones: [TestUser] = []
            for number in 0..<4 {
                let phone = try await service.newUser()
                for first in ["2026-01-01", "2026-01-02", "2026-01-03"] {
                    try await phone.call(
                        CreateSubscription(planId: plan, startDate: day(first), label: "\(number)"))
                }
                phones.append(phone)
            }
            let signed = try await withThrowingTaskGroup(of: TestUser.self) { group in
                for phone in phones {
                    group.addTask { TestUser(try await phone.signIn(email), service.client) }
                }
                return try await group.reduce(into: [TestUser]()) { $0.append($1) }
            }
            let all = try await ada.call(ListSubscriptions()).subscriptions
            #expect(all.count == 12)
            for phone in signed {
                #expect(try await phone.call(ListSubscriptions()).subscriptions == all)
                #expect(try await phone.call(GetMe()).id == ada.user.id)
            }
        }
    }

    @Test("The merge is done as a whole or not at all: a row that cannot be moved leaves everything where it was")
    func atomic() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let phone = try await service.newUser()
            for first in ["2026-01-01", "2026-01-02"] {
                try await phone.call(CreateSubscription(planId: plan, startDate: day(first)))
            }
            // An admin's own rule that refuses the last step.
            try await service.database.run(
                """
                CREATE TRIGGER No_delete BEFORE DELETE ON `User` FOR EACH ROW FOLLOWS User_before_delete
                SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not today'
                """)
            _ = try await phone.refusal(of: CreateSession(email: email, password: goodPassword))
            try await service.database.run("DROP TRIGGER No_delete")
            #expect(try await phone.call(ListSubscriptions()).subscriptions.count == 2)
            #expect(try await ada.call(ListSubscriptions()).subscriptions.isEmpty)
            #expect(try await phone.signIn(email).merged.moved == 2)
        }
    }

    /// SQL that gives a user so many subscriptions to a plan, all of one day, each with a label of its own.
    private func many(_ count: Int, of user: TestUser, plan: Int64, label: String) -> String {
        let rows = (1...count).map { "(\(hex(user.user.id)), \(plan), '2026-01-05', '\(label)\($0)')" }
        return """
            INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Label) VALUES \(rows.joined(separator: ", "))
            """
    }

    @Test("Thousands on both sides, all alike but for a word, are merged, and none is lost")
    func large() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let phone = try await service.newUser()
            try await service.database.run(many(2000, of: ada, plan: plan, label: "hers "))
            try await service.database.run(many(2000, of: phone, plan: plan, label: "other "))
            let signed = try await phone.signIn(email)
            #expect(signed.merged == .init(moved: 2000, same: []))
            let count = try await service.database.run(
                "SELECT COUNT(*) FROM Subscription_text WHERE User_ID = '\(ada.user.id.uuidString)'")
            #expect(count == "4000\n")
        }
    }

    @Test("What would be more than a user may have together is not merged: the device is told, and keeps it")
    func tooMany() async throws {
        try await TestService.run(configure: { $0.limits.subscriptions = 3 }) { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let phone = try await service.newUser()
            for first in ["2026-01-01", "2026-01-02"] {
                try await ada.call(CreateSubscription(planId: plan, startDate: day(first)))
                try await phone.call(CreateSubscription(planId: plan, startDate: day(first)))
            }
            try await phone.call(CreateSubscription(planId: plan, startDate: day("2026-01-03")))
            try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-05")))
            let refused = try await phone.refusal(of: CreateSession(email: email, password: goodPassword))
            #expect(refused.status == 413 && refused.code == .tooMany)
            let kept = try await phone.call(ListSubscriptions()).subscriptions
            #expect(kept.count == 3)
            // What both have counts once.
            let extra = try #require(kept.first { $0.startDate == day("2026-01-03") })
            try await phone.call(DeleteSubscription(id: extra.id))
            #expect(try await phone.signIn(email).merged.same.count == 2)
        }
    }

    @Test("More plans of one's own than a user may have together are not merged either; what both have counts once")
    func tooManyPlans() async throws {
        try await TestService.run(configure: { $0.limits.privatePlans = 3 }) { service in
            func own(_ name: String) -> CreateSubscription {
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym", name: name, fee: amount("19.90"), currency: "EUR",
                        duration: .init(value: 1, unit: .month)), startDate: day("2026-01-05"))
            }
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let phone = try await service.newUser()
            for name in ["Off-peak", "All day"] {
                try await ada.call(own(name))
                try await phone.call(own(name))
            }
            try await ada.call(own("Pool"))
            let sauna = try await phone.call(own("Sauna"))
            let plan = try await service.addPlan()
            try await phone.call(UpdateSubscription(id: sauna.id, planId: .set(plan)))
            let before = try await phone.call(ExportMe())
            let refused = try await phone.refusal(of: CreateSession(email: email, password: goodPassword))
            #expect(refused.status == 413 && refused.code == .tooMany, "\(refused)")
            #expect(try await phone.call(ExportMe()).subscriptions == before.subscriptions, "nothing is lost")
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 3)
            let delete = PushChanges.Mutation(entity: .plan, id: "\(sauna.plan.id)", op: .delete)
            #expect(try await phone.call(PushChanges(mutations: [delete])).results[0].outcome == .applied)
            let signed = try await phone.signIn(email)
            #expect(signed.merged.same.count == 2 && signed.merged.moved == 1)
            #expect(try await ada.call(ListPlans(provider: "Gym")).plans.count == 3)
        }
    }

    @Test("Where both sides have a provider of one name in two categories, the account's category holds for both")
    func categories() async throws {
        try await TestService.run { service in
            func gym(_ name: String, _ provider: String, _ category: String) -> CreateSubscription {
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: provider, name: name, category: category, fee: amount("19.90"), currency: "EUR",
                        duration: .init(value: 1, unit: .month)), startDate: day("2026-01-05"))
            }
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let phone = try await service.newUser()
            try await ada.call(gym("Off-peak", "Gym", "Sport"))
            try await phone.call(gym("All day", "Gym", "Health"))
            // Another spelling is another provider, and keeps its category.
            try await phone.call(gym("All day", "gym", "Fun"))
            let now = TestUser(try await phone.signIn(email), service.client)
            let plans = try await now.call(ListPlans()).plans.filter(\.private)
            let told = Set(plans.map { "\($0.provider) \($0.name) \($0.category)" })
            #expect(told == ["Gym Off-peak Sport", "Gym All day Sport", "gym All day Fun"])
        }
    }
}
