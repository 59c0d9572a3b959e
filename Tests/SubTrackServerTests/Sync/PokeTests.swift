import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// Sockets are told that there is something new, whoever made it.
@Suite(.ownTime) struct PokeTests {
    @Test("A WebSocket is told unasked of what its user changes elsewhere, and of nobody else's changes")
    func ownChanges() async throws {
        // Alone: whoever adds a plan to a shared catalogue would be heard too.
        try await TestService.runAlone { service in
            let plan = try await service.addPlan()
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            let phone = try await RawWebSocket.open(port: service.port, token: ada.client.token)
            let laptop = try await RawWebSocket.open(port: service.port, token: ada.client.token)
            let other = try await RawWebSocket.open(port: service.port, token: bob.client.token)
            let made = try await ada.call(CreateSubscription(planId: plan))
            // Nothing was told at the beginning, for whoever opens a socket pulls then.
            #expect(try await phone.changes() == Changes(scope: "user", version: made.version))
            #expect(try await laptop.changes() == Changes(scope: "user", version: made.version))
            let renamed = try await bob.call(UpdateMe(userName: .set("Bob")))
            #expect(try await other.changes() == Changes(scope: "user", version: renamed.version))
            // One's own changes by the same socket, too: other programs may share it.
            let note = ["id": made.id.uuidString, "note": "x"]
            try await phone.send(try PlainSocket.request("subscriptions.update", note, id: 1))
            var texts = [try await phone.text(), try await phone.text()]
            texts.sort { $0.contains("\"result\"") && !$1.contains("\"result\"") }
            let version = try #require(try PlainSocket.Reply(texts[0]).result()["version"] as? Int64)
            #expect(version > made.version)
            #expect(try Changes(texts[1]) == Changes(scope: "user", version: version))
            #expect(try await laptop.changes() == Changes(scope: "user", version: version))
            for socket in [phone, laptop, other] { await socket.socket.close() }
        }
    }

