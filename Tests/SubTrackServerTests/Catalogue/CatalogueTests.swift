import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Countries, providers and plans", .tags(.otherServers), .ownTime)
struct CatalogueTests {
    @Test("All countries of ISO 3166 by name with their currencies, in pages of any size")
    func countries() async throws {
        try await TestService.runAlone { service in
            var all: [ListCountries.Country] = []
            try await forEachPage { cursor in
                let page = try await service.client.call(ListCountries(limit: 7, cursor: cursor))
                #expect(page.countries.count <= 7)
                all += page.countries
                return page.nextCursor
            }
            #expect(all.count == 249 && Set(all.map(\.id)).count == 249)
            #expect(all.contains(.init(id: "US", name: "United States", currency: "USD")))
            #expect(all.contains { $0.id == "CI" && $0.currency == "XOF" })
            let inDatabase = try await service.database.run("SELECT Country_ID FROM Country ORDER BY Country_name")
            #expect(all.map(\.id) == inDatabase.split(separator: "\n").map(String.init))
            #expect(try await service.client.call(ListCountries()).countries.count == 50)
            #expect(try await service.client.call(ListCountries(limit: 1000)).countries.count == 200)
        }
    }

    /// Adds plans of four providers in two countries.
    private func fill(_ service: TestService) async throws {
        try await service.addPlan("Basic", provider: "Netflix", fee: "7.99")
        try await service.addPlan("Premium", provider: "Netflix", fee: "24.99")
        try await service.addPlan("Premium", provider: "Netflix", fee: "249.00", duration: "1 year")
        try await service.addPlan("Premium", provider: "Netflix", fee: "9.99", duration: "2 week")
        try await service.addPlan("Individual", provider: "Spotify", fee: "11.99")
        try await service.addPlan("Basis", provider: "Netflix", fee: "4.99", country: "DE")
        try await service.addPlan("Abo", provider: "Der Spiegel", fee: "22.99", country: "DE")
        let old = try await service.addPlan("Old", provider: "Gone", fee: "1.00")
        try await service.database.run(
            """
            UPDATE Plan SET Withdrawn_on = '2026-01-31' WHERE Plan_ID = \(old);
            UPDATE Plan SET Withdrawn_on = '2026-02-01' WHERE Provider = 'Spotify';
            UPDATE Provider SET Category = 'Video', Website = 'https://www.netflix.com', Cancel_URL = 'https://n.example/c'
            WHERE Provider = 'Netflix';
            UPDATE Provider SET Category = 'Music' WHERE Provider = 'Spotify'
            """)
    }

