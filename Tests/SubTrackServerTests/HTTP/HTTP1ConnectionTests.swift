import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What HTTP/1.1 says of connections and messages, seen on the wire.
@Suite("HTTP/1.1 connections", .ownTime)
struct HTTP1ConnectionTests {
    private func answers(_ text: String, port: Int, closesAfterwards: Bool = false) async throws -> String {
        String(
            decoding: try await RawHTTP.exchange(
                Array(text.utf8), port: port, closesAfterwards: closesAfterwards, patience: 60), as: UTF8.self)
    }

    private func statuses(_ text: String) -> [String] {
        // Words of a problem may name the version as well.
        text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }.filter { Int($0) != nil }
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
                let answer = try await answers(text, port: service.port)
                #expect(statuses(answer) == wanted, "\(text.prefix(200))")
            }
        }
    }

    @Test(
        "What a proxy in front could read otherwise is refused: where a body ends, and which host is meant",
        arguments: [
            ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n", "400"),
            ("GET / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n", "501"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "501"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity, chunked\r\n", "501"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: , chunked\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{b}chunked\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: gzip\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n", "400"),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n", "400"),
            ("GET / HTTP/1.1\nHost: a\r\n", "400"), ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n", "400"),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rY: b\r\n", "400"),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n", "400"), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n", "400"),
            ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n", "400"), ("GET / HTTP/1.1\r\n", "400"),
            ("GET / HTTP/1.1\r\nHost: a, b\r\n", "400"), ("GET / HTTP/1.1\r\nHost: u@a\r\n", "400"),
            ("GET / HTTP/1.1\r\nHost: a/b\r\n", "400"), ("GET http://b/ HTTP/1.1\r\nHost: a\r\n", "400"),
            ("GET http://a@b/ HTTP/1.1\r\nHost: b\r\n", "400"), ("GET http:///v1 HTTP/1.1\r\nHost: a\r\n", "400"),
            ("GET http://a:80/ HTTP/1.1\r\nHost: a\r\n", "400"),
            ("GET /v1/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n", "400"),
            ("GET /v1/live HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n", "501"),
            ("GET /v1/live HTTP/1.1\r\nHost: a, b\r\nUpgrade: websocket\r\nConnection: upgrade\r\n", "400"),
        ])
    func smuggling(_ head: String, _ status: String) async throws {
        try await TestService.run { service in
            let head =
                head.hasPrefix("GET / ") || head.hasPrefix("POST / ")
                ? head.replacing("POST / ", with: "POST /v1/devices ").replacing("GET / ", with: "GET /v1 ") : head
            // What follows looks like a body in chunks and like a request of its own.
            let text = try await answers(
                head + "\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", port: service.port)
            #expect(statuses(text) == [status], "\(head)")
            #expect(!text.contains("ok\n"), "\(head)")
            #expect(text.lowercased().contains("connection: close"), "\(head)")
        }
    }

    @Test("A request that cannot be carried out is refused before its body is there")
    func refusedBeforeTheBody() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let token = try #require(ada.client.token)
            let bad = token.dropLast() + (token.hasSuffix("A") ? "B" : "A")
            for (line, status) in [
                ("POST /v1/subscriptions", "401"), ("POST /v1/subscriptions|Bearer \(bad)", "401"),
                ("POST /v1/subscriptions|Basic x", "401"), ("POST /v1/nothing", "404"),
                ("PUT /v1/subscriptions", "405"),
                ("POST /healthz", "405"), ("POST /t/nobody/v1/devices", "404"), ("POST /%zz", "404"),
                ("POST /v1/devices|x|Content-Length: 1048577", "413"),
            ] {
                let parts = line.split(separator: "|")
                let authorization = parts.count == 2 ? "Authorization: \(parts[1])\r\n" : ""
                for length in parts.count == 3
                    ? [String(parts[2])] : ["Content-Length: 1048576", "Transfer-Encoding: chunked"]
                {
                    let socket = try await RawSocket.connect(port: service.port)
                    try await socket.send(
                        Array("\(parts[0]) HTTP/1.1\r\nHost: a\r\n\(authorization)\(length)\r\n\r\n".utf8))
                    try await eventually("\(line) is answered") {
                        String(decoding: socket.bytes, as: UTF8.self).contains("\r\n\r\n{")
                    }
                    #expect(statuses(String(decoding: socket.bytes, as: UTF8.self)) == [status], "\(line)")
                    await socket.close()
                }
            }
            // With a token that can be used the body is waited for.
            let body = Array("{}".utf8)
            let socket = try await RawSocket.connect(port: service.port)
            try await socket.send(
                Array(
                    ("POST /v1/subscriptions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n"
                        + "Content-Length: 2\r\n\r\n").utf8))
            try await socket.send([body[0]])
            try await socket.send([body[1]])
            try await eventually("it is answered") { !socket.bytes.isEmpty }
            #expect(statuses(String(decoding: socket.bytes, as: UTF8.self)) == ["400"])
            await socket.close()
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
            let before = Date()
            let answer = try await service.client.send("GET", "/healthz")
            let after = Date()
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            let date = try #require(answer.header("date").flatMap { formatter.date(from: $0) })
            // A header has whole seconds.
            #expect(date > before.addingTimeInterval(-1) && date <= after)
        }
    }
}
