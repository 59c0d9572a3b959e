import MariaDB

/// The areas of tenants.
extension TenantAdministration {
    /// An area of a tenant, as an operator sees it.
    public struct AreaState: Encodable, Sendable, Hashable {
        /// The area's name.
        public let name: String
        /// Whether it is on.
        public let isOn: Bool
        /// Whether it is on in every tenant.
        public let isFixed: Bool
        /// Whether the operator has decided it for this tenant. Otherwise it is as the service has it.
        public let isDecided: Bool
    }

    /// The areas of the service.
    var areas: AreaList { access.settings.areas }

    /// The areas of a tenant, in the service's order.
    public func areas(of slug: String) async throws -> [AreaState] { states(of: try await find(slug)) }

    private func states(of row: TenantQueries.Row) -> [AreaState] {
        let on = areas.on(row.areas)
        return areas.areas.enumerated().map { place, area in
            AreaState(
                name: area.name, isOn: on.contains(.place(place)), isFixed: area.presence == .always,
                isDecided: area.presence != .always && row.areas[area.name] != nil)
        }
    }

    /// Switches areas of a tenant on and off. Running services see it within seconds.
    ///
    /// The tables and triggers of those that are switched on are made first. Cut off in the middle, they are off as before,
    /// and the same command completes them. Those that are switched off keep their tables, triggers and rows.
    /// - Returns: the areas afterwards.
    /// - Throws: ``Refusal`` for names that cannot be switched, and while work is done on the tenant's data.
    @discardableResult
    public func setAreas(
        _ slug: String, enabling: [String] = [], disabling: [String] = []
    ) async throws -> [AreaState] {
        let decisions = try areas.decisions(enabling: enabling, disabling: disabling)
        return try await working(on: slug) {
            let row = try await find(slug)
            guard !row.isClosed else { throw Refusal("\(slug): \(Preparation.closed(slug))") }
            var wanted = row
            wanted.areas.merge(decisions) { $1 }
            if decisions.values.contains(true) {
                _ = try await OnServer.naming(row.server) { try await preparation.migrate(wanted, clients) }
            }
            try await clients.client(of: nil).withTransaction(control) { connection in
                try await TenantQueries.set(areas: decisions, of: slug, on: connection)
            }
            return states(of: wanted)
        }
    }

    /// The preparation of databases, with this administration's settings.
    private var preparation: Preparation {
        var preparation = Preparation(access: access, logger: logger)
        preparation.settle = settle
        preparation.beforeStatement = beforeStatement
        return preparation
    }
}

extension AreaList {
    /// An operator's decisions about areas, by their names.
    /// - Throws: ``TenantAdministration/Refusal`` for names of none, of areas that are always on, and for contradictions.
    func decisions(enabling: [String], disabling: [String]) throws -> [String: Bool] {
        for name in enabling + disabling {
            guard let area = areas.first(where: { $0.name == name }) else {
                throw TenantAdministration.Refusal("there is no area \"\(ShownText.of(name))\"; \(choice)")
            }
            guard area.presence != .always else {
                throw TenantAdministration.Refusal("the area \(name) is on in every tenant; \(choice)")
            }
        }
        if let both = enabling.first(where: disabling.contains) {
            throw TenantAdministration.Refusal("the area \(both) cannot be switched on and off at the same time")
        }
        return Dictionary(enabling.map { ($0, true) } + disabling.map { ($0, false) }) { $1 }
    }

    /// A new tenant's decisions: the named areas are on, and the others that need not be on are off.
    /// - Throws: as ``decisions(enabling:disabling:)``.
    func decisions(having names: [String]) throws -> [String: Bool] {
        let others = areas.filter { $0.presence != .always && !names.contains($0.name) }.map(\.name)
        return try decisions(enabling: names, disabling: others)
    }

    /// The areas that can be switched, in words.
    private var choice: String {
        let names = areas.filter { $0.presence != .always }.map(\.name)
        return names.isEmpty
            ? "this version has no areas that can be switched on or off"
            : "these can be switched on and off: \(names.joined(separator: ", "))"
    }
}