    @Test(
        "Plans of a country by name, then duration; by provider; by a text in name or provider; none that is withdrawn")
    func plans() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            try await fill(service)
            func names(_ operation: ListPlans) async throws -> [String] {
                try await service.client.call(operation).plans.map {
                    "\($0.name) \($0.duration.value) \($0.duration.unit)"
                }
            }
            let american = [
                "Basic 1 month", "Individual 1 month", "Premium 2 week", "Premium 1 month", "Premium 1 year",
            ]
            #expect(try await names(.init(country: "US")) == american)
            #expect(try await names(.init(country: "DE")) == ["Abo 1 month", "Basis 1 month"])
            #expect(try await names(.init(country: "FR")) == [])
            #expect(try await names(.init(country: "US", provider: "Spotify")) == ["Individual 1 month"])
            #expect(try await names(.init(country: "US", provider: "spotify")) == ["Individual 1 month"])
            #expect(try await names(.init(country: "US", provider: "Gone")) == [])
            #expect(try await names(.init(country: "US", search: "prem")).count == 3)
            #expect(try await names(.init(country: "US", search: "flix")).count == 4)
            #expect(try await names(.init(country: "US", search: "%")) == [])
            #expect(try await names(.init(country: "US", search: "_")) == [])
            for limit in 1...6 {
                var paged: [String] = []
                try await forEachPage { cursor in
                    let page = try await service.client.call(ListPlans(country: "US", limit: limit, cursor: cursor))
                    paged += page.plans.map { "\($0.name) \($0.duration.value) \($0.duration.unit)" }
                    return page.nextCursor
                }
                #expect(paged == american)
            }
            service.clock.set("2026-02-01")
            #expect(try await names(.init(country: "US", provider: "Spotify")) == [], "withdrawn on that day")
        }
    }

    @Test("Providers by name, with how many plans each sells in the country asked for")
    func providers() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            try await fill(service)
            func found(_ operation: ListProviders) async throws -> [String] {
                try await service.client.call(operation).providers.map { "\($0.name) \($0.planCount)" }
            }
            #expect(try await found(.init()) == ["Der Spiegel 1", "Gone 0", "Netflix 5", "Spotify 1"])
            #expect(try await found(.init(country: "US")) == ["Netflix 4", "Spotify 1"])
            #expect(try await found(.init(country: "DE")) == ["Der Spiegel 1", "Netflix 1"])
            #expect(try await found(.init(category: "Music")) == ["Spotify 1"])
            #expect(try await found(.init(search: "SP")) == ["Der Spiegel 1", "Spotify 1"])
            #expect(try await found(.init(country: "US", search: "%")) == [])
            let netflix = try await service.client.call(ListProviders(search: "Netflix")).providers
            #expect(
                netflix == [
                    .init(
                        name: "Netflix", category: "Video", website: "https://www.netflix.com",
                        cancelUrl: "https://n.example/c", planCount: 5)
                ])
            for limit in 1...3 {
                var paged: [String] = []
                try await forEachPage { cursor in
                    let page = try await service.client.call(ListProviders(limit: limit, cursor: cursor))
                    paged += page.providers.map(\.name)
                    return page.nextCursor
                }
                #expect(paged == ["Der Spiegel", "Gone", "Netflix", "Spotify"])
            }
            let ada = try await service.newUser(country: "DE")
            #expect(
                try await ada.call(ListProviders()).providers.map(\.name) == ["Der Spiegel", "Netflix"],
                "the user's country unless given")
        }
    }

    @Test("A plan with its prices, past and announced, and today's fee by the clock")
    func prices() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let id = try await service.addPlan("Premium", fee: "17.99", since: "2025-01-01", noticeDays: 1)
            try await service.database.run(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(id), '2023-06-01', 15.49);
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES (\(id), '2026-03-01', 19.5, 'EUR')
                """)
            let plan = try await service.client.call(GetPlan(id: id))
            #expect(plan.plan.fee.description == "17.99" && plan.plan.currency == "USD")
            #expect(
                plan.prices.map { "\($0.effectiveOn) \($0.fee) \($0.currency)" } == [
                    "2023-06-01 15.49 USD", "2025-01-01 17.99 USD", "2026-03-01 19.50 EUR",
                ])
            service.clock.set("2026-03-01")
            let later = try await service.client.call(GetPlan(id: id)).plan
            #expect(later.fee.description == "19.50" && later.currency == "EUR")
            service.clock.set("2020-01-01")
            #expect(try await service.client.call(GetPlan(id: id)).plan.fee.description == "15.49", "the first known")
        }
    }

    @Test("An unknown plan is 404, a number that is none is refused")
    func unknownPlans() async throws {
        try await TestService.run { service in
            for id in ["0", "-1", "4294967296", "9007199254740993", "9223372036854775807"] {
                let answer = try await service.client.send("GET", "/v1/plans/\(id)")
                #expect(answer.status == 404, "\(id): \(answer.text)")
            }
            for id in ["abc", "1.5", "1e3", "+1", "%201", "9223372036854775808", "0x10", "1;DROP"] {
                let answer = try await service.client.send("GET", "/v1/plans/\(id)")
                #expect(answer.status == 400, "\(id): \(answer.text)")
                expectRefused(try answer.problem(), "id", .malformed)
            }
        }
    }

    @Test("Without a token the country is needed; a code that is none or unknown is refused")
    func country() async throws {
        try await TestService.run { service in
            expectRefused(try await service.client.refusal(of: ListPlans()), "country", .required)
            for code in ["us", "USA", "U", "", "ü", "U1"] {
                expectRefused(try await service.client.refusal(of: ListPlans(country: code)), "country", .malformed)
            }
            let ada = try await service.newUser()
            for client in [service.client, ada.client] {
                expectRefused(try await client.refusal(of: ListPlans(country: "XX")), "country", .missing)
                expectRefused(try await client.refusal(of: ListProviders(country: "XX")), "country", .missing)
                #expect(try await client.call(ListPlans(country: "AQ")).plans.isEmpty)
                #expect(try await client.call(ListProviders(country: "AQ")).providers.isEmpty)
            }
        }
    }
}
