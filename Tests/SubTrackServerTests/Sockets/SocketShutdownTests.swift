import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import Testing

/// What sockets see of a service that is told to stop.
struct SocketShutdownTests {
    @Test func whatIsUnderWayIsAnsweredAndThenItCloses() async throws {
        let (plain, webSocket, idle) = try await TestService.run(configure: PlainSocket.listen) { service in
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            let plan = try await service.addPlan()
            let token = try #require(ada.client.token)
            let plain = try await service.connectSocket()
            let idle = try await service.connectSocket()
            _ = try await plain.call("session.open", ["token": token]).result()
            _ = try await idle.call("server.info").result()
            let webSocket = try await RawWebSocket.open(port: service.port, token: bob.client.token)
            // The users' scopes are held, so that both writes are under way when the service is told to stop.
            let users = [ada, bob].map { "UNHEX('\($0.user.id.uuidString.replacing("-", with: ""))')" }
            let holding = Task {
                try await service.database.run(
                    """
                    BEGIN; SELECT Ver FROM Scope WHERE Scope_ID IN (\(users.joined(separator: ", "))) FOR UPDATE;
                    SELECT SLEEP(2); COMMIT;
                    """
                )
            }
            try await eventually("the scope is held") {
                try await service.database.run(
                    "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE Info LIKE 'SELECT SLEEP(2)%'"
                )
                .contains("1")
            }
            try await plain.send(line: try PlainSocket.request("subscriptions.create", ["planId": plan], id: 1))
            try await webSocket.send(try PlainSocket.request("subscriptions.create", ["planId": plan], id: 2))
            try await eventually("both wait") {
                let count = try await service.database.run(
                    "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE Info LIKE 'SELECT e.User_ID IS NOT NULL FROM Scope%'"
                        + " AND DB = '\(service.database.name)'")
                return Int(count.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 >= 2
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
        }
        let (begin, holding) = try await TestService.run(configure: configure) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)]).result()
            let user = "UNHEX('\(ada.user.id.uuidString.replacing("-", with: ""))')"
            // Each write waits for two seconds in vain.
            let holding = Task {
                try await service.database.run(
                    "BEGIN; SELECT Ver FROM Scope WHERE Scope_ID = \(user) FOR UPDATE; SELECT SLEEP(50); ROLLBACK;")
            }
            try await eventually("the scope is held") {
                try await service.database.run(
                    "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE Info = 'SELECT SLEEP(50)' "
                        + "AND DB = '\(service.database.name)'"
                ).contains("1")
            }
            for id in 1...20 {
                try await socket.send(line: try PlainSocket.request("subscriptions.create", ["planId": plan], id: id))
            }
            try await socket.endSending()
            // The first is refused, and the others wait. By then the service knows that no more will come.
            _ = try await socket.line()
            return (ContinuousClock.now, holding)
        }
        let time = ContinuousClock.now - begin
        holding.cancel()
        #expect(time < .seconds(15), "\(time)")
    }
}
