import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Every operation of the registry, called by everybody who must not: a new one is among them without a word here.
@Suite("Who may do what", .ownTime)
struct AccessTests {
    private static let entries = SubTrackService.registry().entries

    @Test("Every operation has a handler, a name and a route of its own; what anybody may call is decided here")
    func complete() {
        #expect(SubTrackService.registry().inconsistencies.isEmpty)
        let names = OperationTable.all.map { $0.name }
        #expect(Set(names).count == names.count)
        #expect(Set(OperationTable.all.map { "\($0.endpoint.method) \($0.endpoint.path)" }).count == names.count)
        #expect(Self.entries.map(\.name).sorted() == names.sorted())
        let open = Set(OperationTable.all.filter { $0.access == .public }.map { $0.name })
        #expect(
            open == [
                "server.info", "countries.list", "providers.list", "plans.list", "plans.get", "devices.register",
                "sessions.create", "emails.verify", "passwords.forgot", "passwords.reset", "links.describe",
                "answers.preview", "answers.give",
            ])
        // To these a token that stands for nobody is none (EndedTokenTests).
        let leadingIn = Set(OperationTable.all.filter { $0.takesEndedTokens }.map { $0.name })
        #expect(
            leadingIn == [
                "devices.register", "sessions.create", "passwords.forgot", "passwords.reset", "links.describe",
                "answers.preview", "answers.give",
            ])
    }

    /// Tokens that open nothing, and what is said of each.
    private struct Refused {
        let who: String
        let authorization: String?
        var prefix = ""
        let code: ErrorCode

        /// Whether the header is of the form in which a token is sent.
        var isToken: Bool { authorization?.wholeMatch(of: #/Bearer +[^ ].*/#) != nil }
    }

    @Test(
        "Without a token, and with one that is none, has ended, is a deleted user's or another tenant's, every operation is 401, and nothing is changed"
    )
    func tokens() async throws {
        try await TestService.runAlone { service in
            try await service.control.run(
                """
                INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at) VALUES
                    ('acme', '\(service.control.name)_acme', RANDOM_BYTES(16), UTC_TIMESTAMP())
                """)
            // A second replica finds the new tenant at its start and migrates it.
            try await service.runReplica { (service: TestService) async throws in
                for tenant in ["default", "acme"] { try await service.enableAll(in: tenant) }
                let ada = try await service.newUser()
                let made = try await ada.call(CreateSubscription(planId: try await service.addPlan()))
                let token = try #require(ada.client.token)
                let ended = try await service.newUser()
                try await ended.register(service.newEmail())
                _ = try await ended.call(EndSession())
                let deleted = try await service.newUser()
                try await deleted.call(DeleteMe())
                let flipped = String(token.dropLast()) + (token.hasSuffix("A") ? "B" : "A")
                var callers = [
                    Refused(who: "nobody", authorization: nil, code: .tokenMissing),
                    Refused(
                        who: "a user who signed out", authorization: "Bearer \(ended.client.token ?? "")",
                        code: .tokenEnded),
                    Refused(
                        who: "a deleted user", authorization: "Bearer \(deleted.client.token ?? "")",
                        code: .userDeleted),
                    Refused(
                        who: "a user of another tenant", authorization: "Bearer \(token)", prefix: "/t/acme",
                        code: .tokenInvalid),
                ]
                for bad in [
                    "Bearer", "Bearer ", "Bearer x", "Bearer \(flipped)", "Bearer \(token)x",
                    "Bearer \(token.dropLast())", "Bearer \(token) \(token)", "Basic \(token)", token,
                    "Bearer ' OR 1=1 -- ", "Bearer \(String(repeating: "A", count: 7000))",
                ] {
                    callers.append(Refused(who: "\(bad.prefix(20))", authorization: bad, code: .tokenInvalid))
                }
                let before = try await service.rowCounts()
                var count = 0
                for entry in Self.entries {
                    let request = try SampleRequest.smallest(of: entry, .init(id: made.id, number: made.plan.id))
                    for caller in callers where entry.access != .public || caller.authorization != nil {
                        if entry.takesEndedTokens, caller.isToken { continue }
                        // What anybody may see is not shown to a token that is none: its sender would take it for the
                        // user's.
                        let answer = try await request.send(
                            by: service.client, below: caller.prefix,
                            headers: caller.authorization.map { [("Authorization", $0)] } ?? [])
                        let what = "\(entry.name) by \(caller.who)"
                        expectClean(answer, status: 401, what)
                        #expect(try answer.problem().code == caller.code, "\(what)")
                        #expect(!answer.text.contains(token))
                        if caller.authorization == nil { #expect(answer.header("www-authenticate") == "Bearer") }
                        count += 1
                    }
                }
                #expect(try await service.rowCounts() == before)
                print("\(count) requests of \(Self.entries.count) operations were refused for their tokens")
                for scheme in ["bearer", "BEARER", "Bearer  "] {
                    let answer = try await service.client.send(
                        "GET", "/v1/me", headers: [("Authorization", "\(scheme) \(token)")])
                    #expect(answer.status == 200, "\(scheme)")
                }
            }
        }
    }

    /// Somebody who has something of everything, by names that nobody else has.
    private struct Victim {
        static let mark = "canary of Ada's"
        let user: TestUser
        /// Ids of hers: subscription, deleted subscription, session, device, user.
        let ids: [UUID]
        let plan: Int64
        let texts: [String: String]

        init(_ service: TestService) async throws {
            let device = try await service.client.call(RegisterDevice(name: "\(Self.mark) device", country: "US"))
            var client = service.client
            client.token = device.token
            user = TestUser(user: device.user, device: device.device, client: client)
            let email = service.newEmail()
            try await user.call(RegisterAccount(email: email, password: goodPassword, userName: "\(Self.mark) name"))
            let own = try await user.call(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "\(Self.mark) provider", name: "\(Self.mark) plan",
                        category: "\(Self.mark) category", fee: amount("1.00"), currency: "USD",
                        duration: .init(value: 1, unit: .month)), label: "\(Self.mark) label",
                    note: "\(Self.mark) note"))
            let gone = try await user.call(CreateSubscription(planId: own.plan.id, label: "\(Self.mark) last label"))
            try await user.call(DeleteSubscription(id: gone.id))
            let session = try #require(try await user.call(ListSessions()).sessions.first)
            ids = [own.id, gone.id, session.id, user.device.id, user.user.id]
            plan = own.plan.id
            texts = [
                "email": email, "password": "not that one", "currentPassword": "not that one",
                "newPassword": "another good one", "newEmail": service.newEmail("new"), "token": "x",
                "cursor": try await user.call(PullChanges()).cursor, "provider": "\(Self.mark) provider",
                "country": "US", "timeZone": "UTC",
            ]
        }

        /// All that is hers, but for when it was asked for.
        func everything() async throws -> ExportMe.Output {
            var all = try await user.call(ExportMe())
            all.exportedAt = Instant(secondsSince1970: 0)
            all.sessions = all.sessions.map { session in
                var session = session
                session.lastUsedAt = session.createdAt
                return session
            }
            return all
        }
    }

    @Test(
        "Whoever names what is another user's, in any field of any operation, sees none of it, and changes nothing of it",
        arguments: [false, true])
    func others(hasAccount: Bool) async throws {
        try await TestService.runAlone { service in
            try await service.enableAll()
            let ada = try await Victim(service)
            let before = try await ada.everything()
            var sent: Set<SampleRequest> = []
            for entry in Self.entries {
                for id in ada.ids {
                    let values = SampleRequest.Values(id: id, number: ada.plan, texts: ada.texts)
                    // Where no field holds an id they are the same for all.
                    for request in try SampleRequest.all(of: entry, values) where sent.insert(request).inserted {
                        // Fresh each time: some of what is asked for ends who asks.
                        let eve = try await service.newUser()
                        if hasAccount { try await eve.register(service.newEmail("eve")) }
                        let answer = try await request.send(by: eve.client)
                        let what = "\(entry.name), \(request.what): \(answer.status) \(answer.text.prefix(500))"
                        #expect(answer.status < 500, "\(what)")
                        let isEchoed = request.path.contains(APIClient.encoded(Victim.mark))
                        #expect(isEchoed || !Self.shows(answer), "\(what)")
                    }
                }
            }
            #expect(try await ada.everything() == before)
            print("\(sent.count) requests for what is another user's\(hasAccount ? ", by users with accounts" : "")")
        }
    }

    /// Whether an answer has something of the victim's that was not sent along.
    private static func shows(_ answer: APIResponse) -> Bool {
        // The provider's name is sent in some requests, and what is made of them has it.
        answer.text.replacing("\(Victim.mark) provider", with: "").contains(Victim.mark)
    }

    @Test("What is another user's is answered byte for byte like what does not exist, by every operation with an id")
    func unknown() async throws {
        try await TestService.runAlone { service in
            try await service.enableAll()
            let ada = try await Victim(service)
            let eve = try await service.newUser()
            try await eve.register(service.newEmail("eve"))
            let before = try await ada.everything()
            for entry in Self.entries where !entry.endpoint.pathParameters.isEmpty {
                func send(_ id: UUID, _ number: Int64) async throws -> String {
                    let request = try SampleRequest.smallest(of: entry, .init(id: id, number: number))
                    let answer = try await request.send(
                        by: eve.client,
                        headers: entry.conditions.contains(.ifMatch) ? [("If-Match", "\"1\"")] : [])
                    // Nothing but the request's id and the time may differ.
                    let headers = answer.headers.filter { $0.name != "date" }.map { "\($0.name): \($0.value)" }
                    return "\(answer.status) \(headers) \(answer.text)"
                        .replacing(answer.header("x-request-id") ?? "-", with: "*")
                        .replacing("plan \(number).", with: "plan #.")
                }
                let nothing = try await send(UUID(), ada.plan + 1)
                #expect(nothing.hasPrefix("404"), "\(entry.name): \(nothing)")
                for id in ada.ids {
                    let theirs = try await send(id, ada.plan)
                    #expect(theirs == nothing, "\(entry.name)")
                }
            }
            #expect(try await ada.everything() == before)
            #expect(try await eve.call(ListSubscriptions()).subscriptions.isEmpty)
            #expect(try await eve.call(GetDashboard()).spend.isEmpty)
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
