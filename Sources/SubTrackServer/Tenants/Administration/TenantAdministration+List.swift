import MariaDB

/// The tenants of a deployment, and what is wrong with them.
extension TenantAdministration {
    /// All tenants, by name, as the control database has them.
    public func list() async throws -> [TenantSummary] {
        try await rows().map { TenantSummary($0.row, hosts: $0.hosts, areas: access.settings.areas) }
    }

    /// All tenants, by name. A tenant whose database is gone, or whose server does not answer, has a `problem`.
    public func listWithProblems() async throws -> [TenantSummary] {
        let rows = try await rows()
        let problems = try await withThrowingTaskGroup(of: [String: String].self) { group in
            // Servers that are away cost no more than one of them.
            for (server, tenants) in Dictionary(grouping: rows.map(\.row), by: \.server) {
                group.addTask { try await self.problems(of: tenants, on: server) }
            }
            return try await group.reduce(into: [String: String]()) { $0.merge($1) { first, _ in first } }
        }
        return rows.map { row, hosts in
            var summary = TenantSummary(row, hosts: hosts, areas: access.settings.areas)
            summary.problem = problems[row.slug]
            return summary
        }
    }

    private func rows() async throws -> [(row: TenantQueries.Row, hosts: [String])] {
        try await onControl { connection in
            let hosts = try await TenantQueries.hosts(on: connection)
            return try await TenantQueries.all(on: connection).map { row in
                (row: row, hosts: hosts.filter { $0.slug == row.slug }.map(\.host))
            }
        }
    }

    /// The problems of tenants on one server, by name.
    private func problems(of tenants: [TenantQueries.Row], on server: String?) async throws -> [String: String] {
        do {
            let client = try clients.client(of: server)
            // One statement for all of them, and one more for each that it lacks.
            let whole = try await client.withConnection(nil) { try await MigrationQueries.withNotes(on: $0) }
            var problems: [String: String] = [:]
            for row in tenants where row.isMade && !whole.contains(row.database.lowercased()) {
                do {
                    if let rest = try await rest(of: row) { problems[row.slug] = DatabaseGone(row, rest).reason }
                } catch let error as MariaDBError where error.kind == .server {
                    problems[row.slug] = "\(error)"
                }
            }
            return problems
        } catch let error where !(error is CancellationError) {
            return Dictionary(tenants.map { ($0.slug, "\(error)") }) { first, _ in first }
        }
    }

    /// One tenant, with what its database tells.
    public func show(_ slug: String) async throws -> TenantSummary {
        let row = try await find(slug)
        var summary = TenantSummary(
            row,
            hosts: try await onControl { try await TenantQueries.hosts(on: $0) }.filter { $0.slug == slug }.map(\.host),
            areas: access.settings.areas)
        do {
            let client = try clients.client(of: row.server)
            try await DatabaseGone.check(row, client: client)
            try await client.withConnection(row.database) { connection in
                summary.problem = try await TenantOpening.reason(
                    access.settings.areas.plan(for: row), on: connection)
                if summary.problem == nil { summary.counts = try await TenantCountQueries.counts(on: connection) }
            }
        } catch {
            summary.problem = "\(error)"
        }
        return summary
    }
}
