import MariaDB

/// What is found out about hosts and the default tenant, for operators.
enum HostFindings {
    private static let subject = "hosts"

    /// What a service that starts warns of.
    static func atStart(defaultTenant: String?, on connection: Connection) async throws -> [Finding] {
        guard let defaultTenant else {
            guard let hosts = try await list(on: connection) else { return [] }
            return [
                .warning(
                    subject, "Requests for other hosts than \(hosts) are answered 404: no default tenant is named",
                    remedy: "--default-tenant default, where other hosts are to lead to the tenant default")
            ]
        }
        return try await missing(defaultTenant, on: connection).map { [$0] } ?? []
    }

    /// What the doctor says.
    static func examine(defaultTenant: String?, on connection: Connection) async throws -> [Finding] {
        if let defaultTenant, let finding = try await missing(defaultTenant, on: connection) { return [finding] }
        guard let hosts = try await list(on: connection) else { return [] }
        let others = defaultTenant.map { "lead to the tenant \($0)" } ?? "are answered 404 (--default-tenant)"
        return [.ok(subject, "tenants have \(hosts); other hosts \(others)")]
    }

    private static func missing(_ slug: String, on connection: Connection) async throws -> Finding? {
        guard try await TenantQueries.find(slug, on: connection) == nil else { return nil }
        return .problem(
            "default tenant", "There is no tenant \(slug): requests for hosts that no tenant has are answered 404",
            remedy: "subtrackd tenant create \(slug)   -- or name another one: --default-tenant")
    }

    /// The hosts of tenants, a few by name; nil where no tenant has one.
    private static func list(on connection: Connection) async throws -> String? {
        let hosts = try await TenantQueries.hosts(on: connection).map(\.host).sorted()
        guard !hosts.isEmpty else { return nil }
        return hosts.count > 5
            ? "\(hosts.prefix(4).joined(separator: ", ")) and \(hosts.count - 4) more" : hosts.joined(separator: ", ")
    }
}
