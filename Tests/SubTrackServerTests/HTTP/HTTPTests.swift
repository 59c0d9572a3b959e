import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("HTTP", .ownTime)
struct HTTPTests {
    @Test("Every answer has a request id of its own, problems in their body too, and is not to be stored unless public")
    func requestIDs() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            var ids: Set<String> = []
            let answers = [
                try await ada.client.send("GET", "/v1/me"), try await ada.client.send("GET", "/v1/nothing"),
                try await ada.client.send("DELETE", "/v1/subscriptions/\(UUID())"),
                try await service.client.send("GET", "/v1/me"), try await service.client.send("GET", "/healthz"),
                try await ada.client.send("PUT", "/v1/me"), try await ada.client.send("POST", "/v1/devices", json: "["),
            ]
            for answer in answers {
                let id = try #require(answer.header("x-request-id"))
                #expect(!id.isEmpty)
                #expect(ids.insert(id).inserted)
                #expect(answer.header("cache-control") == "no-store")
                if answer.status >= 400 {
                    let problem = try answer.problem()
                    #expect(problem.requestId == id && problem.status == answer.status)
                    #expect(problem.type == "/problems/\(problem.code.rawValue)" && problem.title == problem.code.title)
                    #expect(!problem.detail.isEmpty)
                }
            }
            let catalogue = try await service.client.send("GET", "/v1/countries")
            #expect(catalogue.header("cache-control") == "public, max-age=60")
            #expect(catalogue.header("vary") == "Authorization, Cookie")
            #expect(catalogue.header("content-type") == "application/json")
        }
    }

    @Test("A problem has the members that RFC 9457 and the contract name, and no others")
    func problemMembers() async throws {
        try await TestService.run { service in
            let missing = try await service.client.send("GET", "/v1/me")
            #expect(missing.status == 401 && missing.header("www-authenticate") == "Bearer")
            #expect(Set(try missing.object().keys) == ["type", "title", "status", "code", "detail", "requestId"])
            let input = try await service.client.send("POST", "/v1/devices", json: "{\"nam\":1}")
            #expect(
                Set(try input.object().keys) == ["type", "title", "status", "code", "detail", "requestId", "errors"])
            let errors = try #require(try input.object()["errors"] as? [[String: Any]])
            #expect(errors.count == 2 && errors.allSatisfy { Set($0.keys) == ["field", "code", "message"] })
        }
    }

    @Test("A method that a path does not have is 405 with what it has; a path that is none is 404, whatever the method")
    func methods() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            for (method, path, allowed) in [
                ("PUT", "/v1/me", "GET, HEAD, PATCH, DELETE"), ("POST", "/v1/me", "GET, HEAD, PATCH, DELETE"),
                ("PATCH", "/v1/devices", "POST"), ("GET", "/v1/devices", "POST"), ("HEAD", "/v1/devices", "POST"),
                ("POST", "/v1/plans/1", "GET, HEAD"), ("PUT", "/v1/subscriptions", "GET, HEAD, POST"),
                ("POST", "/v1/subscriptions/\(UUID())", "GET, HEAD, PATCH, DELETE"),
                ("OPTIONS", "/v1/countries", "GET, HEAD"), ("TRACE", "/v1", "GET, HEAD"),
                ("POST", "/v1/dashboard", "GET, HEAD"), ("GET", "/v1/subscriptions/\(UUID())/renew", "POST"),
                // Fixed paths beside `{id}`, which has these methods.
                ("PUT", "/v1/contacts/import", "POST"), ("GET", "/v1/contacts/import", "POST"),
                ("HEAD", "/v1/contacts/import", "POST"), ("OPTIONS", "/v1/contacts/import", "POST"),
                ("PATCH", "/v1/contacts/duplicates", "GET, HEAD"), ("DELETE", "/v1/contacts/duplicates", "GET, HEAD"),
                ("OPTIONS", "/v1/sessions/current", "DELETE"),
            ] {
                let answer = try await ada.client.send(method, path)
                #expect(answer.status == 405, "\(method) \(path)")
                let found = (answer.header("allow") ?? "").components(separatedBy: ", ").sorted()
                #expect(found == allowed.components(separatedBy: ", ").sorted(), "\(method) \(path)")
                if method != "HEAD" { #expect(try answer.problem().code == .methodNotAllowed) }
            }
            for (method, path) in [
                ("GET", "/v2"), ("GET", "/v2/me"), ("POST", "/v1/me/"), ("GET", "/v1//me"), ("GET", "/V1/me"),
                ("DELETE", "/v1/subscriptions/\(UUID())/x/y"), ("GET", "/v1/subscriptions/a/b/c/d/e"),
                ("GET", "/t/Default"),
                ("GET", "/t"), ("GET", "/t/default/healthz"), ("GET", "/metrics/x"),
            ] {
                let answer = try await ada.client.send(method, path)
                #expect(answer.status == 404, "\(method) \(path)")
                #expect(try answer.problem().code == .notFound)
            }
        }
    }

    @Test("HEAD answers what GET would, without the body")
    func head() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            for path in ["/v1/me", "/v1", "/v1/countries", "/v1/subscriptions", "/healthz", "/v1/nothing"] {
                let get = try await ada.client.send("GET", path)
                let head = try await ada.client.send("HEAD", path)
                #expect(head.status == get.status && head.body.isEmpty)
                for name in ["content-type", "etag", "cache-control", "content-length"] {
                    #expect(head.header(name) == get.header(name), "\(path) \(name)")
                }
            }
            // On the wire as well: what follows would be taken for the next answer.
            let raw = try await RawHTTP.send("HEAD", "/v1", port: service.port)
            #expect(raw.status == 200 && raw.body.isEmpty)
        }
    }

    @Test("What the server is and what time it has")
    func info() async throws {
        try await TestService.run(at: "2026-01-31T23:59:59Z") { service in
            let info = try await service.client.call(GetServerInfo())
            #expect(info.name == "SubTrackIt" && info.tenant == "default" && !info.sendsMails)
            #expect(info.now.description == "2026-01-31T23:59:59Z")
            let raw = try await service.client.send("GET", "/v1")
            #expect(raw.text.contains("\"now\":\"2026-01-31T23:59:59Z\""))
        }
    }

    @Test("Health and readiness")
    func health() async throws {
        try await TestService.run { service in
            for path in ["/healthz", "/readyz"] {
                let answer = try await service.client.send("GET", path)
                #expect(answer.status == 200 && answer.header("content-type") == "text/plain; charset=utf-8")
            }
            #expect(try await service.client.send("POST", "/healthz").status == 405)
        }
    }

    @Test("The answers are as the contract writes them: names, order, nulls, small letters in ids")
    func wire() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan("Premium", provider: "Wireflix", fee: "17.99")
            let id = UUID()
            let answer = try await ada.client.send(
                "POST", "/v1/subscriptions", json: "{\"id\":\"\(id.uuidString)\",\"planId\":\(plan)}")
            let version = try answer.decode(Subscription.self).version
            #expect(
                answer.text == """
                    {"id":"\(id.uuidString.lowercased())","plan":{"id":\(plan),"provider":"Wireflix","name":"Premium",\
                    "type":"Standard","category":"Other","country":"US","fee":"17.99","currency":"USD",\
                    "duration":{"value":1,"unit":"month"},"trialDays":null,"noticeDays":0,"withdrawn":false,\
                    "private":false},"label":null,"startDate":"2026-01-31","endDate":"2026-02-28","remaining":28,\
                    "period":0,"fee":"17.99","currency":"USD","next":{"fee":"17.99","currency":"USD","on":"2026-02-28"},\
                    "freeTrial":false,"autoRenew":false,"status":"active","cancelBy":"2026-02-28","reminderDays":null,\
                    "muted":false,"note":null,"version":\(version)}
                    """)
            #expect(answer.status == 201 && answer.header("etag") == "\"\(version)\"")
            let deleted = try await ada.client.send("DELETE", "/v1/subscriptions/\(id)")
            #expect(deleted.status == 204 && deleted.body.isEmpty)
        }
    }

    @Test("Requests one after the other on one connection, and several sent at once, are answered in order")
    func pipelining() async throws {
        try await TestService.run { service in
            let one = "GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n"
            let two = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
            let last = "GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            let bytes = try await RawHTTP.exchange(Array((one + two + one + last).utf8), port: service.port)
            let text = String(decoding: bytes, as: UTF8.self)
            let statuses = text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(statuses == ["200", "200", "200", "404"])
        }
    }

    @Test("Targets that no client library sends: malformed percent-encoding, absolute form, asterisk, NUL, dots")
    func targets() async throws {
        try await TestService.run { service in
            for (target, status) in [
                ("/v1/plans/%zz", 404), ("/v1/plans/%4", 404), ("/v1/plans/%", 404), ("/v1/%6de", 401),
                ("/v1/plans/%00", 404), ("/v1/plans/%ff", 404), ("/v1/plans/%c0%af", 404),
                ("/v1/plans/..%2f..%2fetc", 400),
                ("/v1/../v1", 404), ("//v1", 404), ("*", 404), ("/v1/countries?limit=%zz", 400),
                ("/v1/countries?limit=1&limit=2", 400), ("/v1/countries?%6cimit=1&limit=2", 400),
                ("/v1/countries?limit=%EF%BC%91", 400), ("/v1/countries?", 200), ("/v1/countries?&&", 200),
                ("/v1/countries?limit", 400), ("/v1/countries?limit=", 400), ("/v1/countries?x=1", 400),
                ("/v1/countries?=1", 400), ("/v1?now=1", 400), ("/v1#x", 404), ("http://127.0.0.1/v1", 200),
            ] {
                let answer = try await RawHTTP.send("GET", target, port: service.port)
                #expect(answer.status == status, "\(target): \(answer.text)")
                #expect(answer.header("x-request-id") != nil, "\(target)")
            }
            let many = (0..<100).map { "a\($0)=1" }.joined(separator: "&")
            #expect(try await RawHTTP.send("GET", "/v1/countries?\(many)", port: service.port).status == 400)
        }
    }

    @Test("A method that HTTP does not have is 501, a header without end 431, what is no HTTP 400: each a problem")
    func malformed() async throws {
        try await TestService.run { service in
            let endless = "GET /v1 HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 200_000))\r\n\r\n"
            for (text, status, code) in [
                ("BREW /v1 HTTP/1.1\r\nHost: a\r\n\r\n", 501, ErrorCode.methodNotAllowed), (endless, 431, .tooLarge),
                ("GET /v1 HTTP/1.1\r\nbad header\r\n\r\n", 400, .inputInvalid),
            ] {
                let bytes = try await RawHTTP.exchange(Array(text.utf8), port: service.port, patience: 60)
                let answer = try RawHTTP.parse(bytes)
                #expect(answer.status == status, "\(answer.text)")
                let problem = try answer.problem()
                #expect(problem.code == code && problem.status == status)
                #expect(problem.requestId == answer.header("x-request-id") && problem.requestId != nil)
                #expect(answer.header("content-length") == "\(answer.body.count)")
                #expect(answer.header("connection") == "close")
            }
            // What was asked before on the same connection is answered before.
            let two = "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\nBREW /v1 HTTP/1.1\r\nHost: a\r\n\r\n"
            let answers = String(
                decoding: try await RawHTTP.exchange(Array(two.utf8), port: service.port, patience: 60), as: UTF8.self)
            #expect(answers.hasPrefix("HTTP/1.1 200"), "\(answers)")
            #expect(answers.contains("HTTP/1.1 501"), "\(answers)")
        }
    }

    @Test("Bytes that are no HTTP are answered as such or cut off, and the next one is served")
    func noHTTP() async throws {
        try await TestService.run { service in
            let cases: [[UInt8]] = [
                Array("hello\r\n\r\n".utf8), Array("GET /v1\r\n\r\n".utf8), Array("GET /v1 HTTP/9.9\r\n\r\n".utf8),
                Array("GET /v1 HTTP/1.1\r\nbad header\r\n\r\n".utf8), [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01],
                Array("GET /v1 HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n".utf8),
                Array("POST /v1/devices HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}".utf8),
                Array("POST /v1/devices HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}".utf8),
                Array("GET /v1 HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 200_000))\r\n\r\n".utf8),
            ]
            for bytes in cases {
                let answer = try await RawHTTP.exchange(bytes, port: service.port, closesAfterwards: true, patience: 60)
                let text = String(decoding: answer, as: UTF8.self)
                let isRefused = text.hasPrefix("HTTP/1.1 4") || text.hasPrefix("HTTP/1.1 501")
                #expect(answer.isEmpty || isRefused, "\(text.prefix(100))")
            }
            #expect(try await service.client.send("GET", "/v1").status == 200)
        }
    }
}
