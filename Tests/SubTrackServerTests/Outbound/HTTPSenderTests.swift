import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import Outbound

@Suite("Requests to servers that users chose", .enabled(if: WebSink.python != nil, WebSink.want), .ownTime)
struct HTTPSenderTests {
    private static let here = AddressGuard(allowed: ["127.0.0.0/8", "::1"].compactMap(Network.init))

    private func sender(
        _ addresses: AddressGuard = here, certificates: String? = nil, whole: Duration = .seconds(15)
    ) -> HTTPSender {
        HTTPSender(addresses, agent: "SubTrackIt", certificates: certificates, limits: .init(whole: whole))
    }

    @Test("A request comes whole, with its headers and nothing that libcurl adds")
    func whole() async throws {
        try await WebSink.with { sink in
            let body = Array("{\"title\": \"Häuser 密 \\u0000\"}".utf8) + [0, 255]
            let request = OutboundRequest(
                try sink.url("/204/x?y=%20z"),
                headers: [.init("Content-Type", "application/json"), .init("X-Empty", ""), .init("X-Word", "Grün")],
                body: body)
            let answer = try await sender().post(request, for: "ada")
            #expect(answer.status == 204 && answer.retryAfter == nil && !answer.isTruncated)
            let came = try #require(try sink.requests().first)
            #expect(came.path == "/204/x?y=%20z" && Array(came.body) == body)
            #expect(came.headers["content-type"] == "application/json" && came.headers["x-empty"] == "")
            #expect(came.headers["user-agent"] == "SubTrackIt" && came.headers["expect"] == nil)
            #expect(came.headers["cookie"] == nil && came.headers["authorization"] == nil)
            let bare = try await sender().post(OutboundRequest(try sink.url("/500"), body: []), for: "ada")
            #expect(bare.status == 500 && bare.body == Array("as you say".utf8))
            #expect(try sink.requests().last?.headers["content-type"] == nil)
        }
    }

    @Test("A line break in a header is refused, and so is a name that is none; no connection is made")
    func headers() async throws {
        try await WebSink.with { sink in
            for header in [
                OutboundRequest.Header("Title", "a\r\nX-Evil: 1"), .init("Title", "a\nb"), .init("Title", "a\0b"),
                .init("X: y\r\n", "a"), .init("", "a"),
            ] {
                let request = OutboundRequest(try sink.url("/"), headers: [header], body: [])
                await #expect(throws: OutboundFault.self) { try await sender().post(request, for: "ada") }
            }
            #expect(sink.connections == 0)
        }
    }

