import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The operators' pages: what they show, and whose forms they take.
@Suite("The operators' pages", .ownTime)
struct OperatorPagesTests {
    /// An operator's browser.
    private struct Operator {
        let port: Int
        private var cookie = ""

        init(_ service: TestService) async throws {
            let port = try #require(service.settings.adminListen?.port)
            self.port = port
            try await eventually(within: .seconds(240), "it is ready") {
                try await RawHTTP.send("GET", "/readyz", port: port).status == 200
            }
        }

        mutating func get(_ path: String, _ headers: [String] = [], host: String? = nil) async throws -> APIResponse {
            let answer = try await RawHTTP.send(
                "GET", path, port: port, host: host ?? "127.0.0.1:\(port)", headers: headers)
            if let line = answer.header("set-cookie") {
                #expect(line.contains("; HttpOnly; SameSite=Strict"))
                cookie = String(line.prefix { $0 != ";" })
            }
            return answer
        }

        /// The token in the forms of a page.
        mutating func token() async throws -> String {
            let text = try await get("/tenants").text
            return String(try #require(text.firstMatch(of: #/name="token" value="([0-9a-f]{64})"/#)).output.1)
        }

        func post(
            _ path: String, token: String, _ headers: [String] = ["Sec-Fetch-Site: same-origin"],
            cookie given: String? = nil
        ) async throws -> APIResponse {
            let cookie = given ?? cookie
            return try await RawHTTP.send(
                "POST", path, port: port, host: "127.0.0.1:\(port)",
                headers: headers + ["Content-Type: application/x-www-form-urlencoded"]
                    + (cookie.isEmpty ? [] : ["Cookie: \(cookie)"]), body: Array("token=\(token)".utf8))
        }
    }

    private func run(_ body: (TestService, inout Operator) async throws -> Void) async throws {
        try await TestService.runAlone(configure: { $0.adminListen = ListenAddress(host: "127.0.0.1", port: 0) }) {
            service in
            var person = try await Operator(service)
            try await body(service, &person)
        }
    }

    @Test("Health, tenants, mails and revisions are shown, and what people wrote is text")
    func pages() async throws {
        try await run { service, person in
            let health = try await person.get("/")
            #expect(health.status == 200 && health.text.contains("Ready.") && !health.text.contains("<script"))
            let policy = try #require(health.header("content-security-policy"))
            #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; form-action 'self'"))
            #expect(health.header("cache-control") == "no-store")
            #expect(try await person.get("/operators.css").header("content-type")?.hasPrefix("text/css") == true)
            #expect(try await person.get("/tenants").text.contains("<td>default</td>"))
            #expect(try await person.get("/mails").text.contains("Mails of default that wait: none."))
            try await service.database.run(
                """
                INSERT INTO Mail (Mail_ID, Kind, Email, Language, Expires_at)
                VALUES (UNHEX(REPLACE(UUID(), '-', '')), 'reset', '<b>a</b>@example.org', 'en',
                    UTC_TIMESTAMP() + INTERVAL 1 DAY)
                """)
            try await service.database.run("INSERT INTO Revision (Revision) VALUES ('<script>alert(1)</script>/&')")
            let mails = try await person.get("/mails").text
            #expect(mails.contains("<td>&lt;•••@e•••.org</td>"))
            let revisions = try await person.get("/revisions").text
            #expect(
                revisions.contains("&lt;script&gt;alert(1)&lt;/script&gt;/&amp;</a>") && !revisions.contains("<script"))
            let link = try #require(revisions.firstMatch(of: #/href="(\/revisions\/default\/[^"]+)"/#)).output.1
            let report = try await person.get(String(link))
            #expect(report.status == 200 && !report.text.contains("<script"))
            #expect(try await person.get("/revisions/default/none").status == 404)
        }
    }

