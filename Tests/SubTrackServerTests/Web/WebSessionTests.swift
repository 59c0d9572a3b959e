import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Sessions in a browser, against the running service.
@Suite("Sessions in a cookie", .ownTime)
struct WebSessionTests {
    /// A browser as far as this goes: it keeps cookies and says where its requests come from.
    private struct Browser {
        let service: TestService
        var cookies: [String: String] = [:]
        var headers = ["Sec-Fetch-Site: same-origin"]
        var prefix = ""

        init(_ service: TestService) { self.service = service }

        @discardableResult
        mutating func send(
            _ method: String, _ path: String, _ body: String = "", _ extra: [String] = [], host: String? = nil
        ) async throws -> APIResponse {
            var lines = headers + extra
            if !cookies.isEmpty { lines.append("Cookie: " + cookies.map { "\($0)=\($1)" }.joined(separator: "; ")) }
            let answer = try await RawHTTP.send(
                method, prefix + path, port: service.port, host: host ?? "127.0.0.1:\(service.port)", headers: lines,
                body: Array(body.utf8))
            for line in answer.headers.filter({ $0.name == "set-cookie" }).map(\.value) {
                let parts = line.components(separatedBy: "; ")
                let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                    String.init)
                cookies[pair[0]] = parts.contains("Max-Age=0") ? nil : pair[1]
            }
            return answer
        }

        mutating func register(_ name: String = "Browser") async throws -> APIResponse {
            try await send("POST", "/v1/devices", "{\"name\": \"\(name)\"}", ["Session-Delivery: cookie"])
        }

        mutating func signIn(_ email: String, createIfMissing: Bool = false) async throws -> APIResponse {
            try await send(
                "POST", "/v1/sessions",
                """
                {"email": "\(email)", "password": "correct horse battery", "createIfMissing": \(createIfMissing)}
                """, ["Session-Delivery: cookie"])
        }

        /// Whether the service says that the cookie is alive.
        mutating func isSignedIn() async throws -> Bool {
            let answer = try await send("GET", "/v1")
            return try JSONDecoder().decode(GetServerInfo.Output.self, from: answer.body).signedIn
        }

