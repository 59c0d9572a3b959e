import Foundation
import Logging
import NIOCore
import NIOPosix
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// No connection is open without an end: what says nothing, a little now and then, or takes nothing is closed.
@Suite("Deadlines of HTTP connections", .ownTime)
struct HTTPDeadlineTests {
    /// A listener in front of something that answers with a large body.
    private struct Large: RequestResponder {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let size: Int

        func respond(to request: ServerRequest) async -> ServerResponse {
            ServerResponse(status: .ok, headers: [:], body: ByteBuffer(repeating: 0x78, count: size))
        }
    }

    private func withListener(
        _ gate: ServiceGate, limits: HTTPLimits, tls: TLSIdentity? = nil, _ body: (Int) async throws -> Void
    ) async throws {
        try await withListener(HTTPConnections(gate: gate, limits: limits, tls: tls), body)
    }

    private func withListener(_ connections: HTTPConnections, _ body: (Int) async throws -> Void) async throws {
        let listener = try await HTTPListener.listen(
            at: ListenAddress(host: "127.0.0.1", port: 0), .httpListen, connections,
            on: MultiThreadedEventLoopGroup.singleton, logger: connections.gate.logger)
        do {
            try await body(listener.address.port)
            await listener.close()
        } catch {
            await listener.close()
            throw error
        }
    }

