import MariaDB
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The cap of connections is the whole service's, on however many servers its tenants are.
@Suite("Connections to several servers", .ownTime)
struct DatabaseServersTests {
    @Test(
        "Parts are together as many as there may be, whatever the numbers; each server in use has one, while there are enough"
    )
    func parts() throws {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2_000 {
            let connections = Int.random(in: 1...40, using: &random)
            let tenants = Dictionary(
                uniqueKeysWithValues: (0..<Int.random(in: 0...50, using: &random)).map {
                    ("server\($0)", Int.random(in: 0...30, using: &random))
                })
            let shares = ConnectionShares(
                of: connections, tenants: tenants, mainTenants: Int.random(in: 0...30, using: &random))
            #expect(shares.others.values.reduce(shares.main, +) == connections)
            #expect(shares.main >= 1 && shares.others.values.allSatisfy { $0 >= 0 })
            #expect(Set(shares.others.keys) == Set(tenants.keys))
            let used = tenants.filter { $0.value > 0 }.map(\.key)
            let served = used.filter { shares.others[$0] ?? 0 > 0 }
            #expect(served.count == min(used.count, connections - 1))
            #expect(shares.without == used.filter { !served.contains($0) }.sorted())
            #expect(
                tenants.allSatisfy { $0.value > 0 || shares.others[$0.key] == 0 }, "a server without tenants has none")
        }
        let fair = ConnectionShares(of: 32, tenants: ["a": 10, "b": 30], mainTenants: 60)
        #expect(fair.others == ["a": 3, "b": 9] && fair.main == 20)
        let scarce = ConnectionShares(of: 3, tenants: ["a": 1, "b": 9, "c": 5, "d": 2], mainTenants: 100)
        #expect(scarce.others == ["a": 0, "b": 1, "c": 1, "d": 0] && scarce.main == 1)
        #expect(scarce.without == ["a", "d"])
    }

    @Test("A server that comes in gets connections when another one has closed what it gives up: never are there more")
    func never() async throws {
        try await TestDatabase.lease { database in
            try await database.withClient(configure: { $0.maximumConnections = 4 }) { main in
                try await database.withClient { other in
                    let servers = DatabaseServers(main: main) { _ in other }
                    let upkeep = Task { await servers.run() }
                    try await hold(4, of: main) {
                        // A tenant beside the control database, and three on a server that nobody knew.
                        _ = try servers.client(of: "mysql://elsewhere")
                        servers.share(tenants: [nil: 1, "mysql://elsewhere": 3])
                        #expect(main.maximumConnections == 2 && other.maximumConnections == 0)
                        await #expect(throws: MariaDBError.self) {
                            try await other.withConnection(nil, timeout: .milliseconds(100)) { _ in }
                        }
                        #expect(main.statistics.size == 4 && other.statistics.size == 0)
                    }
                    try await hold(2, of: other) {
                        try await hold(2, of: main) {
                            #expect(main.statistics.size == 2 && other.statistics.size == 2)
                        }
                    }
                    // All have gone back.
                    servers.share(tenants: [nil: 4])
                    try await eventually("they are the first one's again") { main.maximumConnections == 4 }
                    #expect(other.maximumConnections == 0)
                    upkeep.cancel()
                    await upkeep.value
                }
            }
        }
    }

    /// Runs a body while so many connections of a client are lent.
    private func hold(
        _ count: Int, of client: MariaDBClient, _ body: @Sendable () async throws -> Void
    ) async throws {
        guard count > 0 else { return try await body() }
        try await client.withConnection(nil, timeout: .seconds(30)) { _ in try await hold(count - 1, of: client, body) }
    }
}
