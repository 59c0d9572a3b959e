import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("The operators' own address", .ownTime)
struct AdminListenerTests {
    @Test("Readiness and metrics are there and nowhere else, and nobody's data are")
    func isForOperatorsAlone() async throws {
        try await TestService.runAlone(configure: {
            $0.adminListen = ListenAddress(host: "127.0.0.1", port: 0)
        }) { service in
            let port = try #require(service.settings.adminListen?.port)
            #expect(port != service.port)
            try await eventually(within: .seconds(240), "it is ready") {
                try await RawHTTP.send("GET", "/readyz", port: port).status == 200
            }
            #expect(try await RawHTTP.send("GET", "/healthz", port: port).status == 200)
            // There are none in this test: it is a path that is there.
            for path in ["/readyz", "/metrics"] {
                #expect(try await RawHTTP.send("GET", path, port: service.port).status == 404, "\(path)")
            }
            // Whoever holds the process alive looks at the public address.
            #expect(try await service.client.send("GET", "/healthz").status == 200)
            let ada = try await service.newUser()
            let authorization = "Authorization: Bearer \(try #require(ada.client.token))"
            for path in ["/v1", "/v1/me", "/v1/subscriptions", "/nothing", "/t/default/v1/me"] {
                let answer = try await RawHTTP.send("GET", path, port: port, headers: [authorization])
                #expect(answer.status == 404, "\(path)")
                #expect(!answer.text.contains(ada.user.id.uuidString.lowercased()), "\(path)")
            }
        }
    }
}
