import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits

@testable import SubTrackServer

/// A random history of some users and their teams: clients with bad connections to two replicas, and an administrator who
/// types SQL.
struct TeamHistory: Sendable {
    /// That a user is a member of a team.
    struct Membership: Hashable, Sendable {
        var team: UUID
        var user: UUID
    }

    let seed: UInt64
    private(set) var clients: [TeamClient]
    /// What came of it that may not be.
    private(set) var faults: [String] = []
    private let users: [TeamUser]
    private let admin: TeamAdmin
    private var random: SeededGenerator
    private var statements = 0

    /// A history of users who have no teams yet. Each of the first has two devices.
    init(seed: UInt64, users: [TeamUser], admin: MariaDBClient) {
        self.seed = seed
        self.users = users
        self.admin = TeamAdmin(client: admin, users: users.map(\.id))
        random = SeededGenerator(seed: seed)
        clients = (users + users.prefix(2)).enumerated().map { number, user in
            TeamClient(user: user, number: number, prefix: "h\(seed)")
        }
    }

    /// Lets things happen. After each step it looks whether a user was given rows of a team without being a member.
    mutating func play(steps: Int) async throws {
        for _ in 0..<steps {
            let before = try await admin.members()
            for index in clients.indices { clients[index].seen = [] }
            try await step()
            let allowed = before.members.union(try await admin.joined(after: before.line))
            for client in clients {
                for scope in client.seen where scope.hasPrefix("team/") {
                    guard let team = UUID(uuidString: String(scope.dropFirst(5))) else { continue }
                    guard !allowed.contains(.init(team: team, user: client.user.id)) else { continue }
                    faults.append("client \(client.number) was given rows of \(scope) without being a member")
                }
            }
        }
    }

    private mutating func step() async throws {
        let index = Int.random(in: clients.indices, using: &random)
        let replica = Int.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<8: clients[index].edit(others: users, &random)
        case 8..<12:
            await clients[index].push(
                Int.random(in: 1...5, using: &random), isLost: random.next() % 4 == 0,
                isDoubled: random.next() % 4 == 0, replica: replica)
        case 12..<17:
            await clients[index].pull(
                limit: Int.random(in: 1...8, using: &random), all: random.next() % 2 == 0,
                isLost: random.next() % 5 == 0, replica: replica)
        case 17: await clients[index].repeatOld(&random, replica: replica)
        case 18..<20:
            // Two clients and the administrator at the same time.
            let other = (index + 1) % clients.count
            let (admin, text) = (admin, sqlText())
            var (first, second, source) = (clients[index], clients[other], SeededGenerator(seed: random.next()))
            async let one = Self.pushed(first, replica)
            async let two = Self.pushed(second, 1 - replica)
            try await admin.type(text, &source)
            (first, second) = await (one, two)
            (clients[index], clients[other]) = (first, second)
        default: try await admin.type(sqlText(), &random)
        }
    }

    private mutating func sqlText() -> String {
        statements += 1
        return "h\(seed)sql-\(statements)"
    }

    private static func pushed(_ client: TeamClient, _ replica: Int) async -> TeamClient {
        var client = client
        await client.push(4, replica: replica)
        return client
    }

    /// Brings all clients into step, and looks whether all is there.
    mutating func finish() async throws {
        for index in clients.indices {
            for _ in 0..<100 where !clients[index].outbox.isEmpty { await clients[index].push(10, replica: index) }
            if !clients[index].outbox.isEmpty { faults.append("the outbox of client \(index) does not empty") }
        }
        for index in clients.indices { await clients[index].pull(limit: 40, all: true, replica: index) }
        faults += clients.flatMap(\.faults)
        faults += try await TeamJudge(admin: admin.client, clients: clients).faults()
    }
}
