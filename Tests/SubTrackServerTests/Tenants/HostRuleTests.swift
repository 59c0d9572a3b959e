import EmbeddedMariaDB
import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The tenant of a request follows from its host: nobody is given to a tenant that was not meant.
@Suite("Hosts that no tenant has", .ownTime)
struct HostRuleTests {
    /// The tenant that answers for a host, or the code of the refusal.
    private func tenant(_ host: String?, _ service: TestService, path: String = "/v1") async throws -> String {
        let answer = try await RawHTTP.send("GET", path, port: service.port, host: host ?? "127.0.0.1")
        return try answer.status == 200
            ? answer.decode(GetServerInfo.Output.self).tenant : answer.problem().code.rawValue
    }

    private func run(
        default defaultTenant: String? = nil, _ body: (TestService, TenantAdministration) async throws -> Void
    ) async throws {
        try await TestService.runAlone(configure: {
            $0.defaultTenant = defaultTenant
            $0.tenantReadingInterval = .milliseconds(50)
        }) { service in
            // A tenant that is dropped is closed for long enough that the service has read it.
            try await service.withTenants(settle: .milliseconds(500)) { try await body(service, $0) }
        }
    }

    @Test("While no tenant has a host, every host leads to default; once one has, the others are 404")
    func firstHost() async throws {
        try await run { service, tenants in
            #expect(try await tenant("any.example", service) == "default")
            try await tenants.create("acme")
            #expect(try await tenant("any.example", service) == "default", "acme has no host")
            try await tenants.setHosts("acme", adding: ["acme.example"], removing: [])
            try await eventually("the host is known") { try await tenant("acme.example", service) == "acme" }
            for host in ["any.example", "127.0.0.1", "localhost:8080", "[::1]:8080", "acme.example.evil"] {
                #expect(try await tenant(host, service) == "tenant_unknown", "\(host)")
            }
            #expect(try await tenant("any.example", service, path: "/t/default/v1") == "default", "the path wins")
            let old = try await RawHTTP.exchange(Array("GET /v1 HTTP/1.0\r\n\r\n".utf8), port: service.port)
            #expect(try RawHTTP.parse(old).problem().code == .tenantUnknown, "it names no host at all")
        }
    }

    @Test("A dropped tenant's host is 404, and not another tenant's, until a tenant has it again")
    func dropped() async throws {
        try await ServiceProcess.withFolder { folder in
            try await run { service, tenants in
                try await tenants.create("acme", hosts: ["acme.example"])
                let ada = try await service.newUser(in: "acme")
                let file = folder.path + "/acme.jsonl"
                _ = try await tenants.drop("acme", exportingTo: file)
                var headers = [("Host", "acme.example")]
                if let token = ada.client.token { headers.append(("Authorization", "Bearer \(token)")) }
                try await eventually("the drop is known") {
                    let answer = try await service.client.send("GET", "/v1/me", headers: headers)
                    // Nobody is told meanwhile that the token is invalid: devices would forget what waits.
                    #expect([404, 503].contains(answer.status), "\(answer.text)")
                    return answer.status == 404
                }
                #expect(try await tenant("acme.example", service) == "tenant_unknown")
                #expect(try await tenant("any.example", service) == "default", "no tenant has a host now")
                // An export has no hosts: the tenant gets its own again by name.
                _ = try await tenants.import("acme", from: file, isReplacing: false, hosts: ["acme.example"])
                try await eventually("acme is back") { try await tenant("acme.example", service) == "acme" }
                #expect(try await service.client.send("GET", "/v1/me", headers: headers).status == 200)
                // A host that is taken away from a tenant is nobody's as well.
                try await tenants.setHosts("acme", adding: [], removing: ["acme.example"])
                try await eventually("it is taken away") {
                    try await tenant("acme.example", service) == "tenant_unknown"
                }
                try await tenants.setHosts("default", adding: ["acme.example"], removing: [])
                try await eventually("it is default's") { try await tenant("acme.example", service) == "default" }
            }
        }
    }

