import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("Who may do what")
struct AccessTests {
    /// A request of each operation that needs a token; one that is not listed fails the test below.
    private static let requests: [String: (method: String, path: String, json: String?)] = [
        "me.get": ("GET", "/v1/me", nil), "me.update": ("PATCH", "/v1/me", #"{"userName":"x"}"#),
        "dashboard.get": ("GET", "/v1/dashboard", nil), "subscriptions.list": ("GET", "/v1/subscriptions", nil),
        "subscriptions.create": ("POST", "/v1/subscriptions", #"{"planId":1}"#),
        "subscriptions.get": ("GET", "/v1/subscriptions/ID", nil),
        "subscriptions.update": ("PATCH", "/v1/subscriptions/ID", #"{"label":"x"}"#),
        "subscriptions.delete": ("DELETE", "/v1/subscriptions/ID", nil),
        "subscriptions.renew": ("POST", "/v1/subscriptions/ID/renew", nil),
        "subscriptions.cancel": ("POST", "/v1/subscriptions/ID/cancel", nil),
        "subscriptions.resume": ("POST", "/v1/subscriptions/ID/resume", nil),
        "subscriptions.periods": ("GET", "/v1/subscriptions/ID/periods", nil),
        "me.delete": ("DELETE", "/v1/me", #"{"currentPassword":"correct horse"}"#),
        "me.export": ("GET", "/v1/me/export", nil),
        "accounts.register": ("POST", "/v1/accounts", #"{"email":"a@b.c","password":"correct horse"}"#),
        "sessions.list": ("GET", "/v1/sessions", nil), "sessions.delete": ("DELETE", "/v1/sessions/ID", nil),
        "sessions.end": ("DELETE", "/v1/sessions/current", nil),
        "me.changePassword": (
            "PUT", "/v1/me/password", #"{"currentPassword":"correct horse","newPassword":"battery staple"}"#
        ),
        "me.changeEmail": (
            "PUT", "/v1/me/email", #"{"email":"a@b.c","newEmail":"b@b.c","currentPassword":"correct horse"}"#
        ),
        "subscriptions.restore": ("POST", "/v1/subscriptions/ID/restore", nil),
        "changes.pull": ("GET", "/v1/changes", nil),
        "changes.push": ("POST", "/v1/changes", #"{"mutations":[]}"#),
    ]

    @Test("Every operation has a handler, a name and a route of its own, and stands in the lists of this test")
    func complete() {
        #expect(SubTrackService.registry().inconsistencies.isEmpty)
        let names = OperationTable.all.map { $0.name }
        #expect(Set(names).count == names.count)
        #expect(Set(OperationTable.all.map { "\($0.endpoint.method) \($0.endpoint.path)" }).count == names.count)
        let closed = OperationTable.all.filter { $0.access != .public }.map { $0.name }
        #expect(Set(closed) == Set(Self.requests.keys))
        let open = Set(names).subtracting(closed)
        #expect(
            open == [
                "server.info", "countries.list", "providers.list", "plans.list", "plans.get", "devices.register",
                "sessions.create", "emails.verify", "passwords.forgot", "passwords.reset",
            ])
    }

    @Test(
        "Without a token, or with one that is none, every closed operation is 401 with its code, before its input is read"
    )
    func tokens() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let token = try #require(ada.client.token)
            let before = try await service.rowCounts()
            let flipped = String(token.dropLast()) + (token.hasSuffix("A") ? "B" : "A")
            for (name, request) in Self.requests {
                let path = request.path.replacing("ID", with: made.id.uuidString)
                func send(_ authorization: String?) async throws -> APIResponse {
                    try await service.client.send(
                        request.method, path, headers: authorization.map { [("Authorization", $0)] } ?? [],
                        body: request.json.map { Data($0.utf8) })
                }
                let missing = try await send(nil)
                expectClean(missing, status: 401, name)
                #expect(try missing.problem().code == .tokenMissing)
                #expect(missing.header("www-authenticate") == "Bearer")
                for bad in [
                    "Bearer", "Bearer ", "Bearer x", "Bearer \(flipped)", "Bearer \(token)x",
                    "Bearer \(token.dropLast())",
                    "Bearer \(token) \(token)", "Basic \(token)", token, "Bearer ' OR 1=1 -- ",
                    "Bearer \(String(repeating: "A", count: 7000))",
                ] {
                    let answer = try await send(bad)
                    expectClean(answer, status: 401, "\(name) \(bad)")
                    #expect(try answer.problem().code == .tokenInvalid)
                    #expect(!answer.text.contains(token))
                }
            }
            #expect(try await service.rowCounts() == before)
            for scheme in ["bearer", "BEARER", "Bearer  "] {
                let answer = try await service.client.send(
                    "GET", "/v1/me", headers: [("Authorization", "\(scheme) \(token)")])
                #expect(answer.status == 200, "\(scheme)")
            }
            // What anybody may see is not shown to a token that is none: its sender would take it for the user's.
            #expect(
                try await service.client.send("GET", "/v1/plans?country=US", headers: [("Authorization", "Bearer x")])
                    .status == 401)
        }
    }

    @Test("Another user's subscription is answered byte for byte like one that does not exist, by every operation")
    func others() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let eve = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan, label: "Ada's"))
            let dump = { (answer: APIResponse) in
                // Nothing but the request's id and the time may differ.
                let id = answer.header("x-request-id") ?? "-"
                let headers = answer.headers.filter { $0.name != "date" }.map { "\($0.name): \($0.value)" }
                return "\(answer.status) \(headers) \(answer.text)".replacing(id, with: "*")
            }
            for (name, request) in Self.requests where request.path.contains("ID") {
                func send(_ id: UUID) async throws -> String {
                    dump(
                        try await eve.client.send(
                            request.method, request.path.replacing("ID", with: id.uuidString),
                            headers: [("If-Match", "\"1\"")], body: request.json.map { Data($0.utf8) }))
                }
                let theirs = try await send(made.id)
                #expect(theirs.hasPrefix("404"), "\(name)")
                #expect(try await send(UUID()) == theirs, "\(name)")
            }
            #expect(try await ada.call(GetSubscription(id: made.id)) == made)
            #expect(try await eve.call(ListSubscriptions()).subscriptions.isEmpty)
            #expect(try await eve.call(GetDashboard()).spend.isEmpty)
        }
    }

    @Test("A token of another tenant is 401 at every closed operation, and changes nothing in either tenant")
    func otherTenants() async throws {
        try await TestService.runAlone { service in
            try await service.control.run(
                """
                INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at) VALUES
                    ('acme', '\(service.control.name)_acme', RANDOM_BYTES(16), UTC_TIMESTAMP())
                """)
            // A second replica finds the new tenant at its start and migrates it.
            try await service.runReplica { (service: TestService) async throws in
                let ada = try await service.newUser()
                let made = try await ada.call(CreateSubscription(planId: try await service.addPlan()))
                let before = try await service.rowCounts()
                for (name, request) in Self.requests {
                    let path = request.path.replacing("ID", with: made.id.uuidString)
                    let answer = try await ada.client.send(
                        request.method, "/t/acme" + path, body: request.json.map { Data($0.utf8) })
                    expectClean(answer, status: 401, name)
                    #expect(try answer.problem().code == .tokenInvalid, "\(name)")
                }
                #expect(try await service.rowCounts() == before)
            }
        }
    }

    @Test("An id in capitals is the same id; one that is none is a 400")
    func ids() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            for text in [made.id.uuidString, made.id.uuidString.lowercased()] {
                let answer = try await ada.client.send("GET", "/v1/subscriptions/\(text)")
                #expect(try answer.object()["id"] as? String == made.id.uuidString.lowercased())
            }
            for text in [
                "1", "x", made.id.uuidString.replacing("-", with: ""), made.id.uuidString + "0", "%27", "null",
            ] {
                let answer = try await ada.client.send("GET", "/v1/subscriptions/\(text)")
                expectClean(answer, status: 400, text)
                expectRefused(try answer.problem(), "id", .malformed)
            }
        }
    }
}
