import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Tenants", .tags(.otherServers), .ownTime)
struct TenantTests {
    @Test("By path, by host, else the default; one that is unknown is 404, one that is suspended 403")
    func addressing() async throws {
        try await TestService.runAlone { service in
            try await service.control.run(
                """
                INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at, Suspended_at) VALUES
                    ('acme', '\(service.control.name)_acme', RANDOM_BYTES(16), UTC_TIMESTAMP(), NULL),
                    ('asleep', '\(service.control.name)_asleep', RANDOM_BYTES(16), UTC_TIMESTAMP(), UTC_TIMESTAMP());
                INSERT INTO Tenant_host (Host, Slug) VALUES ('acme.example', 'acme')
                """)
            // A second replica finds the new tenants at its start and migrates them.
            try await service.runReplica { service in
                func tenant(_ target: String, host: String = "127.0.0.1") async throws -> String {
                    let answer = try await RawHTTP.send("GET", target, port: service.port, host: host)
                    return try answer.status == 200
                        ? answer.decode(GetServerInfo.Output.self).tenant : answer.problem().code.rawValue
                }
                #expect(try await tenant("/v1") == "default")
                #expect(try await tenant("/t/default/v1") == "default")
                #expect(try await tenant("/t/acme/v1") == "acme")
                #expect(try await tenant("/v1", host: "acme.example") == "acme")
                #expect(try await tenant("/v1", host: "ACME.example:8080") == "acme")
                #expect(try await tenant("/t/default/v1", host: "acme.example") == "default", "the path wins")
                #expect(try await tenant("/v1", host: "evil.example") == "default")
                #expect(try await tenant("/v1", host: "[::1]:8080") == "default")
                #expect(try await tenant("/t/asleep/v1") == "tenant_suspended")
                for slug in ["nobody", "ACME", "acme%20", "a'--", "%00", "..", "default_x", ""] {
                    let answer = try await RawHTTP.send("GET", "/t/\(slug)/v1", port: service.port)
                    #expect(answer.status == 404, "\(slug)")
                }
                #expect(try await tenant("/t/nobody/v1") == "tenant_unknown")
            }
        }
    }

    @Test("A token of one tenant is nothing in another, and neither are its rows")
    func isolation() async throws {
        try await TestService.runAlone { service in
            try await service.control.run(
                """
                INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at) VALUES
                    ('acme', '\(service.control.name)_acme', RANDOM_BYTES(16), UTC_TIMESTAMP())
                """)
            try await service.runReplica { service in
                let ada = try await service.newUser()
                let plan = try await service.addPlan()
                let made = try await ada.call(CreateSubscription(planId: plan))
                var elsewhere = ada.client
                elsewhere.prefix = "/t/acme"
                let problem = try await elsewhere.refusal(of: GetSubscription(id: made.id))
                #expect(problem.status == 401 && problem.code == .tokenInvalid)
                let bob = try await { () async throws -> APIClient in
                    var client = elsewhere
                    client.token = nil
                    client.token = try await client.call(RegisterDevice(name: "Bob's")).token
                    return client
                }()
                #expect(try await bob.refusal(of: GetSubscription(id: made.id)).code == .notFound)
                #expect(try await bob.refusal(of: GetPlan(id: plan)).code == .notFound)
                #expect(try await bob.call(ListPlans()).plans.isEmpty)
            }
        }
    }
}
