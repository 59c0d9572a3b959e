import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// What a socket may cost: sizes, times, numbers, and readers that do not read.
@Suite(.ownTime) struct SocketLimitTests {
    /// A request may be cut anywhere.
    @Test func aRequestMayComeInAnyPieces() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let socket = try await service.connectSocket()
            let lines = Array(
                (try PlainSocket.request("server.info", id: 1) + "\r\n\n" + PlainSocket.request("me.get", id: "ü")
                    + "\n")
                    .utf8)
            for split in 0...lines.count {
                try await socket.send(Array(lines[..<split]))
                try await socket.send(Array(lines[split...]))
                let replies = [try await socket.reply(), try await socket.reply()]
                #expect(
                    replies.contains { $0.id as? Int == 1 } && replies.contains { $0.id as? String == "ü" }, "\(split)")
            }
            for byte in lines { try await socket.send([byte]) }
            _ = (try await socket.reply(), try await socket.reply())
            #expect(socket.bytes.isEmpty)
            await socket.close()
        }
    }

    @Test func aLineThatIsTooLongIsSkipped() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let socket = try await service.connectSocket()
            let longest = try PlainSocket.request("foobar", id: 1)
            let padded = longest + String(repeating: " ", count: 65_536 - longest.utf8.count)
            try await socket.send(line: padded)
            #expect(try await socket.reply(to: .integer(1)).problem(code: -32601).code == .notFound)
            for line in [padded + " ", String(repeating: "x", count: 1_000_000)] {
                try await socket.send(line: line)
                #expect(try await socket.reply(to: .null).problem(code: -32600).code == .tooLarge)
                #expect(try await socket.call("server.info").result()["name"] as? String == "SubTrackIt")
            }
            await socket.close()
        }
    }

    /// Slow-loris: whoever says nothing, or begins a line and does not end it, is closed in time.
    @Test func whoNeverEndsALineIsClosed() async throws {
        let configure: (inout ServiceSettings) -> Void = {
            PlainSocket.listen(&$0)
            $0.socketLimits.messageDeadline = .seconds(2)
            // A socket that has ended all lines is not closed meanwhile.
            $0.socketLimits.idle = .seconds(3600)
        }
        try await TestService.run(configure: configure) { service in
            let silent = try await service.connectSocket()
            let slow = try await service.connectSocket()
            let later = try await talkingSocket(service)
            let idle = try await talkingSocket(service)
            let unsaidHTTP = try await RawSocket.connect(port: service.port)
            let slowHTTP = try await RawSocket.connect(port: service.port)
            try await later.send(Array("{".utf8))
            try await eventually("a byte every now and then is no sign of life") {
                slow.sendWithoutWaiting([UInt8(ascii: " ")])
                slowHTTP.sendWithoutWaiting(Array("GE".utf8))
                return slow.isEnded && slowHTTP.isEnded
            }
            for socket in [silent, later, unsaidHTTP] { try await socket.ends(within: .seconds(60)) }
            // Who has ended all lines may stay.
            #expect(try await idle.call("server.info").result()["name"] as? String == "SubTrackIt")
            await idle.close()
        }
    }

    /// A socket that has ended its first line in time. On a busy machine one or the other has not.
    private func talkingSocket(_ service: TestService) async throws -> RawSocket {
        var talking: RawSocket?
        try await eventually("a socket is heard in time") {
            let socket = try await service.connectSocket()
            guard (try? await socket.call("server.info")) != nil else { return false }
            talking = socket
            return true
        }
        return try #require(talking)
    }

    /// A list that would be larger than an answer may be ends early and says where it goes on.
    @Test func aPageEndsEarlyWhereItWouldBeTooLarge() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let note = String(repeating: "\u{1F600}", count: 1000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<40 { try await ada.call(CreateSubscription(planId: plan, note: note)) }
                    }
                }
                try await group.waitForAll()
            }
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)])
            var seen: Set<String> = []
            try await forEachPage { cursor in
                var params: [String: Any] = ["limit": 200]
                if let cursor { params["cursor"] = cursor }
                let id = PlainSocket.counter.add(1, ordering: .relaxed).newValue
                try await socket.send(line: try PlainSocket.request("subscriptions.list", params, id: id))
                let line = try await socket.line()
                #expect(line.utf8.count <= 1 << 20)
                let page = try PlainSocket.Reply(line).result()
                for subscription in try #require(page["subscriptions"] as? [[String: Any]]) {
                    seen.insert(try #require(subscription["id"] as? String))
                }
                return page["nextCursor"] as? String
            }
            #expect(seen.count == 320)
            await socket.close()
        }
    }

    /// As many sockets as a network may have, each with as many requests as a message may hold.
    @Test(.enabled(if: TestStage.full, "script/test --full: SocketTurnsTests count the rounds that others wait"))
    func manyBatchesOfAUserDelayNobodyElse() async throws {
        let configure: (inout ServiceSettings) -> Void = {
            PlainSocket.listen(&$0)
            // The crowd answers no pings.
            $0.socketLimits.pingInterval = .seconds(3600)
        }
        try await TestService.run(configure: configure) { service in
            let ada = try await service.newUser()
            var crowd: [RawWebSocket] = []
            for _ in 0..<250 {
                crowd.append(try await RawWebSocket.open(port: service.port, token: ada.client.token))
            }
            let request = try PlainSocket.request("dashboard.get", id: 1)
            let batch = "[" + Array(repeating: request, count: 100).joined(separator: ",") + "]"
            let other = try await service.connectSocket()
            _ = try await other.call("server.info").result()
            for socket in crowd { try await socket.send(batch) }
            for _ in 0..<3 {
                #expect(try await other.call("server.info").result()["name"] as? String == "SubTrackIt")
                // A request that waits for all of the user's is answered after most of the batches.
                #expect(crowd.count { $0.socket.bytes.count > 1000 } < crowd.count / 2)
            }
            for socket in crowd { await socket.socket.close() }
            await other.close()
        }
    }

    /// It is dropped, and others are served meanwhile.
    @Test func whoDoesNotReadIsClosed() async throws {
        let configure: (inout ServiceSettings) -> Void = {
            PlainSocket.listen(&$0)
            $0.socketLimits.drainDeadline = .seconds(1)
        }
        try await TestService.runAlone(configure: configure) { service in
            for _ in 0..<200 { try await service.addPlan() }
            let address = try #require(service.settings.socketListen.first)
            let reader = try await service.connectSocket()
            let deaf = try await RawSocket.connect(to: address, reads: false)
            let request = try PlainSocket.request("plans.list", ["country": "US", "limit": 200], id: 1) + "\n"
            // Far more answers than all buffers on the way can hold.
            let requests = Array(String(repeating: request, count: 2000).utf8)
            deaf.sendWithoutWaiting(requests)
            try await eventually("it is closed") {
                _ = try await reader.call("server.info").result()
                return deaf.isEnded
            }
            await reader.close()
        }
    }

    /// Else all that come by one proxy would have the sockets of one network.
    @Test func whoComesByAProxyIsCountedByTheOwnNetwork() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        let configure: (inout ServiceSettings) -> Void = {
            $0.socketLimits.connectionsPerAddress = 2
            $0.trustedProxies = proxies
        }
        try await TestService.run(configure: configure) { (service: TestService) async throws in
            let ada = try await service.newUser()
            func open(from address: String) async throws -> RawWebSocket {
                try await RawWebSocket.open(
                    port: service.port, token: ada.client.token, headers: ["X-Forwarded-For: \(address)"])
            }
            var sockets: [RawWebSocket] = []
            for _ in 0..<2 { sockets.append(try await open(from: "203.0.113.7")) }
            do {
                _ = try await open(from: "203.0.113.7")
                Issue.record("there is a third")
            } catch let refused as RefusedUpgrade {
                #expect(refused.response.status == 503)
            }
            sockets.append(try await open(from: "203.0.113.8"))
            for socket in sockets { await socket.socket.close() }
        }
    }

    @Test func thereAreOnlySoManySockets() async throws {
        let configure: (inout ServiceSettings) -> Void = {
            PlainSocket.listen(&$0)
            $0.socketLimits.connections = 3
        }
        try await TestService.run(configure: configure) { service in
            let ada = try await service.newUser()
            var sockets: [RawSocket] = []
            for _ in 0..<3 { sockets.append(try await service.connectSocket()) }
            for socket in sockets { _ = try await socket.call("server.info").result() }
            let fourth = try await service.connectSocket()
            try await fourth.ends()
            do {
                _ = try await RawWebSocket.open(port: service.port, token: ada.client.token)
                Issue.record("there is a fifth")
            } catch let refused as RefusedUpgrade {
                #expect(refused.response.status == 503)
                #expect(refused.response.header("retry-after") != nil)
            }
            await sockets[0].close()
            try await eventually("there is room again") {
                let next = try await service.connectSocket()
                try await next.send(line: #"{"jsonrpc":"2.0","id":1,"method":"server.info"}"#)
                let isServed = (try? await next.line()) != nil
                await next.close()
                return isServed
            }
        }
    }
}
