import Foundation
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// A second server that is away costs the doctor one try, however many tenants are on it.
@Suite("The doctor and servers that are away", .ownTime)
struct DeadServerTests {
    @Test(
        "Each is tried once and at the same time as the others; its tenants are named, and the doctor says what it waits for"
    )
    func bounded() async throws {
        let presence = FakeServer.Presence()
        try await FakeServer.run(version: "", isSilent: true, presence: presence) { first in
            try await FakeServer.run(version: "", isSilent: true, presence: presence) { second in
                try await TestService.runAlone(configure: { $0.tenantReadingInterval = .seconds(3600) }) { service in
                    let rows = (0..<12).map { number in
                        let port = number % 2 == 0 ? first.port : second.port
                        return
                            "('far\(number)', '\(service.control.name)_far\(number)', 'mysql://svc@127.0.0.1:\(port)', "
                            + "RANDOM_BYTES(16), UTC_TIMESTAMP())"
                    }
                    try await service.control.run(
                        "INSERT INTO Tenant (Slug, Database_name, Server_url, Epoch, Created_at) VALUES "
                            + rows.joined(separator: ", "))
                    try await service.withTenants { tenants in
                        let said = Mutex<[String]>([])
                        var doctor = Doctor(access: tenants.access, logger: tenants.logger)
                        doctor.onWaiting = { text in said.withLock { $0.append(text) } }
                        let findings = await doctor.findings()
                        let away = findings.filter { $0.subject.hasPrefix("server mysql://svc@127.0.0.1") }
                        #expect(away.count == 2 && away.allSatisfy { $0.level == .problem }, "\(findings)")
                        let far = findings.filter { $0.subject.hasPrefix("tenant far") }
                        #expect(far.count == 12 && far.allSatisfy { $0.text.contains("cannot be reached") }, "\(far)")
                        #expect(findings.contains { $0.subject == "tenant default" && $0.level == .ok })
                        #expect(presence.most == 2, "one after the other")
                        for server in [first, second] {
                            // A try may connect again at its end. Each has six tenants.
                            #expect((1..<6).contains(server.connections), "\(server.connections)")
                            #expect(
                                said.withLock { $0.contains { $0.contains(":\(server.port)") } },
                                "\(said.withLock { $0 })")
                        }
                    }
                }
            }
        }
    }
}
