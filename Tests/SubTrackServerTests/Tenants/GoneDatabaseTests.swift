import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// A database that was dropped by hand, or that its server has lost, does not come back empty.
@Suite("Tenants whose database is gone", .ownTime)
struct GoneDatabaseTests {
    private func outcome(_ slug: String, _ tenants: TenantAdministration) async throws -> Preparation.Outcome? {
        var preparation = Preparation(access: tenants.access, logger: tenants.logger)
        preparation.mendsDefinitions = true
        return try await preparation.run(defaultTenant: .init(hasDemoCatalogue: false)).first { $0.slug == slug }
    }

    /// Whether a service logged an error while it ran.
    private func logsFault(_ body: () async throws -> Void) async throws -> Bool {
        do {
            try await body()
            return false
        } catch is ServerFault {
            return true
        }
    }

    @Test("It answers 503 until an operator brings it back: no start and no migrate makes it again; others are served")
    func dropped() async throws {
        try await ServiceProcess.withFolder { folder in
            let isLogged = try await logsFault {
                try await TestService.runAlone { service in
                    try await service.withTenants { tenants in
                        try await tenants.create("acme", hosts: ["acme.example"])
                        let ada = try await service.newUser(in: "acme")
                        let file = folder.path + "/acme.jsonl"
                        _ = try await tenants.export("acme", to: file)
                        try await service.database(of: "acme").drop()

                        // The service has used it a moment ago.
                        let refused = try await ada.refusal(of: GetMe())
                        #expect(refused.status == 503 && refused.code == .unavailable, "\(refused)")
                        let byHost = try await RawHTTP.send("GET", "/v1", port: service.port, host: "acme.example")
                        #expect(byHost.status == 503 && byHost.header("retry-after") != nil, "\(byHost.text)")
                        #expect(try await service.client.send("GET", "/v1").status == 200)
                        let said = service.log.lines.filter { $0.message.contains("its database is gone") }
                        #expect(said.count == 1, "\(said)")
                        #expect(said.first?.level == .error && said.first?.metadata["tenant"] == "acme")

                        let failure = try await outcome("acme", tenants)?.failure ?? ""
                        #expect(failure.contains("its database is gone"), "\(failure)")
                        #expect(failure.contains("subtrackd tenant import acme FILE --replace"), "\(failure)")
                        #expect(try await outcome("default", tenants)?.failure == nil)
                        let isLoggedByReplica = try await logsFault {
                            try await service.runReplica { replica in
                                let lost = try await replica.client.send("GET", "/t/acme/v1").status
                                let other = try await replica.client.send("GET", "/v1").status
                                #expect(lost == 503 && other == 200)
                            }
                        }
                        #expect(isLoggedByReplica)
                        let there = "SHOW DATABASES LIKE '\(service.control.name)\\_acme%'"
                        #expect(try await service.control.run(there).isEmpty, "nobody has made it again")
                        let finding = await Doctor(access: tenants.access, logger: tenants.logger).findings()
                            .first { $0.subject == "tenant acme" }
                        #expect(finding?.level == .problem && finding?.text.contains("its database is gone") == true)
                        #expect(finding?.remedy?.contains("subtrackd tenant drop acme") == true)
                        #expect(finding?.remedy?.contains("subtrackd restore FOLDER --tenant acme   ") == true)
                        await #expect(throws: DatabaseGone.self, "catalog and seed") {
                            try await tenants.access.withTenant("acme", logger: tenants.logger) { _ in }
                        }
                        await #expect(throws: DatabaseGone.self, "sql") {
                            _ = try await TenantPlace.find("acme", on: tenants.access, logger: tenants.logger)
                        }
                        #expect(try await tenants.show("acme").problem?.contains("its database is gone") == true)
                        let problems = try await tenants.listWithProblems().map { $0.problem != nil }
                        #expect(problems == [true, false])

                        let result = try await tenants.import("acme", from: file, isReplacing: true)
                        #expect(result.unused == nil, "nothing was left behind")
                        try await eventually("it is served again") {
                            try await ada.client.response(to: GetMe()).status == 200
                        }
                        #expect(try await outcome("acme", tenants)?.failure == nil)
                    }
                }
            }
            #expect(isLogged)
        }
    }

    @Test("One that is given up is dropped without an export; one that is empty is not filled either")
    func givenUp() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone(configure: { $0.looksAtNoTenant() }) { service in
                try await service.withTenants { tenants in
                    let file = folder.path + "/acme.jsonl"
                    let database = service.database(of: "acme").name
                    try await tenants.create("acme")
                    try await service.control.run("DROP DATABASE `\(database)`; CREATE DATABASE `\(database)`")
                    let failure = try await outcome("acme", tenants)?.failure ?? ""
                    #expect(failure.contains("is empty or was loaded in part"), "\(failure)")
                    await #expect(throws: DatabaseGone.self) { _ = try await tenants.restored("acme") }
                    #expect(try await service.control.run("SHOW TABLES FROM `\(database)`").isEmpty)

                    try await service.control.run("CREATE TABLE `\(database)`.Plan (Plan_ID INT)")
                    await #expect(throws: (any Error).self, "there may be data in it") {
                        _ = try await tenants.drop("acme", exportingTo: file)
                    }
                    #expect(try await tenants.list().count == 2)
                    try await service.control.run("DROP DATABASE `\(database)`")
                    #expect(try await tenants.drop("acme", exportingTo: file) == nil)
                    #expect(try await tenants.list().map(\.slug) == ["default"])
                    #expect(!FileManager.default.fileExists(atPath: file))
                }
            }
        }
    }

    @Test("A tenant whose making was cut off before its database was there is completed, but not a second time")
    func cutOff() async throws {
        try await TestService.runAlone(configure: { $0.looksAtNoTenant() }) { service in
            try await service.withTenants { tenants in
                try await service.control.run(
                    """
                    INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at)
                    VALUES ('acme', '\(service.control.name)_acme', RANDOM_BYTES(16), UTC_TIMESTAMP())
                    """)
                let made = try await outcome("acme", tenants)
                #expect(made?.failure == nil && made?.applied.isEmpty == false)
                try await service.database(of: "acme").drop()
                #expect(try await outcome("acme", tenants)?.failure?.contains("its database is gone") == true)
            }
        }
    }

    @Test("A tenant that an earlier version has made counts as made")
    func earlierVersion() async throws {
        try await TestService.runAlone(configure: { $0.looksAtNoTenant() }) { service in
            try await service.withTenants { tenants in
                try await tenants.create("acme")
                try await service.control.run(
                    """
                    ALTER TABLE Tenant DROP COLUMN Made_at;
                    DELETE FROM Migration WHERE Path = 'control/0077_made_tenants.sql'
                    """)
                try await service.database(of: "acme").drop()
                #expect(try await outcome("acme", tenants)?.failure?.contains("its database is gone") == true)
                #expect(try await outcome("default", tenants)?.failure == nil)
            }
        }
    }
}
