import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Hostile texts", .ownTime)
struct InjectionTests {
    /// Texts that would do something where they are taken for anything but data.
    static let corpus = [
        "'", "\"", "`", "\\", "\\'", "';", "'; DROP TABLE Subscription; -- ", "' OR '1'='1", "\" OR \"\"=\"",
        "') OR 1=1#",
        "1; SELECT SLEEP(5)", "' UNION SELECT Password FROM Account -- ", "/*! SELECT 1 */", "-- ", "#", "%", "_",
        "%%%", "\\%",
        "${7*7}", "{{7*7}}", "%s%n%x", "$(id)", "`id`", "| ls", "<script>alert(1)</script>", "=1+1", "@@version",
        "@x := 1",
        "NULL", "null", "undefined", "true", "0", "-1", "1e309", "\u{202E}abc", "e\u{301}", "é", "ﬁ", "İ", "ß", "𝄞",
        "👩‍👩‍👧‍👦",
        "x\u{FEFF}y", "x\u{200B}", "Robert'); DROP TABLE `User`;--", "../../etc/passwd", "CON", "\\x00", "%00",
        "\\u0000", "\u{FFFD}",
        "0x27", "CHAR(39)", "?", ":name", "??", "\\N", "\\.", "DELIMITER //",
    ]

    @Test("Stored as data in every field that takes a text, and given back as it was")
    func stored() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let tables = try await service.database.run("SHOW TABLES")
            let made = try await ada.call(CreateSubscription(planId: plan))
            for text in Self.corpus {
                let trimmed = text.trimmed
                let device = try await service.client.call(RegisterDevice(name: text))
                #expect(Array(device.device.name.utf8) == Array(trimmed.utf8), "\(text)")
                let me = try await ada.call(UpdateMe(userName: .set(text)))
                #expect(me.userName.map { Array($0.utf8) } == Array(trimmed.utf8), "\(text)")
                let changed = try await ada.call(
                    UpdateSubscription(id: made.id, label: .set(text), note: .set("\(text)\n\t\(text)")))
                #expect(changed.label.map { Array($0.utf8) } == Array(trimmed.utf8), "\(text)")
                let read = try await ada.call(GetSubscription(id: made.id))
                #expect(read.note.map { Array($0.utf8) } == Array("\(text)\n\t\(text)".trimmed.utf8))
                let user = try await service.newUser()
                let type = String(text.unicodeScalars.prefix(30).map(Character.init)).trimmed
                let own = try await user.call(
                    CreateSubscription(
                        plan: PrivatePlan(
                            provider: text, name: text, type: type, category: text, fee: amount("1"), currency: "USD",
                            duration: .init(value: 1, unit: .month))))
                #expect(
                    Array(own.plan.provider.utf8) == Array(trimmed.utf8)
                        && Array(own.plan.name.utf8) == Array(trimmed.utf8))
                #expect(
                    Array(own.plan.category.utf8) == Array(trimmed.utf8)
                        && Array(own.plan.type.utf8) == Array(type.utf8))
            }
            #expect(try await service.database.run("SHOW TABLES") == tables)
        }
    }

    @Test("Searched for as data: only what has that very text in it is found")
    func searched() async throws {
        try await TestService.runAlone { service in
            for (index, text) in Self.corpus.enumerated() {
                try await service.addPlan("Plan \(index) \(text) end", provider: "Provider \(index)")
            }
            for (index, text) in Self.corpus.enumerated() {
                let found = try await service.client.call(ListPlans(country: "US", search: text, limit: 200)).plans
                // White space at the ends is not looked for, and a text that is nothing else finds all.
                guard !text.trimmed.isEmpty else { continue }
                #expect(found.contains { $0.name.hasPrefix("Plan \(index) ") }, "\(text) finds itself")
                if text.contains("SELECT") || text.contains("DROP") || text == "%" || text == "_"
                    || text == "' OR '1'='1"
                {
                    let others = Self.corpus.filter { $0.contains(text) }.count
                    #expect(found.count == others, "\(text) finds \(found.map(\.name))")
                }
                for path in ["/v1/providers?category=", "/v1/providers?search=", "/v1/plans?country=US&provider="] {
                    let answer = try await service.client.send("GET", path + APIClient.encoded(text))
                    #expect(answer.status == 200, "\(path)\(text): \(answer.text)")
                }
            }
            #expect(
                try await service.client.call(ListPlans(country: "US", limit: 200)).plans.count == Self.corpus.count)
        }
    }

    @Test("A name of nothing that can be seen is refused where the database would take it for empty")
    func invisible() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            for (provider, name, field) in [("\u{200B}", "x", "plan.provider"), ("x", " \u{200B} ", "plan.name")] {
                let plan = PrivatePlan(
                    provider: provider, name: name, fee: amount("1"), currency: "USD",
                    duration: .init(value: 1, unit: .month))
                expectRefused(try await ada.refusal(of: CreateSubscription(plan: plan)), field, .range)
            }
        }
    }

    @Test("A byte order mark in a text stays in it")
    func byteOrderMark() async throws {
        try await TestService.run { service in
            let answer = try await service.client.send("POST", "/v1/devices", json: "{\"name\":\"\u{FEFF}x\"}")
            #expect(answer.status == 201)
            #expect(answer.body.firstRange(of: Data("\"name\":\"\u{FEFF}x\"".utf8)) != nil)
        }
    }

    @Test("In every text of every operation of the registry: data, or refused; never a fault, and nobody else's rows")
    func everywhere() async throws {
        try await TestService.runAlone { service in
            try await service.enableAll()
            let ada = try await service.newUser()
            try await ada.call(CreateSubscription(planId: try await service.addPlan(), note: "hers"))
            let before = try await ada.call(ListSubscriptions())
            let tables = try await service.database.run("SHOW TABLES")
            var next = 0
            for entry in SubTrackService.registry().entries {
                for number in 0..<5 {
                    // Each field has its turn with ever other texts.
                    let text = Self.corpus[(next + number) % Self.corpus.count]
                    for request in try SampleRequest.all(of: entry, .init(everyText: text)) {
                        let eve = try await service.newUser()
                        let answer = try await request.send(by: eve.client)
                        #expect(answer.status < 500, "\(entry.name), \(request.what), \(text): \(answer.text)")
                    }
                }
                next += 5
            }
            #expect(try await service.database.run("SHOW TABLES") == tables)
            #expect(try await ada.call(ListSubscriptions()) == before)
        }
    }

    @Test("In places that take no text they are refused as what they are")
    func refused() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            for text in Self.corpus {
                let encoded = APIClient.encoded(text)
                let isIndex = Int(text) != nil
                for (path, statuses) in [
                    ("/v1/plans/\(encoded)", isIndex ? [404] : [400, 404]),
                    ("/v1/subscriptions/\(encoded)", [400, 404]),
                    ("/v1/subscriptions?cursor=\(encoded)", [400]), ("/v1/subscriptions?status=\(encoded)", [400]),
                    ("/v1/dashboard?within=\(encoded)", isIndex ? [200, 400] : [400]), ("/t/\(encoded)/v1", [404]),
                    ("/v1/plans?country=\(encoded)", [400]), ("/v1/me?\(encoded)=1", [400]),
                ] {
                    let answer = try await ada.client.send("GET", path)
                    #expect(statuses.contains(answer.status), "\(path): \(answer.status) \(answer.text)")
                }
            }
        }
    }
}

extension String {
    /// Without white space at its ends, as Unicode has it (which does not count U+200B).
    fileprivate var trimmed: String {
        var part = Substring(self)
        while part.first?.isWhitespace == true { part.removeFirst() }
        while part.last?.isWhitespace == true { part.removeLast() }
        return String(part)
    }
}