    @Test("Hosts of nobody lead to the tenant that the operator names, but never those of a dropped tenant")
    func named() async throws {
        try await ServiceProcess.withFolder { folder in
            try await run(default: "acme") { service, tenants in
                #expect(try await tenant("any.example", service) == "tenant_unknown", "there is no acme yet")
                try await tenants.create("acme")
                try await tenants.create("beta", hosts: ["beta.example"])
                try await eventually("it is known") { try await tenant("any.example", service) == "acme" }
                #expect(try await tenant("beta.example", service) == "beta")
                _ = try await tenants.drop("beta", exportingTo: folder.path + "/beta.jsonl")
                try await eventually("the drop is known") {
                    try await tenant("beta.example", service) == "tenant_unknown"
                }
            }
        }
    }

    @Test("A backup remembers the hosts of dropped tenants")
    func backup() async throws {
        try await ServiceProcess.withFolder { folder in
            let path = folder.path + "/backup"
            try await run { _, tenants in
                try await tenants.create("acme", hosts: ["acme.example", "kept.example"])
                _ = try await tenants.drop("acme", exportingTo: folder.path + "/acme.jsonl")
                #expect(try await tenants.backUp(to: path) { _ in })
            }
            try await run { service, tenants in
                try await tenants.create("kept", hosts: ["kept.example"])
                try await tenants.restore(from: path, isReplacing: true, isHere: true) { _ in }
                try await eventually("it is known") {
                    try await tenant("acme.example", service) == "tenant_unknown"
                }
                #expect(try await tenant("kept.example", service) == "kept", "who has it keeps it")
            }
        }
    }

    @Test("A service that starts warns of hosts that are refused, and of a default tenant that is not there")
    func atStart() async throws {
        func warnings(_ service: TestService) async throws -> [String] {
            try await eventually("it started") { try await service.client.send("GET", "/readyz").status == 200 }
            return service.log.lines.filter { $0.level == .warning }.map(\.message)
        }
        try await run { service, tenants in
            #expect(try await !warnings(service).contains { $0.contains("404") })
            try await tenants.create("acme", hosts: ["acme.example"])
            try await service.runReplica { replica in
                try await eventually("it warns") {
                    try await warnings(replica).contains {
                        $0.contains("acme.example") && $0.contains("404") && $0.contains("no default tenant")
                    }
                }
            }
            try await service.runReplica(configure: { $0.defaultTenant = "nobody" }) { replica in
                try await eventually("it warns") {
                    try await warnings(replica).contains { $0.contains("There is no tenant nobody") }
                }
            }
            func found(_ name: String?) async throws -> [Finding] {
                var settings = service.settings
                settings.defaultTenant = name
                let access = try await DatabaseAccess.open(settings, logger: RecordedLog().logger("doctor"))
                return await Doctor(access: access, logger: RecordedLog().logger("doctor")).findings()
            }
            let missing = try #require(try await found("nobody").first { $0.subject == "default tenant" })
            #expect(missing.level == .problem && missing.remedy?.contains("tenant create nobody") == true)
            let hosts = try #require(try await found(nil).first { $0.subject == "hosts" })
            #expect(hosts.level == .ok && hosts.text.contains("acme.example") && hosts.text.contains("404"))
            #expect(try await found("acme").contains { $0.text.contains("other hosts lead to the tenant acme") })
        }
    }

    @Test("A name that can be no tenant's is refused by every command that takes it, and said where it stands")
    func setting() async throws {
        let program = try ServiceProcess.executable()
        do {
            _ = try await Command.run(program, ["config", "check", "--default-tenant", "Not one"])
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".contains("--default-tenant") && "\(error)".contains("78"), "\(error)")
        }
        let shown = try await Command.run(program, ["config", "check", "--default-tenant", "acme"])
        #expect(shown.contains("defaultTenant") && shown.contains("acme  (flag)"), "\(shown)")
    }
}