    @Test("An address that takes POST alone says in words what it does, and how it is called; nothing is done")
    func actions() async throws {
        try await run { service, person in
            for (path, effect, button, hint) in [
                (
                    "/tenants/default/suspend", "suspends the tenant default", "Suspend",
                    "subtrackd tenant suspend default"
                ),
                ("/tenants/default/resume", "lets the tenant default go on", "Resume", "href=\"/tenants\""),
                (
                    "/mails/default/01a208d7-f0b9-7b98-9e54-770d40d0c56b/retry", "tried now", "Try now",
                    "href=\"/mails\""
                ),
                ("/mails/default/01a208d7-f0b9-7b98-9e54-770d40d0c56b/remove", "from the queue", "Remove", "/mails"),
                (
                    "/revisions/default/a%2Fb/check", "checks a revision", "Check again",
                    "href=\"/revisions/default/a%2Fb\""
                ),
                ("/revisions/default/spring/apply", "applies a revision", "Apply", "source sql/catalog/apply.sql"),
                ("/revisions/default/spring/discard", "away", "Discard", "/revisions/default/spring"),
            ] {
                let answer = try await person.get(path)
                #expect(answer.status == 405 && answer.header("allow") == "POST", "\(path): \(answer.status)")
                for words in [effect, "takes POST", "“\(button)”", hint] {
                    #expect(answer.text.contains(words), "\(path) says \(words): \(answer.text)")
                }
            }
            #expect(try await count(service, "SELECT COUNT(*) FROM Revision") == 0)
            #expect(try await person.get("/tenants/default/explode").status == 404)
            #expect(try await person.get("/tenants/default%3Bcurl%20evil.example/suspend").status == 404)
            let page = try await person.post("/tenants", token: "")
            #expect(page.status == 405 && page.header("allow") == "GET, HEAD" && page.text.contains("takes GET, HEAD"))
        }
    }

    @Test("A form does what it says")
    func forms() async throws {
        try await run { service, person in
            let token = try await person.token()
            try await service.database.run(
                """
                INSERT INTO Mail (Mail_ID, Kind, Email, Language, Expires_at, Next_attempt_at)
                VALUES (UNHEX('01a208d7f0b97b989e54770d40d0c56b'), 'reset', 'a@example.org', 'en',
                    UTC_TIMESTAMP() + INTERVAL 1 DAY, UTC_TIMESTAMP() + INTERVAL 1 HOUR)
                """)
            let mail = "/mails/default/01a208d7-f0b9-7b98-9e54-770d40d0c56b"
            let retried = try await person.post("\(mail)/retry", token: token)
            #expect(retried.status == 303 && retried.header("location") == "/mails?done=retry")
            #expect(try await person.get("/mails?done=retry").text.contains("<p role=\"status\">The mail is tried"))
            // An address may name any effect: only the known words are shown.
            #expect(!(try await person.get("/mails?done=%3Cb%3E").text.contains("role=\"status\"")))
            #expect(try await count(service, "SELECT COUNT(*) FROM Mail WHERE Next_attempt_at <= UTC_TIMESTAMP()") == 1)
            #expect(try await person.post("\(mail)/remove", token: token).status == 303)
            #expect(try await count(service, "SELECT COUNT(*) FROM Mail") == 0)

            _ = try await service.addPlan(fee: "9.99")
            try await service.database.run(
                "INSERT INTO Revision (Revision, Effective_on) VALUES ('spring', '2099-01-01')")
            try await service.database.run(
                """
                INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Currency_code, Duration_value, Duration_unit)
                VALUES ('spring', 'US', 'Anew', 'Basic', '3.50', 'USD', '1', 'month')
                """)
            #expect(try await person.post("/revisions/default/spring/check", token: token).status == 303)
            let report = try await person.get("/revisions/default/spring").text
            #expect(report.contains("<td>new</td>") && report.contains("Applied: 0 of 1 countries"))
            #expect(try await person.post("/revisions/default/spring/apply", token: token).status == 303)
            #expect(try await person.get("/revisions/default/spring").text.contains("Applied: 1 of 1 countries"))
            #expect(try await count(service, "SELECT COUNT(*) FROM Plan WHERE Provider = 'Anew'") == 1)
            #expect(try await person.post("/revisions/default/spring/discard", token: token).status == 303)
            #expect(try await person.get("/revisions/default/spring").status == 404)

            #expect(try await person.post("/tenants/default/suspend", token: token).status == 303)
            try await eventually("its people are answered 403") {
                try await service.client.send("GET", "/v1").status == 403
            }
            #expect(try await person.get("/tenants").text.contains("<td>suspended</td>"))
            #expect(try await person.post("/tenants/default/resume", token: token).status == 303)
            try await eventually("it is served again") {
                try await service.client.send("GET", "/v1").status == 200
            }
            #expect(try await person.post("/tenants/nobody/suspend", token: token).status == 409)
        }
    }

