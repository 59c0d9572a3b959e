import Foundation
import MariaDB
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// What sockets see of a service that is told to stop.
@Suite(.ownTime) struct SocketShutdownTests {
    @Test func whatIsUnderWayIsAnsweredAndThenItCloses() async throws {
        let (plain, webSocket, idle) = try await TestService.runAlone(configure: PlainSocket.listen) { service in
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            let plan = try await service.addPlan()
            let token = try #require(ada.client.token)
            let plain = try await service.connectSocket()
            let idle = try await service.connectSocket()
            _ = try await plain.call("session.open", ["token": token]).result()
            _ = try await idle.call("server.info").result()
            let webSocket = try await RawWebSocket.open(port: service.port, token: bob.client.token)
            // The plans are held until the stop has begun, so that both writes are under way then.
            let (held, isHeld) = AsyncStream.makeStream(of: Void.self)
            let holding = Task {
                defer { isHeld.finish() }
                try await service.withAdmin { connection in
                    try await connection.simpleQuery("LOCK TABLES Plan WRITE")
                    isHeld.finish()
                    try await eventually("the service stops") {
                        String(decoding: idle.bytes, as: UTF8.self).contains("server.closing")
                    }
                    try await connection.simpleQuery("UNLOCK TABLES")
                }
            }
            for await _ in held {}
            try await plain.send(line: try PlainSocket.request("subscriptions.create", ["planId": plan], id: 1))
            try await webSocket.send(try PlainSocket.request("subscriptions.create", ["planId": plan], id: 2))
            try await eventually("both wait") {
                try await service.number(
                    "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() "
                        + "AND STATE LIKE '%metadata lock%'") >= 2
            }
            _ = holding
            return (plain, webSocket, idle)
        }
        // The service has ended by now.
        #expect(try await plain.line() == #"{"jsonrpc":"2.0","method":"server.closing"}"#)
        #expect(try await plain.reply(to: .integer(1)).result()["status"] as? String == "active")
        try await plain.ends()
        #expect(try await idle.line() == #"{"jsonrpc":"2.0","method":"server.closing"}"#)
        try await idle.ends()
        #expect(try await webSocket.text() == #"{"jsonrpc":"2.0","method":"server.closing"}"#)
        #expect(try PlainSocket.Reply(try await webSocket.text()).result()["status"] as? String == "active")
        #expect(try await webSocket.closeCode() == 1001)
        try await webSocket.socket.ends()
    }

    @Test("A stop waits no longer than its deadline for a half-closed socket with requests that take long")
    func halfClosed() async throws {
        let configure: @Sendable (inout ServiceSettings) -> Void = {
            PlainSocket.listen(&$0)
            $0.socketLimits.closingDeadline = .seconds(1)
            $0.waits = RequestWaits()
        }
        let (socket, holding) = try await TestService.run(configure: configure) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)]).result()
            let user = "UNHEX('\(ada.user.id.uuidString.replacing("-", with: ""))')"
            // Each write waits for two seconds in vain.
            let holding = Task {
                try await service.database.run(
                    "BEGIN; SELECT Ver FROM Scope WHERE Scope_ID = \(user) FOR UPDATE; SELECT SLEEP(600); ROLLBACK;")
            }
            try await eventually("the scope is held") {
                try await service.database.run(
                    "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE Info = 'SELECT SLEEP(600)' "
                        + "AND DB = '\(service.database.name)'"
                ).contains("1")
            }
            for id in 1...20 {
                try await socket.send(line: try PlainSocket.request("subscriptions.create", ["planId": plan], id: id))
            }
            try await socket.endSending()
            // The first is refused, and the others wait. By then the service knows that no more will come.
            _ = try await socket.line()
            return (socket, holding)
        }
        holding.cancel()
        // A stop that waits for them goes on for twenty seconds, in which many more are refused.
        let answers = String(decoding: socket.bytes, as: UTF8.self).components(separatedBy: "\"id\":").count - 1
        #expect(answers < 4, "\(answers)")
    }
}
