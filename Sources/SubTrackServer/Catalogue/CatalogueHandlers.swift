import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operations on countries, providers and plans.
enum CatalogueHandlers {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry) {
        registry.register(ListCountries.self, handler: listCountries)
        registry.register(ListProviders.self, handler: listProviders)
        registry.register(ListPlans.self, handler: listPlans)
        registry.register(GetPlan.self, handler: getPlan)
    }

    @Sendable private static func listCountries(
        _ input: ListCountries, _ call: Call
    ) async throws -> Reply<ListCountries.Output> {
        let page = try PageRequest(limit: input.limit, cursor: input.cursor, kind: "countries", fields: 1)
        let scopes = [ScopeID.reference]
        if let tag = try await unchanged(input, scopes: scopes, call) { return .unchanged(tag, isShared: true) }
        return try await call.tenant.read { connection in
            let tag = try tag(
                of: input, scopes: scopes, versions: try await ScopeID.versions(of: scopes, on: connection), call: call)
            let found = Page(
                try await CatalogueQueries.countries(page, on: connection), request: page, kind: "countries"
            ) { [$0.name] }
            return .shared(.init(countries: found.elements, nextCursor: found.nextCursor), tag: tag)
        }
    }

    @Sendable private static func listProviders(
        _ input: ListProviders, _ call: Call
    ) async throws -> Reply<ListProviders.Output> {
        let page = try PageRequest(limit: input.limit, cursor: input.cursor, kind: "providers", fields: 2)
        let after = try page.after.map { fields -> (name: String, isOwn: Bool) in
            guard ["0", "1"].contains(fields[1]) else { throw PageRequest.foreignCursor }
            return (name: fields[0], isOwn: fields[1] == "1")
        }
        let search = try searchText(input.search)
        let country = try countryCode(input.country) ?? call.session?.country
        return try await call.tenant.read { connection in
            if let code = input.country, try await !CatalogueQueries.hasCountry(code, on: connection) {
                throw UserHandlers.unknownCountry(code)
            }
            let found = Page(
                try await CatalogueQueries.providers(
                    country: country, owner: call.session?.user, category: input.category, search: search,
                    today: today(call), after: after, limit: page.limit + 1, on: connection), request: page,
                kind: "providers"
            ) { [$0.provider.name, $0.isOwn ? "1" : "0"] }
            let output = ListProviders.Output(
                providers: found.elements.map(\.provider), nextCursor: found.nextCursor)
            return (call.session == nil ? .shared(output) : Reply(output)).taggedByContent()
        }
    }

    @Sendable private static func listPlans(_ input: ListPlans, _ call: Call) async throws -> Reply<ListPlans.Output> {
        let page = try PageRequest(limit: input.limit, cursor: input.cursor, kind: "plans", fields: 4)
        let search = try searchText(input.search)
        guard let country = try countryCode(input.country) ?? call.session?.country else {
            throw Problem.input("country", .required, "is needed without a token")
        }
        let after = try page.after.map { fields -> CatalogueQueries.PlanPlace in
            guard let unit = Int(fields[1]), (1...PlanDuration.Unit.allCases.count).contains(unit),
                let value = Int(fields[2]), value > 0, let id = Int64(fields[3]), id > 0
            else { throw PageRequest.foreignCursor }
            return (name: fields[0], unit: unit, value: value, id: id)
        }
        let today = today(call)
        let user = call.session?.user
        let scopes = [ScopeID.reference, .country(country)] + (user.map { [.user($0)] } ?? [])
        if let tag = try await unchanged(input, scopes: scopes, call) { return .unchanged(tag, isShared: user == nil) }
        return try await call.tenant.read { connection in
            let versions = try await ScopeID.versions(of: scopes, on: connection)
            // Where there has ever been a plan there is a country.
            if versions[1] == 0, try await !CatalogueQueries.hasCountry(country, on: connection) {
                throw UserHandlers.unknownCountry(country)
            }
            let tag = try tag(of: input, scopes: scopes, versions: versions, call: call)
            let rows = try await CatalogueQueries.plans(
                country: country, owner: user, provider: input.provider, search: search, today: today, after: after,
                limit: page.limit + 1, on: connection)
            let found = Page(rows, request: page, kind: "plans") { row in
                let unit = PlanDuration.Unit.allCases.firstIndex(of: row.duration.unit).map { $0 + 1 } ?? 0
                return [row.name, String(unit), String(row.duration.value), String(row.id)]
            }
            // The tag says of which version they are.
            let digits = try await call.tenant.currencies.table(from: versions[0], on: connection)
            let output = ListPlans.Output(
                plans: found.elements.map { $0.plan(digits: digits, today: today) }, nextCursor: found.nextCursor)
            return user == nil ? .shared(output, tag: tag) : Reply(output, tag: tag)
        }
    }

    @Sendable private static func getPlan(_ input: GetPlan, _ call: Call) async throws -> Reply<GetPlan.Output> {
        let today = today(call)
        return try await call.tenant.read { connection in
            let row = try await CatalogueQueries.plan(
                input.id, user: call.session?.user, today: today, on: connection)
            guard let row else { throw Problem(.notFound, "There is no plan \(input.id).") }
            let digits = try await call.tenant.currencies.table(on: connection)
            let prices = try await CatalogueQueries.prices(of: [row.id], on: connection)[row.id] ?? []
            let output = GetPlan.Output(
                plan: row.plan(digits: digits, today: today),
                prices: prices.map { entry in
                    GetPlan.Price(
                        effectiveOn: entry.effectiveOn,
                        fee: entry.price.fee.written(in: entry.price.currency, digits: digits),
                        currency: entry.price.currency)
                })
            return row.owner == nil ? .shared(output) : Reply(output)
        }
    }

    /// The day for which prices are shown: the user's today, or UTC's without a user.
    private static func today(_ call: Call) -> CalendarDate {
        call.session?.today(at: call.now) ?? call.now.date(secondsFromUTC: 0)
    }

    /// The tag that the caller named, where it is the list's: nothing but the counters has to be read then.
    private static func unchanged(
        _ input: some Encodable, scopes: [ScopeID], _ call: Call
    ) async throws -> EntityTag? {
        guard call.ifNoneMatch.namesAny else { return nil }
        let tag = try tag(
            of: input, scopes: scopes, versions: try await call.tenant.counters.versions(of: scopes), call: call)
        return call.ifNoneMatch.names(tag) ? tag : nil
    }

    /// A list's tag: what was asked for, the versions of what it is made of and their epoch, and the day.
    private static func tag(
        of input: some Encodable, scopes: [ScopeID], versions: [Int64], call: Call
    ) throws -> EntityTag {
        var hash = StableHash()
        hash.combine(try OutputEncoder.encode(input))
        for version in versions { hash.combine(version) }
        for scope in scopes { hash.combine(scope.bytes) }
        hash.combine(call.tenant.epoch.value)
        hash.combine(today(call).daysSince1970)
        return EntityTag(hash: hash.value)
    }

    private static func searchText(_ text: String?) throws -> String? {
        try InputText.optional(text, field: "search", maximum: 100)
    }

    private static func countryCode(_ code: String?) throws -> String? {
        guard let code else { return nil }
        guard code.utf8.count == 2, code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else {
            throw Problem.input("country", .malformed, "must be an ISO 3166-1 code in capitals, such as DE")
        }
        return code
    }
}
