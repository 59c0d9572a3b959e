import Foundation
import MariaDB
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Two installations that come near each other: no command takes a database of the other's for its own.
@Suite(
    "Several installations", .tags(.ownServer),
    .enabled(if: ServicesServer.kind == .own, "the other servers have no such accounts"), .ownTime)
struct InstallationTests {
    /// Another installation's control database with a tenant on a server.
    private func install(_ control: String, socket: String, tenant: String? = "acme") async throws {
        let settings = ServiceSettings(
            stateDirectory: URL(fileURLWithPath: "/nonexistent"),
            database: DatabaseURL(endpoint: .unix(path: socket), user: "root", controlDatabase: control))
        let logger = RecordedLog().logger("other", level: .error)
        let access = try await DatabaseAccess.open(settings, logger: logger)
        try await Preparation(access: access, logger: logger).prepareControl()
        guard let tenant else { return }
        let tenants = TenantAdministration(access: access, logger: logger)
        try await tenants.create(tenant)
        await tenants.shutdown()
    }

    private func refusal(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "it was done"
        } catch { return "\(error)" }
    }

    /// The refusals of all commands that put a tenant on a server.
    /// - Parameter file: an export of the tenant `beta`.
    private func refusals(of tenants: TenantAdministration, to server: String, file: String) async -> [String] {
        [
            await refusal { _ = try await tenants.move("beta", to: server) },
            await refusal { try await tenants.create("gamma", server: server) },
            await refusal { _ = try await tenants.import("delta", from: file, isReplacing: false, server: server) },
            await refusal { _ = try await tenants.import("beta", from: file, isReplacing: true, server: server) },
        ]
    }

    @Test("A server that cannot work as it is set takes no tenant: the setting is named, and nothing is left there")
    func unusableServer() async throws {
        try await PrivateServer.own(configure: {
            $0.extraArguments = [
                "--log-bin=binary-log", "--server-id=1", "--binlog-format=STATEMENT", "--sync-binlog=0",
            ]
        }) { elsewhere in
            try await TestService.runAlone { service in
                let url = "mysql://root@localhost/?socket=\(elsewhere.socketPath)"
                let admin = TestDatabase(name: "mysql", socketPath: elsewhere.socketPath)
                let before = try await admin.run("SHOW DATABASES")
                try await ServiceProcess.withFolder { folder in
                    try await service.withTenants { tenants in
                        try await tenants.create("beta")
                        let file = folder.path + "/beta.jsonl"
                        _ = try await tenants.export("beta", to: file)
                        for said in await refusals(of: tenants, to: url, file: file) {
                            #expect(said.contains("binlog_format"), "\(said)")
                        }
                        #expect(try await admin.run("SHOW DATABASES") == before)
                        #expect(try await tenants.show("beta").status == .active)
                        #expect(try await tenants.list().map(\.slug) == ["beta", "default"])
                    }
                }
            }
        }
    }

    @Test("A server where another installation has the prefix takes no tenant, by move, create or import")
    func prefix() async throws {
        try await PrivateServer.own { elsewhere in
            try await TestService.runAlone { service in
                let url = "mysql://root@localhost/?socket=\(elsewhere.socketPath)"
                let admin = TestDatabase(name: "mysql", socketPath: elsewhere.socketPath)
                try await install(service.control.name, socket: elsewhere.socketPath)
                try await ServiceProcess.withFolder { folder in
                    try await service.withTenants { tenants in
                        try await tenants.create("beta")
                        let file = folder.path + "/beta.jsonl"
                        _ = try await tenants.export("beta", to: file)
                        func tryAll(_ words: String) async throws {
                            let before = try await admin.run("SHOW DATABASES")
                            for said in await refusals(of: tenants, to: url, file: file) {
                                #expect(said.contains(words) && said.contains("nothing was changed"), "\(said)")
                            }
                            #expect(try await admin.run("SHOW DATABASES") == before)
                            #expect(try await tenants.show("beta").status == .active)
                        }
                        try await tryAll("the control database \(service.control.name) of another installation")
                        // Its control database is on another server yet; a tenant of it is here.
                        try await admin.run("DROP DATABASE `\(service.control.name)`")
                        try await tryAll("the database \(service.control.name)_acme of another installation")
                        // Where they are gone the server takes tenants, and this one's own are no hindrance to the next.
                        try await admin.run("DROP DATABASE `\(service.control.name)_acme`")
                        _ = try await tenants.move("beta", to: url)
                        try await tenants.create("gamma", server: url)
                        #expect(try await tenants.show("gamma").problem == nil)
                    }
                }
            }
        }
    }

    @Test(
        "A name that is another installation's control database, or an empty tenant of it, is refused; so is the reverse"
    )
    func names() async throws {
        try await TestService.runAlone { service in
            let control = service.control.name
            try await install(control + "_staging", socket: service.control.socketPath, tenant: "x")
            try await service.withTenants { tenants in
                let tables = "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = '\(control)_staging'"
                let before = try await service.control.run(tables)
                let staging = await refusal { try await tenants.create("staging") }
                #expect(staging.contains("is the control database of another installation"), "\(staging)")
                #expect(try await service.control.run(tables) == before)
                // Also where the row is there already, as for the tenant that every installation begins with.
                try await service.control.run(
                    "INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at) VALUES "
                        + "('staging', '\(control)_staging', RANDOM_BYTES(16), UTC_TIMESTAMP())")
                let outcomes = try await Preparation(access: tenants.access, logger: RecordedLog().logger("quiet"))
                    .run(defaultTenant: nil)
                #expect(
                    outcomes.first { $0.slug == "staging" }?.failure?.contains("control database of another") == true)
                #expect(try await service.control.run(tables) == before)
                try await service.control.run("DELETE FROM Tenant WHERE Slug = 'staging'")

                // An empty database that another installation has made, and noted as its own.
                try await service.control.run("CREATE DATABASE `\(control)_empty`")
                try await service.control.run(
                    "CREATE TABLE `\(control)_empty`.Setting LIKE `\(control)_staging`.Setting; "
                        + "INSERT INTO `\(control)_empty`.Setting SELECT * FROM `\(control)_staging_x`.Setting "
                        + "WHERE Setting_name = 'Installation'")
                let empty = await refusal { try await tenants.create("empty") }
                #expect(empty.contains("of another installation (control database \(control)_staging)"), "\(empty)")

                // The reverse: a control database that is a tenant's.
                try await tenants.create("acme")
                let taken = await refusal {
                    try await install(control + "_acme", socket: service.control.socketPath, tenant: nil)
                }
                #expect(taken.contains("is a tenant's of another installation"), "\(taken)")
                #expect(try await service.database(of: "acme").run("SHOW TABLES LIKE 'Lease'").isEmpty)
            }
        }
    }

    @Test("A dump of another installation's tenant is noticed by the doctor, and becomes this one's by restored")
    func restored() async throws {
        try await TestService.runAlone { service in
            try await install(service.control.name + "_other", socket: service.control.socketPath, tenant: "x")
            try await service.withTenants { tenants in
                func finding() async -> Finding? {
                    await Doctor(access: tenants.access, logger: tenants.logger).findings()
                        .first { $0.subject == "tenant default" }
                }
                #expect(await finding()?.level == .ok)
                let theirs = "`\(service.control.name)_other_x`"
                try await service.database.run(
                    "REPLACE INTO Setting SELECT * FROM \(theirs).Setting WHERE Setting_name = 'Installation'")
                let found = await finding()
                #expect(found?.level == .warning && found?.text.contains("another installation's") == true)
                try await tenants.restored("default")
                #expect(await finding()?.level == .ok)

                // A database that they have among their tenants is not taken from them.
                try await service.control.run("UPDATE Tenant SET Database_name = '\(service.control.name)_other_x'")
                let refused = await refusal { try await tenants.restored("default") }
                #expect(refused.contains("is a tenant's of another installation"), "\(refused)")
                try await service.control.run("UPDATE Tenant SET Database_name = '\(service.database.name)'")
            }
        }
    }
}