        /// The id of the user whom the cookie stands for; nil: nobody.
        mutating func user() async throws -> String? {
            let answer = try await send("GET", "/v1/me")
            guard answer.status == 200 else { return nil }
            return try JSONDecoder().decode(User.self, from: answer.body).id.uuidString.lowercased()
        }
    }

    private static let name = "__Host-subtrack.default"

    @Test("A token that is wanted as a cookie is in no body, and the cookie is the browser's alone")
    func delivery() async throws {
        try await TestService.run { service in
            var browser = Browser(service)
            let made = try await browser.register()
            #expect(made.status == 201)
            #expect(!made.text.contains("token") && !made.text.contains("sub_"))
            let line = try #require(made.header("set-cookie"))
            for part in ["Path=/", "Max-Age=34560000", "HttpOnly", "SameSite=Strict", "Secure"] {
                #expect(line.components(separatedBy: "; ").contains(part), "\(part)")
            }
            #expect(!line.contains("Domain"))
            #expect(line.hasPrefix("\(Self.name)=sub_"))
            let first = try await browser.user()
            #expect(first != nil)
            let email = "ada-\(UUID().uuidString)@example.org"
            let before = browser.cookies[Self.name]
            let signedIn = try await browser.signIn(email, createIfMissing: true)
            #expect(signedIn.status == 200 && !signedIn.text.contains("sub_"))
            #expect(browser.cookies[Self.name] != before)
            #expect(try await browser.user() == first)
            #expect(try await browser.isSignedIn())
            var stranger = Browser(service)
            #expect(try await !stranger.isSignedIn())
            #expect(try await browser.send("GET", "/v1").header("cache-control") == "no-store")
            let out = try await browser.send("DELETE", "/v1/sessions/current", "", ["Session-Delivery: cookie"])
            #expect(out.status == 200 && !out.text.contains("sub_"))
            #expect(try await browser.user() != first)
            // Without the wish nothing changes for anybody.
            let plain = try await RawHTTP.send(
                "POST", "/v1/devices", port: service.port, body: Array("{\"name\": \"x\"}".utf8))
            #expect(plain.text.contains("sub_") && plain.header("set-cookie") == nil)
            let odd = try await browser.send("POST", "/v1/devices", "{\"name\": \"x\"}", ["Session-Delivery: header"])
            #expect(odd.status == 400)
        }
    }

    @Test("From another machine without TLS the cookie has another name and is not Secure")
    func plainHTTP() async throws {
        try await TestService.run { service in
            var browser = Browser(service)
            browser.headers = ["Origin: http://192.0.2.7:8080"]
            let made = try await browser.send(
                "POST", "/v1/devices", "{\"name\": \"x\"}", ["Session-Delivery: cookie"], host: "192.0.2.7:8080")
            let line = try #require(made.header("set-cookie"))
            #expect(line.hasPrefix("subtrack.default=sub_"))
            #expect(!line.contains("Secure"))
            #expect(try await browser.send("GET", "/v1/me", host: "192.0.2.7:8080").status == 200)
            // One that came by plain HTTP is not taken where a secure one could be.
            #expect(try await browser.send("GET", "/v1/me").status == 401)
        }
    }

    @Test("Forms and sockets of another origin are refused, and change nothing")
    func foreignRequests() async throws {
        try await TestService.run { service in
            var browser = Browser(service)
            _ = try await browser.register()
            let user = try await browser.user()
            let own = browser.headers
            for foreign in [
                ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site"], ["Origin: https://evil.example"],
                ["Sec-Fetch-Site: same-site"], ["Origin: null"], ["Origin: http://127.0.0.1:1"],
            ] {
                browser.headers = foreign + ["Content-Type: text/plain"]
                for (method, path, body) in [
                    ("POST", "/v1/subscriptions", "{\"planId\": 1}"), ("DELETE", "/v1/me", ""),
                    ("DELETE", "/v1/sessions/current", ""), ("PATCH", "/v1/me", "{\"userName\": \"Mallory\"}"),
                    ("POST", "/v1/devices", "{\"name\": \"x\"}"), ("POST", "/v1/changes", "{}"),
                    ("POST", "/v1/sessions", "{\"email\": \"a@b.org\", \"password\": \"xxxxxxxx\"}"),
                ] {
                    let answer = try await browser.send(method, path, body)
                    #expect(answer.status == 403, "\(method) \(path) \(foreign)")
                    #expect(try answer.problem().code == .originRefused)
                    #expect(answer.header("set-cookie") == nil)
                    // Also where the browser kept the cookie back, as SameSite=Strict has it.
                    var bare = browser
                    bare.cookies = [:]
                    #expect(try await bare.send(method, path, body).status == 403, "\(method) \(path) \(foreign)")
                }
                for cookie in [browser.cookies[Self.name], nil] {
                    let lines = foreign + (cookie.map { ["Cookie: \(Self.name)=\($0)"] } ?? [])
                    await #expect("a socket of \(foreign)") {
                        _ = try await RawWebSocket.open(port: service.port, token: nil, headers: lines)
                    } throws: { ($0 as? RefusedUpgrade)?.response.status == 403 }
                }
            }
            browser.headers = own
            let me = try await browser.send("GET", "/v1/me")
            #expect(me.text.contains("\"userName\":null"))
            #expect(try await browser.user() == user)
        }
    }

    @Test("What only reads, for a page of another site, is answered as to somebody without cookie")
    func foreignReading() async throws {
        try await TestService.run { service in
            var browser = Browser(service)
            _ = try await browser.register()
            for (site, status) in [("cross-site", 401), ("same-site", 401), ("none", 200), ("same-origin", 200)] {
                browser.headers = ["Sec-Fetch-Site: \(site)"]
                #expect(try await browser.send("GET", "/v1/me").status == status, "\(site)")
                #expect(browser.cookies[Self.name] != nil, "\(site)")
            }
            browser.headers = []
            #expect(try await browser.send("GET", "/v1/me").status == 200)
        }
    }

    @Test("A WebSocket opens by cookie from a page of ours, and ends with the session")
    func live() async throws {
        try await TestService.run { service in
            var browser = Browser(service)
            _ = try await browser.register()
            let user = try await browser.user()
            let cookie = "Cookie: \(Self.name)=\(try #require(browser.cookies[Self.name]))"
            for sign in ["Sec-Fetch-Site: same-origin", "Origin: http://127.0.0.1"] {
                let socket = try await RawWebSocket.open(port: service.port, token: nil, headers: [cookie, sign])
                #expect(try await socket.call("me.get").result()["id"] as? String == user)
                try await socket.sendClose()
            }
            await #expect("neither Origin nor Sec-Fetch-Site") {
                _ = try await RawWebSocket.open(port: service.port, token: nil, headers: [cookie])
            } throws: { ($0 as? RefusedUpgrade)?.response.status == 403 }
        }
    }

    @Test("The cookie of one tenant opens nothing of another by path, also under the other's name")
    func tenants() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { _ = try await $0.create("other") }
            _ = try await service.newUser(in: "other")
            var browser = Browser(service)
            _ = try await browser.register()
            let value = try #require(browser.cookies[Self.name])
            browser.prefix = "/t/other"
            #expect(try await browser.send("GET", "/v1/me").problem().code == .tokenMissing)
            #expect(try await browser.register().status == 201)
            #expect(browser.cookies.count == 2)
            let theirs = try await browser.user()
            browser.prefix = ""
            let ours = try await browser.user()
            #expect(ours != nil && theirs != nil && ours != theirs)
            browser.prefix = "/t/default"
            #expect(try await browser.user() == ours)
            browser.prefix = "/t/other"
            browser.cookies["__Host-subtrack.other"] = value
            #expect(try await browser.send("GET", "/v1/me").problem().code == .tokenInvalid)
        }
    }

    @Test("Authorization goes before the cookie, whatever the cookie is")
    func bearerFirst() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let bearer = "Authorization: Bearer \(try #require(ada.client.token))"
            var browser = Browser(service)
            _ = try await browser.register()
            let stale = try #require(browser.cookies[Self.name])
            _ = try await browser.send("DELETE", "/v1/sessions/current", "", ["Session-Delivery: cookie"])
            browser.headers = ["Origin: https://evil.example", bearer]
            for cookie in [stale, "x", browser.cookies[Self.name] ?? ""] {
                browser.cookies[Self.name] = cookie
                let me = try await browser.send("GET", "/v1/me")
                #expect(me.text.contains(ada.user.id.uuidString.lowercased()))
                #expect(me.header("set-cookie") == nil)
                // No other page has the token, so that it needs no proof of where it comes from.
                #expect(try await browser.send("PATCH", "/v1/me", "{\"userName\": \"Ada\"}").status == 200)
            }
            browser.headers = ["Sec-Fetch-Site: same-origin", "Authorization: Basic x"]
            #expect(try await browser.send("GET", "/v1/me").problem().code == .tokenInvalid)
        }
    }

    @Test("Nobody gets a session that somebody else chose: each sign-in gives a new token and ends the former")
    func fixation() async throws {
        try await TestService.run { service in
            var mallory = Browser(service)
            _ = try await mallory.register()
            let planted = try #require(mallory.cookies[Self.name])
            var ada = Browser(service)
            ada.cookies[Self.name] = planted
            _ = try await ada.signIn("ada-\(UUID().uuidString)@example.org", createIfMissing: true)
            #expect(ada.cookies[Self.name] != planted)
            #expect(try await ada.user() != nil)
            #expect(try await mallory.send("GET", "/v1/me").problem().code == .tokenEnded)
            // A value that was made up is not taken over either.
            var eve = Browser(service)
            eve.cookies[Self.name] = "sub_\(String(repeating: "A", count: 43)).1"
            _ = try await eve.register()
            #expect(eve.cookies[Self.name]?.contains("AAAAAAAA") == false)
        }
    }

    @Test(
        "A cookie goes when its session was ended from afar or its user deleted, and stays where the device has a newer one"
    )
    func clearing() async throws {
        try await TestService.run { service in
            let email = "ada-\(UUID().uuidString)@example.org"
            var first = Browser(service)
            _ = try await first.signIn(email, createIfMissing: true)
            var second = Browser(service)
            _ = try await second.signIn(email)
            let list = try await second.send("GET", "/v1/sessions")
            let sessions = try JSONDecoder().decode(ListSessions.Output.self, from: list.body).sessions
            let others = try #require(sessions.first { !$0.current })
            #expect(try await second.send("DELETE", "/v1/sessions/\(others.id)").status == 204)
            let dead = first.cookies.map { "Cookie: \($0)=\($1)" } + first.headers
            await #expect("a WebSocket of a session that has ended") {
                _ = try await RawWebSocket.open(port: service.port, token: nil, headers: dead)
            } throws: {
                guard let response = ($0 as? RefusedUpgrade)?.response else { return false }
                return response.status == 401
                    && response.header("set-cookie")?.hasPrefix("\(Self.name)=; Path=/; Max-Age=0") == true
            }
            #expect(try await first.send("GET", "/v1/me").problem().code == .tokenEnded)
            #expect(first.cookies.isEmpty)

            // Another tab of the same browser signed out a moment ago: its new cookie must not be taken away by this answer.
            var tab = second
            _ = try await second.send("DELETE", "/v1/sessions/current", "", ["Session-Delivery: cookie"])
            let late = try await tab.send("GET", "/v1/me")
            #expect(try late.problem().code == .tokenEnded)
            #expect(late.header("set-cookie") == nil)
            #expect(try await second.user() != nil)

            var third = Browser(service)
            _ = try await third.register()
            var same = third
            let gone = try await third.send("DELETE", "/v1/me")
            #expect(gone.status == 204)
            #expect(third.cookies.isEmpty)
            // A script does not see why a WebSocket is refused: the cookie goes with the answer that tells it.
            let deleted = same.cookies.map { "Cookie: \($0)=\($1)" } + same.headers
            await #expect("a WebSocket of a deleted user") {
                _ = try await RawWebSocket.open(port: service.port, token: nil, headers: deleted)
            } throws: {
                guard let response = ($0 as? RefusedUpgrade)?.response else { return false }
                return response.status == 401 && response.header("set-cookie") == nil
            }
            #expect(try await same.send("POST", "/v1/subscriptions", "{\"planId\": 1}").problem().code == .userDeleted)
            #expect(same.cookies.isEmpty)
            // What is nobody's may be a database that lags behind: it stays.
            var unknown = Browser(service)
            unknown.cookies[Self.name] = "sub_\(String(repeating: "A", count: 43)).1"
            #expect(try await unknown.send("GET", "/v1/me").problem().code == .tokenInvalid)
            #expect(unknown.cookies.count == 1)
        }
    }

    @Test("A cookie that is used is set anew once a day, on no answer that others may be given")
    func renewal() async throws {
        try await TestService.run { service in
            var browser = Browser(service)
            _ = try await browser.register()
            #expect(try await browser.send("GET", "/v1/me").header("set-cookie") == nil)
            let value = try #require(browser.cookies[Self.name])
            service.clock.advance(days: 1)
            let shared = try await browser.send("GET", "/v1/countries")
            #expect(shared.header("cache-control")?.hasPrefix("public") == true)
            #expect(shared.header("set-cookie") == nil)
            let renewed = try await browser.send("GET", "/v1/me")
            #expect(renewed.header("set-cookie")?.contains("Max-Age=34560000") == true)
            #expect(renewed.header("cache-control") == "no-store")
            let now = try #require(browser.cookies[Self.name])
            #expect(now != value && now.prefix(47) == value.prefix(47))
            #expect(try await browser.send("GET", "/v1/me").header("set-cookie") == nil)
            #expect(try await browser.user() != nil)
            // The session that this request ends gets no cookie anew: the browser may have a newer one by then.
            service.clock.advance(days: 1)
            let ended = try await browser.send("DELETE", "/v1/sessions/current")
            #expect(ended.status == 200 || ended.status == 204)
            #expect(ended.header("set-cookie") == nil)
        }
    }

    @Test("An operation that gives no token delivers nothing, with any header")
    func nothingToDeliver() async throws {
        try await TestService.run { service in
            var browser = Browser(service)
            _ = try await browser.register()
            let wish = ["Session-Delivery: cookie"]
            for (method, path, body) in [("GET", "/v1/me", ""), ("PATCH", "/v1/me", "{\"userName\": \"Ada\"}")] {
                let answer = try await browser.send(method, path, body, wish)
                #expect(answer.status == 200, "\(method)")
                #expect(answer.header("set-cookie") == nil, "\(method)")
            }
        }
    }
}
