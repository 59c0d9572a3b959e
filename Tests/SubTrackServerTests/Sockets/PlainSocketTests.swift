import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// JSON-RPC on plain sockets: opening, order, half-closed connections, Unix sockets.
@Suite(.ownTime) struct PlainSocketTests {
    @Test func publicOperationsAreOpenToWhoNeverOpenedASession() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let socket = try await service.connectSocket()
            try await socket.send(line: #"{"jsonrpc":"2.0","id":1,"method":"server.info"}"#)
            let result = try await socket.reply(to: .integer(1)).result()
            #expect(result["tenant"] as? String == "default")
            try await socket.send(line: #"{"jsonrpc":"2.0","id":"x","method":"me.get"}"#)
            let problem = try await socket.reply(to: .string("x")).problem(code: -32000)
            #expect(problem.code == .tokenMissing)
            #expect(problem.requestId != nil)
            await socket.close()
        }
    }

    @Test func aSessionSpeaksForItsUser() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let ada = try await service.newUser()
            let token = try #require(ada.client.token)
            let socket = try await service.connectSocket()
            let opened = try await socket.call("session.open", ["token": token]).result()
            #expect(opened["tenant"] as? String == "default")
            #expect(opened["user"] as? String == ada.user.id.uuidString.lowercased())
            let me = try await socket.call("me.get").result()
            #expect(me["id"] as? String == ada.user.id.uuidString.lowercased())
            // Opened again without a token it speaks for nobody.
            let again = try await socket.call("session.open").result()
            #expect(again["user"] is NSNull)
            #expect(try await socket.call("me.get").problem(code: -32000).code == .tokenMissing)
            await socket.close()
        }
    }

    @Test func aSessionThatIsRefusedLeavesEverythingAsItWas() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let ada = try await service.newUser()
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)]).result()
            for (params, code) in [
                (["token": "nonsense"], ErrorCode.tokenInvalid),
                (["token": "sub_" + String(repeating: "A", count: 43)], .tokenInvalid),
                (["tenant": "nobody"], .tenantUnknown),
            ] {
                #expect(try await socket.call("session.open", params).problem(code: -32000).code == code)
            }
            let problem = try await socket.call("session.open", ["tenent": "x"]).problem(code: -32602)
            expectRefused(problem, "tenent", .unknown)
            #expect(try await socket.call("me.get").result()["id"] as? String == ada.user.id.uuidString.lowercased())
            await socket.close()
        }
    }

    /// What `printf … | socat` does: all is sent, the sending side closed, and the answers awaited.
    @Test func whoClosesTheSendingSideStillGetsAllAnswers() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let socket = try await service.connectSocket()
            let lines = (0..<300).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"countries.list"}"# }
            // The last line has no end.
            try await socket.send(Array(lines.joined(separator: "\n").utf8))
            try await socket.endSending()
            var ids: Set<Int> = []
            for _ in lines { ids.insert(try #require(try await socket.reply().id as? Int)) }
            #expect(ids == Set(0..<300))
            try await socket.ends()
            #expect(socket.bytes.isEmpty)
        }
    }

    /// What is sent without waiting has the effect that it would have had with waiting.
    @Test func writesThatAreNotWaitedForKeepTheirOrder() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let id = UUID().uuidString.lowercased()
            let socket = try await service.connectSocket()
            var calls: [(String, [String: Any])] = [
                ("session.open", ["token": try #require(ada.client.token)]),
                ("subscriptions.create", ["id": id, "planId": plan]),
            ]
            for round in 0..<20 {
                calls.append(("subscriptions.update", ["id": id, "label": "label \(round)"]))
                calls.append(("subscriptions.get", ["id": id]))
                calls.append(("subscriptions.get", ["id": id]))
            }
            calls.append(("subscriptions.delete", ["id": id]))
            calls.append(("subscriptions.get", ["id": id]))
            var text = ""
            for (number, call) in calls.enumerated() {
                text += try PlainSocket.request(call.0, call.1, id: number) + "\n"
            }
            try await socket.send(Array(text.utf8))
            var replies: [Int: PlainSocket.Reply] = [:]
            for _ in calls {
                let reply = try await socket.reply()
                replies[try #require(reply.id as? Int)] = reply
            }
            for round in 0..<20 {
                for number in 2 + 3 * round..<5 + 3 * round {
                    #expect(try replies[number]?.result()["label"] as? String == "label \(round)", "\(number)")
                }
            }
            #expect(replies[calls.count - 2]?.isNull == true)
            #expect(try replies[calls.count - 1]?.problem(code: -32000).code == .notFound)
            await socket.close()
        }
    }

    @Test func keysAndVersionsOfWritesAreParams() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)]).result()
            let key = UUID().uuidString
            let first = try await socket.call("subscriptions.create", ["planId": plan, "idempotencyKey": key]).result()
            let second = try await socket.call("subscriptions.create", ["planId": plan, "idempotencyKey": key]).result()
            #expect(first["id"] as? String == second["id"] as? String)
            let reused = try await socket.call("subscriptions.create", ["planId": plan + 1, "idempotencyKey": key])
            #expect(try reused.problem(code: -32000).code == .keyReused)
            let id = try #require(first["id"] as? String)
            let version = try #require(first["version"] as? Int)
            for (match, isStale) in [(version + 1 as Any, true), ("\"\(version + 1)\"", true), (version, false)] {
                let reply = try await socket.call("subscriptions.update", ["id": id, "label": "x", "ifMatch": match])
                if isStale {
                    let problem = try reply.problem(code: -32000)
                    #expect(problem.code == .stale)
                    #expect(problem.current != nil)
                } else {
                    #expect(try reply.result()["label"] as? String == "x")
                }
            }
            let wrong = try await socket.call("subscriptions.update", ["id": id, "idempotencyKey": 5])
            expectRefused(try wrong.problem(code: -32602), "idempotencyKey", .malformed)
            await socket.close()
        }
    }

    @Test func aUnixSocketIsItsOwnersAloneAndReplacesADeadOne() async throws {
        try await ServiceProcess.withFolder { folder in
            let path = folder.path + "/s"
            let wanted = SocketListenAddress.unix(path: path)
            try await TestService.run(configure: { $0.socketListen = [wanted] }) { service in
                let socket = try await service.connectSocket()
                #expect(try await socket.call("server.info").result()["name"] as? String == "SubTrackIt")
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                // A second service must not take it away.
                let error = await #expect(throws: (any Error).self) {
                    try await TestService.run(configure: { $0.socketListen = [wanted] }) { _ in }
                }
                #expect("\(error.map { "\($0)" } ?? "")".contains("another program listens there"))
                #expect(try await socket.call("server.info").result()["name"] as? String == "SubTrackIt")
                await socket.close()
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            // What a killed process leaves behind.
            try PlainSocket.leaveDeadSocket(at: path)
            try await TestService.run(configure: { $0.socketListen = [wanted] }) { service in
                let socket = try await service.connectSocket()
                #expect(try await socket.call("server.info").result()["name"] as? String == "SubTrackIt")
                await socket.close()
            }
            // A file that is no socket is nobody's to remove.
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            await #expect(throws: (any Error).self) {
                try await TestService.run(configure: { $0.socketListen = [wanted] }) { _ in }
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }
    }
}
