import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Pull", .tags(.otherServers, .everyServer), .ownTime)
struct PullTests {
    @Test("A first pull brings everything that the user sees, as it is stored; then nothing, with the same cursor")
    func first() async throws {
        try await TestService.runAlone(at: "2026-02-10") { service in
            let ada = try await service.newUser(country: "US", timeZone: "America/New_York")
            let plan = try await service.addPlan("Basic", fee: "17.99", trialDays: 14, noticeDays: 3)
            try await service.database.run(
                "UPDATE Plan SET Fee = 19.99, Fee_since = '2099-03-01' WHERE Plan_ID = \(plan)")
            let made = try await ada.call(
                CreateSubscription(
                    planId: plan, startDate: day("2026-01-31"), fee: amount("15.5"), label: "mine", reminderDays: 3,
                    muted: true, note: "two\nlines"))
            try await ada.call(RenewSubscription(id: made.id))
            try await ada.call(CancelSubscription(id: made.id))
            let own = try await ada.call(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym", name: "Off-peak", category: "Sport", fee: amount("1990"), currency: "JPY",
                        duration: .init(value: 2, unit: .week)), startDate: day("2026-02-01")))
            // Rows are written column by column: byte for byte as the API's types say.
            let page = try await ada.client.send("GET", "/v1/changes?limit=1000").body
            let typed = try JSONDecoder().decode(PullChanges.Output.self, from: page)
            let declared = Set(EntityTable.all.map { $0.declaration.name })
            #expect(Set(typed.changes.map(\.entity)) == Set(SyncEntity.allCases).subtracting(declared))
            #expect(try OutputEncoder.encode(typed) == Array(page))
            var copy = SyncCopy()
            try await copy.pull(ada)
            let id = made.id.uuidString.lowercased()
            #expect(
                copy.data(.subscription)[id]
                    == .subscription(
                        StoredSubscription(
                            planId: plan, label: "mine", startDate: day("2026-02-28"), endDate: day("2026-03-31"),
                            freeTrial: false, anchorDate: day("2026-01-31"), anchorCount: 2, period: 1,
                            fee: amount("15.50"), currency: "USD", ownFee: amount("15.50"), autoRenew: false,
                            cancelledOn: day("2026-02-10"), reminderDays: 3, muted: true, note: "two\nlines")))
            #expect(
                copy.data(.period) == [
                    "\(id) 0": .period(
                        StoredPeriod(
                            subscriptionId: made.id, number: 0, startDate: day("2026-01-31"),
                            endDate: day("2026-02-28"), fee: amount("15.50"), currency: "USD", freeTrial: false,
                            planId: plan))
                ])
            #expect(
                copy.data(.plan)["\(plan)"]
                    == .plan(
                        StoredPlan(
                            provider: "Testflix", name: "Basic", type: "Standard", category: nil, country: "US",
                            fee: amount("17.99"), currency: "USD", feeSince: day("2020-01-01"),
                            duration: .init(value: 1, unit: .month), trialDays: 14, noticeDays: 3, withdrawnOn: nil,
                            private: false)))
            guard case .plan(let gym) = copy.data(.plan)["\(own.plan.id)"] else {
                Issue.record("the private plan is there")
                return
            }
            #expect(gym.category == "Sport" && gym.private && gym.fee.description == "1990")
            #expect(
                copy.data(.price) == [
                    "\(plan) 2099-03-01": .price(
                        StoredPrice(
                            planId: plan, effectiveOn: day("2099-03-01"), fee: amount("19.99"), currency: "USD"))
                ])
            #expect(
                copy.data(.me) == [
                    ada.user.id.uuidString.lowercased(): .me(
                        StoredUser(userName: nil, country: "US", timeZone: "America/New_York", accounts: []))
                ])
            #expect(
                copy.data(.provider) == [
                    "Testflix": .provider(StoredProvider(category: "Other", website: nil, cancelUrl: nil))
                ])
            #expect(copy.data(.country)["DE"] == .country(StoredCountry(name: "Germany", currency: "EUR")))
            guard case .currency(let dinar) = copy.data(.currency)["KWD"] else {
                Issue.record("the currencies are there")
                return
            }
            #expect(dinar.minorDigits == 3)
            #expect(copy.data(.country).count == 249 && copy.scopes == ["user", "reference", "catalogue/US"])

            let again = try await ada.call(PullChanges(cursor: copy.cursor))
            #expect(again == .init(dropped: [], changes: [], cursor: try #require(copy.cursor), more: false, total: 0))
        }
    }

    @Test("The same in pages of any size, with what is left said; changes between the pages are not missed")
    func pages() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            for number in 0..<6 {
                let made = try await ada.call(
                    CreateSubscription(planId: plan, startDate: day("2026-01-01"), label: "\(number)"))
                for _ in 0..<number { try await ada.call(RenewSubscription(id: made.id)) }
            }
            // All of it gets one version.
            let moved = try await ada.call(CreateSubscription(planId: plan, startDate: day("2024-01-01")))
            for _ in 0..<12 { try await ada.call(RenewSubscription(id: moved.id)) }
            try await ada.call(DeleteSubscription(id: moved.id))
            try await service.database.run(
                "UPDATE Subscription SET Deleted_at = NULL WHERE Deleted_at IS NOT NULL")
            var whole = SyncCopy()
            let count = try await whole.pull(ada)
            for limit in [1, 2, 5, 7, 100] {
                var copy = SyncCopy()
                var (seen, isOver) = (0, false)
                while !isOver {
                    let page = try #require(try await copy.pullPage(ada, limit: limit))
                    #expect(page.changes.count <= limit)
                    seen += page.changes.count
                    #expect(page.total == count - seen)
                    #expect(page.more == (page.total > 0))
                    isOver = !page.more
                    // A first pull of one row a page reads the reference data for long; the user's own rows come first.
                    if limit == 1, seen == 60 { isOver = true }
                }
                if limit > 1 { #expect(copy.differences(from: whole) == [], "\(limit)") }
            }

            var copy = SyncCopy()
            var turn = 0
            while try #require(try await copy.pullPage(ada, limit: 4, scopes: .user)).more {
                turn += 1
                switch turn {
                case 1:
                    try await service.database.run(
                        """
                        UPDATE Subscription SET Note = 'changed';
                        DELETE FROM Subscription WHERE Label IN ('0', '3');
                        """)
                case 3: try await service.database.run("DELETE FROM Subscription_period WHERE Period = 1")
                case 4:
                    try await service.database.run("UPDATE Subscription SET Start_date = End_date WHERE Label = '5'")
                default: break
                }
            }
            #expect(turn > 4)
            var fresh = SyncCopy()
            try await fresh.pull(ada, scopes: .user)
            #expect(copy.differences(from: fresh) == [])
            #expect(copy.data(.subscription).count == 5)
        }
    }

    @Test("The user's own scope alone: the cursor keeps its place in the others")
    func userAlone() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(country: "DE")
            var copy = SyncCopy()
            try await copy.pull(ada, scopes: .user)
            #expect(copy.scopes == ["user"])
            try await ada.call(CreateSubscription(planId: plan))
            #expect(try await copy.pull(ada, scopes: .user) == 1)
            // The country of the plan was not looked at meanwhile.
            try await copy.pull(ada)
            #expect(copy.scopes == ["user", "reference", "catalogue/DE"])
            try await service.database.run("UPDATE Plan SET Notice_days = 9")
            try await ada.call(UpdateMe(userName: .set("Ada")))
            #expect(try await copy.pull(ada, scopes: .user) == 1)
            #expect(try await copy.pull(ada) == 1)
            var fresh = SyncCopy()
            try await fresh.pull(ada)
            #expect(copy.differences(from: fresh) == [])
        }
    }

    @Test("Scopes come and go: another country, plans held elsewhere, and given up")
    func scopes() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser(country: "US")
            var plans: [String: Int64] = [:]
            for country in ["US", "DE", "FR"] { plans[country] = try await service.addPlan(country: country) }
            var copy = SyncCopy()
            try await copy.pull(ada)
            #expect(copy.scopes == ["user", "reference", "catalogue/US"])

            let german = try await ada.call(CreateSubscription(planId: plans["DE"], startDate: day("2025-12-01")))
            try await copy.pull(ada)
            #expect(copy.scopes == ["user", "reference", "catalogue/US", "catalogue/DE"])

            // The plan of a period that has ended is still referred to.
            try await ada.call(RenewSubscription(id: german.id))
            try await ada.call(UpdateSubscription(id: german.id, planId: .set(try #require(plans["FR"]))))
            try await copy.pull(ada)
            #expect(copy.scopes == ["user", "reference", "catalogue/US", "catalogue/DE", "catalogue/FR"])

            try await ada.call(UpdateMe(country: .set("FR")))
            let page = try #require(try await copy.pullPage(ada))
            #expect(page.dropped == ["catalogue/US"])
            #expect(copy.scopes == ["user", "reference", "catalogue/DE", "catalogue/FR"])

            try await ada.call(DeleteSubscription(id: german.id))
            try await copy.pull(ada, limit: 2)
            #expect(copy.scopes == ["user", "reference", "catalogue/FR"])
            var fresh = SyncCopy()
            try await fresh.pull(ada)
            #expect(copy.differences(from: fresh) == [])
        }
    }

    @Test("What renews by itself is renewed before it is pulled, on the user's day, also where nothing else is new")
    func autoRenewal() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(
                CreateSubscription(planId: plan, startDate: day("2026-01-15"), autoRenew: true))
            var copy = SyncCopy()
            try await copy.pull(ada)
            service.clock.set("2026-04-20")
            try await copy.pull(ada, scopes: .user)
            guard case .subscription(let row) = copy.data(.subscription)[made.id.uuidString.lowercased()] else {
                Issue.record("it is there")
                return
            }
            #expect(row.startDate == day("2026-04-15") && row.period == 3)
            #expect(copy.data(.period).count == 3)
            // On the same day, by SQL: due at once.
            try await copy.pull(ada)
            try await service.database.run(
                """
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Auto_renew)
                VALUES (UNHEX('\(ada.user.id.uuidString.replacing("-", with: ""))'), \(plan), '2026-03-01', TRUE)
                """)
            try await copy.pull(ada)
            #expect(copy.data(.period).count == 4)
        }
    }

    @Test("Deletes: a subscription with its periods, a plan with its prices, what the catalogue loses")
    func deletes() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            try await service.addPlan("Doomed", provider: "Gone")
            try await service.database.run(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) SELECT Plan_ID, '2099-01-01', 3 FROM Plan")
            var ids: [UUID] = []
            for _ in 0..<3 {
                let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2025-12-31")))
                try await ada.call(RenewSubscription(id: made.id))
                ids.append(made.id)
            }
            var copy = SyncCopy()
            try await copy.pull(ada)
            #expect(copy.data(.period).count == 3 && copy.data(.price).count == 2)
            try await ada.call(DeleteSubscription(id: ids[0]))
            try await service.database.run(
                """
                DELETE FROM Subscription WHERE Subscription_ID = UNHEX('\(ids[1].uuidString.replacing("-", with: ""))');
                DELETE FROM Plan WHERE Plan_name = 'Doomed';
                DELETE FROM Provider WHERE Provider = 'Gone';
                """)
            try await copy.pull(ada, limit: 1)
            #expect(Array(copy.data(.subscription).keys) == [ids[2].uuidString.lowercased()])
            #expect(copy.data(.period).count == 1 && copy.data(.price).count == 1)
            #expect(copy.data(.provider).count == 1 && copy.data(.plan).count == 1)
            // Somebody who comes later hears nothing of what is gone.
            let page = try await ada.call(PullChanges(limit: 1000))
            #expect(!page.changes.contains { $0.deleted })

            try await service.database.run("DELETE FROM `User`")
            let problem = try await ada.refusal(of: PullChanges(cursor: copy.cursor))
            #expect(problem.status == 401)
        }
    }
}
