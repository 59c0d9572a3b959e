import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Entity tags and conditions", .ownTime)
struct ConditionalTests {
    @Test("A list's tag answers 304 until something of it changes, and changes with each kind of change")
    func subscriptions() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(provider: "Tagflix")
            let other = try await service.addPlan(provider: "Otherflix")
            let made = try await ada.call(CreateSubscription(planId: plan))
            let path = "/v1/subscriptions"
            func tag() async throws -> String {
                let answer = try await ada.client.send("GET", path)
                let tag = try #require(answer.header("etag"))
                for sent in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                    let again = try await ada.client.send("GET", path, headers: [("If-None-Match", sent)])
                    #expect(again.status == 304 && again.body.isEmpty, "\(sent)")
                    #expect(again.header("etag") == tag)
                }
                return tag
            }
            let hex = made.id.uuidString.replacing("-", with: "")
            let database = service.database
            let changes: [(String, () async throws -> Void)] = [
                ("label", { try await ada.call(UpdateSubscription(id: made.id, label: .set("x"))) }),
                ("renewal", { try await ada.call(RenewSubscription(id: made.id)) }),
                ("cancel", { try await ada.call(CancelSubscription(id: made.id)) }),
                ("resume", { try await ada.call(ResumeSubscription(id: made.id)) }),
                ("another one", { try await ada.call(CreateSubscription(planId: other)) }),
                ("the day", { service.clock.advance(days: 1) }),
                (
                    "the plan's name by SQL",
                    { try await database.run("UPDATE Plan SET Plan_name = 'New' WHERE Plan_ID = \(plan)") }
                ),
                (
                    "the plan's price by SQL",
                    {
                        try await database.run(
                            "UPDATE Plan SET Fee = 20, Fee_since = '2026-01-15' WHERE Plan_ID = \(plan)")
                    }
                ),
                (
                    "a price announced by SQL",
                    {
                        try await database.run(
                            "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2026-03-01', 30)")
                    }
                ),
                (
                    "the provider's category by SQL",
                    { try await database.run("UPDATE Provider SET Category = 'Video' WHERE Provider = 'Tagflix'") }
                ),
                (
                    "a note by SQL",
                    {
                        try await database.run(
                            "UPDATE Subscription SET Note = 'n' WHERE Subscription_ID = UNHEX('\(hex)')")
                    }
                ),
                ("deletion", { try await ada.call(DeleteSubscription(id: made.id)) }),
            ]
            var tags = [try await tag()]
            for (name, change) in changes {
                try await change()
                let now = try await tag()
                #expect(!tags.contains(now), "\(name)")
                tags.append(now)
            }
        }
    }

    @Test("Two users' lists, and two pages, never share a tag")
    func different() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            var tags: Set<String> = []
            for _ in 0..<2 {
                let user = try await service.newUser()
                for query in ["", "?status=active", "?limit=1"] {
                    let answer = try await user.client.send("GET", "/v1/subscriptions\(query)")
                    tags.insert(try #require(answer.header("etag")))
                }
                for _ in 0..<2 { try await user.call(CreateSubscription(planId: plan)) }
                for query in ["?limit=1", "?limit=2"] {
                    let answer = try await user.client.send("GET", "/v1/subscriptions\(query)")
                    tags.insert(try #require(answer.header("etag")))
                }
            }
            // The three empty lists of a user are one and the same answer.
            #expect(tags.count == 6)
        }
    }

    @Test(
        "The catalogue's lists answer 304 as well, and their tags change with an admin's SQL",
        arguments: [
            ("/v1/plans?country=US", "UPDATE Plan SET Fee = 9, Fee_since = '2026-01-10'"),
            ("/v1/plans?country=US", "UPDATE Plan SET Withdrawn_on = '2026-01-01'"),
            ("/v1/plans?country=US", "UPDATE Provider SET Category = 'News'"),
            ("/v1/plans?country=US", "UPDATE Currency SET Minor_digits = 3 WHERE Currency_code = 'USD'"),
            (
                "/v1/plans?country=US",
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) SELECT Plan_ID, '2026-01-20', 5 FROM Plan"
            ),
            ("/v1/providers", "UPDATE Provider SET Website = 'https://a.example'"),
            ("/v1/countries", "UPDATE Country SET Country_name = 'Utopia' WHERE Country_ID = 'AD'"),
        ])
    func catalogue(path: String, change: String) async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            try await service.addPlan()
            let ada = try await service.newUser()
            for client in [service.client, ada.client] {
                let tag = try #require(try await client.send("GET", path).header("etag"))
                #expect(try await client.send("GET", path, headers: [("If-None-Match", tag)]).status == 304)
                try await service.database.run("START TRANSACTION; \(change); ROLLBACK")
                #expect(try await client.send("GET", path, headers: [("If-None-Match", tag)]).status == 304)
            }
            var known: [(APIClient, APIResponse)] = []
            for client in [service.client, ada.client] { known.append((client, try await client.send("GET", path))) }
            try await service.database.run(change)
            for (client, before) in known {
                let tag = try #require(before.header("etag"))
                let now = try await client.send("GET", path, headers: [("If-None-Match", tag)])
                #expect(now.status == 200 && now.header("etag") != tag && now.body != before.body)
            }
        }
    }

    @Test(
        "What was read before a backup was restored is not taken for what is there now, though the versions are the same"
    )
    func restored() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            try await ada.call(CreateSubscription(planId: try await service.addPlan()))
            let paths = ["/v1/subscriptions", "/v1/plans?country=US", "/v1/countries"]
            var found: [(path: String, tag: String)] = []
            for path in paths {
                let answer = try await ada.client.send("GET", path)
                found.append((path, try #require(answer.header("etag"))))
            }
            let tags = found
            func statuses(_ client: APIClient) async throws -> [Int] {
                var statuses: [Int] = []
                for (path, tag) in tags {
                    statuses.append(try await client.send("GET", path, headers: [("If-None-Match", tag)]).status)
                }
                return statuses
            }
            let known = try await statuses(ada.client)
            #expect(known == [304, 304, 304])
            try await service.control.run("UPDATE Tenant SET Epoch = UNHEX(REPLACE(UUID(), '-', ''))")
            // It has not known another epoch.
            try await service.runReplica { replica in
                var there = ada
                there.client.baseURL = replica.client.baseURL
                let after = try await statuses(there.client)
                #expect(after == [200, 200, 200])
            }
        }
    }

    @Test("A single row's tag is its version, and never answers 304: what depends on today would be stale")
    func rows() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let path = "/v1/subscriptions/\(made.id)"
            let first = try await ada.client.send("GET", path)
            #expect(first.header("etag") == "\"\(made.version)\"")
            service.clock.advance(days: 1)
            for tag in ["\"\(made.version)\"", "*"] {
                let answer = try await ada.client.send("GET", path, headers: [("If-None-Match", tag)])
                #expect(answer.status == 200, "\(tag)")
                guard answer.status == 200 else { continue }
                #expect(try answer.decode(Subscription.self).remaining == 27)
            }
        }
    }

    @Test(
        "If-Match: the known version is changed, another is refused with what is there now, none lets the last one win")
    func ifMatch() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let id = made.id
            let changed = try await ada.call(
                UpdateSubscription(id: id, label: .set("one")), headers: [("If-Match", "\"\(made.version)\"")])
            #expect(changed.label == "one")
            let stale = [("If-Match", "\"\(made.version)\"")]
            let before = try await ada.call(GetSubscription(id: id))
            for problem in [
                try await ada.refusal(of: UpdateSubscription(id: id, label: .set("two")), headers: stale),
                try await ada.refusal(of: RenewSubscription(id: id), headers: stale),
                try await ada.refusal(of: CancelSubscription(id: id), headers: stale),
                try await ada.refusal(of: ResumeSubscription(id: id), headers: stale),
                try await ada.refusal(of: DeleteSubscription(id: id), headers: stale),
                try await ada.refusal(
                    of: UpdateSubscription(id: id, label: .set("x")), headers: [("If-Match", "\"0\"")]),
                try await ada.refusal(
                    of: UpdateSubscription(id: id, label: .set("x")), headers: [("If-Match", "W/\"1\"")]),
                try await ada.refusal(of: UpdateSubscription(id: id, label: .set("x")), headers: [("If-Match", "x")]),
            ] {
                #expect(problem.status == 412 && problem.code == .stale)
                #expect(try problem.current?.decode(Subscription.self) == before)
            }
            #expect(try await ada.call(GetSubscription(id: id)) == before)
            let several = [("If-Match", "\"1\", \"\(before.version)\"")]
            #expect(
                try await ada.call(UpdateSubscription(id: id, label: .set("list")), headers: several).label == "list")
            #expect(
                try await ada.call(UpdateSubscription(id: id, label: .set("any")), headers: [("If-Match", "*")]).label
                    == "any")
            #expect(try await ada.call(UpdateSubscription(id: id, label: .set("last"))).label == "last")
            let now = try await ada.call(GetSubscription(id: id))
            try await ada.call(DeleteSubscription(id: id), headers: [("If-Match", "\"\(now.version)\"")])
        }
    }

    @Test("If-Match on the user")
    func ifMatchOnMe() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let me = try await ada.call(
                UpdateMe(userName: .set("Ada")), headers: [("If-Match", "\"\(ada.user.version)\"")])
            let problem = try await ada.refusal(
                of: UpdateMe(userName: .set("Eve")), headers: [("If-Match", "\"\(ada.user.version)\"")])
            #expect(problem.status == 412 && problem.code == .stale)
            #expect(try problem.current?.decode(User.self) == me)
        }
    }
}
