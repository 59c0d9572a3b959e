import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// A backup of all tenants, and a restore on an empty installation.
@Suite("Backups of a deployment", .tags(.otherServers), .ownTime)
struct TenantBackupTests {
    @Test("All tenants come back on another installation, with hosts, suspension, data and tokens")
    func bareMetal() async throws {
        try await ServiceProcess.withFolder { folder in
            let path = folder.path + "/backup"
            var token: String?
            var user: User?
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme", hosts: ["acme.example"], hasDemoCatalogue: true)
                    try await tenants.create("quiet")
                    let ada = try await service.newUser(in: "acme")
                    let plan = try #require(try await ada.client.call(ListPlans(country: "US")).plans.first)
                    _ = try await ada.client.call(CreateSubscription(planId: plan.id))
                    (token, user) = (ada.client.token, ada.user)
                    try await tenants.setSuspended(true, "quiet")
                    let reports = Mutex<[String]>([])
                    let isWhole = try await tenants.backUp(to: path) { report in
                        reports.withLock { $0.append(report.slug) }
                    }
                    #expect(isWhole && reports.withLock { $0 } == ["acme", "default", "quiet"])
                }
            }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    // The tenant `default` is there, and stays as it is.
                    let left = Mutex<[String]>([])
                    let isWhole = try await tenants.restore(from: path, isReplacing: false, isHere: true) { report in
                        if report.leftBecause != nil { left.withLock { $0.append(report.slug) } }
                    }
                    #expect(isWhole && left.withLock { $0 } == ["default"])
                    let all = try await tenants.list()
                    #expect(all.map(\.slug) == ["acme", "default", "quiet"])
                    #expect(all[0].hosts == ["acme.example"] && all[2].status == .suspended)
                    var client = service.client(of: "acme")
                    client.token = token
                    try await eventually("the service knows acme") {
                        try await client.response(to: GetMe()).status == 200
                    }
                    #expect(try await client.call(GetMe()).id == user?.id)
                    #expect(try await client.call(ListSubscriptions()).subscriptions.count == 1)
                }
            }
        }
    }

    @Test("A tenant that could not be read is named in the backup, and again by the restore, which is partial")
    func partial() async throws {
        try await ServiceProcess.withFolder { folder in
            let path = folder.path + "/backup"
            try await TestService.runAlone(configure: { $0.looksAtNoTenant() }) { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme", hosts: ["acme.example"])
                    try await service.control.run("DROP DATABASE \(service.control.name)_acme")
                    let program = try ServiceProcess.executable()
                    let url =
                        "mysql://\(service.control.user)@localhost/\(service.control.name)?socket=\(service.control.socketPath)"
                    func run(_ arguments: [String]) async throws -> CommandFailure {
                        do {
                            let said = try await Command.run(program, arguments + ["--database-url", url])
                            throw NeverHappened(description: "it passed: \(said)")
                        } catch let failure as CommandFailure { return failure }
                    }
                    let backup = try await run(["backup", path])
                    #expect(backup.end.contains("69"), "\(backup)")
                    #expect(backup.output.contains("the backup is not whole; missing: acme"), "\(backup)")
                    let written = try JSONDecoder().decode(
                        TenantBackup.self, from: Data(contentsOf: URL(filePath: path + "/backup.json")))
                    #expect(written.tenants.map(\.slug) == ["default"])
                    #expect(written.failed?.map(\.slug) == ["acme"])
                    #expect(written.failed?.first?.reason.contains("its database is gone") == true)
                    #expect(written.failed?.first?.hosts == ["acme.example"])
                    #expect(written.failed?.first?.isSuspended == false)
                    let restore = try await run(["restore", path])
                    #expect(restore.end.contains("69"), "\(restore)")
                    #expect(restore.output.contains("acme: failed: it is not in this backup"), "\(restore)")
                    #expect(restore.output.contains("default: left as it is: it is here"), "\(restore)")
                    #expect(restore.output.contains("not all tenants are restored; missing: acme\n"), "\(restore)")
                    #expect(!restore.output.contains("load a whole dump"), "no advice of the backup's day")
                    #expect(
                        restore.output.contains("\n  subtrackd tenant import acme acme.jsonl --replace\n"), "\(restore)"
                    )
                }
            }
        }
    }

    @Test("The hosts of a tenant that is missing in a backup answer 404 after the restore, until the tenant is back")
    func reservedHosts() async throws {
        try await ServiceProcess.withFolder { folder in
            let (path, file) = (folder.path + "/backup", folder.path + "/acme.jsonl")
            try await TestService.runAlone(configure: { $0.looksAtNoTenant() }) { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme", hosts: ["acme.example"])
                    _ = try await tenants.export("acme", to: file)
                    try await tenants.setSuspended(true, "acme")
                    try await service.database(of: "acme").drop()
                    let isWhole = try await tenants.backUp(to: path) { _ in }
                    #expect(!isWhole)
                }
            }
            // Here other hosts lead to the tenant `default`.
            try await TestService.runAlone { service in
                func answer(_ host: String) async throws -> APIResponse {
                    try await RawHTTP.send("GET", "/v1", port: service.port, host: host)
                }
                try await service.withTenants { tenants in
                    let missing = Mutex<[TenantAdministration.Outcome]>([])
                    let isWhole = try await tenants.restore(from: path, isReplacing: true, isHere: true) { outcome in
                        if outcome.rows == nil { missing.withLock { $0.append(outcome) } }
                    }
                    #expect(!isWhole)
                    let outcome = try #require(missing.withLock { $0.first })
                    #expect(outcome.slug == "acme" && outcome.reservedHosts == ["acme.example"])
                    #expect(
                        outcome.commands == [
                            "subtrackd tenant import acme acme.jsonl --host acme.example",
                            "subtrackd tenant suspend acme",
                        ])
                    try await eventually("the host is reserved") { try await answer("acme.example").status == 404 }
                    #expect(try await answer("acme.example").problem().code == .tenantUnknown)
                    #expect(try await answer("any.example").status == 200)
                    _ = try await tenants.import("acme", from: file, isReplacing: false, hosts: ["acme.example"])
                    try await eventually("the host is acme's") { try await answer("acme.example").status == 200 }
                    let info = try await answer("acme.example").decode(GetServerInfo.Output.self)
                    #expect(info.tenant == "acme")
                }
            }
        }
    }

    @Test("A restore keeps a suspension and says so; a tenant whose database is gone comes back without --replace")
    func suspension() async throws {
        try await ServiceProcess.withFolder { folder in
            let path = folder.path + "/backup"
            try await TestService.runAlone(configure: { $0.looksAtNoTenant() }) { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme")
                    let isWhole = try await tenants.backUp(to: path) { _ in }
                    #expect(isWhole)
                    try await tenants.setSuspended(true, "acme")
                    try await service.database(of: "acme").drop()
                    let outcomes = Mutex<[TenantAdministration.Outcome]>([])
                    try await tenants.restore(from: path, isReplacing: false) { outcome in
                        outcomes.withLock { $0.append(outcome) }
                    }
                    let (acme, others) = outcomes.withLock { all in
                        (all.first { $0.slug == "acme" }, all.filter { $0.slug != "acme" })
                    }
                    #expect(acme?.rows != nil && acme?.isSuspended == true && acme?.unused == nil, "\(acme as Any)")
                    #expect(others.map(\.slug) == ["default"])
                    #expect(others.first?.leftBecause != nil, "it is there, and stays")
                    #expect(others.first?.commands == [])
                    let shown = try await tenants.show("acme")
                    #expect(shown.status == .suspended && shown.problem == nil, "\(shown)")
                }
            }
        }
    }

    @Test("What is no backup is refused before a database is made for it")
    func notThere() async throws {
        try await ServiceProcess.withFolder { folder in
            let state = folder.path + "/state"
            let failure = await #expect(throws: CommandFailure.self) {
                try await Command.run(
                    try ServiceProcess.executable(), ["restore", folder.path + "/none", "--state-dir", state])
            }
            #expect(failure?.end.contains("65") == true, "\(failure as Any)")
            #expect(failure?.output.contains("is no whole backup") == true, "\(failure as Any)")
            #expect(!FileManager.default.fileExists(atPath: state))
        }
    }

    @Test("A folder that is not empty, no whole backup, or names other files is refused, and nothing is changed")
    func refusals() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    let path = folder.path + "/backup"
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                    let stranger = path + "/somebody's"
                    try Data("x".utf8).write(to: URL(filePath: stranger))
                    await #expect(throws: TenantAdministration.Refusal.self) {
                        try await tenants.backUp(to: path) { _ in }
                    }
                    #expect(FileManager.default.contents(atPath: stranger) == Data("x".utf8))
                    await #expect(throws: TenantFileFault.self) {
                        try await tenants.restore(from: path, isReplacing: true) { _ in }
                    }
                    let description = """
                        {"subtrackit": "backup", "format": 1, "service": "0.1.0", "writtenAt": "2026-01-01T00:00:00Z", \
                        "tenants": [{"slug": "acme", "hosts": [], "isSuspended": false, "file": "../acme.jsonl", "rows": 1}]}
                        """
                    try Data(description.utf8).write(to: URL(filePath: path + "/backup.json"))
                    await #expect(throws: TenantFileFault.self) {
                        try await tenants.restore(from: path, isReplacing: true) { _ in }
                    }
                    #expect(try await tenants.list().map(\.slug) == ["default"])
                }
            }
        }
    }
}