    private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("Before the service is there, all is 503 but whether it is alive; afterwards the same connection serves")
    func starting() async throws {
        let gate = ServiceGate(logger: quiet)
        try await withListener(gate, limits: HTTPLimits()) { port in
            let socket = try await RawSocket.connect(port: port)
            for (path, wanted) in [("/v1", "503"), ("/healthz", "200"), ("/v1/live", "503"), ("/readyz", "503")] {
                try await socket.send(Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                try await eventually("an answer comes") { !socket.bytes.isEmpty }
                let answer = try RawHTTP.parse(socket.bytes)
                #expect("\(answer.status)" == wanted, "\(path)")
                if wanted == "503" {
                    #expect(answer.header("retry-after") == "1")
                    #expect(answer.header("content-type") == "application/problem+json")
                }
                _ = try await socket.take(socket.bytes.count)
            }
            // The body of a request that cannot be carried out is not waited for.
            let post = "POST /v1/devices HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\nConnection: close\r\n\r\n"
            let refused = try await RawHTTP.exchange(Array(post.utf8), port: port, patience: 60)
            #expect(try RawHTTP.parse(refused).status == 503)
            gate.open(Large(size: 3))
            try await socket.send(Array("GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            try await eventually("an answer comes") { String(decoding: socket.bytes, as: UTF8.self).hasSuffix("xxx") }
            await socket.close()
        }
    }

    private static let post = "POST /v1/devices HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n"

    @Test(
        "A connection is closed that says nothing, stops in a head, in a body, between requests or in a refused body",
        arguments: [
            "", "GET /v1 HT", "GET /v1 HTTP/1.1\r\nHost: a\r\n", Self.post, Self.post + "x",
            "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\nGET /v1 HT",
            "POST /v1/nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\nx",
            "POST /v1/devices HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nx",
            "POST /v1/devices HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
            "POST /v1/devices HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
            "GET /v1/live HTTP/1.1\r\nHost: a\r\n", "GET /v1/live HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
        ])
    func stops(_ text: String) async throws {
        try await TestService.run(configure: {
            $0.socketLimits.messageDeadline = .seconds(2)
            $0.httpLimits.idle = .seconds(1)
            $0.httpLimits.bodyWindow = .seconds(1)
        }) { service in
            let socket = try await RawSocket.connect(port: service.port)
            socket.sendWithoutWaiting(Array(text.utf8))
            try await socket.ends(within: .seconds(60))
            await socket.close()
        }
    }

    @Test(
        "A body that comes too slowly is cut, and one that comes fast enough is not, however long it takes",
        .enabled(if: TestStage.full, "script/test --full: goes on for several windows of a second and more"))
    func pace() async throws {
        let isSlowOneRead = try await isRead(inPiecesOf: 1, window: .seconds(1))
        #expect(!isSlowOneRead)
        // A client that is held up for a whole window is cut, and rightly: on a busy machine it has a longer one.
        for seconds in [1, 4, 16] {
            if try await isRead(inPiecesOf: 1_000, window: .seconds(seconds)) { return }
        }
        Issue.record("a body is cut that comes fast enough")
    }

    /// Whether a body is read of which a piece comes every 50 ms, for twice as long as a window. A window needs 100 bytes.
    ///
    /// The length that is told is that of pieces of 1,000 bytes. Where they are smaller the body never ends.
    private func isRead(inPiecesOf piece: Int, window: Duration) async throws -> Bool {
        try await TestService.run(configure: {
            $0.httpLimits.bodyWindow = window
            $0.httpLimits.bodyPace = 100
        }) { service in
            let pieces = Int(window / .milliseconds(25))
            let head = "POST /v1/devices HTTP/1.1\r\nHost: a\r\nContent-Length: \(pieces * 1_000)\r\n\r\n"
            let socket = try await RawSocket.connect(port: service.port)
            socket.sendWithoutWaiting(Array(head.utf8))
            for _ in 0..<pieces where !socket.isEnded {
                socket.sendWithoutWaiting([UInt8](repeating: 0x20, count: piece))
                // The client's own pace is the subject of the test. It is no wait for something.
                try await Task.sleep(for: .milliseconds(50))
            }
            try await eventually("it is answered, or cut") { !socket.bytes.isEmpty || socket.isEnded }
            let isRead = String(decoding: socket.bytes, as: UTF8.self).hasPrefix("HTTP/1.1 400 ")
            await socket.close()
            return isRead
        }
    }

    @Test(
        "An answer that the client takes goes on, however long that lasts; one that it does not take ends",
        .enabled(if: TestStage.full, "script/test --full: goes on for several windows of half a second and more"))
    func answers() async throws {
        // A reader that is held up for a whole window is cut, and rightly: on a busy machine it has a longer one.
        for milliseconds in [500, 2_000, 8_000] {
            if try await areTakenAndCut(window: .milliseconds(milliseconds)) { return }
        }
        Issue.record("an answer is cut that is taken, or goes on though it is not")
    }

    /// Whether an answer that is taken for six windows comes whole, and one that is not taken at all is cut meanwhile.
    private func areTakenAndCut(window: Duration) async throws -> Bool {
        let size = 64 << 20
        var limits = HTTPLimits()
        limits.answerWindow = window
        limits.idle = window
        let gate = ServiceGate(logger: quiet)
        gate.open(Large(size: size))
        let request = Array("GET /v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
        var isRight = false
        try await withListener(gate, limits: limits) { port in
            let stuck = try await RawSocket.connect(port: port, reads: false)
            try await stuck.send(request)
            let slow = try await SlowReader(port: port)
            try await slow.send(request)
            // A pause for each of 64 MiB.
            let received = try await slow.readAll(chunk: 1 << 20, pause: window / 10)
            // The other one was cut: what was sent to it before is not the whole.
            try await stuck.startReading()
            try await stuck.ends(within: .seconds(60))
            isRight = received > size && stuck.bytes.count < size
            await stuck.close()
        }
        return isRight
    }

    @Test("Answers that wait for clients that take nothing have so much memory together; the oldest are cut")
    func answerMemory() async throws {
        var limits = HTTPLimits()
        limits.answerMemory = 64 << 20
        limits.answerPatience = .zero
        limits.answerWindow = .seconds(3600)
        limits.idle = .seconds(3600)
        let gate = ServiceGate(logger: quiet)
        gate.open(Large(size: 24 << 20))
        let connections = HTTPConnections(gate: gate, limits: limits)
        try await withListener(connections) { port in
            var sockets: [RawSocket] = []
            for index in 0..<4 {
                let socket = try await RawSocket.connect(port: port, reads: false)
                try await socket.send(Array("GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                sockets.append(socket)
                // The oldest is known when the next one comes: the first two wait, and there is no room for more.
                if index < 2 {
                    try await eventually("its answer waits") { connections.answers.used > index * (25 << 20) }
                }
            }
            // A client that reads before the others have come makes room itself, and is not cut.
            try await eventually("the first two are cut") { connections.quota.count == 2 }
            for socket in sockets { try await socket.startReading() }
            try await eventually("the last ones come whole") {
                sockets.dropFirst(2).allSatisfy { $0.bytes.count > 24 << 20 }
            }
            try await sockets[0].ends(within: .seconds(60))
            #expect(sockets[0].bytes.count < 24 << 20)
            for socket in sockets { await socket.close() }
        }
    }

    @Test("TLS: a handshake that stops ends, and so does an HTTP/2 connection that is silent or answers no ping")
    func encrypted() async throws {
        try await ServiceProcess.withFolder { folder in
            let files = try await ServiceTLSTests.certificate(in: folder)
            var limits = HTTPLimits()
            limits.head = .seconds(1)
            limits.idle = .seconds(1)
            try await withListener(ServiceGate(logger: quiet), limits: limits, tls: try TLSIdentity(files)) { port in
                for bytes in [[], [0x16, 0x03, 0x01], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01]] as [[UInt8]] {
                    let socket = try await RawSocket.connect(port: port)
                    socket.sendWithoutWaiting(bytes)
                    try await socket.ends(within: .seconds(60))
                    await socket.close()
                }
                // Agreed on, and then silent: openssl does not end by itself while its input is open.
                for preface in ["", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\\0\\0\\0\\4\\0\\0\\0\\0\\0"] {
                    let output = try await Command.run(
                        "/bin/sh",
                        [
                            "-c",
                            "{ printf '\(preface.replacing("\r", with: "\\r").replacing("\n", with: "\\n"))'; "
                                + "timeout 6 tail -f /dev/null; } "
                                + "| timeout 90 openssl s_client -quiet -alpn h2 -connect 127.0.0.1:\(port) "
                                + "2>&1 >/dev/null & wait $!; echo ended $?",
                        ])
                    #expect(!output.contains("ended 124"), "\(output)")
                }
            }
        }
    }

    @Test("A plain socket without a session ends, on TCP and on a Unix socket, and so does one of the operators'")
    func others() async throws {
        try await ServiceProcess.withFolder { folder in
            let unix = SocketListenAddress.unix(path: folder.path + "/s")
            try await TestService.run(configure: {
                $0.socketLimits.messageDeadline = .seconds(2)
                $0.socketLimits.idle = .seconds(1)
                $0.socketListen = [.tcp(ListenAddress(host: "127.0.0.1", port: 0)), unix]
                $0.adminListen = ListenAddress(host: "127.0.0.1", port: 0)
            }) { service in
                for address in service.settings.socketListen {
                    for text in ["", "{", try PlainSocket.request("server.info", id: 1) + "\n"] {
                        let socket = try await RawSocket.connect(to: address)
                        socket.sendWithoutWaiting(Array(text.utf8))
                        try await socket.ends(within: .seconds(60))
                        await socket.close()
                    }
                }
                let admin = try await RawSocket.connect(port: try #require(service.settings.adminListen?.port))
                try await admin.ends(within: .seconds(60))
                await admin.close()
            }
        }
    }
}