    @Test(
        "An address inside the network gets no connection, however it is written",
        arguments: [
            "127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0", "[::1]", "[::ffff:127.0.0.1]",
            "[::]",
        ])
    func inside(host: String) async throws {
        try await WebSink.with { sink in
            for scheme in ["http", "https"] {
                let url = try sink.url("/", host: host, scheme: scheme)
                let fault = await #expect(throws: OutboundFault.self) {
                    try await sender(AddressGuard()).post(OutboundRequest(url, body: []), for: "ada")
                }
                guard case .refused = fault else {
                    Issue.record("\(url): \(String(describing: fault))")
                    continue
                }
            }
            #expect(sink.connections == 0)
        }
    }

    @Test("A redirect is an answer, and nobody follows it")
    func redirect() async throws {
        try await WebSink.with { sink in
            let answer = try await sender().post(OutboundRequest(try sink.url("/redirect"), body: []), for: "ada")
            #expect(answer.status == 307)
            #expect(try sink.requests().map(\.path) == ["/redirect"])
        }
    }

    @Test("A wait is read as seconds and as a date; of a long answer the beginning is read")
    func answers() async throws {
        try await WebSink.with { sink in
            let later = try await sender().post(OutboundRequest(try sink.url("/later"), body: []), for: "ada")
            #expect(later.status == 429 && later.retryAfter == .seconds(3600))
            let date = try await sender().post(OutboundRequest(try sink.url("/date"), body: []), for: "ada")
            #expect(date.status == 503 && (.seconds(7100)...(.seconds(7200))).contains(date.retryAfter ?? .zero))
            let huge = try await sender().post(OutboundRequest(try sink.url("/huge"), body: []), for: "ada")
            #expect(huge.status == 200 && huge.isTruncated && huge.body.count == 64 << 10)
            try await eventually("the server sees that nobody reads on") { sink.lines("lost") == ["/huge"] }
        }
    }

    @Test(
        "A server that is silent or drips is given up, and so is a request whose caller leaves",
        arguments: ["never", "drip"])
    func slow(path: String) async throws {
        try await WebSink.with { sink in
            let request = OutboundRequest(try sink.url("/\(path)"), body: [])
            await #expect(throws: OutboundFault.timedOut) {
                try await sender(whole: .milliseconds(500)).post(request, for: "ada")
            }
            let task = Task { try await sender(whole: .seconds(600)).post(request, for: "ada") }
            try await eventually("the request is there") { try sink.requests().count == 2 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("A certificate is verified, and TLS alone reaches an address that no network of the operator has")
    func tls() async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try await ServiceTLSTests.certificate(in: folder)
        try await WebSink.with("--tls", files.certificate, files.key) { sink in
            let request = OutboundRequest(try sink.url("/200", scheme: "https"), body: [1])
            let fault = await #expect(throws: OutboundFault.self) { try await sender().post(request, for: "ada") }
            guard case .insecure = fault else { throw try #require(fault) }
            #expect(try sink.requests().isEmpty)
            #expect(try await sender(certificates: files.certificate).post(request, for: "ada").status == 200)
            #expect(try sink.requests().count == 1)
        }
    }

    @Test("Four requests go to a host at once, and others do not wait for them")
    func fair() async throws {
        try await WebSink.with { slow in
            try await WebSink.with { other in
                let sender = sender()
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<12 {
                        let request = OutboundRequest(try slow.url("/gate"), body: [])
                        group.addTask { try await sender.post(request, for: "\(number)").status }
                    }
                    try await eventually("four are there") { slow.lines("most") == ["4"] }
                    let passed = try await sender.post(
                        OutboundRequest(try other.url("/200", host: "localhost"), body: []), for: "ada")
                    #expect(passed.status == 200)
                    #expect(try await group.reduce(into: 0) { $0 += $1 } == 12 * 200)
                }
                #expect(slow.lines("most") == ["4"])
                #expect(try slow.requests().count == 12)
            }
        }
    }

    @Test("An owner of many hosts takes four places, and others do not wait")
    func owner() async throws {
        try await WebSink.with { sink in
            let sender = sender()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...8 {
                    let request = OutboundRequest(
                        try sink.url("/gate", host: number > 4 ? "localhost" : "127.0.0.1"), body: [])
                    group.addTask { try await sender.post(request, for: "eve").status }
                }
                try await eventually("four are there") { sink.lines("most") == ["4"] }
                #expect(
                    try await sender.post(OutboundRequest(try sink.url("/200"), body: []), for: "ada").status == 200)
                #expect(try await group.reduce(into: 0) { $0 += $1 } == 8 * 200)
            }
            #expect(sink.lines("most") == ["4"])
        }
    }

    @Test("A host that is not there, and a name without address, say so")
    func absent() async throws {
        let port = try #require(Int(try await WebSink.with { $0.port }))
        await #expect(throws: OutboundFault.unreachable) {
            try await sender().post(OutboundRequest(try OutboundURL("http://127.0.0.1:\(port)/"), body: []), for: "ada")
        }
        await #expect(throws: OutboundFault.unresolved) {
            try await sender().post(OutboundRequest(try OutboundURL("https://nowhere.invalid/"), body: []), for: "ada")
        }
    }
}