    @Test("A plain socket is told once it watches, and no more when another session is opened")
    func plainSockets() async throws {
        try await TestService.runAlone(configure: PlainSocket.listen) { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let socket = try await service.connectSocket()
            #expect(try await socket.call("changes.watch").problem(code: -32000).code == .tokenMissing)
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)]).result()
            try await ada.call(CreateSubscription(planId: plan))
            #expect(try await socket.call("changes.watch", ["x": 1]).problem(code: -32602).code == .inputInvalid)
            // An answer, and no poke before it.
            #expect(try await socket.call("changes.watch").isNull)
            let made = try await ada.call(CreateSubscription(planId: plan))
            #expect(try Changes(try await socket.line()) == Changes(scope: "user", version: made.version))
            // Watching twice does not tell twice.
            #expect(try await socket.call("changes.watch").isNull)
            let second = try await ada.call(CreateSubscription(planId: plan))
            #expect(try Changes(try await socket.line()) == Changes(scope: "user", version: second.version))
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)]).result()
            try await ada.call(CreateSubscription(planId: plan))
            #expect(try await socket.call("server.info").result()["name"] as? String == "SubTrackIt")
            #expect(socket.bytes.isEmpty)
            await socket.close()
        }
    }

    @Test("What was changed by SQL or through another replica is told within five seconds")
    func otherWriters() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan("Basic")
            let german = try await service.addPlan("Einfach", country: "DE")
            let ada = try await service.newUser(country: "US")
            let bob = try await service.newUser(country: "DE")
            try await service.runReplica { replica in
                let phone = try await RawWebSocket.open(port: replica.port, token: ada.client.token)
                let other = try await RawWebSocket.open(port: replica.port, token: bob.client.token)
                let made = try await ada.call(CreateSubscription(planId: plan))
                #expect(
                    try await phone.changes() == Changes(scope: "user", version: made.version))

                let id = made.id.uuidString.replacing("-", with: "")
                let version = try await service.database.run(
                    """
                    UPDATE Subscription SET Note = 'by an admin' WHERE Subscription_ID = UNHEX('\(id)');
                    SELECT Ver FROM Subscription WHERE Subscription_ID = UNHEX('\(id)');
                    """)
                #expect(
                    try await phone.changes()
                        == Changes(scope: "user", version: try #require(Int64(version.trimmingSpace()))))

                // A catalogue is for those who see it.
                try await service.database.run("UPDATE Plan SET Fee = 1.5 WHERE Plan_ID = \(plan)")
                #expect(try await phone.changes().scope == "catalogue/US")
                try await service.database.run("UPDATE Plan SET Fee = 2.5 WHERE Plan_ID = \(german)")
                #expect(try await other.changes().scope == "catalogue/DE")

                // Who subscribes to a plan of another country sees that country's catalogue from then on.
                try await ada.call(CreateSubscription(planId: german))
                let first = [try await phone.changes(), try await phone.changes()].map(\.scope)
                #expect(Set(first) == ["user", "catalogue/DE"])
                try await service.database.run("UPDATE Plan SET Fee = 3.5 WHERE Plan_ID = \(german)")
                #expect(try await phone.changes().scope == "catalogue/DE")
                #expect(try await other.changes().scope == "catalogue/DE")

                // Everybody sees the providers.
                try await service.database.run(
                    "UPDATE Provider SET Website = 'https://example.org' WHERE Provider = 'Testflix'")
                #expect(try await phone.changes().scope == "reference")
                #expect(try await other.changes().scope == "reference")
                for socket in [phone, other] { await socket.socket.close() }
            }
        }
    }

    @Test("Of a socket that takes nothing at the moment, only the newest change waits")
    func slowReader() async throws {
        try await TestService.runAlone(configure: PlainSocket.listen) { service in
            var plan: Int64 = 0
            for number in 0..<100 {
                plan = try await service.addPlan("A plan with a long name, the \(number)th of them")
            }
            // Those before the buffers are full, and one after. A busy machine may fill them too late: it is tried again.
            var told = 100
            for _ in 0..<5 where told >= 50 { told = try await changesTold(by: service, plan: plan) }
            #expect(told < 50)
        }
    }

    /// How many of a hundred changes are told to a socket that takes nothing until all were made.
    private func changesTold(by service: TestService, plan: Int64) async throws -> Int {
        let ada = try await service.newUser()
        let address = try #require(service.settings.socketListen.first)
        let socket = try await RawSocket.connect(to: address, reads: false)
        let opening = ["token": try #require(ada.client.token)]
        try await socket.send(line: try PlainSocket.request("session.open", opening, id: 1))
        try await socket.send(line: try PlainSocket.request("changes.watch", id: 2))
        let list = try PlainSocket.request("plans.list", ["country": "US", "limit": 200], id: 3) + "\n"
        // More than all buffers on the way hold.
        socket.sendWithoutWaiting(Array(String(repeating: list, count: 1000).utf8))
        var newest: Int64 = 0
        for _ in 0..<100 { newest = try await ada.call(CreateSubscription(planId: plan)).version }
        try await socket.startReading()
        var changes: [Changes] = []
        try await eventually("the newest is told") {
            let line = try await socket.line(within: .seconds(60))
            if line.contains("\"method\":\"changes\"") { changes.append(try Changes(line)) }
            return changes.last?.version == newest
        }
        await socket.close()
        return changes.count
    }

    @Test("A socket of a user whose data are away for a while is told when they are back")
    func restart() async throws {
        try await PrivateServer.own { server in
            try await TestService.runUnready(on: server) { service in
                try await service.becomesReady()
                let plan = try await service.addPlan()
                let ada = try await service.newUser()
                let phone = try await RawWebSocket.open(port: service.port, token: ada.client.token)
                await server.kill()
                try await server.restart()
                try await service.becomesReady()
                let made = try await ada.call(CreateSubscription(planId: plan))
                #expect(try await phone.changes() == Changes(scope: "user", version: made.version))
                await phone.socket.close()
            }
        }
    }
}

/// What a poke says.
private struct Changes: Equatable {
    let scope: String
    let version: Int64

    init(scope: String, version: Int64) {
        self.scope = scope
        self.version = version
    }

    init(_ text: String) throws {
        struct Notification: Decodable {
            struct Params: Decodable {
                let scope: String
                let version: Int64
            }
            let method: String
            let params: Params
        }
        let notification = try JSONDecoder().decode(Notification.self, from: Data(text.utf8))
        #expect(notification.method == "changes")
        (scope, version) = (notification.params.scope, notification.params.version)
    }
}

extension RawWebSocket {
    /// Takes the next message, which must be a poke.
    fileprivate func changes(within limit: Duration = .seconds(60)) async throws -> Changes {
        try Changes(try await text(within: limit))
    }
}

extension String {
    fileprivate func trimmingSpace() -> String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
