import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// A tenant is served from the moment it is made, and made-up names cost the control database little.
@Suite("Tenants that the service has not read yet", .ownTime)
struct UnknownTenantTests {
    @Test("A tenant and its host are served by the first request, however long a reading of the tenants is used")
    func atOnce() async throws {
        try await TestService.runAlone(configure: { $0.tenantReadingInterval = .seconds(3600) }) { service in
            try await service.withTenants { tenants in
                #expect(try await service.client.send("GET", "/t/acme/v1").status == 404)
                try await tenants.create("acme")
                #expect(try await service.client.send("GET", "/t/acme/v1").status == 200)
                // By host, where hosts are in use.
                try await tenants.create("beta", hosts: ["beta.example"])
                #expect(try await service.client.send("GET", "/t/beta/v1").status == 200)
                try await tenants.create("gamma", hosts: ["gamma.example"])
                let byHost = try await RawHTTP.send("GET", "/v1", port: service.port, host: "gamma.example")
                #expect(try byHost.decode(GetServerInfo.Output.self).tenant == "gamma")
            }
        }
    }

    @Test("Readings for a flood of made-up names and hosts keep their distance; a known tenant is answered meanwhile")
    func flood() async throws {
        let readings = Atomic(0)
        try await TestService.runAlone(configure: {
            $0.tenantReadingInterval = .seconds(3600)
            $0.onStatement = { sql, _ in
                if sql.text.hasSuffix("ORDER BY Tenant.Slug") { readings.add(1, ordering: .relaxed) }
            }
        }) { service in
            try await service.withTenants { try await $0.create("acme", hosts: ["acme.example"]) }
            #expect(try await service.client.send("GET", "/t/acme/v1").status == 200)
            let (before, start) = (readings.load(ordering: .relaxed), ContinuousClock.now)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        for number in 0..<8 {
                            let slug = try await service.client.send("GET", "/t/none\(worker)x\(number)/v1")
                            #expect(slug.status == 404)
                            let host = try await service.client.send(
                                "GET", "/v1", headers: [("Host", "h\(worker)-\(number).example")])
                            #expect(host.status == 200, "the default tenant's")
                        }
                    }
                }
                for _ in 0..<20 {
                    #expect(try await service.client.send("GET", "/t/acme/v1").status == 200)
                }
                try await group.waitForAll()
            }
            // The least distance is kept on a slow machine too: it makes fewer readings, and never more.
            let elapsed = ContinuousClock.now - start
            let (made, most) = (readings.load(ordering: .relaxed) - before, Int(elapsed / TenantDirectory.pause) + 2)
            #expect(made > 0 && made <= most, "\(made) readings in \(elapsed)")
            print("256 unknown names: \(made) readings")
            // A host that was looked for is not looked for again.
            let counted = readings.load(ordering: .relaxed)
            for _ in 0..<20 { _ = try await RawHTTP.send("GET", "/v1", port: service.port, host: "h0-0.example") }
            #expect(readings.load(ordering: .relaxed) == counted)
        }
    }

    @Test(
        "An unknown name is 503 while the control database cannot be read: nobody knows whether there is such a tenant")
    func unreadable() async throws {
        try await TestService.runAlone(configure: { $0.tenantReadingInterval = .seconds(3600) }) { service in
            #expect(try await service.client.send("GET", "/t/acme/v1").status == 404)
            try await service.control.run("RENAME TABLE Tenant_host TO Hidden_host")
            let answer = try await service.client.send("GET", "/t/acme/v1")
            #expect(answer.status == 503 && answer.header("retry-after") != nil)
            #expect(try await service.client.send("GET", "/t/default/v1").status == 200, "what is known goes on")
            try await service.control.run("RENAME TABLE Hidden_host TO Tenant_host")
            #expect(try await service.client.send("GET", "/t/acme/v1").status == 404)
        }
    }
}
