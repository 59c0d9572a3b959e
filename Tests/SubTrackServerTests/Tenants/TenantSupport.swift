import Foundation
import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackServer

extension TestService {
    /// Runs a body with what an operator does with tenants, on this service's databases.
    /// - Parameter settle: how long running services get to notice that a tenant is closed; nil: as long as they need.
    func withTenants<Result: Sendable>(
        settle: Duration? = .milliseconds(10), configure: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TenantAdministration) async throws -> Result
    ) async throws -> Result {
        let logger = RecordedLog().logger("tenants")
        var settings = settings
        configure(&settings)
        let access = try await DatabaseAccess.open(settings, logger: logger)
        var tenants = TenantAdministration(access: access, logger: logger)
        if let settle { tenants.settle = settle }
        do {
            let result = try await body(tenants)
            await tenants.shutdown()
            return result
        } catch {
            await tenants.shutdown()
            throw error
        }
    }

    /// A client of a tenant by its path, without a token.
    func client(of slug: String) -> APIClient {
        var client = client
        client.token = nil
        client.prefix = "/t/\(slug)"
        return client
    }

    /// The database of a tenant, for SQL.
    func database(of slug: String) -> TestDatabase {
        TestDatabase(name: "\(control.name)_\(slug)", socketPath: control.socketPath)
    }

    /// Somebody in a tenant, once this service knows the tenant.
    func newUser(in slug: String, country: String = "US") async throws -> TestUser {
        var client = client(of: slug)
        try await eventually("the service knows \(slug)") {
            try await client.send("GET", "/v1").status == 200
        }
        let made = try await client.call(RegisterDevice(name: "a device of \(slug)", country: country))
        client.token = made.token
        return TestUser(user: made.user, device: made.device, client: client)
    }
}

extension TestDatabase {
    /// Every row of every table, `Migration` left out, as lines in an order of their own.
    func allRows() async throws -> String {
        let tables = try await run(
            """
            SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()
            AND TABLE_TYPE = 'BASE TABLE' AND TABLE_NAME <> 'Migration' ORDER BY 1
            """)
        let rows = try await run(
            tables.split(separator: "\n").map { "SELECT '\($0)', t.* FROM `\($0)` t;" }.joined(separator: "\n"))
        // In an order of its own: a table may have a single column.
        return rows.split(separator: "\n").sorted().joined(separator: "\n")
    }
}

extension ServiceSettings {
    /// Has the service look at no tenant by itself, neither for jobs nor for mails. A test takes a database away, and the service would
    /// rightly log an error.
    mutating func looksAtNoTenant() {
        jobInterval = .seconds(3600)
        mail.sweep = .seconds(3600)
    }
}
