import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import Testing

@testable import SubTrackServer

/// A backup of all tenants, and a restore on an empty installation.
@Suite("Backups of a deployment")
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
                    let refused = Mutex<[String]>([])
                    let isWhole = try await tenants.restore(from: path, isReplacing: false, isHere: true) { report in
                        if report.rows == nil { refused.withLock { $0.append(report.slug) } }
                    }
                    #expect(!isWhole && refused.withLock { $0 } == ["default"])
                    let all = try await tenants.list()
                    #expect(all.map(\.slug) == ["acme", "default", "quiet"])
                    #expect(all[0].hosts == ["acme.example"] && all[2].status == .suspended)
                    var client = service.client(of: "acme")
                    client.token = token
                    try await eventually(within: .seconds(60), "the service knows acme") {
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
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme")
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
                    #expect(written.failed?.map(\.slug) == ["acme"] && written.failed?[0].reason.isEmpty == false)
                    let restore = try await run(["restore", path])
                    #expect(restore.end.contains("69"), "\(restore)")
                    #expect(restore.output.contains("acme: failed: it is not in this backup"), "\(restore)")
                    #expect(
                        restore.output.contains("not all tenants are restored; missing: default, acme"), "\(restore)")
                }
            }
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
