import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// A restore where some tenants of the backup are here, were dropped on purpose, or lost their database.
@Suite("Restores into an installation that has tenants", .tags(.otherServers), .ownTime)
struct TenantRestoreTests {
    /// Restores from a folder.
    /// - Returns: whether it was whole, and the outcomes by tenant.
    private func restore(
        _ path: String, only slugs: [String]? = nil, _ tenants: TenantAdministration
    ) async throws -> (isWhole: Bool, outcomes: [String: TenantAdministration.Outcome]) {
        let outcomes = Mutex<[String: TenantAdministration.Outcome]>([:])
        let isWhole = try await tenants.restore(from: path, only: slugs, isReplacing: false) { outcome in
            outcomes.withLock { $0[outcome.slug] = outcome }
        }
        return (isWhole, outcomes.withLock { $0 })
    }

    @Test("Only the tenants that are named come back; a tenant that was dropped on purpose stays dropped")
    func named() async throws {
        try await ServiceProcess.withFolder { folder in
            let path = folder.path + "/backup"
            try await TestService.runAlone(configure: { $0.looksAtNoTenant() }) { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme")
                    try await tenants.create("beta", hosts: ["beta.example"])
                    #expect(try await tenants.backUp(to: path) { _ in })
                    _ = try await tenants.drop("beta", exportingTo: folder.path + "/beta.jsonl")
                    try await service.database(of: "acme").drop()
                    await #expect(throws: TenantFileFault.self) {
                        _ = try await restore(path, only: ["gamma"], tenants)
                    }
                    let (isWhole, outcomes) = try await restore(path, only: ["acme"], tenants)
                    #expect(isWhole && outcomes["acme"]?.rows != nil && outcomes.count == 1, "\(outcomes)")
                    #expect(try await tenants.list().map(\.slug) == ["acme", "default"])
                    #expect(try await tenants.show("acme").problem == nil)
                }
            }
        }
    }

    @Test("A tenant that was not backed up and is here now stays as it is, and is not missing")
    func hereNow() async throws {
        try await ServiceProcess.withFolder { folder in
            let (path, file) = (folder.path + "/backup", folder.path + "/acme.jsonl")
            try await TestService.runAlone(configure: { $0.looksAtNoTenant() }) { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme")
                    _ = try await tenants.export("acme", to: file)
                    try await service.database(of: "acme").drop()
                    let isBackupWhole = try await tenants.backUp(to: path) { _ in }
                    #expect(!isBackupWhole)
                    _ = try await tenants.import("acme", from: file, isReplacing: true)
                    let (isWhole, outcomes) = try await restore(path, tenants)
                    #expect(isWhole, "\(outcomes)")
                    let acme = try #require(outcomes["acme"])
                    #expect(acme.leftBecause?.contains("it is not in this backup") == true, "\(acme)")
                    #expect(acme.commands == [] && !acme.isFailed, "\(acme)")
                    #expect(acme.leftBecause?.contains("subtrackd") == false, "the advice is of the backup's day")
                }
            }
        }
    }

    @Test("A tenant that a start has made before the restore is not taken for one whose people are here")
    func madeByStart() async throws {
        try await ServiceProcess.withFolder { folder in
            let path = folder.path + "/backup"
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    _ = try await service.newUser()
                    #expect(try await tenants.backUp(to: path) { _ in })
                    let (isWhole, outcomes) = try await restore(path, tenants)
                    #expect(isWhole && outcomes["default"]?.leftBecause != nil, "its people are here: \(outcomes)")
                }
            }
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    let (isWhole, outcomes) = try await restore(path, tenants)
                    #expect(!isWhole && outcomes["default"]?.isFailed == true, "\(outcomes)")
                    #expect(outcomes["default"]?.failure?.contains("--replace") == true, "\(outcomes)")
                }
            }
        }
    }
}