    @Test(
        "A form of another page, another process or another origin is refused, and pages lead to no other site's name")
    func refused() async throws {
        try await run { service, person in
            let token = try await person.token()
            let path = "/tenants/default/suspend"
            let wrong = String(repeating: "0", count: 64)
            #expect(try await person.post(path, token: wrong).status == 403)
            #expect(try await person.post(path, token: "").status == 403)
            #expect(try await person.post(path, token: token, cookie: "subtrack.operators=\(wrong)").status == 403)
            #expect(try await person.post(path, token: token, cookie: "a=b").status == 403)
            for headers in [
                [], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"], ["Origin: https://evil.example"],
                ["Origin: null"], ["Sec-Fetch-Site: none"],
                ["Sec-Fetch-Site: same-origin", "X-Forwarded-For: 192.0.2.1"],
            ] {
                #expect(try await person.post(path, token: token, headers).status == 403, "\(headers)")
            }
            #expect(try await person.get("/tenants").text.contains("<td>active</td>"))
            // A name that leads here by somebody else's doing is another site to the browser.
            for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "[::1", ""] {
                let answer = try await person.get("/tenants", host: host)
                #expect(answer.status == 403 || answer.status == 400, "\(host)")
                #expect(!answer.text.contains(token), "\(host)")
            }
            #expect(try await person.get("/tenants", host: "localhost:1").status == 200)
            #expect(try await person.get("/tenants", host: "[::1]:9090").status == 200)
            #expect(try await person.get("/tenants", ["Via: 1.1 proxy"]).status == 403)
            // Programs are not people: what they read stays as it is.
            #expect(try await person.get("/healthz", host: "evil.example").status == 200)
            #expect(try await person.post("/tenants", token: token).status == 405)
            // A person is told in a page, which has no token.
            let told = try await person.get("/tenants", ["Accept: text/html"], host: "evil.example")
            #expect(told.status == 403 && told.text.contains("Ask for these pages by an IP address or localhost."))
            #expect(told.header("content-type") == "text/html; charset=utf-8" && !told.text.contains(token))
            #expect(told.header("content-security-policy") != nil && told.header("set-cookie") == nil)
            let nowhere = try await person.get("/nowhere", ["Accept: text/html"])
            #expect(nowhere.status == 404 && nowhere.text.contains("<a href=\"/\">To the pages for operators</a>"))
            // On the listener that everybody reaches there is none of it.
            for path in ["/tenants", "/mails", "/revisions", "/operators.css"] {
                #expect(try await RawHTTP.send("GET", path, port: service.port).status == 404, "\(path)")
            }
        }
    }

    private func count(_ service: TestService, _ sql: String) async throws -> Int {
        Int(try await service.database.run(sql).split(separator: "\n").last ?? "") ?? -1
    }

    @Test("What is interpolated into HTML is escaped, but for HTML")
    func html() {
        let inner: HTML = "<b>\("a&b")</b>"
        let page: HTML = "<p title=\"\("\"'<>")\">\(inner)\([inner, inner])</p>"
        #expect(page.text == "<p title=\"&quot;&#39;&lt;&gt;\"><b>a&amp;b</b><b>a&amp;b</b><b>a&amp;b</b></p>")
    }
}
