import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

/// What HTTP/1.1 says of connections and messages, seen on the wire.
@Suite("HTTP/1.1 connections")
struct HTTP1ConnectionTests {
    private func answers(_ text: String, port: Int, closesAfterwards: Bool = false) async throws -> String {
        String(
            decoding: try await RawHTTP.exchange(
                Array(text.utf8), port: port, closesAfterwards: closesAfterwards, patience: 5), as: UTF8.self)
    }

    private func statuses(_ text: String) -> [String] {
        text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
    }

    @Test("A connection ends when it is said, and goes on when it is not: HTTP/1.0 and 1.1")
    func keepAlive() async throws {
        try await TestService.run { service in
            let rest = "GET /v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            for (first, count, connection) in [
                ("GET /v1 HTTP/1.0\r\n\r\n", 1, "close"),
                ("GET /v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 1, "close"),
                ("GET /v1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 2, "keep-alive"),
                ("GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n", 2, nil as String?),
            ] {
                let text = try await answers(first + rest, port: service.port)
                #expect(statuses(text) == Array(repeating: "200", count: count), "\(first)")
                let head = try #require(text.components(separatedBy: "\r\n\r\n").first)
                let field = head.components(separatedBy: "\r\n").first { $0.hasPrefix("connection: ") }
                #expect(field?.dropFirst(12) == connection.map { $0[...] }, "\(first)")
            }
        }
    }

    @Test("Who has sent its last request and closed its side still gets all answers")
    func halfClosed() async throws {
        try await TestService.run { service in
            let one = "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n"
            let text = try await answers(one + one + one, port: service.port, closesAfterwards: true)
            #expect(statuses(text) == ["200", "200", "200"])
        }
    }

    @Test("Who asks before sending a body is told to go on, or that it is too large")
    func expectations() async throws {
        try await TestService.run { service in
            let body = #"{"name":"phone","country":"US"}"#
            func head(_ length: Int) -> String {
                "POST /v1/devices HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: \(length)\r\n\r\n"
            }
            let text = try await answers(head(body.utf8.count) + body, port: service.port, closesAfterwards: true)
            #expect(statuses(text) == ["100", "201"])
            let refused = try await answers(head(5 << 20), port: service.port, closesAfterwards: true)
            #expect(statuses(refused) == ["413"])
        }
    }

    @Test(
        "A body that is too large is refused, with its length told or in chunks, and the connection serves the next request"
    )
    func tooLarge() async throws {
        try await TestService.run { service in
            let size = ServerRequest.maximumBody + 1
            let body = String(repeating: "x", count: size)
            let last = "GET /v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let post = "POST /v1/devices HTTP/1.1\r\nHost: a\r\n"
            for request in [
                post + "Content-Length: \(size)\r\n\r\n" + body,
                post + "Transfer-Encoding: chunked\r\n\r\n\(String(size, radix: 16))\r\n\(body)\r\n0\r\n\r\n",
            ] {
                let text = try await answers(request + last, port: service.port)
                #expect(statuses(text) == ["413", "200"])
            }
            let exact = String(repeating: " ", count: ServerRequest.maximumBody - 2) + "{}"
            let fits = try await RawHTTP.send("POST", "/v1/devices", port: service.port, body: Array(exact.utf8))
            #expect(fits.status == 400)
        }
    }

    @Test("A request that breaks off in the middle makes nothing, and one in chunks of a byte is read")
    func pieces() async throws {
        try await TestService.run { service in
            let broken = "POST /v1/devices HTTP/1.1\r\nHost: a\r\nContent-Length: 31\r\n\r\n{\"name\":\"broken\""
            #expect(!(try await answers(broken, port: service.port, closesAfterwards: true).contains(" 201 ")))
            let body = #"{"name":"phone","country":"US"}"#
            let chunks = body.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
            let text = try await answers(
                "POST /v1/devices HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                    + chunks,
                port: service.port)
            #expect(statuses(text) == ["201"])
            let names = try await service.database.run("SELECT Device_name FROM Device")
            #expect(!names.contains("broken") && names.contains("phone"))
        }
    }

    @Test("A hundred requests that were sent at once are answered in order, though some take longer")
    func order() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let token = try #require(ada.client.token)
            let paths = (0..<100).map { ["/v1/subscriptions", "/healthz", "/v1/plans/99999\($0)", "/v1"][$0 % 4] }
            let requests = paths.enumerated().map { index, path in
                "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n"
                    + (index == 99 ? "Connection: close\r\n" : "") + "\r\n"
            }
            let text = try await answers(requests.joined(), port: service.port)
            #expect(statuses(text) == paths.map { $0.hasPrefix("/v1/plans") ? "404" : "200" })
        }
    }

    @Test(
        "An offer to speak something else is not taken up, and ends the connection: the parser reads nothing behind it")
    func upgrades() async throws {
        try await TestService.run { service in
            let offer = "GET /v1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n"
            for (request, status) in [(offer, "200"), ("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "404")] {
                for rest in ["", String(repeating: "x", count: 2_000_000)] {
                    let text = try await answers(request + rest, port: service.port)
                    #expect(statuses(text).first == status || !rest.isEmpty, "\(request)")
                    if rest.isEmpty { #expect(text.contains("connection: close"), "\(request)") }
                }
            }
            #expect(try await service.client.send("GET", "/v1").status == 200)
        }
    }

    @Test("What is no HTTP in the middle of a request is refused at once, whatever was said before")
    func malformedLater() async throws {
        try await TestService.run { service in
            let get = "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n"
            let post = "POST /v1/devices HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
            for (text, wanted) in [
                (get + post + "\r\nZZ\r\n", ["200", "400"]), (post + "Connection: close\r\n\r\nZZ\r\n", ["400"]),
                (get + get + "no HTTP\r\n\r\n" + String(repeating: "x", count: 100_000), ["200", "200", "501"]),
                (
                    "GET /v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + String(repeating: "x", count: 100_000),
                    ["200"]
                ),
                (get + "GET /v1 HTTP/1.1\r\n\r\n" + get, ["200", "400"]),
                ("GET /v1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", ["400"]),
                (get + "GET /v1/live HTTP/1.1\r\nHost: a\r\n\r\n" + get, ["200", "426"]),
            ] {
                let clock = ContinuousClock()
                let start = clock.now
                let answer = try await answers(text, port: service.port)
                #expect(statuses(answer) == wanted, "\(text.prefix(200))")
                #expect(clock.now - start < .seconds(30))
            }
        }
    }

    @Test("Answers have the time at which they were given, as HTTP writes it")
    func date() async throws {
        for (seconds, text) in [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (1_769_903_999, "Sat, 31 Jan 2026 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        ] as [(Int64, String)] {
            #expect(HTTPDate.text(of: Instant(secondsSince1970: seconds)) == text)
        }
        try await TestService.run { service in
            let answer = try await service.client.send("GET", "/healthz")
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            let date = try #require(answer.header("date").flatMap { formatter.date(from: $0) })
            #expect(abs(date.timeIntervalSinceNow) < 30)
        }
    }
}
