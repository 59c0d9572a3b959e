import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Sockets are told of scopes with several members.
@Suite("Pokes of shared scopes", .ownTime)
struct SharedPokeTests {
    /// A poke as it is sent.
    private struct Told: Hashable {
        let scope: String
        let version: Int64

        init(_ text: String) throws {
            let json = try JSON(Data(text.utf8))
            guard json["method"] == .string("changes"), let scope = json["params"]?["scope"]?.text,
                case .integer(let version)? = json["params"]?["version"]
            else { throw NeverHappened(description: "no poke: \(text)") }
            (self.scope, self.version) = (scope, version)
        }
    }

    /// Takes pokes until one of a scope with a version came.
    /// - Returns: all of them.
    private static func pokes(
        _ socket: RawWebSocket, until scope: String, _ version: Int64
    ) async throws -> Set<Told> {
        var pokes: Set<Told> = []
        while true {
            let told = try Told(try await socket.text(within: .seconds(60)))
            pokes.insert(told)
            if told.scope == scope, told.version >= version { return pokes }
        }
    }

    @Test(
        "All members are told of each other's changes, by SQL and through another replica too; a new one from joining on, and a former one no more, on the same socket"
    )
    func members() async throws {
        // The first replica never looks at everything: what is told there comes by its own commits.
        try await TeamsArea.run(configure: { $0.socketLimits.changeCheckInterval = .seconds(3600) }) { service in
            try await service.runReplica(configure: { $0.socketLimits.changeCheckInterval = .milliseconds(200) }) {
                replica in
                let (one, two, three) =
                    (try await service.newUser(), try await service.newUser(), try await service.newUser())
                let (ada, bob, cleo) = (TeamUser(one, service), TeamUser(two, replica), TeamUser(three, service))
                let team = UUID()
                let scope = "team/\(team.uuidString.lowercased())"
                try await ada.push("create", "team", team, ["name": "Home"])
                let phone = try await RawWebSocket.open(port: service.port, token: ada.token)
                let tablet = try await RawWebSocket.open(port: service.port, token: cleo.token)
                let laptop = try await RawWebSocket.open(port: replica.port, token: bob.token)
                let desk = try await RawWebSocket.open(port: replica.port, token: cleo.token)
                func version(_ scope: UUID) async throws -> Int64 {
                    Int64(try await service.number("SELECT Ver FROM Scope WHERE Scope_ID = \(hex(scope))"))
                }
                func add(by user: TeamUser) async throws {
                    let fields = ["teamId": team.uuidString, "name": "x", "amount": "1"]
                    try await user.push("create", "teamItem", UUID(), fields)
                }
                func expectTold(_ sockets: [RawWebSocket]) async throws {
                    for socket in sockets {
                        let pokes = try await Self.pokes(socket, until: scope, try await version(team))
                        #expect(pokes.allSatisfy { ["user", scope].contains($0.scope) })
                    }
                }
                for user in [bob, cleo] {
                    try await ada.push(
                        "create", "teamMember", UUID(), ["teamId": team.uuidString, "userId": user.name])
                }
                try await expectTold([phone, tablet, laptop, desk])
                try await add(by: ada)
                try await expectTold([phone, tablet])
                try await add(by: bob)
                try await expectTold([laptop, desk])
                try await service.database.run("UPDATE Team_item SET Amount = 'sql'")
                try await expectTold([laptop, desk])

                // One goes by SQL, the other through the service. Then the team changes.
                try await service.database.run(
                    "DELETE FROM Team_member WHERE User_ID = \(hex(bob.id)) AND Team_ID = \(hex(team))")
                let bobsLast = try await version(team)
                let member = try await service.database.run(
                    "SELECT LOWER(HEX(Member_ID)) FROM Team_member WHERE User_ID = \(hex(cleo.id))")
                let id = try #require(Self.uuid(member))
                try await ada.push("delete", "teamMember", id, [:])
                let cleosLast = try await version(team)
                try await add(by: ada)
                try await expectTold([phone])
                try await two.call(UpdateMe(userName: .set("Bob")))
                try await three.call(UpdateMe(userName: .set("Cleo")))
                // Who leaves may be told of the change by which it was, and of those before it.
                let former = [(laptop, bob, bobsLast), (desk, cleo, cleosLast), (tablet, cleo, cleosLast)]
                for (socket, user, last) in former {
                    let pokes = try await Self.pokes(socket, until: "user", try await version(user.id))
                    let later = pokes.filter { $0.scope != "user" && ($0.scope != scope || $0.version > last) }
                    #expect(later.isEmpty)
                }
                for socket in [phone, tablet, laptop, desk] { await socket.socket.close() }
            }
        }
    }

    private static func uuid(_ hex: String) -> UUID? {
        var text = hex.trimmingCharacters(in: .whitespacesAndNewlines)
        for place in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
        return UUID(uuidString: text)
    }
}
