import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Private plans", .tags(.otherServers), .ownTime)
struct PrivatePlanTests {
    private static let gym = PrivatePlan(
        provider: "Corner gym", name: "Mornings", category: "Sport", fee: amount("25.5"), currency: "EUR",
        duration: .init(value: 1, unit: .month), noticeDays: 14)

    @Test("A subscription with a plan of one's own is priced by it, and the plan is the owner's alone")
    func ownPlan() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            let ada = try await service.newUser(country: "DE")
            let bob = try await service.newUser(country: "DE")
            let made = try await ada.call(CreateSubscription(plan: Self.gym))
            #expect(made.endDate == day("2026-02-28") && made.cancelBy == day("2026-02-14"))
            #expect(made.fee.description == "25.50" && made.currency == "EUR")
            let plan = made.plan
            #expect(plan.private && plan.provider == "Corner gym" && plan.name == "Mornings")
            #expect(plan.category == "Sport" && plan.type == "Standard" && plan.country == "DE" && !plan.withdrawn)

            #expect(try await ada.call(GetPlan(id: plan.id)).plan == plan)
            #expect(try await ada.call(ListPlans()).plans == [plan])
            #expect(try await ada.call(ListPlans(search: "corner")).plans == [plan])

            let unknown = try await bob.refusal(of: GetPlan(id: 4_000_000))
            let hidden = try await bob.refusal(of: GetPlan(id: plan.id))
            #expect(hidden.status == 404 && hidden.code == unknown.code && hidden.title == unknown.title)
            #expect(hidden.detail == unknown.detail.replacing("4000000", with: "\(plan.id)"))
            #expect(try await service.client.refusal(of: GetPlan(id: plan.id)).status == 404)
            #expect(try await bob.call(ListPlans()).plans.isEmpty)
            #expect(try await service.client.call(ListPlans(country: "DE")).plans.isEmpty)
            for client in [bob.client, service.client] {
                #expect(try await client.call(ListProviders()).providers.isEmpty, "never among the public providers")
            }
            #expect(
                try await ada.call(ListProviders()).providers == [
                    .init(name: "Corner gym", category: "Sport", website: nil, cancelUrl: nil, planCount: 1)
                ], "the owner's list has it")
            let shared = try await service.client.send("GET", "/v1/providers")
            #expect(shared.header("cache-control")?.hasPrefix("public") == true)
            #expect(try await ada.client.send("GET", "/v1/providers").header("cache-control") == "no-store")
            expectRefused(try await bob.refusal(of: CreateSubscription(planId: plan.id)), "planId", .missing)

            let second = try await ada.call(CreateSubscription(planId: plan.id))
            #expect(second.plan == plan, "the owner may use it again")
            expectRefused(
                try await bob.refusal(
                    of: UpdateSubscription(
                        id: try await bob.call(CreateSubscription(plan: Self.gym)).id, planId: .set(plan.id))),
                "planId", .missing)
        }
    }

    @Test("Its fields are changed through PATCH plan; what a period costs that has begun stays")
    func change() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser(country: "DE")
            let made = try await ada.call(CreateSubscription(plan: Self.gym))
            service.clock.set("2026-02-10")
            let changed = try await ada.call(
                UpdateSubscription(
                    id: made.id,
                    plan: .set(
                        PrivatePlanPatch(
                            name: .set("All day"), category: .set("Health"), fee: .set(amount("30")),
                            noticeDays: .set(7)))))
            #expect(changed.plan.name == "All day" && changed.plan.category == "Health")
            #expect(changed.plan.noticeDays == 7 && changed.cancelBy == day("2026-02-21"))
            #expect(changed.plan.fee.description == "30.00", "from the user's today")
            #expect(changed.fee.description == "25.50" && changed.next?.fee.description == "30.00")
            #expect(changed.plan.provider == "Corner gym" && changed.endDate == made.endDate)
            let renewed = try await ada.call(RenewSubscription(id: made.id))
            #expect(renewed.fee.description == "30.00")
            let prices = try await ada.call(GetPlan(id: made.plan.id)).prices
            #expect(prices.map(\.fee.description) == ["25.50", "30.00"])
            #expect(prices.last?.effectiveOn == day("2026-02-10"))
        }
    }

    @Test("A fee that was mistyped for a period yet to begin is corrected for that period")
    func mistyped() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser(country: "DE")
            let made = try await ada.call(CreateSubscription(plan: Self.gym, startDate: day("2099-02-15")))
            let corrected = try await ada.call(
                UpdateSubscription(
                    id: made.id, plan: .set(PrivatePlanPatch(fee: .set(amount("52.50")))),
                    startDate: .set(day("2099-02-16"))))
            #expect(corrected.fee.description == "52.50" && corrected.plan.fee.description == "52.50")
        }
    }

    @Test("A change of its duration holds from the next period on")
    func duration() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser(country: "DE")
            let made = try await ada.call(CreateSubscription(plan: Self.gym))
            let changed = try await ada.call(
                UpdateSubscription(
                    id: made.id,
                    plan: .set(PrivatePlanPatch(duration: .set(.init(value: 2, unit: .week)), trialDays: .remove))))
            #expect(changed.endDate == day("2026-02-28"))
            let renewed = try await ada.call(RenewSubscription(id: made.id))
            #expect(renewed.startDate == day("2026-02-28") && renewed.endDate == day("2026-03-14"))
        }
    }

    @Test("A plan of the catalogue cannot be changed by a user, nor both be given")
    func refusals() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser(country: "DE")
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            expectRefused(
                try await ada.refusal(
                    of: UpdateSubscription(id: made.id, plan: .set(PrivatePlanPatch(fee: .set(amount("1")))))), "plan",
                .conflict)
            expectRefused(
                try await ada.refusal(of: CreateSubscription(planId: plan, plan: Self.gym)), "plan", .conflict)
            expectRefused(try await ada.refusal(of: CreateSubscription()), "planId", .required)
            for field in ["provider", "name", "type", "category", "fee", "currency", "duration", "noticeDays"] {
                let own = try await ada.call(CreateSubscription(plan: Self.gym))
                let answer = try await ada.client.send(
                    "PATCH", "/v1/subscriptions/\(own.id)", json: "{\"plan\":{\"\(field)\":null}}")
                expectRefused(try answer.problem(), "plan.\(field)", .required)
            }
        }
    }

    @Test("Two people may have private plans of the same provider, each with a category of their own")
    func sameProvider() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser(country: "DE")
            let bob = try await service.newUser(country: "DE")
            var other = Self.gym
            other.category = "Health"
            let hers = try await ada.call(CreateSubscription(plan: Self.gym))
            let his = try await bob.call(CreateSubscription(plan: other))
            #expect(hers.plan.category == "Sport" && his.plan.category == "Health" && hers.plan.id != his.plan.id)
            #expect(try await ada.call(GetSubscription(id: hers.id)).plan.category == "Sport")
        }
    }

    @Test("Own providers stand among the public ones by name, can be filtered and paged through; names are told apart")
    func ownProviders() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            let ada = try await service.newUser(country: "DE")
            for provider in ["Alpha", "Netflix", "Zeta"] {
                try await service.addPlan(provider: provider, country: "DE")
            }
            for (provider, category) in [
                ("netflix", "Mine"), ("Beta", "Sport"), ("🎬", "Film"), ("🎵", "Music"), ("Crème", "Food"),
                ("Creme", "Care"),
            ] {
                var plan = Self.gym
                plan.provider = provider
                plan.category = category
                try await ada.call(CreateSubscription(plan: plan))
            }
            let all = try await ada.call(ListProviders()).providers
            // Emoji go after letters or before, as the database orders them; equal names the public one first.
            let letters = all.map(\.name).filter { !["🎬", "🎵"].contains($0) }
            #expect(letters == ["Alpha", "Beta", "Creme", "Crème", "Netflix", "netflix", "Zeta"])
            #expect(all.count == 9 && all.allSatisfy { $0.planCount == 1 })
            let categories = Dictionary(all.map { ($0.name, $0.category) }, uniquingKeysWith: { first, _ in first })
            #expect(categories["🎬"] == "Film" && categories["🎵"] == "Music" && categories["netflix"] == "Mine")
            #expect(categories["Netflix"] == "Other" && categories["Creme"] == "Care")
            for limit in 1...5 {
                var paged: [ListProviders.Provider] = []
                try await forEachPage { cursor in
                    let page = try await ada.call(ListProviders(limit: limit, cursor: cursor))
                    #expect(page.providers.count <= limit)
                    paged += page.providers
                    return page.nextCursor
                }
                #expect(paged == all, "pages of \(limit)")
            }
            #expect(try await ada.call(ListProviders(category: "Sport")).providers.map(\.name) == ["Beta"])
            #expect(try await ada.call(ListProviders(search: "NETF")).providers.map(\.name) == ["Netflix", "netflix"])
            #expect(try await ada.call(ListProviders(search: "🎵")).providers.map(\.name).contains("🎵"))
            #expect(try await ada.call(ListPlans(provider: "🎬")).plans.map(\.provider) == ["🎬"])
            #expect(try await ada.call(ListPlans(country: "US")).plans.count == 6, "her own wherever she looks")
            #expect(try await ada.call(ListProviders(country: "US")).providers.count == 6)
        }
    }

    @Test("A fee that was typed wrongly today is corrected for the period that began today, whatever the user's day is")
    func corrected() async throws {
        try await TestService.run { service in
            // The database has its own clock, by which it knows what is announced: the tests' must show the same day.
            let today = try await DatabaseDay.today()
            for (zone, time) in [
                ("UTC", "12:00:00"), ("Etc/GMT+12", "00:30:00"), ("Pacific/Kiritimati", "23:30:00"),
            ] {
                service.clock.set("\(today)T\(time)Z")
                let ada = try await service.newUser(country: "DE", timeZone: zone)
                let made = try await ada.call(CreateSubscription(plan: Self.gym))
                let own = try await ada.call(CreateSubscription(planId: made.plan.id, fee: amount("9.99")))
                let before = try await ada.call(
                    CreateSubscription(planId: made.plan.id, startDate: made.startDate.adding(days: -3)))
                func correct(_ fee: String) async throws -> Subscription {
                    try await ada.call(
                        UpdateSubscription(id: made.id, plan: .set(PrivatePlanPatch(fee: .set(amount(fee))))))
                }
                for fee in ["52.50", "25.50", "31.00"] {
                    let corrected = try await correct(fee)
                    #expect(corrected.plan.fee.description == fee, "\(zone)")
                    #expect(corrected.fee.description == fee, "\(zone)")
                    #expect(corrected.next?.fee.description == fee, "\(zone)")
                    let prices = try await ada.call(GetPlan(id: made.plan.id)).prices
                    #expect(prices.map(\.fee.description) == [fee], "one price, which was corrected: \(zone)")
                    #expect(try await ada.call(GetSubscription(id: own.id)).fee.description == "9.99")
                    // The first known price is that of the days before it.
                    #expect(try await ada.call(GetSubscription(id: before.id)).fee.description == fee)
                }
                // The next day it is a new price, and the period keeps its own.
                service.clock.advance(days: 1)
                let next = try await correct("40.00")
                #expect(next.fee.description == "31.00" && next.plan.fee.description == "40.00", "\(zone)")
                #expect(try await ada.call(GetPlan(id: made.plan.id)).prices.count == 2, "\(zone)")
                // Typed wrongly again: what is corrected is the new price alone.
                for fee in ["31.00", "42.00"] {
                    let again = try await correct(fee)
                    #expect(again.fee.description == "31.00" && again.plan.fee.description == fee, "\(zone)")
                }
            }
        }
    }

    @Test("Own plans stand in the lists of plans in the same order as the rest, and can be paged through with them")
    func inOrder() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser(country: "DE")
            for name in ["Alpha", "Gamma", "Epsilon"] { try await service.addPlan(name, country: "DE") }
            for name in ["beta", "Delta", "Gamma"] {
                var plan = Self.gym
                plan.name = name
                try await ada.call(CreateSubscription(plan: plan))
            }
            let all = try await ada.call(ListPlans()).plans
            #expect(all.map(\.name) == ["Alpha", "beta", "Delta", "Epsilon", "Gamma", "Gamma"])
            for limit in 1...3 {
                var paged: [Plan] = []
                try await forEachPage { cursor in
                    let page = try await ada.call(ListPlans(limit: limit, cursor: cursor))
                    paged += page.plans
                    return page.nextCursor
                }
                #expect(paged == all)
            }
        }
    }
}
